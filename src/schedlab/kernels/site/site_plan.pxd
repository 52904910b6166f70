# The plan of a backfill pass: slots of time with the unreserved nodes, and when and
# where a pair can start around them.
#
# Most attempts to place a pair fail, since its start would be after the next attempt. They end at
# the first running job that leaves after it, and choose no nodes before `least_left` have left.
#
# Lost without these and `has_enough_wide`, 10,000 jobs on 217 nodes at a load of 0.9: 21 s in place
# of 8.6.
#
# Invariant: slots are contiguous and cover the window. Cost: a pair is placed in O(slots + groups
# of ends) choices of nodes; a reservation moves the slots behind it.

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from schedlab.kernels.site.node_sets cimport common, meet, size_of
from schedlab.kernels.site.site_nodes cimport (
    choose, has_enough_wide, has_one, nodes_of, try_without, use,
)
from schedlab.kernels.site.site_preempt cimport preempt
from schedlab.kernels.site.site_state cimport NEVER, Site

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


cdef struct Walk:                       # over running jobs with usable nodes, by limit
    int32_t place                       # jobs that have left
    int64_t first                       # from where windows count
    int64_t close                       # width of the window
    int64_t until                       # its end
    int32_t given                       # equal processors: usable nodes of the jobs that have left


cdef inline int32_t given_by(const Site* s, int32_t place, const uint64_t* usable) noexcept nogil:
    # Usable nodes of a running job, by its place in the order of limits; if processors are not
    # equal, whether it has any.
    cdef int32_t node = s.home[place]
    cdef const uint64_t* job_nodes
    if node >= 0:
        return <int32_t>(usable[node >> 6] >> (node & 63) & 1)
    job_nodes = s.sets + <int64_t>s.slot[s.by_limit[place]] * s.words
    if not s.plain:
        return meet(job_nodes, usable, s.words)
    return common(job_nodes, usable, s.words)


cdef inline Walk walk_from_now() noexcept nogil:
    # The beginning: no running job has left.
    cdef Walk walk
    walk.place, walk.first, walk.close, walk.until, walk.given = 0, NEVER, HALF_MINUTE, 0, 0
    return walk


cdef inline bint next_group(Site* s, const uint64_t* usable, Walk* w, int64_t* last) noexcept nogil:
    # Let the next group of running jobs with usable nodes leave; False if there is none. The first
    # ends half a minute after the next half minute behind the first end, each further one twice as
    # long after that, until it has the next end.
    cdef int32_t count = 0, given
    cdef int64_t past
    while w.place < s.runs:
        given = given_by(s, w.place, usable)
        w.place += 1
        if not given:
            continue
        w.given += given
        last[0] = s.ends[w.place - 1]
        if w.first == NEVER:
            past = (last[0] + s.rules.clock) % HALF_MINUTE
            w.first = last[0] + HALF_MINUTE - (past if past >= 0 else past + HALF_MINUTE)
            w.until = w.first + w.close
        count += 1
        if w.place < s.runs and s.ends[w.place] > w.until:
            while s.ends[w.place] > w.until and w.close < <int64_t>1 << FARTHEST:
                w.close = w.close + s.rules.bf_window_linear if s.rules.bf_window_linear else (
                    2 * w.close
                )
                w.until = w.first + w.close
            return True
        if count >= MOST_TOGETHER:
            return True
    return count > 0


cdef inline bint enough_without(
    Site* s, int32_t kind, const uint64_t* usable, int32_t left, bint simple
) noexcept nogil:
    # Whether a job on one node, or on unit nodes, could start after some running jobs have left. Of
    # other jobs: whether enough processors are free for it.
    use(s, s.live)
    if left:
        try_without(s, left)
    return has_one(s, kind, usable) if simple else (
        has_enough_wide(s, &s.request[kind], usable)
    )


cdef inline int32_t least_left(Site* s, int32_t kind, bint simple) noexcept nogil:
    # How many running jobs must have left before a class could start, if nothing is reserved. With
    # fewer usable nodes as many must leave at least. Noted while no job starts or ends.
    cdef int32_t low = 0, high = s.runs + 1, middle
    cdef const uint64_t* fits = nodes_of(s, kind)
    if s.class_seen[kind] == s.turns:
        return s.class_left[kind]
    if enough_without(s, kind, fits, 0, simple):
        high = 0
    while low < high:
        middle = (low + high) >> 1
        if middle <= s.runs and not enough_without(s, kind, fits, middle, simple):
            low = middle + 1
        else:
            high = middle
    use(s, s.live)
    s.class_seen[kind], s.class_left[kind] = s.turns, low
    return low


cdef inline int64_t predict(
    Site* s, int32_t kind, const uint64_t* usable, int64_t later
) noexcept nogil:
    # Earliest start on usable nodes if no other job starts and running jobs reach their limits;
    # the choice is in `chosen`. NEVER, too, if it is after `later`, unless that is NEVER. A job on
    # one node that can start after a group can after each later one: groups 1, 2, 4, … are tried,
    # then those between by halving.
    cdef int32_t low = 0, high = 0, middle, groups = 0, gap = 1
    cdef Walk walk = walk_from_now()
    cdef bint is_found = False, simple = s.unit or s.request[kind].most_nodes == 1
    cdef int64_t last
    cdef int32_t least = least_left(s, kind, simple)
    if least > s.runs or (least and later != NEVER and s.ends[least - 1] > later):
        return NEVER
    if not least and choose(s, kind, usable):
        return s.now
    while not is_found and not (
        later != NEVER and walk.place < s.runs and s.ends[walk.place] > later
    ) and next_group(s, usable, &walk, &last):
        if later != NEVER and last > later:
            break
        s.group_place[groups], s.group_last[groups] = walk.place, last
        groups += 1
        if walk.place < least:
            low = groups
        elif not simple:
            low = groups - 1
            try_without(s, walk.place)
            is_found = choose(s, kind, usable)
        elif groups == low + gap or walk.place == s.runs:
            high = groups - 1
            is_found = enough_without(s, kind, usable, walk.place, True)
            if not is_found:
                low = groups
                gap *= 2
    if simple and not is_found and low < groups:
        high = groups - 1
        is_found = enough_without(s, kind, usable, s.group_place[high], True)
    if is_found and simple:
        while low < high:
            middle = (low + high) >> 1
            if enough_without(s, kind, usable, s.group_place[middle], True):
                high = middle
            else:
                low = middle + 1
        try_without(s, s.group_place[low])
        choose(s, kind, usable)
    use(s, s.live)
    if not is_found:
        return NEVER
    last = s.group_last[low]
    return last if last > s.now else s.now + s.rules.kill_wait


cdef inline int64_t barred(
    const Site* s, int32_t job, int64_t at, uint64_t* usable
) noexcept nogil:
    # Take away the nodes that advance reservations keep from a job that starts at a time; return
    # when one of them ends, or NEVER.
    cdef int32_t k, w
    cdef int64_t reservation = s.reservation[job], resumes = NEVER, until
    cdef const int64_t* times
    cdef const uint64_t* nodes
    for k in range(s.reservations):
        times = s.reserved_times + 4 * k
        nodes = s.reserved + <int64_t>k * s.words
        if k == reservation:
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
    cdef const uint64_t* fits = nodes_of(s, kind)
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
            start = predict(s, kind, s.usable, later)
            if s.preempts and start != s.now and at == s.now and preempt(s, pair, s.usable):
                s.picked = 0
                return s.now
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


cdef inline int32_t cut(Site* s, int32_t k, int64_t time) noexcept nogil:
    # Split the slot that a time lies within; return the first slot from the k-th on that begins
    # then or later.
    cdef int64_t bytes = s.words * sizeof(uint64_t)
    while k < s.slots and s.slot_end[k] <= time:
        k += 1
    if k == s.slots or s.slot_begin[k] >= time:
        return k
    memmove(s.slot_begin + k + 1, s.slot_begin + k, (s.slots - k) * sizeof(int64_t))
    memmove(s.slot_end + k + 1, s.slot_end + k, (s.slots - k) * sizeof(int64_t))
    memmove(s.slot_count + k + 1, s.slot_count + k, (s.slots - k) * sizeof(int32_t))
    memmove(
        s.unreserved + <int64_t>(k + 1) * s.words, s.unreserved + <int64_t>k * s.words,
        (s.slots - k) * bytes,
    )
    s.slot_end[k] = s.slot_begin[k + 1] = time
    s.slots += 1
    return k + 1


cdef inline void join(Site* s, int32_t k) noexcept nogil:
    # Make one slot of a slot and the next.
    cdef int64_t bytes = s.words * sizeof(uint64_t)
    cdef int32_t rest = s.slots - k - 2
    s.slot_end[k] = s.slot_end[k + 1]
    memmove(s.slot_begin + k + 1, s.slot_begin + k + 2, rest * sizeof(int64_t))
    memmove(s.slot_end + k + 1, s.slot_end + k + 2, rest * sizeof(int64_t))
    memmove(s.slot_count + k + 1, s.slot_count + k + 2, rest * sizeof(int32_t))
    memmove(
        s.unreserved + <int64_t>(k + 1) * s.words, s.unreserved + <int64_t>(k + 2) * s.words,
        rest * bytes,
    )
    s.slots -= 1


cdef inline void join_around(Site* s, int32_t first, int32_t last) noexcept nogil:
    # Join the first pair of equal neighbors around some slots, from the first of them to the last.
    cdef int32_t k, w
    cdef const uint64_t* free
    for k in range(max(first - 1, 0), min(last + 1, s.slots - 1)):
        free = s.unreserved + <int64_t>k * s.words
        for w in range(s.words):
            if free[w] != free[s.words + w]:
                break
        else:
            join(s, k)
            return


cdef inline void reserve(Site* s, int64_t begin, int64_t end) noexcept nogil:
    # Take the chosen nodes out of the plan.
    cdef int32_t k, m, first, behind, node
    cdef uint64_t* free
    if end <= begin:
        return
    first = cut(s, 0, begin)
    behind = cut(s, first, end)
    for k in range(first, behind):
        free = s.unreserved + <int64_t>k * s.words
        for m in range(s.picked):
            node = s.chosen[m]
            free[node >> 6] &= ~(<uint64_t>1 << (node & 63))
    if first < behind:
        join_around(s, first, behind - 1)
