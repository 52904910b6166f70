"""EASY backfilling of one piece under many mixed policies, simulated together while they agree.

A mixed policy is a weight vector. Its score of a job is a weighted sum of static features, plus a
weight times the ratio of the job's wait to its estimate (`schedlab.policies.mixed`). All policies
share one order of backfilling.

Algorithm: the event loop of the dialect ocs (at one instant all completions and arrivals, then one
pass; of equal jobs the last arrival comes first). A state of the machine carries all vectors that
have reached it. The head is determined only if some waiting job fits into the free processors, and
then for each vector; the same is true for the choice among equal jobs for backfilling. If vectors
differ, the state is copied and the vectors split. At boundaries, instants in front of every few
arrivals, states that have become equal are merged. Nothing is approximated: vectors share a
simulation only while state and decisions are the same.

Arrivals of one instant come in the order of the jobs. A single policy may instead follow the
simulator's own events (`event_heap`), whose order depends on all running jobs; shared states
cannot.

Structures: waiting jobs by rank of the backfill order, and running jobs by actual and by estimated
end, each a sorted array (queues of weeks are short); states between boundaries on a stack; states
at a boundary in contiguous memory, with a hash table whose hits are compared in full
(`mixed_machine`, `mixed_heads`, `mixed_backfill`, `mixed_boundary`; the data are in
`mixed_state`). Bounded slowdowns are added in fixed point, so that the sum does not depend on the
order or on sharing.

Invariant: between events no waiting job may start; `reserved` means that shadow time and extra
processors are those of `head`, and otherwise the next pass is a full one. Cost: O(waiting +
running) per start and completion, with constants of a few bytes; O(vectors * waiting) to determine
the head, which for time-dependent orders happens at every event at which some job fits.
"""

import numpy as np

from libc.math cimport fabs
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memset

from schedlab.kernels.common.region cimport Arena, arena_free, arena_grow, arena_take
from schedlab.kernels.mixed.event_heap cimport (
    NO_NODE,
    event_heap_make,
    event_pop_at,
    event_push,
)
from schedlab.kernels.mixed.mixed_backfill cimport full_pass, handle_arrivals
from schedlab.kernels.mixed.mixed_boundary cimport enter_from_boundary, leave_to_boundary
from schedlab.kernels.mixed.mixed_heads cimport box_vectors, pop, still_score
from schedlab.kernels.mixed.mixed_machine cimport end_next, enqueue
from schedlab.kernels.mixed.mixed_state cimport (
    EXPRESSION,
    FRACTION_BITS,
    JOB_BITS,
    MOST_SCORES,
    NO_JOB,
    Batch,
    Boundary,
    Kept,
    State,
    time_of,
)

MOST_JOBS = 1 << JOB_BITS


cdef inline void follow_events(Batch* b, int32_t first) noexcept nogil:
    # Take the events of this instant from the simulator's own heap: the first arrival that it
    # returns counts as the last one. Jobs from `first` on arrive.
    cdef int32_t last = b.s.arrived - 1, job = event_pop_at(&b.events, b.s.now)
    while job != NO_NODE:
        if job >= first:
            b.came[job] = last
            last -= 1
        job = event_pop_at(&b.events, b.s.now)


cdef int advance(Batch* b, int32_t stop) noexcept nogil:
    # Simulate the present state, and all states split from it, up to the boundary in front of the
    # arrival `stop`, or to the end; -1 if memory runs out.
    cdef State* s = &b.s
    cdef int64_t end
    cdef int32_t first
    cdef bint completed
    while True:
        while True:
            end = time_of(b.ending[s.running - 1]) if s.running else INT64_MAX
            if s.arrived < stop:
                s.now = end if end <= b.submit[s.arrived] else b.submit[s.arrived]
            elif (end >= b.submit[stop]) if stop < b.n else s.waiting == 0:
                break
            else:
                s.now = end
            completed = end == s.now
            while s.running and time_of(b.ending[s.running - 1]) == s.now:
                end_next(b)
            first = s.arrived
            while s.arrived < stop and b.submit[s.arrived] == s.now:
                s.arrived += 1
            if b.exact:
                follow_events(b, first)
            if completed:
                while first < s.arrived:
                    enqueue(b, first)
                    if not s.starving:
                        s.head = NO_JOB
                    first += 1
                if b.moving and not s.starving:
                    s.head = NO_JOB
                if full_pass(b):
                    return -1
            elif handle_arrivals(b, first):
                return -1
        if leave_to_boundary(b):
            return -1
        if b.stack.used == 0:
            return 0
        pop(b)
        if full_pass(b):
            return -1


cdef int simulate(Batch* b, int32_t step) noexcept nogil:
    # Simulate all vectors, from boundary to boundary; -1 if memory runs out.
    cdef int32_t arrived = 0, stop, k, at
    cdef int32_t vector
    cdef Boundary swap
    b.here.count = 1
    b.here.kept[0].at = 0
    b.here.kept[0].low, b.here.kept[0].high = 0, b.vectors
    while arrived < b.n:
        stop = arrived + step if b.n - arrived > step else b.n
        while stop < b.n and b.submit[stop] == b.submit[stop - 1]:
            stop += 1
        memset(b.table, 0xFF, b.table_size * sizeof(int32_t))
        b.there.count = 0
        b.there.states.used = 0
        for k in range(b.here.count):
            enter_from_boundary(b, &b.here.kept[k], arrived)
            box_vectors(b)
            if advance(b, stop):
                return -1
        # group the vectors of each state, which `low` has counted
        at = 0
        for k in range(b.there.count):
            at += b.there.kept[k].low
            b.there.kept[k].low = b.there.kept[k].high = at - b.there.kept[k].low
        for vector in range(b.vectors):
            k = b.state_of[vector]
            b.order[b.there.kept[k].high] = vector
            b.there.kept[k].high += 1
        swap = b.here
        b.here = b.there
        b.there = swap
        arrived = stop
    return 0


cdef int prepare(Batch* b) noexcept nogil:
    # Allocate all memory once; -1 if memory runs out.
    cdef Arena* arena = &b.arena
    cdef int64_t most = min(b.n, b.processors)
    cdef int32_t k, i
    b.table_size = 16
    while b.table_size < 2 * b.vectors:
        b.table_size *= 2
    b.rank = <int32_t*>arena_take(arena, b.n, sizeof(int32_t))
    b.need_at = <int32_t*>arena_take(arena, b.n, sizeof(int32_t))
    b.estimate_at = <int32_t*>arena_take(arena, b.n, sizeof(int32_t))
    b.size_at = <double*>arena_take(arena, b.n, sizeof(double))
    b.share = <double*>arena_take(arena, b.n, sizeof(double))
    if b.features != EXPRESSION and <int64_t>b.vectors * b.n <= MOST_SCORES:
        b.still_at = <double*>arena_take(arena, <int64_t>b.vectors * b.n, sizeof(double))
    b.order = <int32_t*>arena_take(arena, b.vectors, sizeof(int32_t))
    b.chosen = <int32_t*>arena_take(arena, b.vectors, sizeof(int32_t))
    b.state_of = <int32_t*>arena_take(arena, b.vectors, sizeof(int32_t))
    b.came = <int32_t*>arena_take(arena, b.n, sizeof(int32_t))
    b.rival = <int32_t*>arena_take(arena, b.n, sizeof(int32_t))
    b.begun = <int32_t*>arena_take(arena, most, sizeof(int32_t))
    b.fresh = <int64_t*>arena_take(arena, most, sizeof(int64_t))
    b.rank_of = <int32_t*>arena_take(arena, b.n, sizeof(int32_t))
    b.need = <int32_t*>arena_take(arena, b.n, sizeof(int32_t))
    b.estimate_of = <int32_t*>arena_take(arena, b.n, sizeof(int32_t))
    b.ending = <int64_t*>arena_take(arena, most, sizeof(int64_t))
    b.release = <int64_t*>arena_take(arena, most, sizeof(int64_t))
    b.here.kept = <Kept*>arena_take(arena, b.vectors, sizeof(Kept))
    b.there.kept = <Kept*>arena_take(arena, b.vectors, sizeof(Kept))
    b.table = <int32_t*>arena_take(arena, b.table_size, sizeof(int32_t))
    arena_grow(arena, &b.here.states, 8)
    event_heap_make(&b.events, arena, b.n)
    if arena.failed:
        return -1
    memset(b.here.states.at, 0, 8)                  # the first state has no jobs
    for k in range(b.n):
        b.rank[b.job[k]] = k
        b.came[k] = k
        b.need_at[k] = <int32_t>b.procs[b.job[k]]
        b.estimate_at[k] = <int32_t>b.estimate[b.job[k]]
        b.size_at[k] = 0
        for i in range(b.features):
            b.size_at[k] += fabs(b.feature_at[<int64_t>k * b.features + i])
    for k in range(b.vectors):
        b.order[k] = k
    if b.still_at != NULL:
        for k in range(b.vectors):
            for i in range(b.n):
                b.still_at[<int64_t>k * b.n + i] = still_score(b, k, i)
    return 0


def run_mixed(
    const int64_t[::1] submit,
    const int64_t[::1] runtime,
    const int64_t[::1] estimate,
    const int64_t[::1] procs,
    const double[::1] bound,
    int32_t processors,
    const int32_t[::1] job,
    const int32_t[::1] level,
    const double[:, ::1] features,
    const double[:, ::1] weights,
    const double[::1] pace,
    double pace_scale,
    int64_t threshold,
    int32_t step,
):
    """Return bounded slowdowns of n jobs under W weight vectors; the caller checks the arguments.

    Parameters
    ----------
    submit, runtime, estimate, procs : memoryviews of int64, shape (n,)
        The jobs, in order of submission; estimates at least 1.
    bound : memoryview of float64, shape (n,)
        Divisor of a job's time in the system: ``max(runtime, tau)``.
    processors : int
        Size of the machine.
    job : memoryview of int32, shape (n,)
        The job at each rank of the backfill order.
    level : memoryview of int32, shape (n,)
        By rank; equal for ties of the backfill order.
    features : memoryview of float64, shape (n, F)
        Scaled static features, by rank of the backfill order; F is 3 or 5.
    weights : memoryview of float64, shape (W, F)
        Their weights.
    pace : memoryview of float64, shape (W,)
        Weights of ``(wait / estimate) / pace_scale``.
    pace_scale : float
    threshold : int
        Jobs that have waited longer, in seconds, are in front of all others, by submission.
    step : int
        Arrivals between boundaries, at which equal states are merged; the result does not depend
        on it.

    Returns
    -------
    total : ndarray of float64, shape (W,)
        Sum of bounded slowdowns.
    mark : ndarray of uint64, shape (W,)
        Hash of the schedule: the sum over jobs of SplitMix64's finalizer of ``(start << 24 | job)
        + 0x9E3779B97F4A7C15``; equal for equal schedules.
    simulated : int
        Number of jobs started in all simulations together.
    """
    cdef int32_t n = <int32_t>submit.shape[0], vectors = <int32_t>weights.shape[0]
    cdef Batch b
    cdef int failed
    whole, part_ = np.zeros(vectors, dtype=np.int64), np.zeros(vectors, dtype=np.int64)
    mark = np.zeros(vectors, dtype=np.uint64)
    cdef int64_t[::1] whole_view = whole, part_view = part_
    cdef uint64_t[::1] mark_view = mark
    if n == 0 or vectors == 0:
        return np.zeros(vectors), mark, 0
    memset(&b, 0, sizeof(Batch))
    b.n, b.vectors, b.features, b.processors = n, vectors, <int32_t>weights.shape[1], processors
    b.submit, b.runtime, b.estimate, b.procs = &submit[0], &runtime[0], &estimate[0], &procs[0]
    b.bound, b.job, b.level, b.threshold = &bound[0], &job[0], &level[0], threshold
    b.easy, b.faulty = True, NO_JOB
    b.feature_at, b.weight = &features[0, 0], &weights[0, 0]
    b.pace, b.pace_scale, b.moving = &pace[0], pace_scale, bool(np.any(pace))
    b.whole, b.part, b.mark = &whole_view[0], &part_view[0], &mark_view[0]
    with nogil:
        failed = prepare(&b)
        if not failed:
            failed = simulate(&b, step)
        arena_free(&b.arena)
    if failed:
        raise MemoryError(f"no memory left to simulate {n} jobs under {vectors} weight vectors")
    return whole + part_ / 2.0**FRACTION_BITS, mark, b.simulated


def run_one_pass(
    const int64_t[::1] submit,
    const int64_t[::1] runtime,
    const int64_t[::1] estimate,
    const int64_t[::1] procs,
    int32_t processors,
    const int32_t[::1] job,
    const int32_t[::1] level,
    program,
    const double[::1] fixed,
    bint easy,
    int64_t threshold,
    walk,
):
    """Return start times of n jobs under one policy; the caller checks the arguments.

    Parameters
    ----------
    submit, runtime, estimate, procs, processors, job, level, threshold
        As for `run_mixed`; without backfilling the order of `job` does not matter.
    program : schedlab.policies.expression.Program
        The policy.
    fixed : memoryview of float64, shape (n,)
        Scores by rank of the backfill order, for a static policy.
    easy : bool
        Whether there is aggressive backfilling; otherwise jobs start strictly in the policy's
        order.
    walk : memoryview of int32, shape (n,), or None
        The jobs in the order in which the simulator puts their submissions into its heap of
        events; with None, simultaneous arrivals come in the order of the jobs.

    Returns
    -------
    start : ndarray of int64, shape (n,)
    faulty : int
        Place of a job whose score had no order; else -1.
    wait : int
        Its wait at that time.
    """
    cdef int32_t n = <int32_t>submit.shape[0], k
    cdef Batch b
    cdef int failed
    start = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] start_view = start
    cdef int64_t whole = 0, part_ = 0
    cdef uint64_t mark = 0
    cdef double pace = 0
    cdef double[::1] bound = np.ones(n)
    cdef const int32_t[::1] op = program.op, pushed
    cdef const double[::1] constant = program.constant
    if n == 0:
        return start, NO_JOB, 0
    memset(&b, 0, sizeof(Batch))
    b.n, b.vectors, b.features, b.processors = n, 1, EXPRESSION, processors
    b.submit, b.runtime, b.estimate, b.procs = &submit[0], &runtime[0], &estimate[0], &procs[0]
    b.bound, b.job, b.level, b.threshold = &bound[0], &job[0], &level[0], threshold
    b.easy, b.faulty, b.start = easy, NO_JOB, &start_view[0]
    b.program.op, b.program.constant, b.program.length = &op[0], &constant[0], <int32_t>op.shape[0]
    b.fixed, b.moving = &fixed[0], program.moves
    b.pace, b.weight, b.feature_at = &pace, &pace, &pace
    b.whole, b.part, b.mark = &whole, &part_, &mark
    if walk is not None:
        pushed = walk
        b.exact = True
    with nogil:
        failed = prepare(&b)
        if not failed:
            if b.exact:
                for k in range(n):
                    event_push(&b.events, submit[pushed[k]], pushed[k])
            failed = simulate(&b, n)
        arena_free(&b.arena)
    if failed:
        raise MemoryError(f"no memory left to simulate {n} jobs on {processors} processors")
    return start, b.faulty, b.wait
