"""Strict order and EASY backfilling that can be stepped from outside, for moving orders too.

Algorithm: the full dialect's event loop (at one instant all completions, then all arrivals, then
one pass). Waiting jobs stand in a `Tournament` per order, so that nothing need be known of jobs
that have not been submitted; the backfill order shares its places with a `FitTree`, and the first
job that fits is found by branch and bound: a part of the tree is entered only if its winner beats
the best found so far and its line of bounds says that something may fit.

Invariant: after `advance` no waiting job could start at the present time. Cost: O(log n) for an
arrival, a start, a completion or a cancellation, plus the search's false leads.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.stdlib cimport free, realloc

from schedlab.kernels.fit_tree cimport (
    FitTree,
    estimate_class,
    fit_add,
    fit_drop,
    fit_free,
    fit_make,
    fit_tighten,
    fit_tighten_leaf,
    may_fit,
    need_class,
)
from schedlab.kernels.heap cimport Event, Heap, heap_pop, heap_push
from schedlab.kernels.releases cimport (
    Releases,
    releases_add,
    releases_clear,
    releases_drop,
    releases_free,
    releases_grow,
    releases_shadow,
)
from schedlab.kernels.tournament cimport (
    Tournament,
    before,
    tournament_first,
    tournament_free,
    tournament_make,
    tournament_set,
)

#: states of a job
PENDING, WAITING, RUNNING, ENDED, CANCELLED = range(5)

cdef enum State:
    IS_PENDING, IS_WAITING, IS_RUNNING, IS_ENDED, IS_CANCELLED


cdef struct Fit:
    int32_t free_procs                  # what a job may need,
    int64_t slack                       # how long it may last,
    int64_t extra                       # unless it needs no more than this
    int32_t by_end                      # the same as classes of `FitTree`
    int32_t slack_class
    int32_t by_extra


cdef inline void classify(Fit* fit, int32_t free_procs) noexcept nogil:
    fit.free_procs = free_procs
    fit.by_end = need_class(free_procs)
    fit.slack_class = estimate_class(fit.slack)
    fit.by_extra = -1
    if fit.extra > 0:
        fit.by_extra = need_class(
            <int32_t>(fit.extra if fit.extra < free_procs else free_procs)
        )


cdef void search(
    Tournament* order, FitTree* tree, int32_t node, int32_t height, const Fit* fit,
    int64_t now, int32_t* best
) noexcept nogil:
    # Improve `best` by the first job below `node` that fits.
    cdef int32_t job = order.winner[node], first, known = best[0], level = (height - 6) >> 2
    cdef int32_t place = node - (order.places >> height)
    cdef bint lined = height >= 6 and (height - 6) & 3 == 0 and level < tree.levels
    if job < 0 or (best[0] >= 0 and not before(order, job, best[0], now)):
        return
    if lined and not may_fit(
        &tree.line[level][place], fit.by_end, fit.slack_class, fit.by_extra
    ):
        return
    if height == 0:
        if tree.item[job].need <= fit.free_procs and (
            tree.item[job].estimate <= fit.slack or tree.item[job].need <= fit.extra
        ):
            best[0] = job
        return
    first = 2 * node + (order.winner[2 * node] != job)
    search(order, tree, first, height - 1, fit, now, best)
    search(order, tree, first ^ 1, height - 1, fit, now, best)
    if lined and known < 0 and best[0] < 0:             # led astray
        if level == 0:
            fit_tighten_leaf(tree, place)
        else:
            fit_tighten(tree, level, place)


cdef class Stepper:
    """A queue under one policy that is driven from outside.

    The façade (`schedlab.sessions`) checks arguments and knows policies; this class trusts them.
    Columns are arrays over all jobs ever submitted, in the order of their submission here.
    """

    cdef Tournament primary, backfill
    cdef FitTree tree
    cdef Heap arriving, running
    cdef Releases releases
    cdef int32_t jobs, room, height, strict, free_procs
    cdef int64_t clock
    cdef bint easy, same, stale, broken
    cdef int64_t* submit_
    cdef int64_t* runtime
    cdef int64_t* estimate
    cdef int64_t* procs
    cdef int64_t* start_
    cdef int64_t* end_
    cdef double* score[2]
    cdef int64_t* divisor[2]
    cdef signed char* state_

    def __cinit__(
        self, int32_t processors, bint easy, bint same, lines, fresh, int32_t strict, int32_t room
    ):
        cdef int32_t places = 64
        self.height = 6
        while places < room:
            places *= 2
            self.height += 1
        self.free_procs, self.strict = processors, strict
        self.easy, self.same, self.clock = easy, same, 0
        self.primary.lines, self.backfill.lines = lines
        self.primary.fresh, self.backfill.fresh = fresh
        if self.allocate(places) or releases_grow(&self.releases, 16):
            raise MemoryError(f"no memory left for {places} jobs")
        releases_clear(&self.releases)

    def __dealloc__(self):
        tournament_free(&self.primary)
        tournament_free(&self.backfill)
        fit_free(&self.tree)
        releases_free(&self.releases)
        free(self.arriving.entry)
        free(self.running.entry)
        for column in range(2):
            free(self.score[column])
            free(self.divisor[column])
        free(self.submit_)
        free(self.runtime)
        free(self.estimate)
        free(self.procs)
        free(self.start_)
        free(self.end_)
        free(self.state_)

    cdef int allocate(self, int32_t room) noexcept nogil:
        # Columns, heaps and empty trees for `room` jobs; -1 when memory is out.
        cdef int32_t k
        cdef void** column[13]
        cdef void* p
        cdef int64_t size
        column[0], column[1] = <void**>&self.submit_, <void**>&self.runtime
        column[2], column[3] = <void**>&self.estimate, <void**>&self.procs
        column[4], column[5] = <void**>&self.start_, <void**>&self.end_
        column[6], column[7] = <void**>&self.score[0], <void**>&self.score[1]
        column[8], column[9] = <void**>&self.divisor[0], <void**>&self.divisor[1]
        column[10] = <void**>&self.state_
        column[11], column[12] = <void**>&self.arriving.entry, <void**>&self.running.entry
        for k in range(13):
            size = 1 if k == 10 else (sizeof(Event) if k > 10 else sizeof(int64_t))
            p = realloc(column[k][0], (<int64_t>room + 1) * size)
            if p == NULL:
                return -1
            column[k][0] = p
        tournament_free(&self.primary)
        tournament_free(&self.backfill)
        fit_free(&self.tree)
        if tournament_make(&self.primary, room):
            return -1
        self.primary.submit, self.primary.estimate = self.submit_, self.estimate
        self.primary.score, self.primary.divisor = self.score[0], self.divisor[0]
        if self.easy:
            if fit_make(&self.tree, room):
                return -1
            if not self.same:
                if tournament_make(&self.backfill, room):
                    return -1
                self.backfill.submit, self.backfill.estimate = self.submit_, self.estimate
                self.backfill.score, self.backfill.divisor = self.score[1], self.divisor[1]
        self.room = room
        return 0

    cdef int grow(self) noexcept nogil:
        # Twice the room, the waiting jobs entered again.
        cdef int32_t job
        if self.allocate(2 * self.room):
            self.broken = True
            return -1
        self.height += 1
        for job in range(self.jobs):
            if self.state_[job] == IS_WAITING:
                self.enter(job)
        return 0

    cdef void enter(self, int32_t job) noexcept nogil:
        tournament_set(&self.primary, job, True, self.clock)
        if self.easy:
            self.tree.item[job].need = <int32_t>self.procs[job]
            self.tree.item[job].estimate = <int32_t>self.estimate[job]
            self.tree.item[job].job = job
            fit_add(&self.tree, job)
            if not self.same:
                tournament_set(&self.backfill, job, True, self.clock)

    cdef void leave(self, int32_t job) noexcept nogil:
        tournament_set(&self.primary, job, False, self.clock)
        if self.easy:
            fit_drop(&self.tree, job)
            if not self.same:
                tournament_set(&self.backfill, job, False, self.clock)

    cdef int begin(self, int32_t job) noexcept nogil:
        self.leave(job)
        self.state_[job] = IS_RUNNING
        self.start_[job] = self.clock
        self.end_[job] = self.clock + self.runtime[job]
        self.free_procs -= <int32_t>self.procs[job]
        heap_push(&self.running, self.end_[job], job)
        if self.easy:
            return releases_add(
                &self.releases, self.clock + self.estimate[job], self.procs[job]
            )
        return 0

    cdef void finish(self, int32_t job, State state) noexcept nogil:
        self.state_[job] = state
        self.free_procs += <int32_t>self.procs[job]
        if self.easy:
            releases_drop(
                &self.releases, self.start_[job] + self.estimate[job], self.procs[job]
            )

    cdef int schedule(self) noexcept nogil:
        # One pass at the present time.
        cdef int32_t head, job
        cdef int64_t shadow
        cdef Fit fit
        cdef Tournament* order = &self.primary if self.same else &self.backfill
        while True:
            head = tournament_first(&self.primary, self.clock)
            if head < 0:
                return 0
            if self.procs[head] > self.free_procs:
                break
            if self.begin(head):
                return -1
        if not self.easy or self.free_procs == 0 or head < self.strict:
            return 0
        shadow = releases_shadow(
            &self.releases, self.free_procs, self.procs[head], &fit.extra
        )
        fit.slack = shadow - self.clock
        while self.free_procs > 0:
            classify(&fit, self.free_procs)
            tournament_first(order, self.clock)         # renews what ran out
            job = -1
            search(order, &self.tree, 1, self.height, &fit, self.clock, &job)
            if job < 0:
                return 0
            if self.estimate[job] > fit.slack:
                fit.extra -= self.procs[job]
            if self.begin(job):
                return -1
        return 0

    cdef int run(self, int64_t until) noexcept nogil:
        # Every event up to and including `until`; -1 when memory is out.
        cdef int64_t event
        cdef int32_t job
        while True:
            # what was cancelled left entries behind
            while self.running.size and self.state_[self.running.entry[0].job] != IS_RUNNING:
                heap_pop(&self.running)
            while self.arriving.size and self.state_[self.arriving.entry[0].job] != IS_PENDING:
                heap_pop(&self.arriving)
            event = self.clock if self.stale else INT64_MAX
            if self.running.size and self.running.entry[0].time < event:
                event = self.running.entry[0].time
            if self.arriving.size and self.arriving.entry[0].time < event:
                event = self.arriving.entry[0].time
            if event > until or event == INT64_MAX:
                return 0
            self.clock = event
            self.stale = False
            while self.running.size and self.running.entry[0].time == event:
                job = heap_pop(&self.running)
                if self.state_[job] == IS_RUNNING:
                    self.finish(job, IS_ENDED)
            while self.arriving.size and self.arriving.entry[0].time == event:
                job = heap_pop(&self.arriving)
                if self.state_[job] == IS_PENDING:
                    self.state_[job] = IS_WAITING
                    self.enter(job)
            if self.schedule():
                return -1

    def submit(
        self,
        const int64_t[::1] submit,
        const int64_t[::1] runtime,
        const int64_t[::1] estimate,
        const int64_t[::1] procs,
        scores,
        divisors,
    ):
        """Submit jobs now or later (submit times are not before the clock); return their places."""
        cdef int32_t k, job, n = <int32_t>submit.shape[0], failed = 0, first = self.jobs
        cdef const double[::1] score, score2
        cdef const int64_t[::1] divisor, divisor2
        if self.broken:
            raise MemoryError("this queue ran out of memory before")
        score, score2 = scores
        divisor, divisor2 = divisors
        with nogil:
            for k in range(n):
                if self.jobs == self.room:
                    failed = self.grow()
                    if failed:
                        break
                job = self.jobs
                self.jobs += 1
                self.submit_[job], self.runtime[job] = submit[k], runtime[k]
                self.estimate[job], self.procs[job] = estimate[k], procs[k]
                self.score[0][job], self.score[1][job] = score[k], score2[k]
                self.divisor[0][job], self.divisor[1][job] = divisor[k], divisor2[k]
                self.start_[job] = self.end_[job] = -1
                self.state_[job] = IS_PENDING
                heap_push(&self.arriving, submit[k], job)
        if failed:
            raise MemoryError(f"no memory left for more than {self.room} jobs")
        return np.arange(first, first + n, dtype=np.int32)

    def cancel(self, int32_t job):
        """Take a job back; a running one ends now. False if it has ended already."""
        if self.broken:
            raise MemoryError("this queue ran out of memory before")
        if self.state_[job] == IS_WAITING:
            self.leave(job)
        elif self.state_[job] == IS_RUNNING:
            self.finish(job, IS_CANCELLED)
            self.end_[job] = self.clock
        elif self.state_[job] != IS_PENDING:
            return False
        self.state_[job] = IS_CANCELLED
        self.stale = True
        return True

    def advance(self, int64_t until=INT64_MAX):
        """Handle every event up to and including `until`; the clock then stands there."""
        cdef int failed
        if self.broken:
            raise MemoryError("this queue ran out of memory before")
        with nogil:
            failed = self.run(until)
            if until != INT64_MAX and until > self.clock:
                self.clock = until
        if failed:
            raise MemoryError("no memory left to go on")

    def state(self, int32_t job):
        """State of one job."""
        return self.state_[job]

    @property
    def submitted(self):
        """How many jobs have been submitted."""
        return self.jobs

    @property
    def now(self):
        """The present time in seconds."""
        return self.clock

    @property
    def free(self):
        """Processors that are free."""
        return self.free_procs

    def columns(self):
        """Copies of (state, start, end) of every job; -1 where it has not started or ended."""
        state = np.empty(self.jobs, dtype=np.int8)
        start, end = np.empty(self.jobs, dtype=np.int64), np.empty(self.jobs, dtype=np.int64)
        cdef signed char[::1] s = state
        cdef int64_t[::1] a = start, b = end
        cdef int32_t job
        for job in range(self.jobs):
            s[job], a[job], b[job] = self.state_[job], self.start_[job], self.end_[job]
        return state, start, end
