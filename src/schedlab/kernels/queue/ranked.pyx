"""Strict order and EASY backfilling for policies whose order never changes while jobs wait.

Algorithm: the full dialect's event loop (at one instant all completions, then all arrivals, then
one pass) over jobs ranked once. A short queue is a `WaitingLine` in backfill order; once more jobs
wait than it has room for, the queue is a `FitTree`. The head of the primary order is the first bit
of a `Bitset` (or the first of the line or tree if both orders are equal).

Invariant: between events no waiting job may start. An arrival alone leaves free processors, shadow
time and extra processors unchanged, and time only tightens the test. So only the new jobs are
examined, unless one of them is the new head or a job begins to starve: jobs that waited longer
than the starvation threshold lead, and the first of them is the oldest waiting job. Cost: O(log n)
per arrival, start and completion, plus the cost of searches in the line or tree.
"""

import numpy as np

from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t
from libc.string cimport memset

from schedlab.kernels.common.region cimport Arena, arena_free, arena_take
from schedlab.kernels.common.fit_scan cimport LANES, fitting
from schedlab.kernels.common.bitset cimport (
    Bitset,
    bitset_add,
    bitset_drop,
    bitset_first,
    bitset_make,
)
from schedlab.kernels.queue.fit_tree cimport FitTree, fit_add, fit_drop, fit_make, fit_next
from schedlab.kernels.common.heap cimport Event, Heap, heap_pop, heap_push
from schedlab.kernels.queue.releases cimport (
    Releases,
    releases_add,
    releases_clear,
    releases_drop,
    releases_free,
    releases_grow,
    releases_shadow,
)
from schedlab.kernels.queue.waiting_line cimport (
    WaitingLine,
    line_add,
    line_at,
    line_drop,
)


cdef struct Queue:
    const int64_t* submit
    const int64_t* runtime
    const int64_t* estimate
    const int64_t* procs
    const int32_t* rank                 # of each job in the primary order
    const int32_t* job                  # at each rank of the primary order
    const int32_t* backfill             # of each job in the backfill order
    int64_t* start                      # out
    int64_t now
    int32_t free_procs
    bint easy
    bint same                           # both orders are equal
    int32_t strict                      # nothing overtakes a head ranked before this
    int64_t threshold                   # jobs that waited longer come first,
    bint lifo                           # of one instant the last first
    int32_t oldest                      # no earlier job waits
    int32_t jobs                        # of the log
    Bitset* order                       # waiting jobs by primary rank, unless both are in the line
    Bitset primary                      # where `order` points if the orders differ
    bint lined                          # the waiting jobs are in the line, not in the tree
    WaitingLine line                    # waiting jobs by backfill rank
    int lanes                           # jobs in a step of the search in the line
    FitTree tree                        # the same, once they have been too many
    Heap running
    Releases releases
    Arena arena


cdef inline int begin(Queue* q, int32_t job) noexcept nogil:
    # Start a job now. -1 if memory runs out.
    q.start[job] = q.now
    q.free_procs -= <int32_t>q.procs[job]
    heap_push(&q.running, q.now + q.runtime[job], job)
    if q.easy:
        return releases_add(&q.releases, q.now + q.estimate[job], q.procs[job])
    return 0


cdef int plant(Queue* q) noexcept nogil:
    # Move the waiting jobs from the line, which is full of them, to a tree. -1 if memory runs out.
    cdef int32_t k
    cdef const WaitingLine* line = &q.line
    if fit_make(&q.tree, &q.arena, q.jobs):
        return -1
    for k in range(line.first, line.end):
        fit_add(&q.tree, line.rank[k], line.need[k], line.estimate[k], line.job[k])
    if q.same:
        q.order = &q.tree.waiting
    q.lined = False
    return 0


cdef inline int enqueue(Queue* q, int32_t job) noexcept nogil:
    # Let a job wait. -1 if memory runs out.
    cdef int32_t rank = q.backfill[job]
    cdef int32_t need = <int32_t>q.procs[job], estimate = <int32_t>q.estimate[job]
    if q.easy:
        if q.lined and line_add(&q.line, rank, need, estimate, job) and plant(q):
            return -1
        if not q.lined:
            fit_add(&q.tree, rank, need, estimate, job)
        if q.same:
            return 0
    bitset_add(q.order, q.rank[job])
    return 0


cdef inline void dequeue(Queue* q, int32_t job, int32_t place) noexcept nogil:
    # Let a job no longer wait; `place` is where the queue in backfill order has it.
    if q.easy:
        if q.lined:
            line_drop(&q.line, place)
        else:
            fit_drop(&q.tree, place)
        if q.same:
            return
    bitset_drop(q.order, q.rank[job])


cdef inline int32_t place_of(const Queue* q, int32_t rank) noexcept nogil:
    # Where the queue in backfill order has the first job of this rank or a later one.
    if not q.easy or not q.lined:
        return rank
    if q.line.first == q.line.end or rank <= q.line.rank[q.line.first]:
        return q.line.first
    return line_at(&q.line, rank)


cdef inline int32_t next_fit(
    Queue* q, int32_t* place, int64_t slack, int64_t extra
) noexcept nogil:
    # The first job from a place on that may be backfilled, or -1; in `place` where it is.
    cdef const WaitingLine* line = &q.line
    if not q.lined:
        place[0] = fit_next(&q.tree, place[0], q.free_procs, slack, extra)
        return q.tree.item[place[0]].job if place[0] >= 0 else -1
    place[0] = fitting(
        line.need, line.estimate, place[0], line.end, q.free_procs,
        <int32_t>min(slack, INT32_MAX), <int32_t>extra, q.lanes,
    )
    return line.job[place[0]] if place[0] < line.end else -1


cdef int32_t starving(Queue* q, int32_t arrived) noexcept nogil:
    # The oldest waiting job if it waited longer than the threshold, or -1.
    cdef int32_t job, k
    while q.oldest < arrived and q.start[q.oldest] >= 0:
        q.oldest += 1
    job = k = q.oldest
    if job == arrived or q.now - q.submit[job] <= q.threshold:
        return -1
    if q.lifo and job >= q.strict:
        while k < arrived and q.submit[k] == q.submit[job]:
            if q.start[k] < 0:
                job = k
            k += 1
    return job


cdef inline int32_t first_job(Queue* q, int32_t arrived, int32_t* lead) noexcept nogil:
    # The head of the queue, or -1; in `lead` its rank, -1 if it precedes all ranks.
    cdef int32_t job
    if q.threshold != INT64_MAX:
        job = starving(q, arrived)
        if job >= 0:
            lead[0] = -1
            return job
    if q.lined and q.same:
        if q.line.first == q.line.end:
            lead[0] = -1
            return -1
        lead[0] = q.line.rank[q.line.first]
        return q.line.job[q.line.first]
    lead[0] = bitset_first(q.order)
    return q.job[lead[0]] if lead[0] >= 0 else -1


cdef int sweep(
    Queue* q, int32_t rank, int32_t head, int64_t shadow, int64_t* extra
) noexcept nogil:
    # Backfill in one sweep from `rank` of the backfill order on; -1 if memory runs out.
    cdef int32_t job, place = place_of(q, rank)
    while q.free_procs > 0:
        job = next_fit(q, &place, shadow - q.now, extra[0])
        if job < 0:
            return 0
        if job != head:
            if q.now + q.estimate[job] > shadow:
                extra[0] -= q.procs[job]
            dequeue(q, job, place)
            if begin(q, job):
                return -1
        place += 1
    return 0


cdef int simulate(Queue* q, int32_t n) noexcept nogil:
    cdef int32_t head = -1, lead = -1, job, arrived = 0, first, k, lowest_rank, best
    cdef int64_t shadow = 0, extra = 0
    cdef bint full
    while arrived < n or q.running.size:
        full = False
        if q.running.size and (
            arrived == n or q.running.entry[0].time <= q.submit[arrived]
        ):
            q.now = q.running.entry[0].time
            full = True
            while q.running.size and q.running.entry[0].time == q.now:
                job = heap_pop(&q.running)
                q.free_procs += <int32_t>q.procs[job]
                if q.easy:
                    releases_drop(&q.releases, q.start[job] + q.estimate[job], q.procs[job])
        else:
            q.now = q.submit[arrived]
        first = arrived
        while arrived < n and q.submit[arrived] == q.now:
            arrived += 1
        if q.threshold != INT64_MAX and lead >= 0 and starving(q, first) >= 0:
            full = True
        if not full and head >= 0 and arrived - first == 1 and q.rank[first] > lead:
            # the usual arrival: it is behind the head, and only it may be backfilled
            if (
                q.easy
                and q.rank[head] >= q.strict
                and q.procs[first] <= q.free_procs
                and (q.now + q.estimate[first] <= shadow or q.procs[first] <= extra)
            ):
                if q.now + q.estimate[first] > shadow:
                    extra -= q.procs[first]
                if begin(q, first):
                    return -1
            elif enqueue(q, first):
                return -1
            continue
        if head < 0 and arrived - first == 1 and q.procs[first] <= q.free_procs:
            if begin(q, first):                         # no job waits: it starts at once
                return -1
            continue
        best = -1
        lowest_rank = n
        for k in range(first, arrived):
            if enqueue(q, k):
                return -1
            if best < 0 or q.rank[k] < q.rank[best]:
                best = k
            if q.backfill[k] < lowest_rank:
                lowest_rank = q.backfill[k]
        if full or head < 0 or q.rank[best] < lead:
            lowest_rank = 0
            head = first_job(q, arrived, &lead)
            while head >= 0 and q.procs[head] <= q.free_procs:
                dequeue(q, head, place_of(q, q.backfill[head]))
                if begin(q, head):
                    return -1
                head = first_job(q, arrived, &lead)
            if head < 0 or not q.easy or q.rank[head] < q.strict:
                continue
            if q.free_procs == 0:                       # nothing can start before a completion
                extra = 0
                shadow = q.now
                continue
            shadow = releases_shadow(&q.releases, q.free_procs, q.procs[head], &extra)
        if q.easy and q.rank[head] >= q.strict and sweep(q, lowest_rank, head, shadow, &extra):
            return -1
    return 0


cdef int prepare(Queue* q, int32_t most) noexcept nogil:
    # Allocate what the whole run needs; -1 if memory runs out.
    q.running.entry = <Event*>arena_take(&q.arena, most, sizeof(Event))
    if q.running.entry == NULL:
        return -1
    if q.easy:
        if releases_grow(&q.releases, 16):
            return -1
        releases_clear(&q.releases)
        if q.same:
            return 0
    q.order = &q.primary
    return bitset_make(&q.primary, &q.arena, q.jobs)


def run_ranked(
    const int64_t[::1] submit,
    const int64_t[::1] runtime,
    const int64_t[::1] estimate,
    const int64_t[::1] procs,
    int32_t processors,
    const int32_t[::1] job,
    const int32_t[::1] rank,
    backfill,
    bint easy,
    int32_t strict,
    int64_t threshold,
    bint lifo,
    bint planted=False,
    int lanes=LANES,
):
    """Start times of n jobs; the caller (`schedlab.queue.simulation`) checks the arguments.

    Parameters
    ----------
    submit, runtime, estimate, procs : memoryviews of int64, shape (n,)
        The jobs, in order of submission.
    processors : int
        Size of the machine.
    job, rank : memoryviews of int32, shape (n,)
        The primary order: the job at each rank and the rank of each job.
    backfill : ndarray of int32, shape (n,), or None
        Rank of each job in the backfill order; None if it is the primary order.
    easy : bool
        Aggressive backfilling; without it jobs start strictly in the primary order.
    strict : int
        While a job of a primary rank below this is the head, nothing overtakes it.
    threshold : int
        Jobs that waited longer, in seconds, precede all others, by submission; none: 2**63
                - 1.
    lifo : bool
        Of such jobs submitted at one instant the last one is first.
    planted : bool
        The queue is a tree from the beginning, which is what it is once many jobs wait.
    lanes : int
        At most so many jobs are compared in one step of a search: 8 or 1.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    cdef int32_t n = <int32_t>submit.shape[0]
    cdef Queue q
    cdef int failed
    cdef const int32_t[::1] second
    start = np.full(n, -1, dtype=np.int64)
    cdef int64_t[::1] out = start
    if n == 0:
        return start
    memset(&q, 0, sizeof(Queue))
    q.submit, q.runtime = &submit[0], &runtime[0]
    q.estimate, q.procs = &estimate[0], &procs[0]
    q.rank, q.job, q.start = &rank[0], &job[0], &out[0]
    q.free_procs, q.easy, q.same = processors, easy, easy and backfill is None
    q.jobs, q.lined, q.lanes = n, easy and not planted, lanes
    q.backfill, q.strict, q.threshold, q.lifo = q.rank, strict, threshold, lifo
    if backfill is not None:
        second = backfill
        q.backfill = &second[0]
    with nogil:
        failed = prepare(&q, processors if processors < n else n)
        if not failed and planted:
            failed = plant(&q)
        if not failed:
            failed = simulate(&q, n)
        arena_free(&q.arena)
        releases_free(&q.releases)
    if failed:
        raise MemoryError(f"no memory left to simulate {n} jobs on {processors} processors")
    return start
