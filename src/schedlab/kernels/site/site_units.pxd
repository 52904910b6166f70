# Equal processors, each a node, in one partition: the plan of a pass, and which waiting jobs could
# still start in it.
#
# A job is placed as in `site_plan.pxd`, on counts of nodes until a start is found: only then its
# nodes are chosen. An attempt ends as soon as too few nodes are left, or the start is too late.
#
# Reservations only take nodes away while a pass lasts, and starts take free ones. So a job that
# cannot start now cannot later in the pass, and the pass ends behind the last job that can.
#
# `valid` is the time until which the decisions of the last pass hold if nothing ends, starts or
# comes in front of them: each comparison with the present time moves it to when it turns. Passes
# before it are left out (`quiet`), or go on with the plan for new jobs at the end of the queue.
#
# An attempt is left out if it must fail: a slot within the limit has too few nodes (`full`), or so
# many are not idle before the next attempt (`soonest`). Attempts begin behind a slot of `rises`.
# A start after the window is not made exact.
#
# Lost without a part, 10,000 model jobs (lub), a pass in 600 s: without the early end 1.7 times as
# many jobs are placed; with the loops of `site_plan.pxd`, 1.8 s in place of 0.35; with attempts
# that must fail, 0.26 s in place of 0.15 (the C limit: 0.0021 s). In 30 s, estimates of 1 to 7
# times the run time (lubx): with exact starts after the window, 0.46 s in place of 0.31. In 30 s,
# wagap: without `valid`, 38,850 jobs are placed in place of 19,272. With bits counted without the
# instruction for it, 0.104 s in place of 0.098 (lub, 600 s).
#
# Invariant: `room[k]` free nodes are unreserved up to the end of slot k. Cost: O(slots) words after
# a reservation or a start, and O(1) per waiting job of a pass. An attempt to place a job reads the
# slots within its limit, and the running jobs until enough have left.

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memmove

from schedlab.kernels.common.portable cimport lowest, ones
from schedlab.kernels.site.node_sets cimport choose as choose_units, common, intersect, size_of
from schedlab.kernels.site.site_plan cimport (
    Walk, cut, floor_of, given_by, join_around, next_group, walk_from_now,
)
from schedlab.kernels.site.site_state cimport NEVER, Site


cdef inline void measure_room(Site* s) noexcept nogil:
    # Count the free nodes that stay unreserved, slot by slot until there are none.
    cdef int32_t k = 0, w, count = 0
    cdef const uint64_t* free
    for w in range(s.words):
        s.wide[w] = s.idle[w] & s.up[w]
    s.rooms = 0
    for k in range(s.slots):
        free = s.unreserved + <int64_t>k * s.words
        for w in range(s.words):
            s.wide[w] &= free[w]
        count = size_of(s.wide, s.words)
        if not count:
            break
        if s.rooms and s.room[s.rooms - 1] == count:
            continue
        s.room_begin[s.rooms], s.room[s.rooms] = s.slot_begin[k], count
        s.rooms += 1
    s.room_begin[s.rooms] = s.slot_begin[k] if k < s.slots and not count else (
        <int64_t>1 << 62
    )


cdef inline bint has_room(const Site* s, int32_t pair) noexcept nogil:
    # Whether a job could start now.
    cdef int64_t cpus = s.request[s.pair_class[pair]].cpus
    cdef int64_t end = s.now + s.limit[s.pair_job[pair]]
    cdef int32_t k
    if not s.rooms or s.room[0] < cpus:
        return False
    for k in range(1, s.rooms):
        if s.room_begin[k] > end:
            return True
        if s.room[k] < cpus:
            return False
    return s.room_begin[s.rooms] > end


cdef inline int32_t last_with_room(const Site* s, int32_t last) noexcept nogil:
    # Place behind the last waiting pair before `last` that could start now.
    while last > 0 and not has_room(s, s.order[last - 1]):
        last -= 1
    return last


cdef inline int64_t soonest(Site* s, int64_t cpus) noexcept nogil:
    # When so many processors are idle at the earliest, if running jobs reach their limits.
    # `freed` has the idle ones after each has left, as far as they were asked for.
    cdef int32_t low = 0, high, middle
    if not s.kept_count:
        s.freed[0], s.kept_count = size_of(s.idle, s.words), 1
    while s.freed[s.kept_count - 1] < cpus:
        if s.kept_count > s.runs:
            return INT64_MAX
        s.freed[s.kept_count] = s.freed[s.kept_count - 1] + given_by(s, s.kept_count - 1, s.every)
        s.kept_count += 1
    high = s.kept_count - 1
    while low < high:
        middle = (low + high) >> 1
        if s.freed[middle] < cpus:
            low = middle + 1
        else:
            high = middle
    return s.ends[low - 1] if low else s.now


cdef inline int64_t predict_units(
    Site* s, int64_t cpus, const uint64_t* usable, int64_t later, int32_t* left
) noexcept nogil:
    # As `predict`, by counts; `left` running jobs have gone then. NEVER, too, if it is after
    # `later`, unless that is NEVER.
    cdef int32_t idle = common(usable, s.idle, s.words)
    cdef Walk walk = walk_from_now()
    cdef int64_t last = NEVER
    left[0] = 0
    if size_of(usable, s.words) < cpus:
        return NEVER
    if idle >= cpus:
        return s.now
    while idle + walk.given < cpus:
        if later != NEVER and walk.place < s.runs and s.ends[walk.place] > later:
            return NEVER
        if not next_group(s, usable, &walk, &last):
            return NEVER
    left[0] = walk.place
    s.valid = min(s.valid, last)
    return last if last > s.now else s.now + s.rules.kill_wait


cdef inline void choose_after(Site* s, int64_t cpus, int32_t left) noexcept nogil:
    # Choose usable nodes, into `where`, after some running jobs have left.
    cdef int32_t place, k, node
    cdef const uint64_t* job_nodes
    memcpy(s.wide, s.idle, s.words * sizeof(uint64_t))
    for place in range(left):
        node = s.home[place]
        if node >= 0:
            s.wide[node >> 6] |= <uint64_t>1 << (node & 63)
            continue
        job_nodes = s.sets + <int64_t>s.slot[s.by_limit[place]] * s.words
        for k in range(s.words):
            s.wide[k] |= job_nodes[k]
    for k in range(s.words):
        s.wide[k] &= s.usable[k]
    choose_units(s.where, s.wide, <int32_t>cpus, s.words)


cdef inline void list_where(Site* s, bint all_of_them) noexcept nogil:
    # List the nodes in `where` as the chosen ones, or count them and list the first.
    cdef int32_t k, count = 0
    cdef uint64_t bits
    for k in range(s.words):
        bits = s.where[k]
        if not all_of_them and bits:
            if not count:
                s.chosen[0], s.given[0] = (k << 6) | lowest(bits), 1
            count += ones(bits)
            continue
        while bits:
            s.chosen[count], s.given[count] = (k << 6) | lowest(bits), 1
            count += 1
            bits &= bits - 1
    s.picked = count


cdef inline bint overlap_units(
    const Site* s, int32_t first, int64_t begin, int64_t end
) noexcept nogil:
    # Whether one of the chosen nodes is reserved between two times; slot `first` begins before.
    cdef int32_t k, w
    cdef const uint64_t* free
    for k in range(first, s.slots):
        if s.slot_begin[k] >= end:
            return False
        if s.slot_end[k] <= begin:
            continue
        free = s.unreserved + <int64_t>k * s.words
        for w in range(s.words):
            if s.where[w] & ~free[w]:
                return True
    return False


cdef inline void note_rises(Site* s, int32_t first, int32_t behind) noexcept nogil:
    # Note of some slots whether the next one has a node that they lack.
    cdef int32_t k, w
    cdef const uint64_t* free
    for k in range(max(first, 0), min(behind, s.slots - 1)):
        free = s.unreserved + <int64_t>k * s.words
        s.rises[k] = s.slot_count[k + 1] > s.slot_count[k]
        for w in range(s.words):
            if s.rises[k]:
                break
            s.rises[k] = (free[s.words + w] & ~free[w]) != 0


cdef inline int32_t next_rise(const Site* s, int32_t k) noexcept nogil:
    # The first slot from the k-th on whose next one has a node that it lacks, or the last one.
    while k + 1 < s.slots and not s.rises[k]:
        k += 1
    return k


cdef inline int64_t place_units(Site* s, int32_t pair) noexcept nogil:
    # As `find_place`; the choice is in `where`. An attempt begins in slot `first`; slots before
    # `within` begin within the limit, and `full` is the last of them with too few nodes. A start
    # after the window may be too early.
    cdef int64_t cpus = s.request[s.pair_class[pair]].cpus, limit = s.limit[s.pair_job[pair]]
    cdef int64_t at = s.now, later, start, idle = soonest(s, cpus), until = at + s.rules.bf_window
    cdef int32_t k, first = 0, within = 0, full = -1, left, words = s.words, slots = s.slots
    cdef uint64_t* usable = s.usable
    cdef const int64_t* begins = s.slot_begin
    cdef const int64_t* ends = s.slot_end
    cdef const int32_t* counts = s.slot_count
    if idle > until:
        return idle if idle < INT64_MAX else NEVER
    while True:
        while within < slots and begins[within] <= at + limit:
            full = within if counts[within] < cpus else full
            within += 1
        if at == s.now:
            s.valid = min(s.valid, ends[first])
        if full >= first:
            # so fails each attempt before the end of `full`
            k = next_rise(s, full)
            if k > within:
                k = next_rise(s, first)
            if k + 1 == slots:
                return NEVER
            if k > within:
                if at == s.now:
                    s.valid = min(s.valid, begins[within] - limit)
                return NEVER
            at, first = ends[k], k + 1
            continue
        k = next_rise(s, first)
        if at == s.now and within < slots:
            s.valid = min(s.valid, begins[within] - limit)
        later = ends[k] if k <= within and k + 1 < slots else NEVER
        start = NEVER
        if later == NEVER or idle <= later:
            memcpy(usable, s.every, words * sizeof(uint64_t))
            if ends[first] > at:
                intersect(
                    usable, s.unreserved + <int64_t>first * words, within - first, words
                )
            start = predict_units(s, cpus, usable, later, &left)
        if start == NEVER or (later != NEVER and max(start, at) > later):
            if later == NEVER:
                return NEVER
            at, first = later, k + 1
            continue
        start = max(start, at)
        if start > until:
            return start
        choose_after(s, cpus, left)
        if start > at and overlap_units(
            s, first, floor_of(s, start), floor_of(s, start + limit)
        ):
            at = start
            while ends[first] <= at and first + 1 < slots:
                first += 1
            continue
        return start


cdef inline void reserve_units(Site* s, int64_t begin, int64_t end) noexcept nogil:
    # As `reserve`, of the nodes in `where`.
    cdef int32_t k, w, first, behind, slots = s.slots, rest
    cdef uint64_t* free
    if end <= begin:
        return
    if begin > s.slot_begin[0]:
        s.valid = min(s.valid, begin)
    if end >= s.slot_end[s.slots - 1]:
        # the plan ends later then
        s.valid = min(s.valid, s.slot_end[s.slots - 1] + s.rules.bf_resolution - s.rules.bf_window)
    first = cut(s, 0, begin)
    behind = cut(s, first, end)
    if first == behind:
        return
    rest = s.slots - behind
    for k in range(first, behind):
        free = s.unreserved + <int64_t>k * s.words
        for w in range(s.words):
            free[w] &= ~s.where[w]
        s.slot_count[k] = size_of(free, s.words)
    join_around(s, first, behind - 1)
    memmove(s.rises + s.slots - rest, s.rises + slots - rest, rest)
    note_rises(s, first - 1, s.slots - rest)
