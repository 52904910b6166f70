"""Slurm's main and backfill schedulers, for an order that stands still.

Algorithm: at one instant all completions, all arrivals, then the main pass: jobs in their order
start until one does not fit. At multiples of an interval a backfill pass: a plan, that is stretches
of time with the processors that nobody has reserved in each, is made anew; job after job is placed
around it, and starts if it can start now.

Processors have names and stand in words of bits. Waiting jobs are a `Bitset` by rank, running jobs
a heap by actual end and a list by limit.

Invariant: the stretches of the plan follow on each other without gaps and cover the window; a
reservation adds two of them at most.

Cost: O(log n) for each arrival and completion; a start moves the running jobs with later limits. A
pass of backfilling costs a look at the waiting jobs; where one of them is narrow enough for what is
free, each of the k jobs before it is planned for O(r + m) words, with r reservations and m running
jobs, each time that it is tried. Where no more reservations are made a job costs O(r) words.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from schedlab.kernels.arena cimport Arena, arena_free, arena_take, arena_zeros
from schedlab.kernels.bitset cimport (
    Bitset, bitset_add, bitset_drop, bitset_first, bitset_make, bitset_next,
)
from schedlab.kernels.heap cimport Event, Heap, heap_pop, heap_push
from schedlab.kernels.portable cimport lowest

cdef extern from *:
    """
    #if defined(__GNUC__)
    #define schedlab_ones(word) __builtin_popcountll(word)
    #else
    static inline int schedlab_ones(unsigned long long word) {
        int ones = 0;
        for (; word; word &= word - 1) ones++;
        return ones;
    }
    #endif
    """
    int ones "schedlab_ones"(uint64_t word) noexcept nogil

cdef enum:
    HALF_MINUTE = 30
    NEVER = -1                          # no start can be foreseen

cdef int64_t FARTHEST = <int64_t>1 << 40    # no two ends are so far apart, in seconds


cdef struct Controller:
    const int64_t* submit
    const int64_t* holds                # how long a job has its processors
    const int64_t* limit
    const int64_t* procs
    const int32_t* job                  # at each rank
    const int32_t* rank                 # of each job
    int64_t* start                      # out
    int64_t now
    int32_t processors
    int32_t words                       # of a set of processors
    int64_t resolution
    int64_t window
    int64_t close
    int64_t most_tested
    int64_t most_reserved
    Bitset waiting                      # by rank
    int32_t waits                       # how many
    Heap running
    int32_t* by_limit                   # running jobs, the one whose limit comes first first
    int64_t* expected                   # when each of them reaches it
    int32_t* slot                       # where the set of a running job lies
    int32_t* spare                      # slots that are free
    int32_t spares
    uint64_t* sets                      # of running jobs, `words` a slot
    uint64_t* free                      # processors
    int32_t free_procs
    int64_t* begins                     # of the stretches of the plan
    int64_t* ends
    uint64_t* unreserved                # their sets
    int32_t stretches
    uint64_t* usable
    uint64_t* found
    uint64_t* where                     # the processors chosen
    Arena arena


cdef inline int32_t size_of(const uint64_t* these, int32_t words) noexcept nogil:
    cdef int32_t k, count = 0
    for k in range(words):
        count += ones(these[k])
    return count


cdef inline bint meet(const uint64_t* a, const uint64_t* b, int32_t words) noexcept nogil:
    cdef int32_t k
    for k in range(words):
        if a[k] & b[k]:
            return True
    return False


cdef inline int32_t next_one(const uint64_t* these, int32_t k, int32_t words) noexcept nogil:
    # The first place from k on that is in a set; 64 times `words` if none is.
    cdef int32_t word = k >> 6
    cdef uint64_t bits
    if word >= words:
        return words << 6
    bits = these[word] >> (k & 63)
    if bits:
        return k + lowest(bits)
    for word in range(word + 1, words):
        if these[word]:
            return (word << 6) | lowest(these[word])
    return words << 6


cdef inline int32_t next_none(const uint64_t* these, int32_t k, int32_t words) noexcept nogil:
    # The first place from k on that is not in a set; 64 times `words` if all are.
    cdef int32_t word = k >> 6
    cdef uint64_t bits
    if word >= words:
        return words << 6
    bits = ~these[word] >> (k & 63)
    if bits:
        return k + lowest(bits)
    for word in range(word + 1, words):
        if ~these[word]:
            return (word << 6) | lowest(~these[word])
    return words << 6


cdef void choose(Controller* c, uint64_t* free, int32_t procs) noexcept nogil:
    # The smallest stretch of neighbours that suffices, else the longest one and then more. What is
    # chosen goes from `free` to `where`.
    cdef int32_t k, first, length, best, best_length, longest, longest_length
    cdef uint64_t one = 1
    memset(c.where, 0, c.words * sizeof(uint64_t))
    while procs > 0:
        best = longest = -1
        best_length = longest_length = 0
        k = next_one(free, 0, c.words)
        while k < c.processors:
            first, k = k, next_none(free, k, c.words)
            length = k - first
            if length >= procs and (best < 0 or length < best_length):
                best, best_length = first, length
                if length == procs:
                    break
            if length > longest_length:
                longest, longest_length = first, length
            k = next_one(free, k, c.words)
        if best >= 0:
            longest, longest_length = best, procs
        for k in range(longest, longest + longest_length):
            c.where[k >> 6] |= one << (k & 63)
            free[k >> 6] &= ~(one << (k & 63))
        procs -= longest_length


cdef void begin(Controller* c, int32_t job) noexcept nogil:
    # Start a waiting job now, on the processors chosen.
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
    # The running job that ends first gives its processors back.
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
        choose(c, c.found, <int32_t>c.procs[job])
        begin(c, job)
        rank = bitset_next(&c.waiting, 0, rank + 1)


cdef inline int32_t next_of_use(Controller* c, int32_t place) noexcept nogil:
    # The next job by its limit that has one of the usable processors.
    while place < c.running.size and not meet(
        c.sets + <int64_t>c.slot[c.by_limit[place]] * c.words, c.usable, c.words
    ):
        place += 1
    return place


cdef int64_t earliest(Controller* c, int32_t job) noexcept nogil:
    # When a job starts on the usable processors if nobody else comes, these in `where`.
    cdef int32_t k, place, last, procs = <int32_t>c.procs[job], count = 0
    cdef int64_t until, end, close = c.close
    cdef const uint64_t* own
    for k in range(c.words):
        c.found[k] = c.free[k] & c.usable[k]
        count += ones(c.found[k])
    if count >= procs:
        choose(c, c.found, procs)
        return c.now
    place = 0
    while True:
        place = next_of_use(c, place)
        if place == c.running.size:
            return NEVER
        end = until = c.expected[place]
        if c.close:
            until = end - end % HALF_MINUTE + HALF_MINUTE + close
        while True:
            last = place
            own = c.sets + <int64_t>c.slot[c.by_limit[place]] * c.words
            for k in range(c.words):
                c.found[k] |= own[k] & c.usable[k]
            place += 1
            if place == c.running.size or c.expected[place] > until:
                break
            # who gives nothing is passed by, and who comes then is taken whenever it ends
            place = next_of_use(c, place)
            if place == c.running.size:
                break
        if size_of(c.found, c.words) >= procs:
            choose(c, c.found, procs)
            end = c.expected[last]
            return end if end > c.now else c.now + 1
        if close < FARTHEST:
            close *= 2


cdef bint overlaps(Controller* c, int64_t start, int64_t end) noexcept nogil:
    # Whether one of the processors chosen is reserved between two times.
    cdef int32_t k, s
    cdef const uint64_t* left
    for s in range(c.stretches):
        if c.begins[s] >= end:
            return False
        if c.ends[s] <= start:
            continue
        left = c.unreserved + <int64_t>s * c.words
        for k in range(c.words):
            if c.where[k] & ~left[k]:
                return True
    return False


cdef int64_t plan(Controller* c, int32_t job) noexcept nogil:
    # When a job is to start around what is reserved, and where; NEVER: nothing is foreseen.
    cdef int64_t at = c.now, later, start, begins, ends
    cdef int32_t k, s
    cdef const uint64_t* left
    while True:
        later = NEVER
        memset(c.usable, 0xff, c.words * sizeof(uint64_t))
        for s in range(c.stretches):
            if c.ends[s] <= at:
                continue
            if later == NEVER and s < c.stretches - 1:
                later = c.ends[s]
            if c.begins[s] > at + c.limit[job]:
                break
            left = c.unreserved + <int64_t>s * c.words
            for k in range(c.words):
                c.usable[k] &= left[k]
        start = earliest(c, job)
        if start != NEVER and start < at:
            start = at
        if start == NEVER or (later != NEVER and start > later):
            if later == NEVER:
                return NEVER
            at = later
            continue
        begins = start // c.resolution * c.resolution
        ends = (start + c.limit[job]) // c.resolution * c.resolution
        if start > at and overlaps(c, begins, ends):
            at = start
            continue
        return start


cdef void cut(Controller* c, int64_t time) noexcept nogil:
    # Let a stretch of the plan begin at a time within it.
    cdef int32_t s
    cdef int64_t bytes = c.words * sizeof(uint64_t)
    for s in range(c.stretches):
        if c.begins[s] < time < c.ends[s]:
            memmove(c.begins + s + 1, c.begins + s, (c.stretches - s) * sizeof(int64_t))
            memmove(c.ends + s + 1, c.ends + s, (c.stretches - s) * sizeof(int64_t))
            memmove(
                c.unreserved + <int64_t>(s + 1) * c.words, c.unreserved + <int64_t>s * c.words,
                (c.stretches - s) * bytes,
            )
            c.ends[s] = c.begins[s + 1] = time
            c.stretches += 1
            return


cdef void reserve(Controller* c, int64_t start, int64_t end) noexcept nogil:
    # Take the processors chosen out of the plan between two times.
    cdef int32_t k, s
    cdef uint64_t* left
    cut(c, start)
    cut(c, end)
    for s in range(c.stretches):
        if c.begins[s] < end and c.ends[s] > start:
            left = c.unreserved + <int64_t>s * c.words
            for k in range(c.words):
                left[k] &= ~c.where[k]


cdef inline bint starts_now(Controller* c, int32_t job) noexcept nogil:
    # Whether a job can start around what is reserved, the processors chosen in `where`.
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
    choose(c, c.found, <int32_t>c.procs[job])
    return True


cdef int64_t last_to_look_at(Controller* c) noexcept nogil:
    # How many waiting jobs a pass must look at: none after the last one that is narrow enough.
    cdef int32_t rank = bitset_first(&c.waiting)
    cdef int64_t place = 0, last = 0
    while rank >= 0 and place < c.most_tested:
        place += 1
        if c.procs[c.job[rank]] <= c.free_procs:
            last = place
        rank = bitset_next(&c.waiting, 0, rank + 1)
    return last


cdef void backfill_pass(Controller* c) noexcept nogil:
    # A pass leaves nothing behind but the jobs that it starts, so that who is too wide for what is
    # free is planned for the sake of those after it alone.
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
            # nothing more is reserved: a job starts now, or not in this pass
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
    # Allocate once for the whole run; -1 when memory is out.
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
    """Start times of n jobs; the façade (`schedlab.queue.slurm`) has checked the arguments.

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
        How many jobs of a pass may have a reservation, at most.
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
