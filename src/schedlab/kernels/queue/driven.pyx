"""What the queues that are driven from outside have in common; see driven.pxd."""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc

from schedlab.kernels.queue.after cimport after_add, after_free, after_room

#: states of a job
PENDING, HELD, WAITING, RUNNING, ENDED, CANCELLED = range(6)
#: why a job cannot be made to depend on another
IS_LATE, IS_NOT_HERE, COMES_LATER = range(1, 4)

cdef enum:
    COPIED = 512                        # bytes a job of a copy
    LARGEST = 1 << 24                   # bytes that are kept at hand at most


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
        free(self.asked)

    cdef int make_room(self, int32_t room) noexcept nogil:
        # Columns for `room` jobs; -1 when memory is out.
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
        # Keep the arrays of the programs, which nobody changes, and point to them; or functions.
        self.kept = programs

    cdef int64_t next_time(self) noexcept nogil:
        # When something happens next, or INT64_MAX.
        return INT64_MAX

    cdef int run(self, int64_t until, bint on_end) noexcept nogil:
        # Every event up to and including `until`, with `on_end` up to and including the first
        # instant at which a job ends, and then 1; -1 when memory is out or a score orders nothing.
        return -1

    cdef int copy(self, Driven parent, bint observed, const Moved* moved) noexcept:
        # What is known of the jobs that live; -1 when memory is out.
        return -1

    cdef int64_t go_on(self, int64_t until, bint on_end) except -2:
        # Handle every event up to and including `until`, where the clock then stands, unless `run`
        # stops before; the handle of a job whose score orders nothing, or -1.
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

    cdef int enter(self, int32_t job) noexcept nogil:
        # Let a job that was held come to the queue now; -1 when memory is out.
        return -1

    cdef int let_go(self, int32_t job) noexcept nogil:
        # Let go who waited for a job that is over, and for nobody else any more.
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
        # The place of a job, or -1 if it is not known here.
        cdef int32_t low = 0, high = self.jobs, middle
        if handle < high and self.number[handle] == handle:
            return handle
        while low < high:
            middle = (low + high) >> 1
            if self.number[middle] < handle:
                low = middle + 1
            else:
                high = middle
        return low if low < self.jobs and self.number[low] == handle else -1

    cdef void settle(self) noexcept nogil:
        # Pass by who is over.
        while self.low < self.jobs and self.state_[self.low] & IS_ENDED:
            self.low += 1

    cdef int pick(self, Driven parent, bint observed, Moved* moved) noexcept nogil:
        # Find who lives, of those that an observer sees; -1 when memory is out. Who calls frees.
        cdef int32_t job, live = 0, last = parent.high if observed else parent.jobs
        cdef int64_t size
        for job in range(parent.low, last):
            live += not parent.state_[job] & IS_ENDED
        size = (<int64_t>live + 1 + parent.jobs) * sizeof(int32_t)
        # As large as a whole copy: a C library that was given back a block of that size keeps as
        # much at hand, and most of the time of a copy would else go into pages from the system.
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
        # Copy what is known of who lives, where there is room; -1 when memory is out. To an
        # observer jobs run as long as estimated, and those that run on for another second.
        cdef int32_t k, job, other, e
        self.jobs, self.given = moved.count, parent.given
        self.free_procs, self.clock, self.stale = parent.free_procs, parent.clock, parent.stale
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
            # who waits for somebody that an observer does not see is never let go
            self.after.unmet[k] = parent.after.unmet[moved.old[k]]
        return 0

    def check(self):
        """See that nothing went wrong before."""
        if self.broken:
            raise MemoryError("this queue ran out of memory before")

    def next_event(self):
        """When something happens next; None: never."""
        time = self.next_time()
        return None if time == INT64_MAX else time

    def job(self, int32_t handle):
        """Submit time, estimate and processors of one job."""
        cdef int32_t job = self.place(handle)
        return self.submit_[job], self.estimate[job], self.procs[job]

    def fork(self, bint observed):
        """Copy all that lives, as it is or as an observer sees it."""
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
        """Let each job wait until the other one of its pair is over.

        Returns
        -------
        tuple of int or None
            The first pair that cannot be, and why; then nothing has changed.
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
        """Let nothing go on when these jobs have started; of a copy that is asked once."""
        cdef int32_t k, job
        self.asked = <char*>calloc(<int64_t>self.jobs + 1, 1)
        if self.asked == NULL:
            raise MemoryError(f"no memory left for {self.jobs} jobs")
        for k in range(handles.shape[0]):
            job = self.place(handles[k])
            if job >= 0 and self.state_[job] < IS_RUNNING and not self.asked[job]:
                self.asked[job] = 1
                self.awaited += 1

    def starts(self, const int32_t[::1] handles):
        """Start of each of some jobs; -1 where it has not started or is not known here."""
        start = np.full(handles.shape[0], -1, dtype=np.int64)
        cdef int64_t[::1] a = start
        cdef int32_t k, job
        for k in range(handles.shape[0]):
            job = self.place(handles[k])
            if job >= 0 and self.state_[job] >= IS_RUNNING:
                a[k] = self.start_[job]
        return start

    def read(self):
        """Jobs that have started and jobs that have ended since this was read last, in order."""
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
        """Handle, state, start and end of who is over since this was asked last, to be kept."""
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
        """Copies of handle, state, start and end; -1 where it has not come to that."""
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
        """Handles of the jobs that live and are in a state, ascending."""
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
        """State of one job; -1 if it is not known here."""
        cdef int32_t job = self.place(handle)
        return self.state_[job] if job >= 0 else -1

    @property
    def submitted(self):
        """How many jobs have been submitted, here and before this was copied."""
        return self.given

    @property
    def now(self):
        """The present time in seconds."""
        return self.clock

    @property
    def free(self):
        """Processors that are free."""
        return self.free_procs
