"""Trials of a tuple (S, Q): the results of many permutations of Q after S, in one call.

Algorithm: tasks start strictly in the given order, each as soon as it is submitted and its
processors are free. Processors are only freed when a task needs them, so a trial is one pass over
the tasks with a sorted array of the running ones. The state after S is computed once and copied
for each trial.

Invariant: running[0:count] descends, so the next completion is last. Cost: O(tasks) per start in
the worst case, a handful of moves in practice; nothing is allocated. Where the processor can, and
times are short enough, 16 trials advance side by side (`trial_lanes.pxd`), with the same results.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from schedlab.kernels.common.splitmix cimport draw
from schedlab.kernels.queue.trial_lanes cimport Tuple, lanes_here, side_by_side

cdef enum:
    STATE = 16                          # |S|
    QUEUE = 32                          # |Q|
    PROCS_BITS = 20                     # a running task is end << PROCS_BITS | processors
    SIDE_BY_SIDE = 16                   # trials at a time
    LATEST = 1 << 25                    # completions side by side are below it
    MOST = (1 << PROCS_BITS) - 1

TASKS_OF_STATE = STATE
TASKS_OF_QUEUE = QUEUE
MOST_PROCESSORS = MOST
LANES = lanes_here()


cdef struct Machine:
    int64_t now
    int64_t free
    int32_t count
    int64_t running[STATE + QUEUE + 1]


cdef inline int64_t begin(
    Machine* m, int64_t submit, int64_t runtime, int64_t procs
) noexcept nogil:
    # Start the next task as early as possible; return when.
    cdef int64_t now = m.now if m.now > submit else submit
    cdef int64_t free = m.free, end, entry
    cdef int32_t i = m.count
    while free < procs:
        i -= 1
        entry = m.running[i]
        free += entry & MOST
        end = entry >> PROCS_BITS
        if end > now:
            now = end
    entry = (now + runtime) << PROCS_BITS | procs
    m.count = i + 1
    while i > 0 and m.running[i - 1] < entry:
        m.running[i] = m.running[i - 1]
        i -= 1
    m.running[i] = entry
    m.free = free - procs
    m.now = now
    return now


cdef inline void swap(uint8_t* order, uint32_t a, uint32_t b) noexcept nogil:
    cdef uint8_t task = order[a]
    order[a] = order[b]
    order[b] = task


cdef inline void shuffle(uint8_t* order, uint64_t* state) noexcept nogil:
    # Fisher-Yates from the last permutation, so that all permutations are equally likely. Each
    # word gives two draws of 32 bits; the probability of a place is exact to less than 2**-26.
    cdef uint32_t k = QUEUE - 1
    cdef uint64_t bits
    while True:
        bits = draw(state)
        swap(order, k, <uint32_t>(((bits & 0xFFFFFFFFULL) * (k + 1)) >> 32))
        k -= 1
        if k == 0:
            return
        swap(order, k, <uint32_t>(((bits >> 32) * (k + 1)) >> 32))
        k -= 1


cdef inline void shuffle_biased(uint8_t* order, uint64_t* state) noexcept nogil:
    # The shuffle of the published generator: from the identity, place k is swapped with any place.
    cdef int32_t k
    cdef uint64_t bits = 0
    for k in range(QUEUE):
        order[k] = <uint8_t>k
    for k in range(QUEUE):
        if k & 7 == 0:
            bits = draw(state)
        swap(order, k, <uint32_t>(bits & (QUEUE - 1)))
        bits >>= 8


cdef double one_trial(
    const Machine* after_state,
    const int64_t* runtime,
    const int64_t* procs,
    const int64_t* submit,
    const double* inverse,
    const uint8_t* order,
) noexcept nogil:
    # Return AVEbsld of a permutation of Q; the arrays are of Q.
    cdef Machine m
    cdef double slowdown = 0, bounded
    cdef int64_t now
    cdef int32_t k, task
    m.now, m.free, m.count = after_state.now, after_state.free, after_state.count
    memcpy(m.running, after_state.running, m.count * sizeof(int64_t))
    for k in range(QUEUE):
        task = order[k]
        now = begin(&m, submit[task], runtime[task], procs[task])
        bounded = <double>(now - submit[task] + runtime[task]) * inverse[task]
        slowdown += bounded if bounded > 1 else 1.0
    return slowdown / QUEUE


cdef bint is_short(const int64_t[::1] runtime, const int64_t[::1] submit) noexcept nogil:
    # Whether all tasks have ended by LATEST, even if they run one by one after the last submission.
    cdef int64_t last = 0, work = 0
    cdef int32_t k
    for k in range(STATE + QUEUE):
        if runtime[k] >= LATEST:
            return False
        work += runtime[k]
        last = max(last, submit[k])
    return last < LATEST and last + work < LATEST


cdef void describe(
    Tuple* tasks,
    const Machine* after_state,
    const int64_t* runtime,
    const int64_t* procs,
    const int64_t* submit,
    const double* inverse,
) noexcept nogil:
    # Describe the tuple as trials side by side read it; the arrays are of Q.
    cdef int32_t k
    memset(tasks, 0, sizeof(Tuple))
    for k in range(QUEUE):
        tasks.need[k] = <int32_t>procs[k]
        tasks.runtime[k] = <int32_t>runtime[k]
        tasks.submit[k] = <int32_t>submit[k]
        tasks.inverse[k] = inverse[k]
    tasks.now, tasks.free = <int32_t>after_state.now, <int32_t>after_state.free
    tasks.running = after_state.count
    for k in range(after_state.count):
        tasks.end[k] = <int32_t>(after_state.running[k] >> PROCS_BITS)
        tasks.need[QUEUE + STATE - 1 - k] = <int32_t>(after_state.running[k] & MOST)


def run_trials(
    const int64_t[::1] runtime,
    const int64_t[::1] procs,
    const int64_t[::1] submit,
    int64_t processors,
    int64_t trials,
    uint64_t seed,
    bint biased,
    double[::1] total,
    int64_t[::1] count,
    double[::1] each,
    uint8_t[:, ::1] orders,
    int lanes=LANES,
):
    """Run trials of one tuple and add up AVEbsld by first task.

    The caller (`schedlab.learning.trials`) checks the arguments.

    Parameters
    ----------
    runtime, procs, submit : memoryviews of int64, shape (48,)
        The 16 tasks of S, then the 32 of Q, in order of submission from time 0 on.
    processors : int
        Size of the machine, at most `MOST_PROCESSORS`.
    trials : int
        Number of permutations.
    seed : int
        64-bit seed of the tuple's own stream.
    biased : bool
        Whether to use the published generator's shuffle instead of Fisher-Yates.
    total, count : memoryviews, shape (32,)
        Out: sum of AVEbsld and number of trials by the task that came first.
    each, orders : memoryviews, shapes (m,) and (m, 32)
        Out: AVEbsld and permutation of the first m trials; m may be 0.
    lanes : int
        Trials that advance side by side: 16 or 1, at most `LANES`. Results do not depend on it.
    """
    cdef Machine after_state
    cdef Tuple tasks
    cdef uint8_t order[QUEUE]
    cdef uint8_t batch[SIDE_BY_SIDE][QUEUE]
    cdef int32_t columns[QUEUE][SIDE_BY_SIDE]
    cdef double slowdown[SIDE_BY_SIDE]
    cdef double inverse[QUEUE]
    cdef int64_t first, trial
    cdef int32_t k, one, some
    cdef const int64_t* run = &runtime[STATE]
    cdef const int64_t* need = &procs[STATE]
    cdef const int64_t* arrival = &submit[STATE]
    with nogil:
        after_state.now = after_state.count = 0
        after_state.free = processors
        for k in range(STATE):
            begin(&after_state, submit[k], runtime[k], procs[k])
        for k in range(QUEUE):
            inverse[k] = 1.0 / (run[k] if run[k] > 10 else 10)
            order[k] = <uint8_t>k
        if lanes > 1 and not is_short(runtime, submit):
            lanes = 1
        if lanes > 1:
            describe(&tasks, &after_state, run, need, arrival, inverse)
        first = 0
        while first < trials:
            some = <int32_t>min(trials - first, <int64_t>SIDE_BY_SIDE)
            for one in range(SIDE_BY_SIDE):
                if biased:
                    shuffle_biased(order, &seed)
                else:
                    shuffle(order, &seed)
                memcpy(batch[one], order, QUEUE)
            if lanes > 1:
                for k in range(QUEUE):
                    for one in range(SIDE_BY_SIDE):
                        columns[k][one] = batch[one][k]
                side_by_side(&tasks, columns, slowdown)
            else:
                for one in range(some):
                    slowdown[one] = one_trial(
                        &after_state, run, need, arrival, inverse, batch[one]
                    )
            for one in range(some):
                total[batch[one][0]] += slowdown[one]
                count[batch[one][0]] += 1
                trial = first + one
                if trial < each.shape[0]:
                    each[trial] = slowdown[one]
                    memcpy(&orders[trial, 0], batch[one], QUEUE)
            first += SIDE_BY_SIDE
