"""Strict order and EASY backfilling that can be stepped from outside, for moving orders too.

Algorithm: the full dialect's event loop (at one instant all completions, then all arrivals, then
one pass). Waiting jobs stand in tournaments, so that nothing need be known of jobs that have not
been submitted: `NeedClasses` in backfill order, and one `Tournament` in the primary order where
that is another one or there is no backfilling.

Invariant: after `advance` no waiting job could start at the present time. Cost: O(log n) for an
arrival, a start, a completion or a cancellation, plus what `NeedClasses` says of its searches.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.stdlib cimport free, realloc

from schedlab.kernels.heap cimport Event, Heap, heap_pop, heap_push
from schedlab.kernels.need_classes cimport (
    Fit,
    NeedClasses,
    classes_admit,
    classes_first,
    classes_first_fit,
    classes_free,
    classes_set,
)
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
    Order,
    Tournament,
    tournament_first,
    tournament_free,
    tournament_make,
    tournament_set,
)

#: states of a job
PENDING, WAITING, RUNNING, ENDED, CANCELLED = range(5)

cdef enum State:
    IS_PENDING, IS_WAITING, IS_RUNNING, IS_ENDED, IS_CANCELLED


cdef class Stepper:
    """A queue under one policy that is driven from outside.

    The façade (`schedlab.queue.sessions`) checks arguments and knows policies; this class trusts
    them. Columns are arrays over all jobs ever submitted, in the order of their submission here.
    """

    cdef Order orders[2]                # the primary one, and the backfill one
    cdef Tournament primary
    cdef NeedClasses classes
    cdef Heap arriving, running
    cdef int32_t* came                  # jobs that arrived, in order of submission
    cdef int32_t oldest, arrived        # none of them before `oldest` waits; how many there are
    cdef int64_t threshold
    cdef Releases releases
    cdef int32_t* began                 # jobs that started, and those that ended, in order of time
    cdef int32_t* over
    cdef int32_t begun, ended           # how many these are, and how many have been read
    cdef int32_t begun_read, ended_read
    cdef int32_t jobs, room, strict, free_procs
    cdef int64_t clock
    cdef bint easy, same, stale, broken
    cdef int64_t* submit_
    cdef int64_t* runtime
    cdef int64_t* estimate
    cdef int64_t* procs
    cdef int64_t* start_
    cdef int64_t* end_
    cdef signed char* state_

    def __cinit__(
        self,
        int32_t processors,
        bint easy,
        bint same,
        lines,
        fresh,
        reverse,
        paces,
        scales,
        bint lifo,
        int32_t strict,
        int64_t threshold,
        int32_t room,
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
        self.threshold = threshold
        if self.allocate(places) or releases_grow(&self.releases, 16):
            raise MemoryError(f"no memory left for {places} jobs")
        releases_clear(&self.releases)

    def __dealloc__(self):
        tournament_free(&self.primary)
        classes_free(&self.classes)
        releases_free(&self.releases)
        free(self.came)
        free(self.began)
        free(self.over)
        free(self.arriving.entry)
        free(self.running.entry)
        for order in range(2):
            free(self.orders[order].score)
            free(self.orders[order].divisor)
        free(self.submit_)
        free(self.runtime)
        free(self.estimate)
        free(self.procs)
        free(self.start_)
        free(self.end_)
        free(self.state_)

    cdef int allocate(self, int32_t room) noexcept nogil:
        # Columns, heaps and the primary tournament for `room` jobs; -1 when memory is out.
        cdef int32_t k
        cdef void** column[17]
        cdef void* p
        cdef int64_t size
        column[0], column[1] = <void**>&self.submit_, <void**>&self.runtime
        column[2], column[3] = <void**>&self.estimate, <void**>&self.procs
        column[4], column[5] = <void**>&self.start_, <void**>&self.end_
        for k in range(2):
            column[6 + k] = <void**>&self.orders[k].score
            column[8 + k] = <void**>&self.orders[k].divisor
        column[10] = <void**>&self.state_
        column[11], column[12] = <void**>&self.arriving.entry, <void**>&self.running.entry
        column[13] = <void**>&self.classes.place
        column[14] = <void**>&self.came
        column[15], column[16] = <void**>&self.began, <void**>&self.over
        for k in range(17):
            size = sizeof(Event) if 11 <= k <= 12 else sizeof(int64_t)
            p = realloc(column[k][0], (<int64_t>room + 1) * size)
            if p == NULL:
                return -1
            column[k][0] = p
        for k in range(2):
            self.orders[k].submit, self.orders[k].estimate = self.submit_, self.estimate
        if not self.easy or not self.same:
            tournament_free(&self.primary)
            if tournament_make(&self.primary, room):
                return -1
        self.room = room
        return 0

    cdef int grow(self) noexcept nogil:
        # Twice the room; who waits enters the primary tournament again.
        cdef int32_t job
        if self.allocate(2 * self.room):
            return -1
        if not self.easy or not self.same:
            for job in range(self.jobs):
                if self.state_[job] == IS_WAITING:
                    tournament_set(&self.primary, &self.orders[0], job, job, self.clock)
        return 0

    cdef void wait(self, int32_t job, bint waits) noexcept nogil:
        # Let a job wait, or no longer.
        if not self.easy or not self.same:
            tournament_set(
                &self.primary, &self.orders[0], job, job if waits else -1, self.clock
            )
        if self.easy:
            classes_set(
                &self.classes, &self.orders[1], job, self.procs[job], waits, self.clock
            )

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
        if self.easy and self.same:
            return classes_first(&self.classes, &self.orders[1], self.clock)
        return tournament_first(&self.primary, &self.orders[0], self.clock)

    cdef void come(self, int32_t job) noexcept nogil:
        # Note an arrival; those of one instant in the order of their submission here.
        cdef int32_t k = self.arrived
        while k > self.oldest and self.came[k - 1] > job and (
            self.submit_[self.came[k - 1]] == self.submit_[job]
        ):
            self.came[k] = self.came[k - 1]
            k -= 1
        self.came[k] = job
        self.arrived += 1

    cdef int begin(self, int32_t job) noexcept nogil:
        self.wait(job, False)
        self.state_[job] = IS_RUNNING
        self.start_[job] = self.clock
        self.end_[job] = self.clock + self.runtime[job]
        self.began[self.begun] = job
        self.begun += 1
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
        fit.slack = shadow - self.clock
        while self.free_procs > 0:
            fit.free_procs = self.free_procs
            job = classes_first_fit(&self.classes, &self.orders[1], self.procs, &fit, self.clock)
            if job < 0:
                return 0
            if self.estimate[job] > fit.slack:
                fit.extra -= self.procs[job]
            if self.begin(job):
                return -1
        return 0

    cdef int64_t next_time(self) noexcept nogil:
        # When something happens next, or INT64_MAX.
        cdef int64_t event = self.clock if self.stale else INT64_MAX
        # what was cancelled left entries behind
        while self.running.size and self.state_[self.running.entry[0].job] != IS_RUNNING:
            heap_pop(&self.running)
        while self.arriving.size and self.state_[self.arriving.entry[0].job] != IS_PENDING:
            heap_pop(&self.arriving)
        if self.running.size and self.running.entry[0].time < event:
            event = self.running.entry[0].time
        if self.arriving.size and self.arriving.entry[0].time < event:
            event = self.arriving.entry[0].time
        return event

    cdef int run(self, int64_t until, bint on_end) noexcept nogil:
        # Every event up to and including `until`, with `on_end` up to and including the first
        # instant at which a job ends, and then 1; -1 when memory is out.
        cdef int64_t event
        cdef int32_t job, before
        while True:
            event = self.next_time()
            if event > until or event == INT64_MAX:
                return 0
            self.clock = event
            self.stale = False
            before = self.ended
            while self.running.size and self.running.entry[0].time == event:
                job = heap_pop(&self.running)
                if self.state_[job] == IS_RUNNING:
                    self.finish(job, IS_ENDED)
                    self.over[self.ended] = job
                    self.ended += 1
            while self.arriving.size and self.arriving.entry[0].time == event:
                job = heap_pop(&self.arriving)
                if self.state_[job] == IS_PENDING:
                    self.state_[job] = IS_WAITING
                    self.wait(job, True)
                    if self.threshold != INT64_MAX:
                        self.come(job)
            if self.schedule():
                return -1
            if on_end and self.ended > before:
                return 1

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
                job = self.jobs
                if job == self.room:
                    failed = self.grow()
                    if failed:
                        break
                self.submit_[job], self.runtime[job] = submit[k], runtime[k]
                self.estimate[job], self.procs[job] = estimate[k], procs[k]
                self.orders[0].score[job], self.orders[1].score[job] = score[k], score2[k]
                self.orders[0].divisor[job], self.orders[1].divisor[job] = divisor[k], divisor2[k]
                self.start_[job] = self.end_[job] = -1
                self.state_[job] = IS_PENDING
                if self.easy:
                    failed = classes_admit(
                        &self.classes, &self.orders[1], job, procs[k], self.clock
                    )
                    if failed:
                        break
                self.jobs += 1
                heap_push(&self.arriving, submit[k], job)
        if failed:
            self.broken = True
            raise MemoryError(f"no memory left for more than {self.room} jobs")
        return np.arange(first, first + n, dtype=np.int32)

    def cancel(self, int32_t job):
        """Take a job back; a running one ends now. False if it has ended already."""
        if self.broken:
            raise MemoryError("this queue ran out of memory before")
        if self.state_[job] == IS_WAITING:
            self.wait(job, False)
        elif self.state_[job] == IS_RUNNING:
            self.finish(job, IS_CANCELLED)
            self.end_[job] = self.clock
        elif self.state_[job] != IS_PENDING:
            return False
        self.state_[job] = IS_CANCELLED
        self.stale = True
        return True

    def advance(self, int64_t until=INT64_MAX, bint on_end=False):
        """Handle every event up to and including `until`; the clock then stands there.

        With `on_end` it stops, and stands, at the first instant at which a job ends.
        """
        cdef int found
        if self.broken:
            raise MemoryError("this queue ran out of memory before")
        with nogil:
            found = self.run(until, on_end)
            if found == 0 and until != INT64_MAX and until > self.clock:
                self.clock = until
        if found < 0:
            raise MemoryError("no memory left to go on")

    def next_event(self):
        """When something happens next; None: never."""
        time = self.next_time()
        return None if time == INT64_MAX else time

    def read(self):
        """Jobs that have started and jobs that have ended since this was read last, in order."""
        started = np.empty(self.begun - self.begun_read, dtype=np.int32)
        ended = np.empty(self.ended - self.ended_read, dtype=np.int32)
        cdef int32_t[::1] a = started, b = ended
        cdef int32_t k
        for k in range(self.begun_read, self.begun):
            a[k - self.begun_read] = self.began[k]
        for k in range(self.ended_read, self.ended):
            b[k - self.ended_read] = self.over[k]
        self.begun_read, self.ended_read = self.begun, self.ended
        return started, ended

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
