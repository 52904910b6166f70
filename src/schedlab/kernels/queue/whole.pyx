"""Whole runs in static orders, and EASY++: first come first served, backfilled shortest first.

Algorithm: the event loop of the full dialect (at one instant all completions, then all arrivals,
then one pass) around the rule of `backfilling`. With predictions, the run time of a waiting job is
the mean of its user's last two completed jobs, or its estimate if that is less or fewer have
completed. A started job keeps its prediction. If a job has exceeded its prediction when a pass
begins, the prediction is increased step by step (`schedlab.queue.predictions`).

Invariant: after an instant no waiting job could start; with predictions every running job has a
predicted end in the future. Cost: that of the rule. A new mean and a correction (at most a dozen
per job) cost O(waiting) and O(running).
"""

import numpy as np

from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t
from libc.string cimport memset

from schedlab.kernels.common.fit_scan cimport LANES
from schedlab.kernels.common.heap cimport Event, heap_pop
from schedlab.kernels.common.region cimport Arena, arena_free, arena_take, arena_zeros
from schedlab.kernels.queue.backfilling cimport (
    NO_BACKFILLING,
    NO_JOB,
    Queue,
    admit,
    age,
    enqueue,
    leads,
    look,
    queue_free,
    react,
)
from schedlab.kernels.queue.orders cimport before
from schedlab.kernels.queue.releases cimport (
    releases_add,
    releases_clear,
    releases_drop,
    releases_grow,
)
from schedlab.kernels.queue.waiting_line cimport Line, line_room


cdef struct Predictions:
    const int32_t* user                 # NULL: run times are expected to be the estimates
    int32_t users                       # users with a history
    const int64_t* step                 # successive additions to a prediction
    int32_t steps
    int64_t* predicted                  # of each job that has started
    int32_t* corrected                  # its number of corrections
    int64_t* last                       # run time of each user's last job that ended, or -1
    int64_t* mean                       # INT64_MAX if nothing is known of the user yet
    int32_t* ended                      # jobs that end now
    int32_t* moved                      # jobs whose predictions change


cdef inline int64_t prediction(const Queue* q, const Predictions* p, int32_t job) noexcept nogil:
    if p.user == NULL:
        return q.estimate[job]
    return min(q.estimate[job], p.mean[p.user[job]])


cdef inline void learn(Queue* q, Predictions* p, int32_t job) noexcept nogil:
    # Set a new mean of a user's run times, which changes the predictions of waiting jobs.
    cdef int32_t user = p.user[job], at, kept = 0, count = 0
    cdef Line* line = &q.line[1]
    if user >= p.users:
        return
    if p.last[user] < 0:
        p.last[user] = q.runtime[job]
        return
    p.mean[user] = max((p.last[user] + q.runtime[job]) // 2, 1)
    p.last[user] = q.runtime[job]
    for at in range(q.line[0].first, q.line[0].end):
        if p.user[q.line[0].job[at]] == user:
            q.line[0].length[at] = <int32_t>prediction(q, p, q.line[0].job[at])
    for at in range(line.first, line.end):
        if line.need[at] == INT32_MAX:
            continue
        job = line.job[at]
        if p.user[job] == user:
            p.moved[count] = job
            count += 1
            continue
        line.job[kept], line.need[kept], line.length[kept] = job, line.need[at], line.length[at]
        kept += 1
    line.first, line.dropped, line.end = 0, 0, kept + count
    for at in range(count):
        q.order[1].score[p.moved[at]] = <double>prediction(q, p, p.moved[at])
    merge(q, p.moved, count)


cdef inline void merge(Queue* q, int32_t* moved, int32_t count) noexcept nogil:
    # Put jobs at their places among the others in the order of backfilling.
    cdef Line* line = &q.line[1]
    cdef int32_t at, k, kept = line.end - count - 1, job
    for at in range(1, count):
        job, k = moved[at], at
        while k > 0 and before(&q.order[1], job, moved[k - 1]):
            moved[k] = moved[k - 1]
            k -= 1
        moved[k] = job
    at = line.end - 1
    while count:
        job = moved[count - 1]
        if kept >= 0 and before(&q.order[1], job, line.job[kept]):
            line.job[at], line.need[at] = line.job[kept], line.need[kept]
            line.length[at] = line.length[kept]
            kept -= 1
        else:
            line.job[at], line.need[at] = job, <int32_t>q.procs[job]
            line.length[at] = <int32_t>q.order[1].score[job]
            count -= 1
        at -= 1


cdef inline void complete(Queue* q, Predictions* p) noexcept nogil:
    # Let all jobs end that end now, and learn of them in the order of submission.
    cdef int32_t job, count = 0, k
    while q.running.size and q.running.entry[0].time == q.now:
        job = heap_pop(&q.running)
        q.free_procs += <int32_t>q.procs[job]
        if q.depth != NO_BACKFILLING:
            releases_drop(
                &q.releases,
                q.start[job] + q.estimate[job] if p.user == NULL else q.expected[job],
                q.procs[job],
            )
        if p.user != NULL:
            k = count
            while k > 0 and p.ended[k - 1] > job:
                p.ended[k] = p.ended[k - 1]
                k -= 1
            p.ended[k] = job
            count += 1
    for k in range(count):
        learn(q, p, p.ended[k])


cdef int correct(Queue* q, Predictions* p) noexcept nogil:
    # Move outlived predicted ends of running jobs past now. -1 if memory runs out.
    cdef int32_t k, job
    cdef int64_t length
    for k in range(q.running.size):
        job = q.running.entry[k].job
        if q.expected[job] > q.now:
            continue
        releases_drop(&q.releases, q.expected[job], q.procs[job])
        while q.expected[job] <= q.now:
            length = q.estimate[job]
            if p.corrected[job] < p.steps:
                length = min(length, p.predicted[job] + p.step[p.corrected[job]])
                p.corrected[job] += 1
            q.expected[job] = q.start[job] + length
        if releases_add(&q.releases, q.expected[job], q.procs[job]):
            return -1
    return 0


cdef inline int enter(Queue* q, const Predictions* p, int32_t job) noexcept nogil:
    # Let a job wait. -1 if memory runs out.
    cdef int64_t length = prediction(q, p, job)
    if p.user != NULL:
        q.order[1].score[job] = length
    return enqueue(q, job, <int32_t>length)


cdef int simulate(Queue* q, Predictions* p, int32_t n) noexcept nogil:
    cdef int32_t arrived = 0, first, k
    cdef int done
    cdef bint full
    while arrived < n or q.running.size:
        full = q.running.size and (
            arrived == n or q.running.entry[0].time <= q.submit[arrived]
        )
        q.now = q.running.entry[0].time if full else q.submit[arrived]
        if full:
            complete(q, p)
        first = arrived
        while arrived < n and q.submit[arrived] == q.now:
            arrived += 1
        if q.threshold != INT64_MAX:
            q.arrived = first
            done = age(q)
            if done < 0:
                return -1
            full |= done
        if p.user != NULL and q.releases.count and q.releases.first[0] <= q.now:
            full = True
            if correct(q, p):
                return -1
        if arrived - first == 1 and not full and p.user == NULL:
            done = admit(q, first, q.estimate[first])
            if done < 0 or (done and look(q)):
                return -1
            continue
        for k in range(first, arrived):
            if enter(q, p, k):
                return -1
            full |= leads(q, k)
        done = q.begun
        if react(q, full):
            return -1
        if p.user != NULL:
            for k in range(done, q.begun):
                p.predicted[q.began[k]] = q.expected[q.began[k]] - q.now
    return 0


cdef int prepare(Queue* q, Predictions* p, Arena* arena, int32_t n, int32_t most) noexcept nogil:
    # Allocate what the whole run needs; -1 if memory runs out.
    cdef int32_t k
    q.running.entry = <Event*>arena_take(arena, most, sizeof(Event))
    q.began = <int32_t*>arena_take(arena, n, sizeof(int32_t))
    if q.strict or q.threshold != INT64_MAX:
        q.early = <char*>arena_zeros(arena, n, 1)
        q.order[0].early = q.early
        q.came = <int32_t*>arena_take(arena, n, sizeof(int32_t))
    if p.user != NULL:
        q.expected = <int64_t*>arena_take(arena, n, sizeof(int64_t))
        q.order[1].score = <double*>arena_take(arena, n, sizeof(double))
        p.predicted = <int64_t*>arena_take(arena, n, sizeof(int64_t))
        p.corrected = <int32_t*>arena_zeros(arena, n, sizeof(int32_t))
        p.ended = <int32_t*>arena_take(arena, most, sizeof(int32_t))
        p.moved = <int32_t*>arena_take(arena, n, sizeof(int32_t))
        p.last = <int64_t*>arena_take(arena, p.users + 1, sizeof(int64_t))
        p.mean = <int64_t*>arena_take(arena, p.users + 1, sizeof(int64_t))
    if arena.failed or releases_grow(&q.releases, 16):
        return -1
    releases_clear(&q.releases)
    if q.early != NULL:
        for k in range(n):
            q.came[k] = k
            q.early[k] = k < q.strict
    if p.user != NULL:
        for k in range(p.users + 1):
            p.last[k], p.mean[k] = -1, INT64_MAX
    return line_room(&q.line[0], 64) or (not q.same and line_room(&q.line[1], 64))


cdef run(Queue* q, Predictions* p, int32_t n):
    # Run it and free its memory.
    cdef Arena arena
    cdef int failed
    cdef int32_t processors = q.free_procs
    memset(&arena, 0, sizeof(Arena))
    with nogil:
        failed = prepare(q, p, &arena, n, min(processors, n)) or simulate(q, p, n)
        arena_free(&arena)
        queue_free(q)
    if failed:
        raise MemoryError(f"no memory left to simulate {n} jobs on {processors} processors")


cdef void set_columns(
    Queue* q, const int64_t[::1] submit, const int64_t[::1] runtime, const int64_t[::1] estimate,
    const int64_t[::1] procs, int64_t[::1] start, int32_t processors, const double[::1] score
):
    # An empty queue of some jobs, in one order.
    cdef int k
    memset(q, 0, sizeof(Queue))
    q.submit, q.runtime, q.estimate = &submit[0], &runtime[0], &estimate[0]
    q.procs, q.start, q.free_procs = &procs[0], &start[0], processors
    q.head, q.threshold, q.lanes, q.same = NO_JOB, INT64_MAX, LANES, True
    for k in range(2):
        q.order[k].submit, q.order[k].estimate = q.submit, q.estimate
    q.order[0].score = <double*>&score[0]


def run_static(
    const int64_t[::1] submit,
    const int64_t[::1] runtime,
    const int64_t[::1] estimate,
    const int64_t[::1] procs,
    int32_t processors,
    const double[::1] score,
    backfill,
    int32_t depth,
    int32_t strict,
    int64_t threshold,
    bint lifo,
    int lanes=LANES,
):
    """Start times of n jobs; the caller (`schedlab.queue.simulation`) checks the arguments.

    Parameters
    ----------
    submit, runtime, estimate, procs : memoryviews of int64, shape (n,)
        The jobs, in order of submission.
    processors : int
        Size of the machine.
    score : memoryview of float64, shape (n,)
        Of each job in the primary order, smaller first.
    backfill : ndarray of float64, shape (n,), or None
        The same in the order of backfilling; None if it is the primary order.
    depth : int
        Number of reservations; -1 without backfilling.
    strict : int
        So many first jobs start in order of submission before all others.
    threshold : int
        Jobs that waited longer, in seconds, precede all others, by submission; none: 2**63
                - 1.
    lifo : bool
        Of equal jobs the last one is first.
    lanes : int
        At most so many jobs are compared in one step of a search: 8 or 1.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    cdef int32_t n = <int32_t>submit.shape[0]
    cdef const double[::1] second
    cdef Queue q
    cdef Predictions p
    start = np.full(n, -1, dtype=np.int64)
    if n == 0:
        return start
    memset(&p, 0, sizeof(Predictions))
    set_columns(&q, submit, runtime, estimate, procs, start, processors, score)
    q.depth, q.strict, q.threshold, q.lanes = depth, min(strict, n), threshold, lanes
    q.order[0].lifo = q.order[1].lifo = lifo
    q.order[0].strict = q.strict
    second = score if backfill is None else backfill
    q.order[1].score = <double*>&second[0]
    # a job that waited too long leads only the primary order
    q.same = depth == NO_BACKFILLING or (backfill is None and threshold == INT64_MAX)
    run(&q, &p, n)
    return start


def run_predicted(
    const int64_t[::1] submit,
    const int64_t[::1] runtime,
    const int64_t[::1] estimate,
    const int64_t[::1] procs,
    const int32_t[::1] user,
    int32_t users,
    int32_t processors,
    const int64_t[::1] steps,
):
    """Start times of n jobs; the caller (`schedlab.queue.predictions`) checks the arguments.

    Parameters
    ----------
    submit, runtime, estimate, procs : memoryviews of int64, shape (n,)
        The jobs, in order of submission; no estimate is below 1 s or the run time.
    user : memoryview of int32, shape (n,)
        From 0 to `users`; `users` means unknown users, who have no history.
    users : int
        Number of known users.
    processors : int
        Size of the machine.
    steps : memoryview of int64, shape (s,)
        Additions to an exceeded prediction, the first time, the second and so on.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    cdef int32_t n = <int32_t>submit.shape[0]
    cdef Queue q
    cdef Predictions p
    start = np.full(n, -1, dtype=np.int64)
    if n == 0:
        return start
    score = np.zeros(n)
    memset(&p, 0, sizeof(Predictions))
    set_columns(&q, submit, runtime, estimate, procs, start, processors, score)
    q.depth, q.same = 1, False
    p.user, p.users, p.step, p.steps = &user[0], users, &steps[0], <int32_t>steps.shape[0]
    run(&q, &p, n)
    return start
