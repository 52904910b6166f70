"""Base of the queues under external control; see driven.pxd."""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from schedlab.kernels.common.bisect cimport before_int32, bisect
from schedlab.kernels.common.region cimport resize
from schedlab.kernels.queue.after cimport after_add, after_free, after_room

#: states of a job
PENDING, HELD, WAITING, RUNNING, ENDED, CANCELLED = range(6)
#: reasons why a job cannot depend on another
IS_LATE, IS_NOT_HERE, COMES_LATER = range(1, 4)

cdef enum:
    COPIED = 512                        # bytes per job of a copy
    LARGEST = 1 << 24                   # largest number of bytes of a retained block

cdef int64_t FOREVER = <int64_t>1 << 50  # the end of a closure that does not end


cdef class Driven:
    """Columns are arrays over all jobs known here, in the order of their handles."""

    def __dealloc__(self):
        after_free(&self.after)
        free(self.number)
        free(self.submit_)
        free(self.runtime)
        free(self.estimate)
        free(self.procs)
        free(self.start_)
        free(self.end_)
        free(self.state_)
        free(self.began)
        free(self.over)
        free(self.wanted)
        free(self.closed)

    def __cinit__(self):
        self.change_at = INT64_MAX

    cdef int make_room(self, int32_t room) noexcept nogil:
        # Allocate columns for `room` jobs; -1 if memory runs out.
        if (
            resize(<void**>&self.submit_, room, sizeof(int64_t))
            or resize(<void**>&self.runtime, room, sizeof(int64_t))
            or resize(<void**>&self.estimate, room, sizeof(int64_t))
            or resize(<void**>&self.procs, room, sizeof(int64_t))
            or resize(<void**>&self.start_, room, sizeof(int64_t))
            or resize(<void**>&self.end_, room, sizeof(int64_t))
            or resize(<void**>&self.number, room, sizeof(int32_t))
            or resize(<void**>&self.began, room, sizeof(int32_t))
            or resize(<void**>&self.over, room, sizeof(int32_t))
            or resize(<void**>&self.state_, room, 1)
            or (self.after.room and after_room(&self.after, room))
        ):
            return -1
        self.room = room
        return 0

    cdef keep(self, programs):
        # Keep the arrays of the programs, which are constant, and point to them; or functions.
        self.kept = programs

    cdef int64_t next_time(self) noexcept nogil:
        # Return the time of the next event, or INT64_MAX.
        return INT64_MAX

    cdef int run(self, int64_t until, bint on_end) noexcept nogil:
        # Handle every event up to and including `until`; with `on_end` up to and including the
        # first instant at which a job ends, and then return 1; -1 if memory runs out or a score
        # has no order.
        return -1

    cdef int copy(self, Driven parent, bint observed, const Moved* moved) noexcept:
        # Copy the data on live jobs; -1 if memory runs out.
        return -1

    cdef int64_t go_on(self, int64_t until, bint on_end) except -2:
        # Handle every event up to and including `until` and set the clock to it, unless `run`
        # stops before; return the handle of a job whose score has no order, or -1.
        cdef int found
        self.check()
        if self.raised is not None:
            raise self.raised
        with nogil:
            found = self.run(until, on_end) if self.faulty_ < 0 else -1
            if found == 0 and until != INT64_MAX and until > self.clock:
                self.clock = until
        if self.raised is not None:
            raise self.raised
        if found < 0 and self.faulty_ < 0:
            self.broken = True
            raise MemoryError("no memory left to go on")
        return self.number[self.faulty_] if self.faulty_ >= 0 else -1

    cdef int announce(self, const Closure* closure) noexcept nogil:
        # Plan around processors that are closed later; -1 if memory runs out.
        return -1

    cdef int shut(self, const Closure* closure) noexcept nogil:
        # Record that processors are closed; -1 if memory runs out.
        return -1

    cdef int reopen(self, const Closure* closure) noexcept nogil:
        # Record that they are open again; -1 if memory runs out.
        return -1

    cdef int change(self) noexcept nogil:
        # Apply what happens to closures now; -1 if memory runs out.
        cdef int32_t k
        cdef const Closure* closure
        for k in range(self.closures):
            closure = &self.closed[k]
            if closure.end == self.clock:
                self.free_procs += closure.procs
                if self.reopen(closure):
                    return -1
        for k in range(self.closures):
            closure = &self.closed[k]
            if closure.known == self.clock and self.announce(closure):
                return -1
            if closure.begin == self.clock:
                self.free_procs -= closure.procs
                if self.shut(closure):
                    return -1
        self.change_at = INT64_MAX
        for k in range(self.closures):
            closure = &self.closed[k]
            self.soon(closure.known)
            self.soon(closure.begin)
            self.soon(closure.end)
        return 0

    cdef void soon(self, int64_t time) noexcept nogil:
        # Record when closures may change next.
        if self.clock < time < FOREVER:
            self.change_at = min(self.change_at, time)

    cdef int keep_closures(self, const Closure* closures, int32_t count) noexcept nogil:
        # Copy closures; -1 if memory runs out.
        if not count:
            return 0
        if resize(<void**>&self.closed, count, sizeof(Closure)):
            return -1
        memcpy(self.closed, closures, count * sizeof(Closure))
        self.closures = count
        return 0

    cdef int enter(self, int32_t job) noexcept nogil:
        # Let a held job enter the queue now; -1 if memory runs out.
        return -1

    cdef int let_go(self, int32_t job) noexcept nogil:
        # Release the jobs that depended on an ended job and on no other unfinished one.
        cdef int32_t e = self.after.first[job], other
        while e >= 0:
            other = self.after.edge[e].job
            self.after.unmet[other] -= 1
            if (
                self.after.unmet[other] == 0 and self.state_[other] == IS_HELD
                and self.enter(other)
            ):
                return -1
            e = self.after.edge[e].next
        return 0

    cdef int32_t place(self, int32_t handle) noexcept nogil:
        # Return the place of a job, or -1 if it is unknown here.
        cdef int32_t place
        if handle < self.jobs and self.number[handle] == handle:
            return handle
        place = bisect(before_int32, self.number, self.jobs, &handle)
        return place if place < self.jobs and self.number[place] == handle else -1

    cdef void settle(self) noexcept nogil:
        # Skip jobs that are over.
        while self.low < self.jobs and self.state_[self.low] & IS_ENDED:
            self.low += 1

    cdef int pick(self, Driven parent, bint observed, Moved* moved) noexcept nogil:
        # Find the live jobs, or those that an observer sees; -1 if memory runs out. The caller
        # frees.
        cdef int32_t job, live = 0, last = parent.high if observed else parent.jobs
        cdef int64_t size
        for job in range(parent.low, last):
            live += not parent.state_[job] & IS_ENDED
        size = (<int64_t>live + 1 + parent.jobs) * sizeof(int32_t)
        # As large as a whole copy: after a block of that size is freed, the C library retains that
        # memory. Otherwise a copy would spend most of its time on new pages from the system.
        size = max(size, min(<int64_t>live * COPIED, LARGEST))
        moved.count, moved.old = 0, <int32_t*>malloc(size)
        if moved.old == NULL:
            return -1
        moved.fresh = moved.old + live + 1
        for job in range(parent.low, last):
            if is_seen(parent, job) or (not observed and parent.state_[job] == IS_PENDING):
                moved.fresh[job] = moved.count
                moved.old[moved.count] = job
                moved.count += 1
                self.high += job < parent.high
        return 0

    cdef int take(self, Driven parent, bint observed, const Moved* moved) noexcept nogil:
        # Copy the data on live jobs; there is capacity. -1 if memory runs out. For an observer,
        # jobs run as long as their estimates, and jobs that exceed them run another second.
        cdef int32_t k, job, other, e
        self.jobs, self.given = moved.count, parent.given
        self.free_procs, self.clock, self.stale = parent.free_procs, parent.clock, parent.stale
        self.change_at = parent.change_at
        if self.keep_closures(parent.closed, parent.closures):
            return -1
        for k in range(self.closures if observed else 0):
            # what is not known never comes, and has a time that has passed
            if self.closed[k].known > self.clock:
                self.closed[k].known = self.closed[k].begin = self.closed[k].end = -1
            elif self.closed[k].end > self.clock:
                self.closed[k].end = self.closed[k].expected
        for k in range(moved.count):
            job = moved.old[k]
            self.number[k], self.state_[k] = parent.number[job], parent.state_[job]
            self.submit_[k], self.procs[k] = parent.submit_[job], parent.procs[job]
            self.estimate[k] = parent.estimate[job]
            self.runtime[k] = parent.estimate[job] if observed else parent.runtime[job]
            self.start_[k], self.end_[k] = parent.start_[job], parent.end_[job]
            if observed and self.state_[k] == IS_RUNNING:
                self.end_[k] = max(self.start_[k] + self.runtime[k], self.clock + 1)
        if parent.after.edges == 0:
            return 0
        if after_room(&self.after, self.room):
            return -1
        for k in range(moved.count):
            job = moved.old[k]
            e = parent.after.first[job]
            while e >= 0:
                other = parent.after.edge[e].job
                if (
                    is_seen(parent, other)
                    or (not observed and parent.state_[other] == IS_PENDING)
                ) and after_add(&self.after, moved.fresh[other], k):
                    return -1
                e = parent.after.edge[e].next
        for k in range(moved.count):
            # a job that depends on one that the observer does not see is never released
            self.after.unmet[k] = parent.after.unmet[moved.old[k]]
        return 0

    def check(self):
        """Raise an error if memory ran out before."""
        if self.broken:
            raise MemoryError("this queue ran out of memory before")

    def advance(self, int64_t until=INT64_MAX, bint on_end=False):
        """Handle every event up to and including `until` and set the clock to it.

        With `on_end`, stop at the first instant at which a job ends.

        Returns
        -------
        int
            A job whose score at this time has no order, after which the queue is unusable; or -1.

        Raises
        ------
        BaseException
            What a scoring function raised; the queue is unusable after it.
        """
        return self.go_on(until, on_end)

    def next_event(self):
        """Return the time of the next event; None if there is none."""
        time = self.next_time()
        return None if time == INT64_MAX else time

    def job(self, int32_t handle):
        """Return submit time, estimate and processors of one job."""
        cdef int32_t job = self.place(handle)
        return self.submit_[job], self.estimate[job], self.procs[job]

    def requests(self, const int32_t[::1] handles):
        """Return the estimate and the processors of each of some live jobs."""
        found = np.empty((handles.shape[0], 2), dtype=np.int64)
        cdef int64_t[:, ::1] a = found
        cdef int32_t k, job
        for k in range(handles.shape[0]):
            job = self.place(handles[k])
            if job < 0:
                raise ValueError(f"job {handles[k]} is over")
            a[k, 0], a[k, 1] = self.estimate[job], self.procs[job]
        return found

    def close(self, const int64_t[:, ::1] closures):
        """Close processors for a time, before any job is submitted.

        Parameters
        ----------
        closures : ndarray of int64, shape (n, 5)
            When each is announced, begins and ends, its expected end, and its processors, in this
            order, ascending from 0 on but for the last; it begins before it ends.
        """
        cdef int32_t k
        if self.given or self.closures:
            raise ValueError("processors are closed before the first job is submitted")
        for k in range(closures.shape[0]):
            if not 0 <= closures[k, 0] <= closures[k, 1] < closures[k, 2] <= closures[k, 3]:
                raise ValueError(f"the closure {np.asarray(closures[k])} has no order of times")
        if resize(<void**>&self.closed, closures.shape[0] + 1, sizeof(Closure)):
            raise MemoryError(f"no memory left for {closures.shape[0]} closures")
        for k in range(closures.shape[0]):
            self.closed[k].known, self.closed[k].begin = closures[k, 0], closures[k, 1]
            self.closed[k].end, self.closed[k].expected = closures[k, 2], closures[k, 3]
            self.closed[k].procs = <int32_t>closures[k, 4]
            self.change_at = min(self.change_at, closures[k, 0])
        self.closures = <int32_t>closures.shape[0]

    def fork(self, bint observed):
        """Copy all live jobs, as they are or as an observer sees them."""
        cdef Driven other = type(self).__new__(type(self))
        cdef Moved moved
        cdef int failed
        self.check()
        other.keep(self.kept)
        self.settle()
        failed = other.pick(self, observed, &moved) or other.copy(self, observed, &moved)
        free(moved.old)
        if failed:
            raise MemoryError(f"no memory left to copy {moved.count} jobs")
        return other

    def depend(self, const int32_t[::1] handles, const int32_t[::1] others):
        """Make the first job of each pair depend on the end of the second.

        Returns
        -------
        tuple of int or None
            The first invalid pair, and the reason; then nothing has changed.
        """
        cdef int32_t k, job, other, why
        cdef int failed = 0
        self.check()
        for k in range(handles.shape[0]):
            job, other = self.place(handles[k]), self.place(others[k])
            why = 0
            if job < 0:
                why = IS_NOT_HERE
            elif self.state_[job] != IS_PENDING and self.state_[job] != IS_HELD:
                why = IS_LATE
            elif other >= 0 and (
                self.submit_[other] > self.submit_[job]
                or (self.submit_[other] == self.submit_[job] and other >= job)
            ):
                why = COMES_LATER
            if why:
                return handles[k], others[k], why
        if handles.shape[0] and self.after.room == 0:
            failed = after_room(&self.after, self.room)
        for k in range(handles.shape[0]):
            job, other = self.place(handles[k]), self.place(others[k])
            if not failed and other >= 0 and not self.state_[other] & IS_ENDED:
                failed = after_add(&self.after, job, other)
        if failed:
            self.broken = True
            raise MemoryError("no memory left for what jobs wait for")
        return None

    def ask(self, const int32_t[::1] handles):
        """Stop the simulation when these jobs have started; for a copy with one question."""
        cdef int32_t k, job
        self.wanted = <char*>calloc(<int64_t>self.jobs + 1, 1)
        if self.wanted == NULL:
            raise MemoryError(f"no memory left for {self.jobs} jobs")
        for k in range(handles.shape[0]):
            job = self.place(handles[k])
            if job >= 0 and self.state_[job] < IS_RUNNING and not self.wanted[job]:
                self.wanted[job] = 1
                self.awaited += 1

    def starts(self, const int32_t[::1] handles):
        """Return the start of each of some jobs; -1 if it has not started or is unknown here."""
        start = np.full(handles.shape[0], -1, dtype=np.int64)
        cdef int64_t[::1] a = start
        cdef int32_t k, job
        for k in range(handles.shape[0]):
            job = self.place(handles[k])
            if job >= 0 and self.state_[job] >= IS_RUNNING:
                a[k] = self.start_[job]
        return start

    def read(self):
        """Return jobs that have started and jobs that have ended since the last read, in order."""
        started = np.empty(self.begun - self.begun_read, dtype=np.int32)
        ended = np.empty(self.gone - self.gone_read, dtype=np.int32)
        cdef int32_t[::1] a = started, b = ended
        cdef int32_t k, found = 0
        for k in range(self.begun_read, self.begun):
            a[k - self.begun_read] = self.number[self.began[k]]
        for k in range(self.gone_read, self.gone):
            if self.state_[self.over[k]] == IS_ENDED:
                b[found] = self.number[self.over[k]]
                found += 1
        self.begun_read, self.gone_read = self.begun, self.gone
        return started, ended[:found]

    def record(self):
        """Return handle, state, start and end of jobs that are over since the last call."""
        cdef int32_t k, job, n = self.gone - self.recorded
        handles, state = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int8)
        start, end = np.empty(n, dtype=np.int64), np.empty(n, dtype=np.int64)
        cdef int32_t[::1] h = handles
        cdef signed char[::1] s = state
        cdef int64_t[::1] a = start, b = end
        for k in range(n):
            job = self.over[self.recorded + k]
            h[k], s[k], a[k], b[k] = (
                self.number[job], self.state_[job], self.start_[job], self.end_[job]
            )
        self.recorded = self.gone
        return handles, state, start, end

    def columns(self):
        """Return copies of handle, state, start and end; -1 if it has not happened."""
        handles, state = np.empty(self.jobs, dtype=np.int32), np.empty(self.jobs, dtype=np.int8)
        start, end = np.empty(self.jobs, dtype=np.int64), np.empty(self.jobs, dtype=np.int64)
        cdef int32_t[::1] h = handles
        cdef signed char[::1] s = state
        cdef int64_t[::1] a = start, b = end
        cdef int32_t job
        for job in range(self.jobs):
            h[job], s[job], b[job] = self.number[job], self.state_[job], self.end_[job]
            a[job] = self.start_[job] if self.state_[job] >= IS_RUNNING else -1
        return handles, state, start, end

    def which(self, State state):
        """Return handles of the live jobs in a state, ascending."""
        cdef int32_t job, n = 0
        self.settle()
        for job in range(self.low, self.jobs):
            n += self.state_[job] == state
        handles = np.empty(n, dtype=np.int32)
        cdef int32_t[::1] h = handles
        n = 0
        for job in range(self.low, self.jobs):
            if self.state_[job] == state:
                h[n] = self.number[job]
                n += 1
        return handles

    def state(self, int32_t handle):
        """Return the state of one job; -1 if it is unknown here."""
        cdef int32_t job = self.place(handle)
        return self.state_[job] if job >= 0 else -1

    @property
    def submitted(self):
        """Number of jobs submitted, here and before the copy."""
        return self.given

    @property
    def now(self):
        """The present time in seconds."""
        return self.clock

    @property
    def free(self):
        """Number of free processors."""
        return self.free_procs
