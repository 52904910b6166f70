"""Conservative backfilling: every job has a reservation from its arrival on.

Algorithm: the event loop of the full dialect (at one instant all completions, then all arrivals,
then all due starts) over a plan (`Profile`). An arriving job is planned at the earliest gap that
holds its processors for its estimate. When a job ends before its estimate, the rest of its
reservation is freed. With compression, waiting jobs are then replanned in the order of the policy,
each at its earliest gap and never later than before.

When a closure of processors is announced, or ends before it was expected to, all waiting jobs are
planned again, in the order of the policy.

Invariant: the plan has fewer than 0 free processors only where jobs run on closed ones.
With compression, a waiting job's reservation is the earliest that the plan allowed when the job was
last examined, so only processors freed since can let it move. `freed` keeps, for the last pass and
this one, the largest number of free processors there and where the first freed range begins; a job
that needs more, or is planned before that range, is skipped. A job's own reservation is in no gap
that begins before it, so it is removed from the plan only when it moves; where old and new overlap,
only the ends change.

A function of Python can compute the scores instead of a program (`called`). It is called with all
waiting jobs when they are replanned, and also with the arriving ones if several arrive at one
instant.

Cost: a pass reads two or three fields of each waiting job, and the plan in front of its
reservation, chunk by chunk, if freed processors can let it move. A move costs what `profile_add`
does. Without compression an event costs O(log n) plus the cost of the plan. A copy (`fork`) costs
O(active jobs + steps of the plan).
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memmove

from schedlab.kernels.common.chunks cimport Profile, profile_copy, profile_free, profile_make
from schedlab.kernels.queue.driven cimport (
    IS_CANCELLED,
    IS_ENDED,
    IS_PENDING,
    IS_RUNNING,
    IS_WAITING,
    Closure,
    Driven,
    Moved,
    State,
    add_job,
    is_answered,
    is_held,
    note_over,
    note_start,
)
from schedlab.kernels.common.due cimport (
    Due,
    Entry,
    due_add,
    due_drop,
    due_next,
    due_sooner,
    is_due_before,
)
from schedlab.kernels.common.expression cimport Program, orders_nothing, run_program
from schedlab.kernels.queue.kinds cimport (
    Frees,
    Kind,
    Kinds,
    frees_none,
    frees_pass,
    kind_bound,
    kind_learn,
    kind_of,
    kinds_copy,
    kinds_free,
    note_free,
    note_move,
)
from schedlab.kernels.common.portable cimport log2_floor
from schedlab.kernels.common.profile cimport (
    is_beyond,
    profile_add,
    profile_advance,
    profile_earliest,
    profile_gap,
    profile_soon,
    profile_take,
    profile_time,
)
from schedlab.kernels.common.region cimport resize
from schedlab.kernels.queue.waiting cimport (
    Queue,
    Waiting,
    queue_forget,
    queue_put,
    queue_sink,
    queue_sort,
)

#: when waiting jobs are replanned: never, after each completion, once per instant
NEVER, EACH, ONCE = range(3)

cdef enum Compression:
    IS_NEVER, IS_EACH, IS_ONCE

cdef int64_t GONE = -1                  # start of an entry of the queue to be removed


cdef class Planner(Driven):
    """A queue that plans all its jobs, under external control like `Stepper`.

    The caller (`schedlab.queue.sessions`) checks arguments and handles policies. Columns are
    arrays over all jobs ever submitted, in the order of their submission here.
    """

    cdef Profile plan
    cdef Entry* arriving                # jobs not yet arrived, in order, some of them cancelled
    cdef int32_t arrived, coming        # begin and end of them
    cdef Due planned, running
    cdef int32_t* place_                # of each job in its heap
    cdef Queue queue                    # in the order of the policy
    cdef Kinds kinds
    cdef Frees frees
    cdef int32_t* kind                  # of each job
    cdef Compression compression
    cdef Program program
    cdef bint dirty, called             # called: scores come from a function of Python
    cdef double* score

    def __init__(
        self,
        int32_t processors,
        Compression compression,
        program,
        bint moves,
        bint lifo,
        int32_t room,
    ):
        self.keep(program)
        self.free_procs, self.compression = processors, compression
        self.queue.moves, self.queue.lifo, self.queue.ordered, self.faulty_ = moves, lifo, -1, -1
        frees_none(&self.frees, processors)
        if self.allocate(max(room, 64)) or profile_make(&self.plan, processors):
            raise MemoryError(f"no memory left for {room} jobs")

    def __dealloc__(self):
        profile_free(&self.plan)
        kinds_free(&self.kinds)
        free(self.kind)
        free(self.arriving)
        free(self.planned.entry)
        free(self.running.entry)
        free(self.place_)
        free(self.queue.entry)
        free(self.score)

    cdef keep(self, program):
        cdef const int32_t[::1] op
        cdef const double[::1] constant
        self.called = callable(program)
        if self.called:
            self.kept = program
            return
        op, constant = self.kept = program
        self.program.op, self.program.constant = &op[0], &constant[0]
        self.program.length = <int32_t>op.shape[0]

    cdef int allocate(self, int32_t room) noexcept nogil:
        # Columns, heaps and queue for `room` jobs; -1 if memory runs out.
        if (
            self.make_room(room)
            or resize(<void**>&self.score, room, sizeof(double))
            # a job that was held has two entries
            or resize(<void**>&self.arriving, room, 2 * sizeof(Entry))
            or resize(<void**>&self.planned.entry, room, sizeof(Entry))
            or resize(<void**>&self.running.entry, room, sizeof(Entry))
            or resize(<void**>&self.queue.entry, room, sizeof(Waiting))
            or resize(<void**>&self.place_, room, sizeof(int32_t))
            or resize(<void**>&self.kind, room, sizeof(int32_t))
        ):
            return -1
        self.planned.place = self.running.place = self.place_
        return 0

    cdef void forget(self) noexcept nogil:
        # Remove the entries of jobs that no longer wait.
        queue_forget(&self.queue, self.state_, IS_WAITING)

    cdef void enqueue(self, int32_t job) noexcept nogil:
        cdef Waiting new
        if self.queue.count > 2 * self.queue.alive + 64:
            self.forget()
        new.start, new.estimate, new.score = self.start_[job], self.estimate[job], self.score[job]
        new.need, new.job, new.kind = <int32_t>self.procs[job], job, self.kind[job]
        new.size = log2_floor(new.need)
        queue_put(&self.queue, &new)

    cdef int sort(self) noexcept nogil:
        # Sort the queue by its scores at the present time; -1: one has no order.
        cdef int32_t k
        self.forget()
        if not self.called:
            self.faulty_ = queue_sort(&self.queue, &self.program, self.submit_, self.clock)
            return -1 if self.faulty_ >= 0 else 0
        if self.queue.count and self.call(self.arrived):
            return -1
        for k in range(self.queue.count):
            queue_sink(&self.queue, k)
        self.queue.ordered = self.clock
        return 0

    cdef int call(self, int32_t until) noexcept with gil:
        # Compute scores of waiting jobs, and of arrivals up to a place, with a function of Python,
        # in order of submission; -1: it raised.
        cdef int32_t k, count = 0
        cdef int32_t[::1] place, handle
        cdef const double[::1] score
        try:
            found = np.empty(self.queue.count + until - self.arrived, dtype=np.int32)
            place = found
            for k in range(self.queue.count):
                if self.state_[self.queue.entry[k].job] == IS_WAITING:
                    place[count] = self.queue.entry[k].job
                    count += 1
            for k in range(self.arrived, until):
                place[count] = self.arriving[k].job
                count += 1
            found = np.sort(found[:count])
            place = found
            handles = np.empty(count, dtype=np.int32)
            handle = handles
            for k in range(count):
                handle[k] = self.number[place[k]]
            score = self.kept(handles, self.clock)
            for k in range(count):
                self.score[place[k]] = score[k]
            for k in range(self.queue.count):
                self.queue.entry[k].score = self.score[self.queue.entry[k].job]
            for k in range(self.arrived, until):
                self.arriving[k].tie = self.score[self.arriving[k].job]
        except BaseException as error:
            self.raised = error
            return -1
        return 0

    cdef int order_arrivals(self) noexcept nogil:
        # Sort the jobs arriving now by the function's scores; -1: it raised.
        cdef int32_t k, i, until = self.arrived
        cdef Entry entry
        while until < self.coming and self.arriving[until].time == self.clock:
            until += 1
        if until - self.arrived < 2:
            return 0
        if self.call(until):
            return -1
        for k in range(self.arrived + 1, until):
            entry, i = self.arriving[k], k
            while i > self.arrived and is_due_before(&entry, &self.arriving[i - 1]):
                self.arriving[i] = self.arriving[i - 1]
                i -= 1
            self.arriving[i] = entry
        return 0

    cdef int32_t give_back(self, int64_t begin, int64_t end, int32_t procs) noexcept nogil:
        # Free the rest of a job's reservation; -1 if memory runs out.
        cdef int32_t most
        if begin >= end:
            return 0
        most = profile_add(&self.plan, begin, end, procs)
        note_free(&self.frees, begin, most)
        self.dirty = True
        return most

    cdef int move(self, Waiting* w, int64_t start, int32_t step) noexcept nogil:
        # Move a reservation to an earlier start, at a step of the first chunk of the plan if that
        # is not -1; -1 if memory runs out.
        cdef int64_t end = start + w.estimate, old_end = w.start + w.estimate
        cdef int64_t left = max(end, w.start), right = min(end, w.start)
        cdef int32_t most
        if step >= 0:
            most = profile_take(&self.plan, step, right, w.need)
        else:
            most = profile_add(&self.plan, start, right, -w.need)
        if most < 0:
            return -1
        most = profile_add(&self.plan, left, old_end, w.need)
        if most < 0:
            return -1
        note_move(&self.frees, left, most)
        w.start = self.start_[w.job] = start
        due_sooner(&self.planned, w.job, start)
        self.dirty = True
        return 0

    cdef int compress(self) noexcept nogil:
        # Replan the waiting jobs if anything has been freed; -1 if memory runs out.
        cdef int32_t k, step
        cdef int64_t start, begin
        cdef Waiting* w
        cdef Kind* kind
        if not self.dirty:
            return 0
        if self.queue.moves and self.queue.ordered != self.clock and self.sort():
            return -1
        if self.queue.count > self.queue.alive + (self.queue.alive >> 2) + 8:
            self.forget()
        self.dirty = False
        for k in range(self.queue.count):
            w = &self.queue.entry[k]
            begin = self.frees.recent[w.size]
            if begin >= w.start or w.start <= self.clock:
                continue
            kind = &self.kinds.kind[w.kind]
            step = -1
            if not is_beyond(&self.plan, w.start):
                step = profile_soon(&self.plan, w.need, w.estimate, w.start)
                start = profile_time(&self.plan, step)
            elif kind.waiting > 1:
                start = kind_bound(kind, &self.frees, self.clock, w.start)
                if start >= w.start:
                    continue
                start = profile_earliest(&self.plan, w.need, w.estimate, start, w.start)
                kind_learn(kind, &self.frees, start, w.start)
            else:
                start = profile_gap(&self.plan, w.need, begin)
                start = profile_earliest(&self.plan, w.need, w.estimate, start, w.start)
            if start < w.start and self.move(w, start, step):
                return -1
        frees_pass(&self.frees)
        return 0

    cdef int finish(self, int32_t job, State state) noexcept nogil:
        due_drop(&self.running, job)
        self.end_[job] = self.clock
        self.free_procs += <int32_t>self.procs[job]
        return note_over(self, job, state)

    cdef int announce(self, const Closure* closure) noexcept nogil:
        if profile_add(&self.plan, closure.begin, closure.expected, -closure.procs) < 0:
            return -1
        return self.replan()

    cdef int shut(self, const Closure* closure) noexcept nogil:
        return 0

    cdef int reopen(self, const Closure* closure) noexcept nogil:
        if self.give_back(self.clock, closure.expected, closure.procs) < 0:
            return -1
        return self.replan()

    cdef int replan(self) noexcept nogil:
        # Plan all waiting jobs again, because the machine is another one; -1 if memory runs out.
        cdef int32_t k
        cdef Waiting* w
        if self.queue.moves and self.queue.ordered != self.clock and self.sort():
            return -1
        self.forget()
        for k in range(self.queue.count):
            w = &self.queue.entry[k]
            if self.give_back(w.start, w.start + w.estimate, w.need) < 0:
                return -1
            due_drop(&self.planned, w.job)
        for k in range(self.queue.count):
            w = &self.queue.entry[k]
            w.start = profile_earliest(&self.plan, w.need, w.estimate, self.clock, INT64_MAX)
            self.start_[w.job] = w.start
            due_add(&self.planned, w.job, w.start, 0, w.job)
            if profile_add(&self.plan, w.start, w.start + w.estimate, -w.need) < 0:
                return -1
        return 0

    cdef inline void leave(self, int32_t job) noexcept nogil:
        # Record that a job no longer waits.
        self.queue.alive -= 1
        self.kinds.kind[self.kind[job]].waiting -= 1

    cdef void begin(self, int32_t job) noexcept nogil:
        due_drop(&self.planned, job)
        self.leave(job)
        self.state_[job] = IS_RUNNING
        note_start(self, job)
        self.end_[job] = self.clock + self.runtime[job]
        self.free_procs -= <int32_t>self.procs[job]
        due_add(&self.running, job, self.end_[job], <double>self.clock, job)

    cdef void await_arrival(self, int32_t job, int64_t time, double score) noexcept nogil:
        # Add a job to those not yet arrived; most come in order.
        cdef Entry entry
        cdef int32_t low, high, middle
        entry.time, entry.tie, entry.job = time, score, job
        entry.last = -job if self.queue.lifo else job
        low = high = self.coming
        if high > self.arrived and is_due_before(&entry, &self.arriving[high - 1]):
            low = self.arrived
        while low < high:
            middle = (low + high) >> 1
            if is_due_before(&self.arriving[middle], &entry):
                low = middle + 1
            else:
                high = middle
        memmove(
            &self.arriving[low + 1], &self.arriving[low], (self.coming - low) * sizeof(Entry)
        )
        self.arriving[low] = entry
        self.coming += 1

    cdef int enter(self, int32_t job) noexcept nogil:
        # Let a held job arrive now, ordered by the scores of the present time.
        cdef double score = self.score[job], r, n, s, wait
        if self.queue.moves and not self.called:
            r, n, s = self.estimate[job], self.procs[job], self.submit_[job]
            wait = self.clock - s
            score = run_program(&self.program, r, n, s, wait)
            if orders_nothing(&self.program, score, r, n, s, wait):
                self.faulty_ = job
                return -1
        self.state_[job] = IS_PENDING
        self.await_arrival(job, self.clock, score)
        return 0

    cdef int arrive(self, int32_t job) noexcept nogil:
        cdef int64_t estimate = self.estimate[job]
        cdef int32_t procs = <int32_t>self.procs[job]
        cdef Kind* kind = &self.kinds.kind[self.kind[job]]
        cdef int64_t start = kind_bound(kind, &self.frees, self.clock, INT64_MAX)
        start = profile_earliest(&self.plan, procs, estimate, start, INT64_MAX)
        kind_learn(kind, &self.frees, start, INT64_MAX)
        self.state_[job] = IS_WAITING
        self.start_[job] = start
        due_add(&self.planned, job, start, 0, job)
        kind.waiting += 1
        self.queue.alive += 1
        if self.compression != IS_NEVER or self.called or self.closures:
            self.enqueue(job)
        return -1 if profile_add(&self.plan, start, start + estimate, -procs) < 0 else 0

    cdef int64_t next_time(self) noexcept nogil:
        cdef int64_t event = self.clock if self.stale else self.change_at
        if self.running.size:
            event = min(event, self.running.entry[0].time)
        if self.planned.size:
            event = min(event, self.planned.entry[0].time)
        while self.arrived < self.coming and (
            self.state_[self.arriving[self.arrived].job] != IS_PENDING
        ):
            self.arrived += 1
        if self.arrived < self.coming:
            event = min(event, self.arriving[self.arrived].time)
        return event

    cdef int run(self, int64_t until, bint on_end) noexcept nogil:
        cdef int64_t event
        cdef int32_t job
        cdef bint ended
        while True:
            event = self.next_time()
            if event > until or event == INT64_MAX:
                return 0
            if is_answered(self.wanted, self.awaited):
                return 1
            self.clock = event
            profile_advance(&self.plan, event)
            if self.stale and self.compression != IS_NEVER and self.compress():
                return -1
            self.stale = ended = False
            job = due_next(&self.running, event)
            while job >= 0:
                ended = True
                if self.finish(job, IS_ENDED) or self.give_back(
                    event, self.start_[job] + self.estimate[job], <int32_t>self.procs[job]
                ) < 0:
                    return -1
                if self.compression == IS_EACH and self.compress():
                    return -1
                job = due_next(&self.running, event)
            if ended and self.compression == IS_ONCE and self.compress():
                return -1
            if self.change_at == event and self.change():
                return -1
            if self.called and self.order_arrivals():
                return -1
            while self.arrived < self.coming and self.arriving[self.arrived].time == event:
                job = self.arriving[self.arrived].job
                self.arrived += 1
                if self.state_[job] == IS_PENDING and not is_held(self, job) and self.arrive(job):
                    return -1
            job = due_next(&self.planned, event)
            while job >= 0:
                self.begin(job)
                job = due_next(&self.planned, event)
            if on_end and ended:
                return 1

    def submit(
        self,
        const int64_t[::1] submit,
        const int64_t[::1] runtime,
        const int64_t[::1] estimate,
        const int64_t[::1] procs,
        const double[::1] score,
    ):
        """Submit jobs with submit times up to the clock as arriving now; return their places."""
        cdef int32_t k, job, n = <int32_t>submit.shape[0], failed = 0, first = self.given
        self.check()
        with nogil:
            for k in range(n):
                if self.jobs == self.room:
                    failed = self.allocate(2 * self.room)
                    if failed:
                        break
                job = add_job(self, submit[k], runtime[k], estimate[k], procs[k])
                self.score[job] = score[k]
                self.kind[job] = kind_of(&self.kinds, estimate[k], <int32_t>procs[k])
                failed = self.kind[job] < 0
                if failed:
                    break
                self.jobs += 1
                self.given += 1
                self.await_arrival(job, max(submit[k], self.clock), score[k])
        if failed:
            self.broken = True
            raise MemoryError(f"no memory left for more than {self.room} jobs")
        return np.arange(first, first + n, dtype=np.int32)

    def occupy(self, int32_t first, const int64_t[::1] started):
        """Mark the last submitted jobs, from a handle on, as running since the given times."""
        cdef int32_t job = self.place(first), k
        cdef int failed = 0
        self.check()
        profile_advance(&self.plan, self.clock)
        for k in range(started.shape[0]):
            self.state_[job + k] = IS_RUNNING
            self.start_[job + k] = started[k]
            self.end_[job + k] = started[k] + self.runtime[job + k]
            self.free_procs -= <int32_t>self.procs[job + k]
            due_add(&self.running, job + k, self.end_[job + k], <double>started[k], job + k)
            if not failed:
                failed = profile_add(
                    &self.plan, self.clock, started[k] + self.estimate[job + k],
                    -<int32_t>self.procs[job + k],
                ) < 0
        if failed:
            self.broken = True
            self.check()

    def cancel(self, int32_t handle):
        """Cancel a job; a running one ends now. Return False if it is already over."""
        cdef int32_t job = self.place(handle), k
        cdef int64_t begin = self.clock, end
        cdef State state
        cdef int failed
        self.check()
        if job < 0 or self.state_[job] & IS_ENDED:
            return False
        state, self.stale = <State>self.state_[job], True
        end = self.start_[job] + self.estimate[job]
        if state == IS_RUNNING:
            failed = self.finish(job, IS_CANCELLED)
        else:
            failed = note_over(self, job, IS_CANCELLED)
        if state == IS_WAITING:
            due_drop(&self.planned, job)
            self.leave(job)
            begin = self.start_[job]
            self.start_[job] = -1
            for k in range(self.queue.count):
                if self.queue.entry[k].job == job:
                    self.queue.entry[k].start = GONE
        if state == IS_WAITING or state == IS_RUNNING:
            profile_advance(&self.plan, self.clock)
            if self.give_back(begin, end, <int32_t>self.procs[job]) < 0:
                failed = -1
        if failed and self.faulty_ < 0:
            self.broken = True
            self.check()
        return True

    def planned_start(self, int32_t handle):
        """Return where the reservation of a waiting job begins."""
        return self.start_[self.place(handle)]

    cdef int copy(self, Driven parent, bint observed, const Moved* moved) noexcept:
        cdef Planner known = <Planner>parent
        with nogil:
            return self.copy_live(known, observed, moved)

    cdef int copy_live(self, Planner parent, bint observed, const Moved* moved) noexcept nogil:
        # Copy what is known of the active jobs; -1 if memory runs out.
        cdef int32_t k, job, room = 64
        cdef Entry entry
        cdef Waiting* w
        while room <= moved.count:
            room *= 2
        if (
            self.allocate(room) or self.take(parent, observed, moved)
            or profile_copy(&self.plan, &parent.plan)
            or kinds_copy(
                &self.kinds, self.kind, &parent.kinds, parent.kind, moved.old, moved.count
            )
        ):
            return -1
        self.queue.moves, self.queue.lifo = parent.queue.moves, parent.queue.lifo
        self.queue.ordered, self.queue.alive = parent.queue.ordered, parent.queue.alive
        self.compression, self.frees = parent.compression, parent.frees
        self.dirty, self.faulty_ = parent.dirty, -1
        for k in range(moved.count):
            self.score[k] = parent.score[moved.old[k]]
        if parent.faulty_ >= 0:
            self.faulty_ = moved.fresh[parent.faulty_]
        for k in range(parent.arrived, parent.coming):
            entry = parent.arriving[k]
            if observed and entry.time > parent.clock:
                break
            if parent.state_[entry.job] == IS_PENDING:
                entry.job = moved.fresh[entry.job]
                entry.last = -entry.job if self.queue.lifo else entry.job
                self.arriving[self.coming] = entry
                self.coming += 1
        for k in range(parent.planned.size):
            job = moved.fresh[parent.planned.entry[k].job]
            due_add(&self.planned, job, parent.planned.entry[k].time, 0, job)
        for k in range(parent.running.size):
            entry = parent.running.entry[k]
            job = moved.fresh[entry.job]
            due_add(&self.running, job, self.end_[job], entry.tie, job)
        for k in range(parent.queue.count):
            if parent.state_[parent.queue.entry[k].job] == IS_WAITING:
                w = &self.queue.entry[self.queue.count]
                w[0] = parent.queue.entry[k]
                w.job = moved.fresh[w.job]
                w.kind = self.kind[w.job]
                self.queue.count += 1
        return 0
