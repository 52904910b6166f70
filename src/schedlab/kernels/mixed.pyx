"""EASY backfilling of one piece under many mixed policies, simulated together while they agree.

A mixed policy is a weight vector; its score of a job is a weighted sum of features that stand
still, plus a weight times the share of its estimate that the job has waited for
(`schedlab.policies.mixed`). Backfilling has one order for all.

Algorithm: the event loop of the plain dialects (at one instant all completions, then all arrivals,
then one pass; of equal jobs the last one first). A state of the machine carries all vectors that
came to it. Who is the head is asked only when some waiting job fits into the free processors, and
then of each vector; where vectors differ, the state is copied and the vectors part. At boundaries,
instants in front of every few arrivals, states that have become equal again are merged. Nothing is
estimated: vectors share a simulation only while state and decisions are the same.

Structures: waiting jobs by rank of the backfill order, and running jobs by actual and by estimated
end, each a sorted array (queues of weeks are short); states between boundaries on a stack, states
at a boundary in an arena, with a hash table whose hits are compared in full. Bounded slowdowns are
added up in fixed point: the sum knows no order and does not depend on who shared what.

Invariant: between events no waiting job may start; `reserved` says that shadow time and extra
processors are those of `head`, and without it the next pass is a full one. Cost: O(waiting +
running) per start and completion, with constants of a few bytes; O(vectors * waiting) to ask for
the head, which under moving orders is asked anew at every event at which somebody fits.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy, memmove, memset

cdef extern from *:
    """
    #include <stdint.h>
    /* The first place from i on with need <= free_procs and (estimate <= slack or need <= extra);
       n if there is none. Whole blocks are looked at without branches. */
    static inline int32_t schedlab_fitting(const int32_t *restrict need,
                                           const int32_t *restrict estimate, int32_t i, int32_t n,
                                           int32_t free_procs, int32_t slack, int32_t extra) {
        for (; i + 16 <= n; i += 16) {
            int any = 0;
            for (int k = 0; k < 16; k++)
                any |= (need[i + k] <= free_procs)
                    & ((estimate[i + k] <= slack) | (need[i + k] <= extra));
            if (any) break;
        }
        for (; i < n; i++)
            if (need[i] <= free_procs && (estimate[i] <= slack || need[i] <= extra)) return i;
        return n;
    }
    static inline int schedlab_any(const int32_t *restrict need, int32_t n, int32_t free_procs) {
        int32_t i = 0;
        for (; i + 16 <= n; i += 16) {
            int any = 0;
            for (int k = 0; k < 16; k++) any |= need[i + k] <= free_procs;
            if (any) return 1;
        }
        for (; i < n; i++) if (need[i] <= free_procs) return 1;
        return 0;
    }
    /* SplitMix64's finaliser. */
    static inline uint64_t schedlab_mix(uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    """
    int32_t fitting "schedlab_fitting"(
        const int32_t* need, const int32_t* estimate, int32_t i, int32_t n,
        int32_t free_procs, int32_t slack, int32_t extra
    ) noexcept nogil
    bint any_fits "schedlab_any"(const int32_t* need, int32_t n, int32_t free_procs) noexcept nogil
    uint64_t mix "schedlab_mix"(uint64_t z) noexcept nogil

cdef enum:
    JOB_BITS = 24                       # a running job is time << JOB_BITS | job
    FRACTION_BITS = 44                  # of a bounded slowdown in fixed point
    NOBODY = -1
    LONGEST = 0x7FFFFFFF
    BASIC = 3                           # features that stand still; or there are five

MOST_JOBS = 1 << JOB_BITS


cdef struct State:
    int64_t now
    int64_t shadow                      # of the head's reservation
    int64_t due                         # nobody starves up to this time
    int64_t whole, part                 # sum of bounded slowdowns since the last boundary
    uint64_t mark                       # hash of what started since then
    int32_t low, high                   # its vectors are order[low:high]
    int32_t arrived
    int32_t free_procs
    int32_t extra
    int32_t head                        # a job, or NOBODY: not asked yet
    int32_t waiting
    int32_t running
    bint reserved
    bint starving                       # the head is the oldest job, which waited too long


cdef struct Kept:                       # a state at a boundary
    int64_t at                          # its bytes in the arena
    int64_t size                        # how many of them tell it from others
    uint64_t hash
    int32_t low, high


cdef struct Boundary:
    Kept* kept
    int32_t count
    char* arena
    int64_t used, room


cdef struct Batch:
    # the jobs
    int32_t n
    const int64_t* submit
    const int64_t* runtime
    const int64_t* estimate
    const int64_t* procs
    const double* bound                 # of each job's slowdown: max(runtime, tau)
    const int32_t* job                  # at each rank of the backfill order
    int32_t* rank                       # of each job
    int32_t* need_at                    # by rank
    int32_t* estimate_at
    double* feature_at                  # by rank: features that stand still
    int32_t processors
    int64_t threshold
    # the vectors
    int32_t vectors
    int32_t features
    const double* weight                # by vector
    const double* pace                  # by vector: weight of (wait / estimate) / pace_scale
    double pace_scale
    bint moving
    int32_t* order
    int32_t* chosen                     # by vector: its head
    int32_t* state_of                   # by vector: its state at the next boundary
    int64_t* whole                      # by vector: sum of bounded slowdowns
    int64_t* part
    uint64_t* mark                      # by vector: hash of its schedule
    # the state that is worked on
    State s
    int32_t* rank_of                    # waiting jobs by rank,
    int32_t* need                       # their needs and estimates
    int32_t* estimate_of
    int64_t* ending                     # running jobs by actual end, the next one last
    int64_t* release                    # running jobs by estimated end, the next one first
    # the others
    char* stack
    int64_t depth, stack_room
    Boundary here, there
    int32_t* table
    int64_t table_size
    int64_t simulated


cdef inline int32_t place_of(const Batch* b, int32_t rank) noexcept nogil:
    # The first place of the waiting jobs whose rank is not below `rank`.
    cdef int32_t low = 0, high = b.s.waiting, mid
    while low < high:
        mid = (low + high) >> 1
        if b.rank_of[mid] < rank:
            low = mid + 1
        else:
            high = mid
    return low


cdef inline void enqueue(Batch* b, int32_t job) noexcept nogil:
    cdef int32_t rank = b.rank[job], at = place_of(b, rank), more = b.s.waiting - at
    if b.s.waiting == 0 and b.threshold != INT64_MAX:
        b.s.due = b.submit[job] + b.threshold
    memmove(&b.rank_of[at + 1], &b.rank_of[at], more * sizeof(int32_t))
    memmove(&b.need[at + 1], &b.need[at], more * sizeof(int32_t))
    memmove(&b.estimate_of[at + 1], &b.estimate_of[at], more * sizeof(int32_t))
    b.rank_of[at] = rank
    b.need[at] = b.need_at[rank]
    b.estimate_of[at] = b.estimate_at[rank]
    b.s.waiting += 1


cdef inline void dequeue(Batch* b, int32_t at) noexcept nogil:
    cdef int32_t more
    b.s.waiting -= 1
    more = b.s.waiting - at
    memmove(&b.rank_of[at], &b.rank_of[at + 1], more * sizeof(int32_t))
    memmove(&b.need[at], &b.need[at + 1], more * sizeof(int32_t))
    memmove(&b.estimate_of[at], &b.estimate_of[at + 1], more * sizeof(int32_t))


cdef inline int32_t release_of(const Batch* b, int64_t entry) noexcept nogil:
    # The first place of the estimated ends whose entry is not below `entry`.
    cdef int32_t low = 0, high = b.s.running, mid
    while low < high:
        mid = (low + high) >> 1
        if b.release[mid] < entry:
            low = mid + 1
        else:
            high = mid
    return low


cdef inline void begin(Batch* b, int32_t job) noexcept nogil:
    # Start a job now.
    cdef State* s = &b.s
    cdef int64_t run = b.runtime[job], entry = (s.now + run) << JOB_BITS | job
    cdef int32_t low = 0, high = s.running, mid
    cdef double slowdown = <double>(s.now - b.submit[job] + run) / b.bound[job]
    cdef int64_t whole
    while low < high:
        mid = (low + high) >> 1
        if b.ending[mid] > entry:
            low = mid + 1
        else:
            high = mid
    memmove(&b.ending[low + 1], &b.ending[low], (s.running - low) * sizeof(int64_t))
    b.ending[low] = entry
    entry = (s.now + b.estimate[job]) << JOB_BITS | job
    low = release_of(b, entry)
    memmove(&b.release[low + 1], &b.release[low], (s.running - low) * sizeof(int64_t))
    b.release[low] = entry
    s.running += 1
    s.free_procs -= <int32_t>b.procs[job]
    if slowdown > 1:
        whole = <int64_t>slowdown
        s.whole += whole
        s.part += <int64_t>((slowdown - <double>whole) * (<int64_t>1 << FRACTION_BITS))
    else:
        s.whole += 1
    s.mark += mix(<uint64_t>(s.now << JOB_BITS | job) + 0x9E3779B97F4A7C15ULL)
    b.simulated += 1


cdef inline void finish(Batch* b) noexcept nogil:
    # End the running job whose end is next.
    cdef State* s = &b.s
    cdef int64_t entry = b.ending[s.running - 1]
    cdef int32_t job = <int32_t>(entry & ((1 << JOB_BITS) - 1)), at
    entry = ((entry >> JOB_BITS) - b.runtime[job] + b.estimate[job]) << JOB_BITS | job
    at = release_of(b, entry)
    s.running -= 1
    s.free_procs += <int32_t>b.procs[job]
    memmove(&b.release[at], &b.release[at + 1], (s.running - at) * sizeof(int64_t))


cdef inline double score(const Batch* b, int32_t vector, int32_t rank) noexcept nogil:
    # What schedlab.policies.mixed says, in the same order.
    cdef const double* w = &b.weight[<int64_t>vector * b.features]
    cdef const double* x = &b.feature_at[<int64_t>rank * b.features]
    cdef double total = w[0] * x[0] + w[1] * x[1] + w[2] * x[2]
    if b.features == BASIC:
        return total
    total = total + w[3] * x[3] + w[4] * x[4]
    if b.moving:
        total += b.pace[vector] * (
            (<double>(b.s.now - b.submit[b.job[rank]]) / <double>b.estimate_at[rank])
            / b.pace_scale
        )
    return total


cdef inline int32_t first_of(const Batch* b, int32_t vector) noexcept nogil:
    # The waiting job that comes first under a vector.
    cdef int32_t k, rank, best = b.rank_of[0]
    cdef double least = score(b, vector, best), value
    cdef double w0, w1, w2
    cdef const double* x
    if b.features == BASIC:                         # as below; these few lines are most of the work
        x = &b.weight[<int64_t>vector * BASIC]
        w0, w1, w2 = x[0], x[1], x[2]
        for k in range(1, b.s.waiting):
            rank = b.rank_of[k]
            x = &b.feature_at[<int64_t>rank * BASIC]
            value = w0 * x[0] + w1 * x[1] + w2 * x[2]
            if value <= least and (value < least or b.job[rank] > b.job[best]):
                least = value
                best = rank
        return b.job[best]
    for k in range(1, b.s.waiting):
        rank = b.rank_of[k]
        value = score(b, vector, rank)
        if value <= least and (value < least or b.job[rank] > b.job[best]):
            least = value
            best = rank
    return b.job[best]


cdef int reserve_stack(Batch* b, int64_t more) noexcept nogil:
    # Room for `more` bytes on the stack; -1 when memory is out.
    cdef void* p
    cdef int64_t room = b.stack_room
    if b.depth + more <= room:
        return 0
    room = 2 * (b.depth + more)
    p = realloc(b.stack, room)
    if p == NULL:
        return -1
    b.stack = <char*>p
    b.stack_room = room
    return 0


cdef int push(Batch* b) noexcept nogil:
    # Put a copy of the state on the stack; -1 when memory is out.
    cdef State* s = &b.s
    cdef int64_t ranks = s.waiting * sizeof(int32_t), ends = s.running * sizeof(int64_t)
    cdef char* p
    if reserve_stack(b, ranks + 2 * ends + sizeof(State)):
        return -1
    p = b.stack + b.depth
    memcpy(p, b.rank_of, ranks)
    memcpy(p + ranks, b.ending, ends)
    memcpy(p + ranks + ends, b.release, ends)
    memcpy(p + ranks + 2 * ends, s, sizeof(State))
    b.depth += ranks + 2 * ends + sizeof(State)
    return 0


cdef void unpack(Batch* b) noexcept nogil:
    # Needs and estimates of the waiting jobs, from their ranks.
    cdef int32_t k, rank
    for k in range(b.s.waiting):
        rank = b.rank_of[k]
        b.need[k] = b.need_at[rank]
        b.estimate_of[k] = b.estimate_at[rank]


cdef void pop(Batch* b) noexcept nogil:
    # Go on with the last state of the stack.
    cdef int64_t ranks, ends
    cdef char* p
    b.depth -= sizeof(State)
    memcpy(&b.s, b.stack + b.depth, sizeof(State))
    ranks = b.s.waiting * sizeof(int32_t)
    ends = b.s.running * sizeof(int64_t)
    b.depth -= ranks + 2 * ends
    p = b.stack + b.depth
    memcpy(b.rank_of, p, ranks)
    memcpy(b.ending, p + ranks, ends)
    memcpy(b.release, p + ranks + ends, ends)
    unpack(b)


cdef int part(Batch* b) noexcept nogil:
    # Vectors that have `chosen` another head than the first one's part; -1 when memory is out.
    cdef State* s = &b.s
    cdef int32_t low = s.low, high = s.high, at = low, k, vector, head
    while True:
        head = b.chosen[b.order[at]]
        low = at
        at += 1
        for k in range(at, high):
            vector = b.order[k]
            if b.chosen[vector] == head:
                b.order[k] = b.order[at]
                b.order[at] = vector
                at += 1
        s.low, s.high, s.head = low, at, head
        if at == high:
            return 0
        if push(b):
            return -1


cdef int choose(Batch* b) noexcept nogil:
    # Ask every vector for the head; who differs parts. -1 when memory is out.
    cdef State* s = &b.s
    cdef int32_t k, vector, head = first_of(b, b.order[s.low])
    cdef bint same = True
    s.reserved = False
    b.chosen[b.order[s.low]] = head
    for k in range(s.low + 1, s.high):
        vector = b.order[k]
        b.chosen[vector] = first_of(b, vector)
        if b.chosen[vector] != head:
            same = False
    if same:
        s.head = head
        return 0
    return part(b)


cdef int challenge(Batch* b, int32_t job) noexcept nogil:
    # Ask every vector whether a newcomer comes before the head; who differs parts.
    cdef State* s = &b.s
    cdef int32_t k, vector, wins = 0, head = s.head, rank = b.rank[job], other = b.rank[head]
    for k in range(s.low, s.high):
        vector = b.order[k]
        if score(b, vector, rank) <= score(b, vector, other):   # of equal jobs the last one
            b.chosen[vector] = job
            wins += 1
        else:
            b.chosen[vector] = head
    if wins == 0:
        return 0
    s.reserved = False
    if wins == s.high - s.low:
        s.head = job
        return 0
    return part(b)


cdef int32_t oldest_of(const Batch* b) noexcept nogil:
    # The waiting job that was submitted first, of one instant the last one.
    cdef int32_t k, job, oldest = b.job[b.rank_of[0]]
    for k in range(1, b.s.waiting):
        job = b.job[b.rank_of[k]]
        if b.submit[job] < b.submit[oldest] or (
            b.submit[job] == b.submit[oldest] and job > oldest
        ):
            oldest = job
    return oldest


cdef bint starve(Batch* b) noexcept nogil:
    # Whether somebody waited longer than the threshold; then the oldest job is the head.
    cdef State* s = &b.s
    cdef int32_t oldest = oldest_of(b)
    s.due = b.submit[oldest] + b.threshold
    if s.now <= s.due:
        return False
    if s.head != oldest:
        s.reserved = False
    s.head = oldest
    s.starving = True
    return True


cdef void reserve(Batch* b) noexcept nogil:
    # The head's shadow time and the extra processors.
    cdef State* s = &b.s
    cdef int64_t fits = s.free_procs, need = b.procs[s.head], end = 0
    cdef int32_t k = 0
    while fits < need:
        end = b.release[k] >> JOB_BITS
        fits += b.procs[b.release[k] & ((1 << JOB_BITS) - 1)]
        k += 1
    while k < s.running and b.release[k] >> JOB_BITS == end:
        fits += b.procs[b.release[k] & ((1 << JOB_BITS) - 1)]
        k += 1
    s.shadow = end
    s.extra = <int32_t>(fits - need)
    s.reserved = True


cdef inline void sweep(Batch* b, int32_t at) noexcept nogil:
    # Backfill in one sweep from a place on.
    cdef State* s = &b.s
    cdef int64_t slack = s.shadow - s.now
    cdef int32_t most = <int32_t>(slack if slack < LONGEST else LONGEST), job
    while s.free_procs > 0:
        at = fitting(b.need, b.estimate_of, at, s.waiting, s.free_procs, most, s.extra)
        if at == s.waiting:
            return
        job = b.job[b.rank_of[at]]
        if b.estimate_of[at] > most:
            s.extra -= b.need[at]
        dequeue(b, at)
        begin(b, job)


cdef int full_pass(Batch* b) noexcept nogil:
    # -1 when memory is out.
    cdef State* s = &b.s
    cdef bint starves
    while s.waiting:
        if s.head == NOBODY or b.procs[s.head] > s.free_procs:
            if not any_fits(b.need, s.waiting, s.free_procs):
                s.reserved = False
                return 0
        starves = s.now > s.due and starve(b)
        if not starves:
            if s.starving:
                s.starving = False
                s.head = NOBODY
            if s.head == NOBODY and choose(b):
                return -1
        if b.procs[s.head] > s.free_procs:
            reserve(b)
            sweep(b, 0)
            return 0
        dequeue(b, place_of(b, b.rank[s.head]))
        begin(b, s.head)
        s.head = NOBODY
        s.starving = False
    s.head = NOBODY
    s.reserved = False
    return 0


cdef int arrive(Batch* b, int32_t first) noexcept nogil:
    # Handle arrivals alone, jobs first .. arrived - 1; -1 when memory is out.
    cdef State* s = &b.s
    cdef int32_t k
    cdef bint alone = s.arrived - first == 1
    if alone and s.waiting == 0 and b.procs[first] <= s.free_procs:
        begin(b, first)
        return 0
    for k in range(first, s.arrived):
        enqueue(b, k)
    if b.moving or (s.now > s.due and not s.starving):
        s.head = NOBODY
        s.starving = False
        return full_pass(b)
    if not alone:
        if not s.starving:
            s.head = NOBODY
        return full_pass(b)
    if s.head != NOBODY and not s.starving and challenge(b, first):
        return -1
    if not s.reserved:
        return full_pass(b)
    k = place_of(b, b.rank[first])                  # only the newcomer may start
    if (
        b.need[k] <= s.free_procs
        and (b.estimate_of[k] <= s.shadow - s.now or b.need[k] <= s.extra)
    ):
        if b.estimate_of[k] > s.shadow - s.now:
            s.extra -= b.need[k]
        dequeue(b, k)
        begin(b, first)
    return 0


cdef int leave(Batch* b) noexcept nogil:
    # Give the vectors of the present state what it cost, and the state to the next boundary, merged
    # with its equal if there is one; -1 when memory is out.
    cdef State* s = &b.s
    cdef Boundary* t = &b.there
    cdef int64_t ranks = (s.waiting + (s.waiting & 1)) * sizeof(int32_t)
    cdef int64_t ends = s.running * sizeof(int64_t), size = 8 + ranks + ends, room, k
    cdef uint64_t hash = 0
    cdef uint64_t* word
    cdef int32_t found, vector
    cdef char* p
    cdef void* larger
    if t.used + size + ends > t.room:
        room = 2 * (t.used + size + ends)
        larger = realloc(t.arena, room)
        if larger == NULL:
            return -1
        t.arena = <char*>larger
        t.room = room
    p = t.arena + t.used
    (<int32_t*>p)[0] = s.waiting
    (<int32_t*>p)[1] = s.running
    memcpy(p + 8, b.rank_of, s.waiting * sizeof(int32_t))
    if s.waiting & 1:
        (<int32_t*>(p + 8))[s.waiting] = 0
    memcpy(p + 8 + ranks, b.release, ends)
    word = <uint64_t*>p
    for k in range(size >> 3):
        hash = (hash ^ word[k]) * 0x9E3779B97F4A7C15ULL
        hash ^= hash >> 29
    k = hash & (b.table_size - 1)
    while True:
        found = b.table[k]
        if found < 0:
            break
        if (
            t.kept[found].hash == hash
            and t.kept[found].size == size
            and memcmp(t.arena + t.kept[found].at, p, size) == 0
        ):
            break
        k = (k + 1) & (b.table_size - 1)
    if found < 0:
        found = t.count
        b.table[k] = found
        t.count += 1
        t.kept[found].at, t.kept[found].size, t.kept[found].hash = t.used, size, hash
        t.kept[found].low = 0
        memcpy(p + size, b.ending, ends)
        t.used += size + ends
    t.kept[found].low += s.high - s.low
    for k in range(s.low, s.high):
        vector = b.order[k]
        b.state_of[vector] = found
        b.whole[vector] += s.whole
        b.part[vector] += s.part
        b.mark[vector] += s.mark
    return 0


cdef void enter(Batch* b, const Kept* kept, int32_t arrived) noexcept nogil:
    # Go on with a state of the boundary.
    cdef State* s = &b.s
    cdef char* p = b.here.arena + kept.at
    cdef int64_t ranks, ends
    cdef int32_t k
    memset(s, 0, sizeof(State))
    s.waiting, s.running = (<int32_t*>p)[0], (<int32_t*>p)[1]
    ranks = (s.waiting + (s.waiting & 1)) * sizeof(int32_t)
    ends = s.running * sizeof(int64_t)
    memcpy(b.rank_of, p + 8, s.waiting * sizeof(int32_t))
    memcpy(b.release, p + 8 + ranks, ends)
    memcpy(b.ending, p + 8 + ranks + ends, ends)
    unpack(b)
    s.low, s.high, s.arrived, s.head = kept.low, kept.high, arrived, NOBODY
    s.free_procs = b.processors
    for k in range(s.running):
        s.free_procs -= <int32_t>b.procs[b.release[k] & ((1 << JOB_BITS) - 1)]
    s.due = INT64_MAX
    if b.threshold != INT64_MAX and s.waiting:
        s.due = b.submit[oldest_of(b)] + b.threshold


cdef int advance(Batch* b, int32_t stop) noexcept nogil:
    # Simulate the present state, and all that part from it, up to the boundary in front of the
    # arrival `stop`, or to the end; -1 when memory is out.
    cdef State* s = &b.s
    cdef int64_t end
    cdef int32_t first
    cdef bint completed
    while True:
        while True:
            end = b.ending[s.running - 1] >> JOB_BITS if s.running else INT64_MAX
            if s.arrived < stop:
                s.now = end if end <= b.submit[s.arrived] else b.submit[s.arrived]
            elif (end >= b.submit[stop]) if stop < b.n else s.waiting == 0:
                break
            else:
                s.now = end
            completed = end == s.now
            while s.running and b.ending[s.running - 1] >> JOB_BITS == s.now:
                finish(b)
            first = s.arrived
            while s.arrived < stop and b.submit[s.arrived] == s.now:
                s.arrived += 1
            if completed:
                while first < s.arrived:
                    enqueue(b, first)
                    if not s.starving:
                        s.head = NOBODY
                    first += 1
                if b.moving and not s.starving:
                    s.head = NOBODY
                if full_pass(b):
                    return -1
            elif arrive(b, first):
                return -1
        if leave(b):
            return -1
        if b.depth == 0:
            return 0
        pop(b)
        if full_pass(b):
            return -1


cdef int simulate(Batch* b, int32_t step) noexcept nogil:
    # All vectors, from boundary to boundary; -1 when memory is out.
    cdef int32_t arrived = 0, stop, k, at
    cdef int32_t vector
    cdef Boundary swap
    b.here.count = 1
    b.here.kept[0].at = 0
    b.here.kept[0].low, b.here.kept[0].high = 0, b.vectors
    memset(b.here.arena, 0, 8)
    while arrived < b.n:
        stop = arrived + step if b.n - arrived > step else b.n
        while stop < b.n and b.submit[stop] == b.submit[stop - 1]:
            stop += 1
        memset(b.table, 0xFF, b.table_size * sizeof(int32_t))
        b.there.count = 0
        b.there.used = 0
        for k in range(b.here.count):
            enter(b, &b.here.kept[k], arrived)
            if advance(b, stop):
                return -1
        # vectors of one state side by side: `low` has counted them
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
    # Allocate once; -1 when memory is out.
    cdef int64_t most = b.n if b.n < b.processors else b.processors
    cdef int32_t k
    b.table_size = 16
    while b.table_size < 2 * b.vectors:
        b.table_size *= 2
    b.rank = <int32_t*>malloc(b.n * sizeof(int32_t))
    b.need_at = <int32_t*>malloc(b.n * sizeof(int32_t))
    b.estimate_at = <int32_t*>malloc(b.n * sizeof(int32_t))
    b.order = <int32_t*>malloc(b.vectors * sizeof(int32_t))
    b.chosen = <int32_t*>malloc(b.vectors * sizeof(int32_t))
    b.state_of = <int32_t*>malloc(b.vectors * sizeof(int32_t))
    b.rank_of = <int32_t*>malloc((b.n + 1) * sizeof(int32_t))
    b.need = <int32_t*>malloc((b.n + 1) * sizeof(int32_t))
    b.estimate_of = <int32_t*>malloc((b.n + 1) * sizeof(int32_t))
    b.ending = <int64_t*>malloc((most + 1) * sizeof(int64_t))
    b.release = <int64_t*>malloc((most + 1) * sizeof(int64_t))
    b.here.kept = <Kept*>malloc(b.vectors * sizeof(Kept))
    b.there.kept = <Kept*>malloc(b.vectors * sizeof(Kept))
    b.here.arena = <char*>malloc(64)
    b.here.room = 64
    b.table = <int32_t*>malloc(b.table_size * sizeof(int32_t))
    if (
        b.rank == NULL or b.need_at == NULL or b.estimate_at == NULL or b.order == NULL
        or b.chosen == NULL or b.state_of == NULL or b.rank_of == NULL or b.need == NULL
        or b.estimate_of == NULL or b.ending == NULL or b.release == NULL
        or b.here.kept == NULL or b.there.kept == NULL or b.here.arena == NULL
        or b.table == NULL
    ):
        return -1
    for k in range(b.n):
        b.rank[b.job[k]] = k
        b.need_at[k] = <int32_t>b.procs[b.job[k]]
        b.estimate_at[k] = <int32_t>b.estimate[b.job[k]]
    for k in range(b.vectors):
        b.order[k] = k
    return 0


cdef void release_all(Batch* b) noexcept nogil:
    free(b.rank)
    free(b.need_at)
    free(b.estimate_at)
    free(b.order)
    free(b.chosen)
    free(b.state_of)
    free(b.rank_of)
    free(b.need)
    free(b.estimate_of)
    free(b.ending)
    free(b.release)
    free(b.here.kept)
    free(b.there.kept)
    free(b.here.arena)
    free(b.there.arena)
    free(b.table)
    free(b.stack)


def run_mixed(
    const int64_t[::1] submit,
    const int64_t[::1] runtime,
    const int64_t[::1] estimate,
    const int64_t[::1] procs,
    const double[::1] bound,
    int32_t processors,
    const int32_t[::1] job,
    const double[:, ::1] features,
    const double[:, ::1] weights,
    const double[::1] pace,
    double pace_scale,
    int64_t threshold,
    int32_t step,
):
    """Bounded slowdowns of n jobs under W weight vectors; the façade has checked the arguments.

    Parameters
    ----------
    submit, runtime, estimate, procs : memoryviews of int64, shape (n,)
        The jobs, in order of submission; estimates at least 1.
    bound : memoryview of float64, shape (n,)
        What a job's time in the system is divided by: ``max(runtime, tau)``.
    processors : int
        Size of the machine.
    job : memoryview of int32, shape (n,)
        The job at each rank of the backfill order.
    features : memoryview of float64, shape (n, F)
        Scaled features that stand still, by rank of the backfill order; F is 3 or 5.
    weights : memoryview of float64, shape (W, F)
        Their weights.
    pace : memoryview of float64, shape (W,)
        Weights of ``(wait / estimate) / pace_scale``.
    pace_scale : float
    threshold : int
        Who waited longer, in seconds, is in front of all others, by submission.
    step : int
        Arrivals from one boundary, where equal states are merged, to the next; the result does not
        depend on it.

    Returns
    -------
    total : ndarray of float64, shape (W,)
        Sum of bounded slowdowns.
    mark : ndarray of uint64, shape (W,)
        Hash of the schedule: the sum over jobs of SplitMix64's finaliser of
        ``(start << 24 | job) + 0x9E3779B97F4A7C15``; equal for equal schedules.
    simulated : int
        Jobs started in all simulations together.
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
    b.bound, b.job, b.threshold = &bound[0], &job[0], threshold
    b.feature_at, b.weight = <double*>&features[0, 0], &weights[0, 0]
    b.pace, b.pace_scale, b.moving = &pace[0], pace_scale, bool(np.any(pace))
    b.whole, b.part, b.mark = &whole_view[0], &part_view[0], &mark_view[0]
    with nogil:
        failed = prepare(&b)
        if not failed:
            failed = simulate(&b, step)
        release_all(&b)
    if failed:
        raise MemoryError(f"no memory left to simulate {n} jobs under {vectors} weight vectors")
    return whole + part_ / 2.0**FRACTION_BITS, mark, b.simulated
