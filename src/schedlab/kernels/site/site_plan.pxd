# The plan of a backfill pass: slots of time with the nodes that nobody has reserved, and when and
# where a pair can start around them.
#
# Invariant: slots are contiguous and cover the window. Cost: a pair is placed in O(slots + groups
# of ends) choices of nodes; a reservation moves the slots behind it.

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from schedlab.kernels.site.site_nodes cimport choose, put_back, take_again
from schedlab.kernels.site.site_state cimport NEVER, Site
from schedlab.kernels.slurm.processor_sets cimport meet, size_of

cdef enum:
    HALF_MINUTE = 30
    MOST_TOGETHER = 200                 # running jobs whose end counts as one
    FARTHEST = 40                       # no two ends are 2 to the 40 seconds apart


cdef inline int64_t floor_of(const Site* s, int64_t time) noexcept nogil:
    # The last multiple of the resolution on the controller's clock.
    cdef int64_t past = (time + s.rules.clock) % s.rules.bf_resolution
    return time - past - (s.rules.bf_resolution if past < 0 else 0)


cdef inline int64_t end_of(const Site* s, int64_t start, int64_t limit) noexcept nogil:
    # When a reservation ends in the plan.
    cdef int64_t up = s.rules.bf_resolution
    if not s.rules.rounds_up:
        return floor_of(s, start + limit)
    return max(floor_of(s, start + limit + up - 1), floor_of(s, start) + up)


cdef inline int64_t predict(
    Site* s, int32_t kind, const uint64_t* usable
) noexcept nogil:
    # Earliest start on usable nodes if no other job starts and running jobs reach their limits;
    # the choice is in `chosen`. Running jobs leave in groups: the first ends half a minute after
    # the next half minute behind the first end, each further one twice as long after that, until
    # it has the next end.
    cdef int32_t place = 0, back, count, total = s.runs
    cdef int64_t first = NEVER, close = HALF_MINUTE, until = 0, last, start = NEVER, past
    cdef const uint64_t* own
    if choose(s, kind, usable):
        return s.now
    while True:
        last = NEVER
        count = 0
        while place < total:
            own = s.sets + <int64_t>s.slot[s.by_limit[place]] * s.words
            if not meet(own, usable, s.words):
                place += 1
                continue
            last = s.ends[place]
            if first == NEVER:
                past = (last + s.rules.clock) % HALF_MINUTE
                first = last + HALF_MINUTE - (past if past >= 0 else past + HALF_MINUTE)
                until = first + close
            put_back(s, s.by_limit[place])
            place += 1
            count += 1
            if place < total and s.ends[place] > until:
                while s.ends[place] > until and close < <int64_t>1 << FARTHEST:
                    close = close + s.rules.bf_window_linear if s.rules.bf_window_linear else (
                        2 * close
                    )
                    until = first + close
                break
            if count >= MOST_TOGETHER:
                break
        if not count:
            break
        if choose(s, kind, usable):
            start = max(last, s.now + 1) if last > s.now else s.now + s.rules.kill_wait
            break
    for back in range(place):
        own = s.sets + <int64_t>s.slot[s.by_limit[back]] * s.words
        if meet(own, usable, s.words):
            take_again(s, s.by_limit[back])
    return start


cdef inline int64_t barred(
    const Site* s, int32_t job, int64_t at, uint64_t* usable
) noexcept nogil:
    # Take away the nodes that advance reservations keep from a job that starts at a time; return
    # when one of them ends, or NEVER.
    cdef int32_t k, w
    cdef int64_t own = s.reservation[job], resumes = NEVER, until
    cdef const int64_t* times
    cdef const uint64_t* nodes
    for k in range(s.reservations):
        times = s.reserved_times + 4 * k
        nodes = s.reserved + <int64_t>k * s.words
        if k == own:
            for w in range(s.words):
                usable[w] &= nodes[w] if times[1] <= at < times[2] else 0
            if at < times[1]:
                resumes = times[1]
        elif times[0] <= s.now and times[1] < at + s.limit[job] and times[2] > at:
            for w in range(s.words):
                usable[w] &= ~nodes[w]
            until = times[2]
            if not times[3]:
                until = floor_of(s, until + s.rules.bf_resolution) + 1
            resumes = until if resumes == NEVER else min(resumes, until)
    return resumes


cdef inline bint overlaps(const Site* s, int64_t begin, int64_t end) noexcept nogil:
    # Whether one of the chosen nodes is reserved between two times.
    cdef int32_t k, m, node
    cdef const uint64_t* free
    for k in range(s.slots):
        if s.slot_begin[k] >= end:
            return False
        if s.slot_end[k] <= begin:
            continue
        free = s.unreserved + <int64_t>k * s.words
        for m in range(s.picked):
            node = s.chosen[m]
            if not free[node >> 6] >> (node & 63) & 1:
                return True
    return False


cdef inline int64_t find_place(Site* s, int32_t pair) noexcept nogil:
    # When a pair is to start around the reservations, on the nodes of `chosen`; NEVER: not known.
    cdef int32_t job = s.pair_job[pair], kind = <int32_t>s.pair_class[pair], k, w
    cdef int64_t at = s.now, limit = s.limit[job], later, resumes, start
    cdef const uint64_t* fits = s.fits + <int64_t>kind * s.words
    cdef const uint64_t* members = s.members + s.pair_partition[pair] * s.words
    cdef const uint64_t* free
    cdef bint gains
    while True:
        for w in range(s.words):
            s.usable[w] = fits[w] & s.up[w]
            s.avail[w] = members[w] & s.up[w]
        resumes = barred(s, job, at, s.usable) if s.reservations else NEVER
        later = NEVER
        for k in range(s.slots):
            if s.slot_end[k] <= at:
                continue
            free = s.unreserved + <int64_t>k * s.words
            if later == NEVER and k + 1 < s.slots:
                gains = False
                for w in range(s.words):
                    if free[s.words + w] & members[w] & s.up[w] & ~(free[w] & s.avail[w]):
                        gains = True
                        break
                if gains:
                    later = s.slot_end[k]
            if s.slot_begin[k] > at + limit:
                break
            for w in range(s.words):
                s.usable[w] &= free[w]
                s.avail[w] &= free[w]
        if resumes != NEVER and (later == NEVER or resumes < later):
            later = resumes
        start = NEVER
        if size_of(s.usable, s.words) >= s.request[kind].nodes:
            start = predict(s, kind, s.usable)
        if start == NEVER or (later != NEVER and max(start, at) > later):
            if later == NEVER:
                return NEVER
            at = later
            continue
        start = max(start, at)
        if start > at and overlaps(s, floor_of(s, start), floor_of(s, start + limit)):
            at = start
            continue
        return start


cdef inline void cut(Site* s, int64_t time) noexcept nogil:
    # Split a slot at a time within it.
    cdef int32_t k
    cdef int64_t bytes = s.words * sizeof(uint64_t)
    for k in range(s.slots):
        if s.slot_begin[k] < time < s.slot_end[k]:
            memmove(s.slot_begin + k + 1, s.slot_begin + k, (s.slots - k) * sizeof(int64_t))
            memmove(s.slot_end + k + 1, s.slot_end + k, (s.slots - k) * sizeof(int64_t))
            memmove(
                s.unreserved + <int64_t>(k + 1) * s.words, s.unreserved + <int64_t>k * s.words,
                (s.slots - k) * bytes,
            )
            s.slot_end[k] = s.slot_begin[k + 1] = time
            s.slots += 1
            return


cdef inline void join(Site* s, int32_t k) noexcept nogil:
    # Make one slot of a slot and the next.
    cdef int64_t bytes = s.words * sizeof(uint64_t)
    cdef int32_t rest = s.slots - k - 2
    s.slot_end[k] = s.slot_end[k + 1]
    memmove(s.slot_begin + k + 1, s.slot_begin + k + 2, rest * sizeof(int64_t))
    memmove(s.slot_end + k + 1, s.slot_end + k + 2, rest * sizeof(int64_t))
    memmove(
        s.unreserved + <int64_t>(k + 1) * s.words, s.unreserved + <int64_t>(k + 2) * s.words,
        rest * bytes,
    )
    s.slots -= 1


cdef inline void reserve(Site* s, int64_t begin, int64_t end) noexcept nogil:
    # Take the chosen nodes out of the plan, and join the first pair of equal neighbors around them.
    cdef int32_t k, m, w, first = -1, last = -1, node
    cdef uint64_t* free
    cdef bint same
    if end <= begin:
        return
    cut(s, begin)
    cut(s, end)
    for k in range(s.slots):
        if s.slot_begin[k] < end and s.slot_end[k] > begin:
            free = s.unreserved + <int64_t>k * s.words
            for m in range(s.picked):
                node = s.chosen[m]
                free[node >> 6] &= ~(<uint64_t>1 << (node & 63))
            if first < 0:
                first = k
            last = k
    if first < 0:
        return
    for k in range(max(first - 1, 0), min(last + 1, s.slots - 1)):
        free = s.unreserved + <int64_t>k * s.words
        same = True
        for w in range(s.words):
            if free[w] != free[s.words + w]:
                same = False
                break
        if same:
            join(s, k)
            return
