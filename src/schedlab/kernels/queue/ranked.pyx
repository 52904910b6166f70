"""Strict order and EASY backfilling for policies whose order never changes while jobs wait.

Algorithm: the full dialect's event loop (at one instant all completions, then all arrivals, then
one pass) over jobs ranked once. The queue is a `FitTree` in backfill order; the head of the
primary order is the first bit of a `Bitset` (the same one if both orders are equal).

Invariant: between events no waiting job may start. An arrival alone leaves free processors, shadow
time and extra processors unchanged, and time only tightens the test. So only the new jobs are
examined, unless one of them is the new head or a job begins to starve: jobs that waited longer
than the starvation threshold lead, and the first of them is the oldest waiting job. Cost: O(log n)
per arrival, start and completion, plus the cost of searches in `FitTree`.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.string cimport memset

from schedlab.kernels.common.region cimport Arena, arena_free, arena_take
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
    Bitset* order                       # waiting jobs by primary rank
    Bitset primary                      # where `order` points if the orders differ
    FitTree tree                        # waiting jobs by backfill rank
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


cdef inline void enqueue(Queue* q, int32_t job) noexcept nogil:
    if q.easy:
        fit_add(&q.tree, q.backfill[job], <int32_t>q.procs[job], q.estimate[job])
        if q.same:
            return
    bitset_add(q.order, q.rank[job])


cdef inline void dequeue(Queue* q, int32_t job) noexcept nogil:
    if q.easy:
        fit_drop(&q.tree, q.backfill[job])
        if q.same:
            return
    bitset_drop(q.order, q.rank[job])


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
    lead[0] = bitset_first(q.order)
    return q.job[lead[0]] if lead[0] >= 0 else -1


cdef int sweep(
    Queue* q, int32_t rank, int32_t head, int64_t shadow, int64_t* extra
) noexcept nogil:
    # Backfill in one sweep from `rank` of the backfill order on; -1 if memory runs out.
    cdef int32_t job
    while q.free_procs > 0:
        rank = fit_next(&q.tree, rank, q.free_procs, shadow - q.now, extra[0])
        if rank < 0:
            return 0
        job = q.tree.item[rank].job
        rank += 1
        if job == head:
            continue
        if q.now + q.estimate[job] > shadow:
            extra[0] -= q.procs[job]
        dequeue(q, job)
        if begin(q, job):
            return -1
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
            else:
                enqueue(q, first)
            continue
        if head < 0 and arrived - first == 1 and q.procs[first] <= q.free_procs:
            if begin(q, first):                         # no job waits: it starts at once
                return -1
            continue
        best = -1
        lowest_rank = n
        for k in range(first, arrived):
            enqueue(q, k)
            if best < 0 or q.rank[k] < q.rank[best]:
                best = k
            if q.backfill[k] < lowest_rank:
                lowest_rank = q.backfill[k]
        if full or head < 0 or q.rank[best] < lead:
            lowest_rank = 0
            head = first_job(q, arrived, &lead)
            while head >= 0 and q.procs[head] <= q.free_procs:
                dequeue(q, head)
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


cdef int prepare(Queue* q, int32_t n, int32_t most) noexcept nogil:
    # Allocate once for the whole run; -1 if memory runs out.
    cdef int32_t k, job
    q.running.entry = <Event*>arena_take(&q.arena, most, sizeof(Event))
    if q.running.entry == NULL:
        return -1
    if q.easy:
        if fit_make(&q.tree, &q.arena, n) or releases_grow(&q.releases, 16):
            return -1
        releases_clear(&q.releases)
        for job in range(n):
            k = q.backfill[job]
            q.tree.item[k].need = <int32_t>q.procs[job]
            q.tree.item[k].estimate = <int32_t>q.estimate[job]
            q.tree.item[k].job = job
        if q.same:
            q.order = &q.tree.waiting
            return 0
    q.order = &q.primary
    return bitset_make(&q.primary, &q.arena, n)


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
    q.free_procs, q.easy, q.same = processors, easy, backfill is None
    q.backfill, q.strict, q.threshold, q.lifo = q.rank, strict, threshold, lifo
    if backfill is not None:
        second = backfill
        q.backfill = &second[0]
    with nogil:
        failed = prepare(&q, n, processors if processors < n else n)
        if not failed:
            failed = simulate(&q, n)
        arena_free(&q.arena)
        releases_free(&q.releases)
    if failed:
        raise MemoryError(f"no memory left to simulate {n} jobs on {processors} processors")
    return start
