"""The general queue kernel: every dialect switch and every policy, one dispatch at a time.

Algorithm: `order` holds the jobs not yet dispatched, with those visible to the scheduler (arrived,
and within the window) in front. Before each dispatch the visible ones are sorted by score. If the
head does not fit, the first other job in backfill order that fits without delaying the head's
reservation is moved in front of it. Then the head starts, or the clock moves to the next
completion or arrival.

Invariant: order[0:done] have been dispatched, order[done:arrived] are the waiting jobs, and from
`arrived` on jobs are in order of submission. Cost: O(v log v) per dispatch and per event, with v
visible jobs; the kernels `whole` and `stepped` simulate the full dialect faster. A score that does
not depend on the wait is computed once a job.
"""

import numpy as np

from libc.math cimport INFINITY, isfinite
from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.stdlib cimport qsort
from libc.string cimport memmove, memset

from schedlab.kernels.common.expression cimport Program, orders_nothing, run_program
from schedlab.kernels.common.heap cimport Event, Heap, heap_pop, heap_push
from schedlab.kernels.common.region cimport Arena, arena_free, arena_take

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    /* The bits of doubles that are not negative order as the doubles do. */
    static inline int64_t schedlab_bits(double x) { int64_t b; memcpy(&b, &x, 8); return b; }
    static inline double schedlab_time(int64_t b) { double x; memcpy(&x, &b, 8); return x; }
    """
    int64_t to_bits "schedlab_bits"(double x) noexcept nogil
    double to_time "schedlab_time"(int64_t b) noexcept nogil

cdef enum Ties:
    SUBMIT, LIFO, CURRENT, EXCHANGE

TIES = {"submit": SUBMIT, "lifo": LIFO, "current": CURRENT, "exchange": EXCHANGE}


cdef struct Entry:
    double score
    int64_t tie
    int32_t job


cdef struct Expected:
    double start
    int64_t procs
    int64_t estimate


cdef struct Queue:
    const int64_t* submit
    const int64_t* runtime
    const int64_t* estimate
    const int64_t* procs
    Program primary
    Program backfill
    double* primary_score               # by job, once it has arrived; NULL if scores change
    double* backfill_score
    bint same                           # backfill order is the primary order
    bint easy
    int32_t n
    int32_t head                        # the first jobs, which start strictly in order
    int32_t window
    double latency
    int32_t ties
    bint merged                         # the `shadow` switch
    bint extra
    bint first_alone
    int64_t threshold                   # jobs that waited longer precede the primary order
    double now
    int64_t free_procs
    int32_t done
    int32_t arrived
    int32_t* order
    Entry* entry                        # buffer for sorting
    Heap running                        # by actual end, as bits
    Expected* expected                  # running jobs by estimated end
    int32_t expecting
    int32_t faulty                      # a job whose score has no order, or -1
    double wait                         # how long it had waited then
    double* start                       # out
    Arena arena


cdef inline bint precedes(const Entry* a, const Entry* b) noexcept nogil:
    return a.score < b.score or (a.score == b.score and a.tie < b.tie)


cdef int compare(const void* a, const void* b) noexcept nogil:
    return -1 if precedes(<const Entry*>a, <const Entry*>b) else 1


cdef void sort_entries(Entry* entry, int32_t count) noexcept nogil:
    # Insertion sort, because most entries are in order; the library's sort if they are not.
    cdef int32_t k, i
    cdef int64_t moves_left = 32 * <int64_t>count
    cdef Entry item
    for k in range(1, count):
        item = entry[k]
        i = k
        while i > 0 and precedes(&item, &entry[i - 1]):
            entry[i] = entry[i - 1]
            i -= 1
        entry[i] = item
        moves_left -= k - i
        if moves_left < 0:
            qsort(entry, count, sizeof(Entry), compare)
            return


cdef void check_scores(Queue* q, const Program* program, int32_t visible) noexcept nogil:
    # Record a job whose score has no order, if the entries have one.
    cdef int32_t k, job
    cdef double now = <double><int64_t>q.now, r, n, s, score
    for k in range(visible):
        if isfinite(q.entry[k].score):
            continue
        job = q.entry[k].job
        r, n, s = <double>q.estimate[job], <double>q.procs[job], <double>q.submit[job]
        score = run_program(program, r, n, s, now - s)
        if orders_nothing(program, score, r, n, s, now - s):
            q.faulty, q.wait = job, now - s
            return


cdef void sort_visible(
    Queue* q, const Program* program, const double* score, int32_t visible, int64_t threshold
) noexcept nogil:
    # Fill `entry` with the visible jobs, in order of their scores; jobs that waited longer than
    # the threshold come first, by submission. Ages are whole seconds. `score` has the scores by
    # job; NULL if they change.
    cdef int32_t k, j, job
    cdef double now = <double><int64_t>q.now, r, n, s
    cdef double doubt = 0               # nan once a score is not finite
    cdef Entry item
    for k in range(visible):
        job = q.order[q.done + k]
        q.entry[k].job = job
        q.entry[k].tie = k if q.ties == CURRENT else (-job if q.ties == LIFO else job)
        if score != NULL:
            q.entry[k].score = score[job]
        else:
            r, n, s = <double>q.estimate[job], <double>q.procs[job], <double>q.submit[job]
            q.entry[k].score = run_program(program, r, n, s, now - s)
        doubt += q.entry[k].score - q.entry[k].score
        if <int64_t>q.now - q.submit[job] > threshold:
            q.entry[k].score = -INFINITY
            # by submission, and in front of all other ties
            q.entry[k].tie += (q.submit[job] << 29) - (<int64_t>1 << 62)
    if doubt != doubt:
        check_scores(q, program, visible)
    if q.ties != EXCHANGE:
        sort_entries(q.entry, visible)
        return
    for k in range(visible):
        for j in range(visible):
            if q.entry[k].score < q.entry[j].score:
                item = q.entry[k]
                q.entry[k] = q.entry[j]
                q.entry[j] = item


cdef int64_t reserve(const Queue* q, int64_t need, int64_t* extra) noexcept nogil:
    # The head's reservation: its shadow time, and the processors it leaves over.
    cdef int64_t fits = q.free_procs, now = <int64_t>q.now
    cdef int32_t k = 0
    cdef double left = 0, again
    while fits < need:
        left = q.expected[k].estimate - (now - q.expected[k].start)
        fits += q.expected[k].procs
        k += 1
    while q.merged and k < q.expecting:
        again = q.expected[k].estimate - (now - q.expected[k].start)
        if again != left:
            break
        fits += q.expected[k].procs
        k += 1
    extra[0] = fits - need if q.extra else 0
    return now + <int64_t>left


cdef bint backfill_one(Queue* q, int32_t visible) noexcept nogil:
    # Move the first job that may overtake the head in front of it; return whether there was one.
    cdef int64_t extra, shadow = reserve(q, q.procs[q.order[q.done]], &extra)
    cdef int64_t now = <int64_t>q.now
    cdef int32_t k, place, job, head = q.order[q.done]
    if not q.same:
        sort_visible(q, &q.backfill, q.backfill_score, visible, INT64_MAX)
    for k in range(visible):
        job = q.order[q.done + k] if q.same else q.entry[k].job
        if job == head or q.procs[job] > q.free_procs:
            continue
        if now + q.estimate[job] <= shadow or q.procs[job] <= extra:
            place = q.done
            while q.order[place] != job:
                place += 1
            memmove(&q.order[q.done + 1], &q.order[q.done], (place - q.done) * sizeof(int32_t))
            q.order[q.done] = job
            return True
    return False


cdef void release(Queue* q) noexcept nogil:
    # Free the processors of jobs that ended by now.
    cdef int32_t job, k
    while q.running.size and to_time(q.running.entry[0].time) <= q.now:
        job = heap_pop(&q.running)
        q.free_procs += q.procs[job]
        if q.easy:
            k = 0
            while q.expected[k].start != q.start[job] or q.expected[k].procs != q.procs[job] \
                    or q.expected[k].estimate != q.estimate[job]:
                k += 1
            q.expecting -= 1
            memmove(&q.expected[k], &q.expected[k + 1], (q.expecting - k) * sizeof(Expected))


cdef void dispatch(Queue* q) noexcept nogil:
    # Start the head.
    cdef int32_t job = q.order[q.done], k
    cdef double end
    q.free_procs -= q.procs[job]
    q.done += 1
    if q.latency > 0:
        q.now += q.latency
        q.start[job] = q.now
        release(q)
    else:
        q.start[job] = q.now
    heap_push(&q.running, to_bits(q.now + q.runtime[job]), job)
    if q.easy:
        end = q.now + q.estimate[job]
        k = q.expecting
        while k > 0 and q.expected[k - 1].start + q.expected[k - 1].estimate > end:
            q.expected[k] = q.expected[k - 1]
            k -= 1
        q.expected[k].start = q.now
        q.expected[k].procs = q.procs[job]
        q.expected[k].estimate = q.estimate[job]
        q.expecting += 1


cdef inline void arrive(Queue* q) noexcept nogil:
    cdef int32_t job
    cdef double r, n, s
    while q.arrived < q.n and q.submit[q.arrived] <= q.now:
        job = q.arrived
        r, n, s = <double>q.estimate[job], <double>q.procs[job], <double>q.submit[job]
        if q.primary_score != NULL:
            q.primary_score[job] = run_program(&q.primary, r, n, s, 0)
        if q.backfill_score != NULL and q.backfill_score != q.primary_score:
            q.backfill_score[job] = run_program(&q.backfill, r, n, s, 0)
        q.arrived += 1


cdef void sleep(Queue* q) noexcept nogil:
    # Move the clock to the next completion or arrival.
    cdef double event
    if q.running.size == 0:
        event = <double>q.submit[q.arrived]
    else:
        event = to_time(q.running.entry[0].time)
        if q.arrived < q.n and q.submit[q.arrived] < event:
            event = <double>q.submit[q.arrived]
    if event > q.now:
        q.now = event
    release(q)


cdef void simulate(Queue* q) noexcept nogil:
    cdef int32_t visible, k
    cdef bint resort = True             # after a dispatch only the window may reveal another job
    while q.done < q.n and q.faulty < 0:
        arrive(q)
        visible = q.arrived - q.done
        if visible == 0:
            sleep(q)
            resort = True
            if not q.first_alone or q.submit[q.done] > q.now:
                continue
            arrive(q)
        elif q.done >= q.head:
            if visible > q.window:
                visible = q.window
            if resort:
                sort_visible(q, &q.primary, q.primary_score, visible, q.threshold)
                for k in range(visible):
                    q.order[q.done + k] = q.entry[k].job
            if q.easy and q.procs[q.order[q.done]] > q.free_procs and visible > 1:
                backfill_one(q, visible)
        if q.procs[q.order[q.done]] <= q.free_procs:
            dispatch(q)
            resort = (
                visible == 0 or q.latency > 0 or q.window < q.n or q.ties == EXCHANGE
                or q.done <= q.head
            )
        else:
            sleep(q)
            resort = True


def run_general(
    const int64_t[::1] submit,
    const int64_t[::1] runtime,
    const int64_t[::1] estimate,
    const int64_t[::1] procs,
    int64_t processors,
    primary,
    backfill,
    bint easy,
    int32_t head,
    int32_t window,
    double latency,
    int32_t ties,
    bint merged,
    bint extra,
    bint first_alone,
    int64_t threshold,
):
    """Start times of n jobs under any policy in any dialect, while its scores are numbers.

    The caller (`schedlab.queue.simulation`) checks the arguments.

    Parameters
    ----------
    submit, runtime, estimate, procs : memoryviews of int64, shape (n,)
        The jobs, in order of submission, from time 0 on.
    processors : int
        Size of the machine.
    primary, backfill : schedlab.policies.expression.Program
        The two orders; the same object if there is only one.
    easy : bool
        Aggressive backfilling; without it jobs start strictly in the primary order.
    head : int
        The first jobs, which start strictly in order of submission.
    window, latency, ties, merged, extra, first_alone
        The switches of `schedlab.queue.dialects.Dialect`, ties by its code in `TIES`.
    threshold : int
        Jobs that waited longer, in seconds, precede the primary order.

    Returns
    -------
    start : ndarray of float64, shape (n,)
    faulty : int
        Place of a job whose score has no order, at which the simulation stopped; else -1.
    wait : float
        How long it had waited by then.
    """
    cdef int32_t n = <int32_t>submit.shape[0], k
    cdef int32_t most = <int32_t>(processors if processors < n else n)
    cdef Queue q
    cdef bint failed, one_order = primary is backfill
    cdef bint primary_moves = primary.moves, backfill_moves = backfill.moves
    start = np.empty(n)
    cdef double[::1] out = start
    cdef const int32_t[::1] op = primary.op, op2 = backfill.op
    cdef const double[::1] constant = primary.constant, constant2 = backfill.constant
    if n == 0:
        return start, -1, 0.0
    memset(&q, 0, sizeof(Queue))
    q.submit, q.runtime = &submit[0], &runtime[0]
    q.estimate, q.procs, q.start = &estimate[0], &procs[0], &out[0]
    q.primary.op, q.primary.constant = &op[0], &constant[0]
    q.backfill.op, q.backfill.constant = &op2[0], &constant2[0]
    q.primary.length, q.backfill.length = <int32_t>op.shape[0], <int32_t>op2.shape[0]
    # a starving job precedes the primary order, but not the backfill order
    q.same = one_order and threshold == INT64_MAX
    q.easy, q.n, q.head, q.threshold = easy, n, head, threshold
    q.window, q.latency, q.ties, q.merged, q.extra = window, latency, ties, merged, extra
    q.first_alone = first_alone
    q.free_procs, q.faulty = processors, -1
    with nogil:
        q.order = <int32_t*>arena_take(&q.arena, n, sizeof(int32_t))
        q.entry = <Entry*>arena_take(&q.arena, n, sizeof(Entry))
        q.running.entry = <Event*>arena_take(&q.arena, most, sizeof(Event))
        q.expected = <Expected*>arena_take(&q.arena, most, sizeof(Expected))
        if not primary_moves:
            q.primary_score = <double*>arena_take(&q.arena, n, sizeof(double))
        if one_order:
            q.backfill_score = q.primary_score
        elif not backfill_moves:
            q.backfill_score = <double*>arena_take(&q.arena, n, sizeof(double))
        failed = q.arena.failed
        if not failed:
            for k in range(n):
                q.order[k] = k
            simulate(&q)
        arena_free(&q.arena)
    if failed:
        raise MemoryError(f"no memory left to simulate {n} jobs on {processors} processors")
    return start, q.faulty, q.wait
