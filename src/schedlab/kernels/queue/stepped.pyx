"""Strict order and backfilling step by step, including time-dependent orders.

Algorithm: the event loop of the full dialect (at one instant all completions, then all arrivals,
then one pass) around the rule of `backfilling`. In orders that depend on time, all waiting jobs are
scored and sorted before each pass that can start a job. A function of Python can compute the scores
instead of a program (`called`): one call per pass, holding the interpreter's lock. A queue without
decisions of its own (`manual`) only starts the jobs it is given.

Invariant: after `advance` no waiting job could start at the present time. Cost: that of the rule;
O(w) per pass for w waiting jobs in orders that depend on time. A year of CEA-Curie under WFP3 takes
1.2 s, so there is no tournament of certificates, with which it took 0.3. A copy (`fork`) costs
O(active jobs).
"""

import numpy as np

from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t
from libc.stdlib cimport free

from schedlab.kernels.common.expression cimport Program
from schedlab.kernels.common.fit_scan cimport LANES
from schedlab.kernels.common.heap cimport Event, Heap, heap_pop, heap_push
from schedlab.kernels.common.region cimport resize
from schedlab.kernels.queue.backfilling cimport (
    NO_BACKFILLING,
    NO_JOB,
    UNKNOWN,
    Queue,
    age,
    begin,
    dequeue,
    enqueue,
    is_planned,
    leads,
    queue_free,
    react,
)
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
from schedlab.kernels.queue.orders cimport score_jobs
from schedlab.kernels.queue.releases cimport (
    releases_add,
    releases_clear,
    releases_copy,
    releases_drop,
    releases_grow,
    releases_shadow,
)
from schedlab.kernels.queue.waiting_line cimport Line, line_compact, line_copy, line_sort


cdef class Stepper(Driven):
    """A queue under one policy, under external control.

    The caller (`schedlab.queue.sessions`) checks arguments and handles policies. Columns are
    arrays over all jobs ever submitted, in the order of their submission here.
    """

    cdef Queue q
    cdef Event* arriving                # jobs not yet arrived, in order of time, some cancelled;
    cdef int32_t coming, comings        # the next one, and one past the last
    cdef Heap others                    # further ones, which were not submitted in that order
    cdef bint same                      # both orders are the same, and scored once
    cdef bint lines[2]                  # scores are lines of time
    cdef int64_t* divisor[2]
    cdef Program program[2]
    cdef bint called[2]                 # scores come from a function of Python, not a program
    cdef bint manual                    # jobs start only on request
    cdef int64_t scores, most_scores    # computed since `advance` began; limit at which it stops
    cdef int32_t watched                # it stops when such a handle or a later one starts or ends
    cdef bint full                      # not only new jobs can start
    cdef char* filled                   # by job: whether it was started by backfilling

    def __init__(
        self,
        int32_t processors,
        int32_t depth,
        bint same,
        lines,
        fresh,
        reverse,
        programs,
        bint lifo,
        int32_t strict,
        int64_t threshold,
        int32_t room,
        bint manual=False,
    ):
        cdef int32_t places = 64, k
        while places < room:
            places *= 2
        self.free_procs = processors
        self.q.depth, self.q.strict, self.q.threshold = depth, strict, threshold
        # a job that waited too long leads only the primary order
        self.q.same = depth == NO_BACKFILLING or (same and threshold == INT64_MAX)
        self.same = same or self.q.same
        self.q.lanes, self.q.head = LANES, NO_JOB
        for k in range(2):
            self.q.order[k].fresh, self.q.order[k].reverse = fresh[k], reverse[k]
            self.q.order[k].lifo, self.q.order[k].strict = lifo, strict
            self.q.order[k].moves = lines[k] or programs[k] is not None
            self.lines[k] = lines[k]
        self.q.moves = self.q.order[0].moves or (not self.same and self.q.order[1].moves)
        self.manual, self.faulty_ = manual, -1
        self.keep(programs)
        if self.allocate(places) or releases_grow(&self.q.releases, 16):
            raise MemoryError(f"no memory left for {places} jobs")
        releases_clear(&self.q.releases)

    def __dealloc__(self):
        cdef int k
        for k in range(1 if self.same else 2):
            free(self.q.order[k].score)
            free(self.divisor[k])
        queue_free(&self.q)
        free(self.q.came)
        free(self.q.early)
        free(self.q.running.entry)
        free(self.filled)
        free(self.arriving)
        free(self.others.entry)

    cdef keep(self, programs):
        cdef const int32_t[::1] op
        cdef const double[::1] constant
        cdef int32_t k
        self.kept = programs
        for k in range(2):
            self.called[k] = callable(programs[k])
            if programs[k] is not None and not self.called[k]:
                op, constant = programs[k]
                self.program[k].op, self.program[k].constant = &op[0], &constant[0]
                self.program[k].length = <int32_t>op.shape[0]

    cdef int allocate(self, int32_t room) noexcept nogil:
        # Columns and heaps for `room` jobs; -1 if memory runs out.
        cdef int k
        if (
            self.make_room(room)
            or resize(<void**>&self.arriving, room, sizeof(Event))
            or resize(<void**>&self.others.entry, room, sizeof(Event))
            or resize(<void**>&self.q.running.entry, room, sizeof(Event))
            or resize(<void**>&self.q.came, room, sizeof(int32_t))
            or resize(<void**>&self.q.early, room, 1)
            or resize(<void**>&self.filled, room, 1)
        ):
            return -1
        for k in range(1 if self.same else 2):
            if resize(<void**>&self.q.order[k].score, room, sizeof(double)):
                return -1
            if self.lines[k] and resize(<void**>&self.divisor[k], room, sizeof(int64_t)):
                return -1
        if self.same:
            self.q.order[1].score, self.divisor[1] = self.q.order[0].score, self.divisor[0]
        self.q.submit, self.q.runtime, self.q.estimate = self.submit_, self.runtime, self.estimate
        self.q.procs, self.q.start, self.q.began = self.procs, self.start_, self.began
        for k in range(2):
            self.q.order[k].submit, self.q.order[k].estimate = self.submit_, self.estimate
            self.q.order[k].divisor = self.divisor[k]
        self.q.order[0].early = self.q.early
        return 0

    cdef int call(self, int k) noexcept with gil:
        # Compute scores of waiting jobs, in order of submission, with a function of Python; -1: it
        # raised.
        cdef int32_t at, count = self.q.line[k].end
        cdef int32_t[::1] place, handle
        cdef const double[::1] score
        try:
            found, handles = np.empty((2, count), dtype=np.int32)
            place, handle = found, handles
            for at in range(count):
                place[at] = self.q.line[k].job[at]
            found.sort()
            for at in range(count):
                handle[at] = self.number[place[at]]
            score = self.kept[k](handles, self.clock)
            for at in range(count):
                if place[at] >= self.q.strict:
                    self.q.order[k].score[place[at]] = score[at]
        except BaseException as error:
            self.raised = error
            return -1
        return 0

    cdef int score_anew(self) noexcept nogil:
        # Sort the waiting jobs in orders that depend on time; -1: a score has no order.
        cdef int k
        cdef Line* line
        for k in range(1 if self.same else 2):
            line = &self.q.line[k]
            if not self.q.order[k].moves or line.first == line.end:
                continue
            line_compact(line)
            self.scores += line.end
            if self.called[k]:
                if self.call(k):
                    return -1
                continue
            self.faulty_ = score_jobs(
                &self.q.order[k], &self.program[k], line.job, line.need, line.end, self.clock
            )
            if self.faulty_ >= 0:
                return -1
        for k in range(2 - self.q.same):
            if self.q.order[k].moves:
                self.q.order[k].now = self.clock
                line_sort(&self.q.line[k], &self.q.order[k])
        return 0

    cdef int order(self) noexcept nogil:
        # Put the waiting jobs in order as of now; -1: out of memory, or a score has no order.
        cdef int late = 0
        self.q.now, self.q.free_procs = self.clock, self.free_procs
        self.q.closed, self.q.closures = self.closed, self.closures
        if self.q.threshold != INT64_MAX:
            late = age(&self.q)
            self.full |= late
        if late < 0:
            return -1
        return self.score_anew() if self.q.moves else 0

    cdef void note_starts(self) noexcept nogil:
        # Record the jobs that the rule has started.
        cdef int32_t k, job
        self.free_procs = self.q.free_procs
        for k in range(self.begun, self.q.begun):
            job = self.began[k]
            self.state_[job] = IS_RUNNING
            self.end_[job] = self.clock + self.runtime[job]
            self.filled[job] = k >= self.q.begun_first
            note_start(self, job)

    cdef void come(self, int32_t job) noexcept nogil:
        # Record an arrival in order of submit time; ties in the order of submission here.
        cdef int32_t k = self.q.arrived
        while k > self.q.aged and (
            self.submit_[self.q.came[k - 1]] > self.submit_[job]
            or (self.submit_[self.q.came[k - 1]] == self.submit_[job] and self.q.came[k - 1] > job)
        ):
            self.q.came[k] = self.q.came[k - 1]
            k -= 1
        self.q.came[k] = job
        self.q.arrived += 1

    cdef inline void expect(self, int64_t time, int32_t job) noexcept nogil:
        # Record a future arrival; most come in order.
        cdef int32_t k = self.comings
        if k > self.coming and self.arriving[k - 1].time > time:
            heap_push(&self.others, time, job)
            return
        self.arriving[k].time, self.arriving[k].job = time, job
        self.comings += 1

    cdef inline int arrive(self, int32_t job) noexcept nogil:
        # Let a job enter at its time, if it still comes and waits for no other.
        if self.state_[job] == IS_PENDING and not is_held(self, job):
            return self.enter(job)
        return 0

    cdef int enter(self, int32_t job) noexcept nogil:
        # Add an arriving job to the queue.
        self.state_[job] = IS_WAITING
        if enqueue(&self.q, job, <int32_t>self.estimate[job]):
            return -1
        if not self.q.moves:
            self.full |= leads(&self.q, job)
        if self.q.threshold != INT64_MAX:
            self.come(job)
        return 0

    cdef int announce(self, const Closure* closure) noexcept nogil:
        self.full = True
        return 0

    cdef int shut(self, const Closure* closure) noexcept nogil:
        self.full = True
        return releases_add(&self.q.releases, closure.expected, closure.procs)

    cdef int reopen(self, const Closure* closure) noexcept nogil:
        self.full = True
        releases_drop(&self.q.releases, closure.expected, closure.procs)
        return 0

    cdef int finish(self, int32_t job, State state) noexcept nogil:
        self.free_procs += <int32_t>self.procs[job]
        self.full = True
        if is_planned(&self.q):
            releases_drop(
                &self.q.releases, self.start_[job] + self.estimate[job], self.procs[job]
            )
        return note_over(self, job, state)

    cdef int schedule(self) noexcept nogil:
        # One pass at the present time.
        if self.free_procs <= 0 or self.manual:
            if self.full or self.q.head < 0:
                self.q.head = UNKNOWN
            return 0
        if self.order() or react(&self.q, self.full):
            return -1
        self.full = False
        self.note_starts()
        return 0

    cdef int64_t next_time(self) noexcept nogil:
        cdef int64_t event = self.clock if self.stale else self.change_at
        # cancelled jobs leave entries behind
        while self.q.running.size and self.state_[self.q.running.entry[0].job] != IS_RUNNING:
            heap_pop(&self.q.running)
        while (
            self.coming < self.comings
            and self.state_[self.arriving[self.coming].job] != IS_PENDING
        ):
            self.coming += 1
        while self.others.size and self.state_[self.others.entry[0].job] != IS_PENDING:
            heap_pop(&self.others)
        if self.q.running.size and self.q.running.entry[0].time < event:
            event = self.q.running.entry[0].time
        if self.coming < self.comings:
            event = min(event, self.arriving[self.coming].time)
        if self.others.size:
            event = min(event, self.others.entry[0].time)
        return event

    cdef bint concerns(self, int32_t begun, int32_t gone, int32_t watched) noexcept nogil:
        # Whether a job with this handle or a later one has started or ended since then.
        cdef int32_t k
        for k in range(begun, self.begun):
            if self.number[self.began[k]] >= watched:
                return True
        for k in range(gone, self.gone):
            if self.number[self.over[k]] >= watched:
                return True
        return False

    cdef int run(self, int64_t until, bint on_end) noexcept nogil:
        # Also stops after the instant of the `most_scores`-th score, and after the first that
        # concerns the watched jobs.
        cdef int64_t event
        cdef int32_t job, ended, begun
        cdef bint met = False
        while True:
            event = self.next_time()
            if event > until or event == INT64_MAX:
                return met
            if is_answered(self.wanted, self.awaited):
                return 1
            self.clock = event
            self.full |= self.stale
            self.stale = False
            ended, begun = self.gone, self.begun
            while self.q.running.size and self.q.running.entry[0].time == event:
                job = heap_pop(&self.q.running)
                if self.state_[job] == IS_RUNNING and self.finish(job, IS_ENDED):
                    return -1
            if self.change_at == event and self.change():
                return -1
            while self.coming < self.comings and self.arriving[self.coming].time == event:
                self.coming += 1
                if self.arrive(self.arriving[self.coming - 1].job):
                    return -1
            while self.others.size and self.others.entry[0].time == event:
                if self.arrive(heap_pop(&self.others)):
                    return -1
            if self.schedule():
                return -1
            if (on_end and self.gone > ended) or self.scores >= self.most_scores:
                return 1
            if self.watched != INT32_MAX and self.concerns(begun, ended, self.watched):
                until, met = event, True  # only the rest of this instant

    def close(self, const int64_t[:, ::1] closures):
        """Close processors for a time, as `Driven.close` does."""
        Driven.close(self, closures)
        self.q.closed, self.q.closures = self.closed, self.closures

    def submit(
        self,
        const int64_t[::1] submit,
        const int64_t[::1] runtime,
        const int64_t[::1] estimate,
        const int64_t[::1] procs,
        scores,
        divisors,
    ):
        """Submit jobs with submit times up to the clock as arriving now; return their places."""
        cdef int32_t k, job, n = <int32_t>submit.shape[0], failed = 0, first = self.given
        cdef const double[::1] score, score2
        cdef const int64_t[::1] divisor, divisor2
        self.check()
        score, score2 = scores
        divisor, divisor2 = divisors
        with nogil:
            for k in range(n):
                if self.jobs == self.room:
                    failed = self.allocate(2 * self.room)
                    if failed:
                        break
                job = add_job(self, submit[k], runtime[k], estimate[k], procs[k])
                self.q.order[0].score[job] = score[k]
                if not self.same:
                    self.q.order[1].score[job] = score2[k]
                if self.lines[0]:
                    self.divisor[0][job] = divisor[k]
                if self.lines[1] and not self.same:
                    self.divisor[1][job] = divisor2[k]
                self.q.early[job] = job < self.q.strict
                self.filled[job] = False
                self.jobs += 1
                self.given += 1
                self.expect(max(submit[k], self.clock), job)
        if failed:
            self.broken = True
            raise MemoryError(f"no memory left for more than {self.room} jobs")
        return np.arange(first, first + n, dtype=np.int32)

    def occupy(self, int32_t first, const int64_t[::1] started):
        """Mark the last submitted jobs, from a handle on, as running since the given times."""
        cdef int32_t job = self.place(first), k
        cdef int failed = 0
        self.check()
        for k in range(started.shape[0]):
            self.state_[job + k] = IS_RUNNING
            self.start_[job + k] = started[k]
            self.end_[job + k] = started[k] + self.runtime[job + k]
            self.free_procs -= <int32_t>self.procs[job + k]
            heap_push(&self.q.running, self.end_[job + k], job + k)
            if is_planned(&self.q) and not failed:
                failed = releases_add(
                    &self.q.releases, started[k] + self.estimate[job + k], self.procs[job + k]
                )
        if failed:
            self.broken = True
            self.check()

    def cancel(self, int32_t handle):
        """Cancel a job; a running one ends now. Return False if it is already over."""
        cdef int32_t job = self.place(handle)
        self.check()
        if job < 0 or self.state_[job] & IS_ENDED:
            return False
        self.stale = True
        if self.state_[job] == IS_RUNNING:
            self.end_[job] = self.clock
            self.finish(job, IS_CANCELLED)
            return True
        if self.state_[job] == IS_WAITING:
            dequeue(&self.q, job)
            line_compact(&self.q.line[0])           # while all that is left is in order
            self.q.early[job] = True                # it never starves
        note_over(self, job, IS_CANCELLED)
        return True

    def begin_now(self, int32_t handle):
        """Start a waiting job that fits, now."""
        cdef int32_t job = self.place(handle)
        self.check()
        self.q.now, self.q.free_procs, self.q.begun_first = self.clock, self.free_procs, INT32_MAX
        dequeue(&self.q, job)
        if begin(&self.q, job, self.estimate[job]):
            self.broken = True
            self.check()
        self.note_starts()

    def advance(
        self,
        int64_t until=INT64_MAX,
        bint on_end=False,
        int64_t most_scores=INT64_MAX,
        int32_t watched=INT32_MAX,
    ):
        """Handle events as `Driven.advance` does, with two further reasons to stop.

        In a general order stop also at the instant at which `most_scores` scores have been
        computed; with `watched` at the first at which a job with that handle or a later one starts
        or ends.
        """
        self.scores, self.most_scores, self.watched = 0, most_scores, watched
        return self.go_on(until, on_end)

    def head(self):
        """Return the first waiting job, or -1 (also if a score has no order)."""
        self.check()
        if self.faulty_ >= 0 or self.order():
            return -1
        if self.q.line[0].first == self.q.line[0].end:
            return -1
        return self.number[self.q.line[0].job[self.q.line[0].first]]

    def shadow(self, int32_t handle):
        """Return when a waiting job is expected to fit, and the surplus processors then."""
        cdef int32_t job = self.place(handle)
        cdef int64_t extra = 0, shadow
        if self.procs[job] <= self.free_procs:
            return self.clock, self.free_procs - self.procs[job]
        shadow = releases_shadow(&self.q.releases, self.free_procs, self.procs[job], &extra)
        return max(shadow, self.clock), extra

    def was_backfilled(self, int32_t handle):
        """Return whether a job that is active, or ended after this was copied, was backfilled."""
        cdef int32_t job = self.place(handle)
        return job >= 0 and self.state_[job] >= IS_RUNNING and self.filled[job]

    cdef int copy(self, Driven parent, bint observed, const Moved* moved) noexcept:
        cdef Stepper known = <Stepper>parent
        with nogil:
            return self.copy_live(known, observed, moved)

    cdef int copy_live(self, Stepper parent, bint observed, const Moved* moved) noexcept nogil:
        # Copy what is known of the active jobs; -1 if memory runs out.
        cdef int32_t k, job, places = 64
        cdef Queue* q = &self.q
        cdef const Queue* other = &parent.q
        q.depth, q.threshold, q.lanes = other.depth, other.threshold, other.lanes
        q.same, q.moves, q.head = other.same, other.moves, UNKNOWN
        self.same, self.manual, self.full, self.faulty_ = parent.same, parent.manual, True, -1
        for k in range(2):
            self.lines[k] = parent.lines[k]
            q.order[k] = other.order[k]
            q.order[k].score = NULL
        while places <= moved.count:
            places *= 2
        if self.allocate(places) or self.take(parent, observed, moved):
            return -1
        # of the first jobs, those active and those not yet submitted
        q.strict = max(other.strict - parent.jobs, 0)
        for job in range(moved.count):
            q.strict += moved.old[job] < other.strict
            self.filled[job] = parent.filled[moved.old[job]]
            q.early[job] = other.early[moved.old[job]]
        for k in range(2):
            q.order[k].strict = q.strict
            if k and self.same:
                continue
            for job in range(moved.count):
                q.order[k].score[job] = other.order[k].score[moved.old[job]]
                if self.lines[k]:
                    self.divisor[k][job] = parent.divisor[k][moved.old[job]]
        for k in range(2 - q.same):
            if line_copy(&q.line[k], &other.line[k], moved.fresh):
                return -1
        if parent.faulty_ >= 0:
            self.faulty_ = moved.fresh[parent.faulty_]
        q.closed, q.closures = self.closed, self.closures
        if not is_planned(q):
            if releases_grow(&q.releases, 16):
                return -1
            releases_clear(&q.releases)
        elif releases_copy(&q.releases, &other.releases):
            return -1
        # in the order of the parent's heap, so that most stay in place
        for k in range(other.running.size):
            job = other.running.entry[k].job
            if parent.state_[job] == IS_RUNNING:
                heap_push(&q.running, self.end_[moved.fresh[job]], moved.fresh[job])
        if observed:
            for k in range(moved.count):
                if self.state_[k] == IS_PENDING:
                    self.expect(max(self.submit_[k], self.clock), k)
        else:
            for k in range(parent.coming, parent.comings):
                job = parent.arriving[k].job
                if parent.state_[job] == IS_PENDING:
                    self.expect(max(parent.submit_[job], self.clock), moved.fresh[job])
            for k in range(parent.others.size):
                job = parent.others.entry[k].job
                if parent.state_[job] == IS_PENDING:
                    self.expect(max(parent.submit_[job], self.clock), moved.fresh[job])
        for k in range(other.aged, other.arrived):
            job = other.came[k]
            if parent.state_[job] == IS_WAITING:
                q.came[q.arrived] = moved.fresh[job]
                q.arrived += 1
        return 0
