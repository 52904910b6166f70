"""Slurm's main and backfill schedulers, for a static order.

Algorithm: at one instant all completions, all arrivals, then the main pass: jobs start in order
until one does not fit. At multiples of an interval there is a backfill pass. It builds a new plan,
which is a sequence of stretches of time with the unreserved processors in each; job after job is
planned around the reservations, and starts if it can start now.

Processors are numbered and stored as bit words (`processor_sets.pxd`). Waiting jobs are a `Bitset`
by rank, running jobs a heap by actual end and a list by limit (`slurm_state.pxd`).
`slurm_plan.pxd` has the planning of a pass.

Invariant: between instants the first waiting job does not fit the free processors.

Cost: O(log n) per arrival and completion; a start moves the running jobs with later limits. A
backfill pass reads the waiting jobs. If one of them needs no more than the free processors, each
of the k jobs before it is planned for O(r + m) words per attempt, with r reservations and m
running jobs. Once no more reservations are made a job costs O(r) words.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from schedlab.kernels.common.region cimport Arena, arena_free, arena_take, arena_zeros
from schedlab.kernels.common.bitset cimport (
    bitset_add, bitset_drop, bitset_first, bitset_make, bitset_next,
)
from schedlab.kernels.common.heap cimport Event, heap_pop, heap_push
from schedlab.kernels.slurm.processor_sets cimport choose, size_of
from schedlab.kernels.slurm.slurm_plan cimport plan, reserve
from schedlab.kernels.slurm.slurm_state cimport NEVER, Controller


cdef void begin(Controller* c, int32_t job) noexcept nogil:
    # Start a waiting job now, on the chosen processors.
    cdef int64_t end = c.now + c.limit[job]
    cdef int32_t place = c.running.size, k
    cdef uint64_t* own
    while place > 0 and c.expected[place - 1] > end:
        place -= 1
    memmove(
        c.by_limit + place + 1, c.by_limit + place, (c.running.size - place) * sizeof(int32_t)
    )
    memmove(
        c.expected + place + 1, c.expected + place, (c.running.size - place) * sizeof(int64_t)
    )
    c.by_limit[place], c.expected[place] = job, end
    c.spares -= 1
    c.slot[job] = c.spare[c.spares]
    own = c.sets + <int64_t>c.slot[job] * c.words
    for k in range(c.words):
        own[k] = c.where[k]
        c.free[k] &= ~c.where[k]
    c.free_procs -= <int32_t>c.procs[job]
    c.start[job] = c.now
    heap_push(&c.running, c.now + c.holds[job], job)
    bitset_drop(&c.waiting, c.rank[job])
    c.waits -= 1


cdef void end_first(Controller* c) noexcept nogil:
    # End the running job with the earliest end and free its processors.
    cdef int32_t job = heap_pop(&c.running), place = 0, k
    cdef const uint64_t* own = c.sets + <int64_t>c.slot[job] * c.words
    for k in range(c.words):
        c.free[k] |= own[k]
    c.free_procs += <int32_t>c.procs[job]
    c.spare[c.spares] = c.slot[job]
    c.spares += 1
    while c.by_limit[place] != job:
        place += 1
    memmove(
        c.by_limit + place, c.by_limit + place + 1, (c.running.size - place) * sizeof(int32_t)
    )
    memmove(
        c.expected + place, c.expected + place + 1, (c.running.size - place) * sizeof(int64_t)
    )


cdef void main_pass(Controller* c) noexcept nogil:
    cdef int32_t rank = bitset_first(&c.waiting), job
    while rank >= 0:
        job = c.job[rank]
        if c.procs[job] > c.free_procs:
            return
        memcpy(c.found, c.free, c.words * sizeof(uint64_t))
        choose(c.where, c.found, <int32_t>c.procs[job], c.words)
        begin(c, job)
        rank = bitset_next(&c.waiting, 0, rank + 1)


cdef inline bint starts_now(Controller* c, int32_t job) noexcept nogil:
    # Whether a job can start around the reservations, with the chosen processors in `where`.
    cdef int32_t k, s, count = 0
    cdef const uint64_t* left
    for k in range(c.words):
        c.found[k] = c.free[k]
    for s in range(c.stretches):
        if c.ends[s] <= c.now:
            continue
        if c.begins[s] > c.now + c.limit[job]:
            break
        left = c.unreserved + <int64_t>s * c.words
        for k in range(c.words):
            c.found[k] &= left[k]
    count = size_of(c.found, c.words)
    if count < c.procs[job]:
        return False
    choose(c.where, c.found, <int32_t>c.procs[job], c.words)
    return True


cdef int64_t last_to_look_at(Controller* c) noexcept nogil:
    # Number of waiting jobs to examine in a pass: up to the last one that is narrow enough.
    cdef int32_t rank = bitset_first(&c.waiting)
    cdef int64_t place = 0, last = 0
    while rank >= 0 and place < c.most_tested:
        place += 1
        if c.procs[c.job[rank]] <= c.free_procs:
            last = place
        rank = bitset_next(&c.waiting, 0, rank + 1)
    return last


cdef void backfill_pass(Controller* c) noexcept nogil:
    # The only effect of a pass is the jobs it starts, so a job that is too wide for the free
    # processors is planned only for the sake of later ones.
    cdef int32_t rank = bitset_first(&c.waiting), job
    cdef int64_t tested = 0, reserved = 0, start, last
    if c.free_procs == 0:
        return
    last = last_to_look_at(c)
    c.begins[0], c.ends[0], c.stretches = c.now, c.now + c.window, 1
    memset(c.unreserved, 0xff, c.words * sizeof(uint64_t))
    while tested < last and c.free_procs:
        job = c.job[rank]
        tested += 1
        if reserved >= c.most_reserved:
            # no more reservations: a job starts now, or not in this pass
            if c.procs[job] <= c.free_procs and starts_now(c, job):
                begin(c, job)
        else:
            start = plan(c, job)
            if start == c.now:
                begin(c, job)
            elif start != NEVER and start <= c.now + c.window:
                reserve(
                    c,
                    start // c.resolution * c.resolution,
                    (start + c.limit[job]) // c.resolution * c.resolution,
                )
                reserved += 1
        rank = bitset_next(&c.waiting, 0, rank + 1)


cdef void simulate(
    Controller* c, int32_t n, bint easy, int64_t tick, int64_t interval
) noexcept nogil:
    cdef int32_t arrived = 0
    cdef int64_t soonest
    cdef bint changed
    while arrived < n or c.waits:
        soonest = INT64_MAX
        if c.running.size:
            soonest = c.running.entry[0].time
        if arrived < n and c.submit[arrived] < soonest:
            soonest = c.submit[arrived]
        if tick < soonest:
            if c.waits and easy:
                soonest = tick
            else:
                # passes over an empty queue
                tick += (soonest - tick + interval - 1) // interval * interval
        c.now = soonest
        changed = False
        while c.running.size and c.running.entry[0].time <= c.now:
            end_first(c)
            changed = True
        while arrived < n and c.submit[arrived] <= c.now:
            bitset_add(&c.waiting, c.rank[arrived])
            c.waits += 1
            arrived += 1
            changed = True
        if changed:
            main_pass(c)
        if tick == c.now:
            if easy:
                backfill_pass(c)
            tick += interval


cdef int prepare(Controller* c, int32_t n, int64_t reserved) noexcept nogil:
    # Allocate once for the whole run; -1 if memory runs out.
    cdef int32_t k, most = c.processors if c.processors < n else n
    cdef int64_t stretches = 2 * reserved + 3
    cdef Arena* arena = &c.arena
    c.running.entry = <Event*>arena_take(arena, most, sizeof(Event))
    c.by_limit = <int32_t*>arena_take(arena, most + 1, sizeof(int32_t))
    c.expected = <int64_t*>arena_take(arena, most + 1, sizeof(int64_t))
    c.spare = <int32_t*>arena_take(arena, most, sizeof(int32_t))
    c.slot = <int32_t*>arena_take(arena, n, sizeof(int32_t))
    c.sets = <uint64_t*>arena_take(arena, <int64_t>most * c.words, sizeof(uint64_t))
    c.free = <uint64_t*>arena_zeros(arena, c.words, sizeof(uint64_t))
    c.usable = <uint64_t*>arena_take(arena, c.words, sizeof(uint64_t))
    c.found = <uint64_t*>arena_take(arena, c.words, sizeof(uint64_t))
    c.where = <uint64_t*>arena_take(arena, c.words, sizeof(uint64_t))
    c.begins = <int64_t*>arena_take(arena, stretches, sizeof(int64_t))
    c.ends = <int64_t*>arena_take(arena, stretches, sizeof(int64_t))
    c.unreserved = <uint64_t*>arena_take(arena, stretches * c.words, sizeof(uint64_t))
    if bitset_make(&c.waiting, arena, n) or arena.failed:
        return -1
    for k in range(c.processors):
        c.free[k >> 6] |= <uint64_t>1 << (k & 63)
    for k in range(most):
        c.spare[k] = k
    c.spares = most
    return 0


def run_slurm(
    const int64_t[::1] submit,
    const int64_t[::1] holds,
    const int64_t[::1] limit,
    const int64_t[::1] procs,
    int32_t processors,
    const int32_t[::1] job,
    const int32_t[::1] rank,
    bint easy,
    int64_t reserved,
    int64_t interval,
    int64_t resolution,
    int64_t window,
    int64_t tested,
    int64_t close,
    int64_t phase,
):
    """Start times of n jobs; the caller (`schedlab.queue.slurm`) checks the arguments.

    Parameters
    ----------
    submit, holds, limit, procs : memoryviews of int64, shape (n,)
        The jobs, in order of submission: how long they have their processors, and their time limit,
        in seconds.
    processors : int
        Size of the machine.
    job, rank : memoryviews of int32, shape (n,)
        The order: the job at each rank and the rank of each job.
    easy : bool
        Whether there are passes of backfilling.
    reserved : int
        Largest number of jobs with a reservation in a pass.
    interval, resolution, window, tested, close, phase : int
        See `schedlab.queue.slurm.SlurmSwitches`.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    cdef int32_t n = <int32_t>submit.shape[0]
    cdef Controller c
    cdef int failed
    start = np.full(n, -1, dtype=np.int64)
    cdef int64_t[::1] out = start
    if n == 0:
        return start
    memset(&c, 0, sizeof(Controller))
    c.submit, c.holds, c.limit, c.procs = &submit[0], &holds[0], &limit[0], &procs[0]
    c.job, c.rank, c.start = &job[0], &rank[0], &out[0]
    c.processors = c.free_procs = processors
    c.words = <int32_t>((<int64_t>processors + 63) >> 6)
    c.resolution, c.window, c.close = resolution, window, close
    c.most_tested, c.most_reserved = tested, reserved
    with nogil:
        failed = prepare(&c, n, min(reserved, min(tested, <int64_t>n)))
        if not failed:
            simulate(&c, n, easy, phase, interval)
        arena_free(&c.arena)
    if failed:
        raise MemoryError(f"no memory left to simulate {n} jobs on {processors} processors")
    return start
