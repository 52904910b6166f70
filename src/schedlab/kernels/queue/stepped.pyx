"""Strict order and EASY backfilling step by step, including time-dependent orders.

Algorithm: the full dialect's event loop (at one instant all completions, then all arrivals, then
one pass). Waiting jobs are in tournaments, which need no knowledge of later jobs: `NeedClasses` in
backfill order, and one `Tournament` in the primary order if that differs or there is no
backfilling. Orders whose scores change arbitrarily with time are in `rescored`. A queue without
decisions of its own (`manual`) only starts the jobs it is given.

Invariant: after `advance` no waiting job could start at the present time. Cost: O(log n) per
arrival, start, completion or cancellation, plus the searches of `NeedClasses`; in other orders the
cost of `rescored`. A copy (`fork`) costs O(active jobs): it replays the matches of waiting jobs.
"""

import numpy as np

from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t
from libc.stdlib cimport free

from schedlab.kernels.queue.driven cimport (
    IS_CANCELLED,
    IS_ENDED,
    IS_PENDING,
    IS_RUNNING,
    IS_WAITING,
    Driven,
    Moved,
    State,
    add_job,
    is_answered,
    is_held,
    note_over,
    note_start,
)
from schedlab.kernels.common.heap cimport Event, Heap, heap_pop, heap_push
from schedlab.kernels.common.portable cimport prefetch
from schedlab.kernels.common.region cimport resize
from schedlab.kernels.queue.need_classes cimport (
    Fit,
    NeedClasses,
    classes_add,
    classes_build,
    classes_drop,
    classes_first,
    classes_first_fit,
    classes_free,
)
from schedlab.kernels.queue.releases cimport (
    Releases,
    releases_add,
    releases_clear,
    releases_copy,
    releases_drop,
    releases_free,
    releases_grow,
    releases_shadow,
)
from schedlab.kernels.queue.rescored cimport Rescored
from schedlab.kernels.queue.scored cimport scored_drop, scored_make
from schedlab.kernels.queue.tournament cimport (
    Order,
    Rival,
    Tournament,
    tournament_build,
    tournament_first,
    tournament_free,
    tournament_make,
    tournament_set,
)

cdef inline void set_rival(
    const Order* order, Driven q, int32_t job, int64_t divisor, double score
) noexcept nogil:
    cdef Rival* rival = &order.rival[job]
    rival.submit, rival.estimate, rival.divisor = q.submit_[job], q.estimate[job], divisor
    rival.score = <double>divisor * <double>rival.estimate if order.lines else score


cdef class Stepper(Rescored):
    """A queue under one policy, under external control.

    The caller (`schedlab.queue.sessions`) checks arguments and handles policies. Columns are
    arrays over all jobs ever submitted, in the order of their submission here.
    """

    cdef Tournament primary
    cdef NeedClasses classes
    cdef Event* arriving                # jobs not yet arrived, in order of time, some cancelled;
    cdef int32_t coming, comings        # the next one, and one past the last
    cdef Heap others                    # further ones, which were not submitted in that order
    cdef Heap running
    cdef int32_t* came                  # jobs that arrived, in order of submission
    cdef int32_t oldest, arrived        # no job before `oldest` waits; number of arrived jobs
    cdef int64_t threshold
    cdef Releases releases
    cdef bint manual                    # jobs start only on request
    cdef int64_t most_scores            # limit at which it stops
    cdef int32_t watched                # it stops when such a handle or a later one starts or ends
    cdef char* filled                   # by job: whether it was started by backfilling
    # the last search that found no job to backfill: its limits, and the time of the reservation
    cdef Fit vain
    cdef int64_t vain_shadow
    cdef int32_t entered, entrant       # number of jobs that arrived since then, and the last one

    def __init__(
        self,
        int32_t processors,
        bint easy,
        bint same,
        lines,
        fresh,
        reverse,
        paces,
        scales,
        programs,
        bint lifo,
        int32_t strict,
        int64_t threshold,
        int32_t room,
        bint manual=False,
    ):
        cdef int32_t places = 64
        while places < room:
            places *= 2
        self.free_procs, self.strict = processors, strict
        self.easy, self.same, self.clock = easy, same, 0
        self.orders[0].lines, self.orders[1].lines = lines
        self.orders[0].fresh, self.orders[1].fresh = fresh
        self.orders[0].reverse, self.orders[1].reverse = reverse
        self.orders[0].pace, self.orders[1].pace = paces
        self.orders[0].scale, self.orders[1].scale = scales
        self.orders[0].lifo = self.orders[1].lifo = lifo
        self.orders[0].strict = self.orders[1].strict = strict
        self.threshold, self.faulty_, self.manual = threshold, -1, manual
        self.keep(programs)
        if self.allocate(places) or releases_grow(&self.releases, 16):
            raise MemoryError(f"no memory left for {places} jobs")
        releases_clear(&self.releases)

    def __dealloc__(self):
        tournament_free(&self.primary)
        classes_free(&self.classes)
        releases_free(&self.releases)
        free(self.came)
        free(self.filled)
        free(self.arriving)
        free(self.others.entry)
        free(self.running.entry)

    cdef int allocate(self, int32_t room) noexcept nogil:
        # Columns, heaps and the primary tournament for `room` jobs; -1 if memory runs out.
        if (
            self.make_room(room)
            or resize(<void**>&self.arriving, room, sizeof(Event))
            or resize(<void**>&self.others.entry, room, sizeof(Event))
            or resize(<void**>&self.running.entry, room, sizeof(Event))
            or resize(<void**>&self.classes.place, room, sizeof(int32_t))
            or resize(<void**>&self.came, room, sizeof(int32_t))
            or self.make_lines(room)
            or resize(<void**>&self.filled, room, 1)
        ):
            return -1
        if not self.easy or not self.same:
            tournament_free(&self.primary)
            if tournament_make(&self.primary, room):
                return -1
        return 0

    cdef int grow(self) noexcept nogil:
        # Double the capacity; waiting jobs enter the primary tournament again.
        cdef int32_t job
        if self.allocate(2 * self.room):
            return -1
        if (not self.easy or not self.same) and not self.general[0]:
            for job in range(self.jobs):
                if self.state_[job] == IS_WAITING:
                    tournament_set(
                        &self.primary, &self.orders[0], job, job, self.procs[job], self.clock
                    )
        return 0

    cdef int wait(self, int32_t job, bint waits) noexcept nogil:
        # Mark a job as waiting or not; in general orders it is only in `line`. -1: out of memory.
        if (not self.easy or not self.same) and not self.general[0]:
            tournament_set(
                &self.primary, &self.orders[0], job, job if waits else -1, self.procs[job],
                self.clock,
            )
        if self.easy and not self.general[1]:
            if waits:
                return classes_add(
                    &self.classes, &self.orders[1], job, self.procs[job], self.clock
                )
            classes_drop(&self.classes, &self.orders[1], job, self.procs[job], self.clock)
        return 0

    cdef int32_t starving(self) noexcept nogil:
        # The oldest waiting job if it waited longer than the threshold, or -1.
        cdef int32_t job, k
        while self.oldest < self.arrived and self.state_[self.came[self.oldest]] != IS_WAITING:
            self.oldest += 1
        if self.oldest == self.arrived:
            return -1
        job = self.came[self.oldest]
        if self.clock - self.submit_[job] <= self.threshold:
            return -1
        k = self.oldest + 1
        while (
            self.orders[0].lifo and job >= self.strict and k < self.arrived
            and self.submit_[self.came[k]] == self.submit_[job]
        ):
            if self.state_[self.came[k]] == IS_WAITING:
                job = self.came[k]
            k += 1
        return job

    cdef int32_t first(self) noexcept nogil:
        # The head of the queue, or -1.
        cdef int32_t job
        if self.threshold != INT64_MAX:
            job = self.starving()
            if job >= 0:
                return job
        if self.general[0]:
            return self.first_scored()
        if self.easy and self.same:
            return classes_first(&self.classes, &self.orders[1], self.clock)
        return tournament_first(&self.primary, &self.orders[0], self.clock)

    cdef void come(self, int32_t job) noexcept nogil:
        # Record an arrival in order of submit time; ties in the order of submission here.
        cdef int32_t k = self.arrived
        while k > self.oldest and (
            self.submit_[self.came[k - 1]] > self.submit_[job]
            or (self.submit_[self.came[k - 1]] == self.submit_[job] and self.came[k - 1] > job)
        ):
            self.came[k] = self.came[k - 1]
            k -= 1
        self.came[k] = job
        self.arrived += 1

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
        if self.wait(job, True):
            return -1
        self.entered += 1
        self.entrant = job
        if self.general[0] or self.general[1]:
            self.line[self.lined] = job
            self.lined += 1
        if self.threshold != INT64_MAX:
            self.come(job)
        return 0

    cdef int begin(self, int32_t job) noexcept nogil:
        # what is read below comes while the job leaves the tournaments
        prefetch(&self.runtime[job])
        prefetch(&self.start_[job])
        prefetch(&self.end_[job])
        prefetch(&self.estimate[job])
        self.wait(job, False)
        self.state_[job] = IS_RUNNING
        self.start_[job] = self.clock
        self.end_[job] = self.clock + self.runtime[job]
        note_start(self, job)
        self.free_procs -= <int32_t>self.procs[job]
        heap_push(&self.running, self.end_[job], job)
        if self.easy:
            return releases_add(
                &self.releases, self.clock + self.estimate[job], self.procs[job]
            )
        return 0

    cdef int finish(self, int32_t job, State state) noexcept nogil:
        self.free_procs += <int32_t>self.procs[job]
        if self.easy:
            releases_drop(
                &self.releases, self.start_[job] + self.estimate[job], self.procs[job]
            )
        return note_over(self, job, state)

    cdef inline bint fits(self, int32_t job, const Fit* fit) noexcept nogil:
        return self.procs[job] <= fit.free_procs and (
            self.estimate[job] <= fit.slack or self.procs[job] <= fit.extra
        )

    cdef int fill(self, int32_t job, Fit* fit) noexcept nogil:
        # Start a job other than the head.
        if self.orders[1].rival[job].estimate > fit.slack:
            fit.extra -= self.procs[job]
        self.filled[job] = True
        if self.begin(job):
            return -1
        fit.free_procs = self.free_procs
        return 0

    cdef int fill_scored(self, Fit* fit) noexcept nogil:
        # Backfill in a general order: a job that does not fit now will not fit in this pass.
        cdef int32_t at, job
        self.scored.count = 0
        for at in range(self.lined):
            job = self.line[at]
            if self.state_[job] == IS_WAITING and self.fits(job, fit):
                self.scored.job[self.scored.count] = job
                self.scored.count += 1
        scored_make(&self.scored, &self.orders[1], self.clock)
        while self.scored.count and self.free_procs > 0:
            job = self.scored.job[0]
            scored_drop(&self.scored, &self.orders[1], self.clock)
            if self.fits(job, fit) and self.fill(job, fit):
                return -1
        return 0

    cdef int schedule(self) noexcept nogil:
        # One pass at the present time.
        cdef int32_t head, job
        cdef int64_t shadow
        cdef Fit fit
        if self.free_procs == 0 or self.manual:
            return 0
        if self.score_anew():
            return -1
        while True:
            head = self.first()
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
        fit.slack, fit.free_procs = shadow - self.clock, self.free_procs
        if self.general[1]:
            return self.fill_scored(&fit)
        while self.free_procs > 0:
            job = self.first_fit(&fit, shadow)
            if job < 0:
                return 0
            if self.fill(job, &fit):
                return -1
        return 0

    cdef int32_t first_fit(self, const Fit* fit, int64_t shadow) noexcept nogil:
        # The first waiting job that fits, or -1. If the last search found none and no limit is
        # looser now, only jobs that arrived since then can fit. If there is at most one, there is
        # no need to search.
        cdef int32_t job = -1
        if (
            self.entered <= 1 and shadow <= self.vain_shadow
            and fit.free_procs <= self.vain.free_procs and fit.extra <= self.vain.extra
        ):
            if self.entered and self.state_[self.entrant] == IS_WAITING:
                job = self.entrant if self.fits(self.entrant, fit) else -1
        else:
            job = classes_first_fit(&self.classes, &self.orders[1], fit, self.clock)
        if job < 0:
            self.vain, self.vain_shadow, self.entered = fit[0], shadow, 0
        return job

    cdef int64_t next_time(self) noexcept nogil:
        cdef int64_t event = self.clock if self.stale else INT64_MAX
        # cancelled jobs leave entries behind
        while self.running.size and self.state_[self.running.entry[0].job] != IS_RUNNING:
            heap_pop(&self.running)
        while (
            self.coming < self.comings
            and self.state_[self.arriving[self.coming].job] != IS_PENDING
        ):
            self.coming += 1
        while self.others.size and self.state_[self.others.entry[0].job] != IS_PENDING:
            heap_pop(&self.others)
        if self.running.size and self.running.entry[0].time < event:
            event = self.running.entry[0].time
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
            self.stale = False
            ended, begun = self.gone, self.begun
            while self.running.size and self.running.entry[0].time == event:
                job = heap_pop(&self.running)
                if self.state_[job] == IS_RUNNING and self.finish(job, IS_ENDED):
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
                    failed = self.grow()
                    if failed:
                        break
                job = add_job(self, submit[k], runtime[k], estimate[k], procs[k])
                if self.is_used(0):
                    set_rival(&self.orders[0], self, job, divisor[k], score[k])
                if self.is_used(1):
                    set_rival(&self.orders[1], self, job, divisor2[k], score2[k])
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
            heap_push(&self.running, self.end_[job + k], job + k)
            if self.easy and not failed:
                failed = releases_add(
                    &self.releases, started[k] + self.estimate[job + k], self.procs[job + k]
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
            self.wait(job, False)
        note_over(self, job, IS_CANCELLED)
        return True

    def begin_now(self, int32_t handle):
        """Start a waiting job that fits, now."""
        self.check()
        if self.begin(self.place(handle)):
            self.broken = True
            self.check()

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
        cdef int32_t job
        self.check()
        if self.faulty_ >= 0 or self.score_anew():
            return -1
        job = self.first()
        return -1 if job < 0 else self.number[job]

    def shadow(self, int32_t handle):
        """Return when a waiting job is expected to fit, and the surplus processors then."""
        cdef int32_t job = self.place(handle)
        cdef int64_t extra = 0, shadow
        if self.procs[job] <= self.free_procs:
            return self.clock, self.free_procs - self.procs[job]
        shadow = releases_shadow(&self.releases, self.free_procs, self.procs[job], &extra)
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
        for k in range(2):
            self.orders[k] = parent.orders[k]
            self.orders[k].rival = NULL
        self.easy, self.same, self.threshold = parent.easy, parent.same, parent.threshold
        self.faulty_, self.manual = -1, parent.manual
        while places <= moved.count:
            places *= 2
        if self.allocate(places) or self.take(parent, observed, moved):
            return -1
        for k in range(moved.count):
            self.filled[k] = parent.filled[moved.old[k]]
        if parent.faulty_ >= 0:
            self.faulty_ = moved.fresh[parent.faulty_]
        # of the first jobs, those active and those not yet submitted
        self.strict = max(parent.strict - parent.jobs, 0)
        for k in range(moved.count):
            self.strict += moved.old[k] < parent.strict
        for k in range(2):
            self.orders[k].strict = self.strict
            if not self.is_used(k):
                continue
            for job in range(moved.count):
                self.orders[k].rival[job] = parent.orders[k].rival[moved.old[job]]
        if (not self.easy or not self.same) and not self.general[0]:
            tournament_build(
                &self.primary, &self.orders[0], self.jobs, self.procs, self.state_, IS_WAITING,
                self.clock,
            )
        if self.easy and not self.general[1] and classes_build(
            &self.classes, &self.orders[1], self.jobs, self.procs, self.state_, IS_WAITING,
            self.clock,
        ):
            return -1
        if self.easy and releases_copy(&self.releases, &parent.releases):
            return -1
        # in the order of the parent's heap, so that most stay in place
        for k in range(parent.running.size):
            job = parent.running.entry[k].job
            if parent.state_[job] == IS_RUNNING:
                heap_push(&self.running, self.end_[moved.fresh[job]], moved.fresh[job])
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
        for k in range(parent.lined):
            job = parent.line[k]
            if parent.state_[job] == IS_WAITING:
                self.line[self.lined] = moved.fresh[job]
                self.lined += 1
        for k in range(parent.oldest, parent.arrived):
            job = parent.came[k]
            if parent.state_[job] == IS_WAITING:
                self.came[self.arrived] = moved.fresh[job]
                self.arrived += 1
        return 0
