# The main scheduler's pass and the backfill pass.
#
# Cost: a main pass reads the waiting pairs up to its depth and chooses nodes once per partition
# that is open; a backfill pass places each pair up to the last one that could start now.

from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from schedlab.kernels.site.node_sets cimport meet
from schedlab.kernels.site.site_limits cimport blocked, blocked_early
from schedlab.kernels.site.site_nodes cimport choose, nodes_of
from schedlab.kernels.site.site_order cimport tidy
from schedlab.kernels.site.site_plan cimport end_of, find_place, floor_of, reserve
from schedlab.kernels.site.site_start cimport (
    FAILS, PLANNED, SKIPPED, STARTED, begin_job, try_now,
)
from schedlab.kernels.site.site_state cimport NEVER, Site
from schedlab.kernels.site.site_units cimport (
    has_room, last_with_room, list_where, measure_room, place_units, reserve_units,
)


cdef inline void main_pass(Site* s, int64_t depth) noexcept nogil:
    # Try pairs in order; one that does not fit closes its partition and the nodes of it.
    cdef int32_t k, pair, job, open = s.partitions, w
    cdef int64_t partition
    tidy(s)
    memset(s.failed, 0, s.partitions * sizeof(bint))
    memcpy(s.avail, s.up, s.words * sizeof(uint64_t))
    for k in range(min(<int64_t>s.waits, depth)):
        pair = s.order[k]
        job, partition = s.pair_job[pair], s.pair_partition[pair]
        if s.start[job] >= 0 or s.failed[partition] or blocked_early(s, pair):
            continue
        if try_now(s, pair, s.avail) == FAILS and s.reservation[job] < 0:
            s.failed[partition] = True
            open -= 1
            if not open:
                # until something changes, the next one would end here, too
                s.main_quiet = s.plain and not s.rules.multifactor
                break
            for w in range(s.words):
                s.avail[w] &= ~s.members[partition * s.words + w]
    tidy(s)


cdef inline bint count_up(int64_t* counter, int64_t base, int64_t most) noexcept nogil:
    if not most:
        return True
    if counter[0] < base:
        counter[0] = base
    if counter[0] - base >= most:
        return False
    counter[0] += 1
    return True


cdef inline bint is_counted(Site* s, int32_t pair, int64_t pass_) noexcept nogil:
    # Count a pair of a partition, user, both, association; False if there were too many. A counter
    # holds its pass in the upper half.
    cdef int32_t job = s.pair_job[pair]
    cdef int64_t part = s.pair_partition[pair], base = pass_ << 32
    return (
        count_up(s.seen_part + part, base, s.rules.bf_max_job_part)
        and count_up(s.seen_user + s.user[job], base, s.rules.bf_max_job_user)
        and count_up(
            s.seen_user_part + s.user[job] * s.partitions + part, base,
            s.rules.bf_max_job_user_part,
        )
        and count_up(s.seen_assoc + s.association[job], base, s.rules.bf_max_job_assoc)
    )


cdef inline bint is_withheld(const Site* s, int32_t pair, int32_t planned) noexcept nogil:
    # Whether a pair that cannot start now gets no reservation; `planned` pairs of its partition
    # have had one in this pass.
    cdef int32_t job = s.pair_job[pair]
    return (
        s.now - s.accrue[job] < s.rules.bf_min_age_reserve
        or s.priority[pair] < s.rules.bf_min_prio_reserve
        or (s.rules.bf_one_resv_per_job and s.planned_in[job] == s.pass_)
        or (s.rules.bf_job_part_count_reserve and planned >= s.rules.bf_job_part_count_reserve)
    )


cdef inline bint withholds_all(const Site* s, int64_t part) noexcept nogil:
    # Whether no further pair of a partition gets a reservation in this pass.
    return (
        s.rules.bf_job_part_count_reserve
        and s.planned_of_part[part] >= s.rules.bf_job_part_count_reserve
        and s.slots > 1
    )


cdef inline int look_at(Site* s, int32_t pair, int64_t* start) noexcept nogil:
    # Plan a pair in a backfill pass: start it, reserve nodes for it, or neither.
    cdef int32_t job = s.pair_job[pair]
    cdef int64_t part = s.pair_partition[pair], array = s.array[job]
    cdef bint none
    if s.plain and withholds_all(s, part) and array < 0 and not has_room(s, pair):
        s.planned_of_part[part] += 1
        return PLANNED
    start[0] = place_units(s, pair) if s.plain else find_place(s, pair)
    if job == s.rules.watched and start[0] != NEVER:
        s.watched_at = start[0] if s.watched_at == NEVER else min(s.watched_at, start[0])
    if start[0] != NEVER and start[0] <= s.now:
        if s.plain:
            list_where(s, not s.bare)
        if not s.picked or blocked(s, pair):
            return SKIPPED
        begin_job(s, pair)
        return STARTED
    none = start[0] == NEVER or start[0] > s.now + s.rules.bf_window
    if none and start[0] != NEVER:
        s.valid = min(s.valid, start[0] - s.rules.bf_window)
    if none or blocked(s, pair):
        if array >= 0:
            s.array_rejected[array * s.partitions + part] = s.pass_
        return SKIPPED
    if is_withheld(s, pair, s.planned_of_part[part]):
        s.planned_in[job] = s.pass_
        s.planned_of_part[part] += 1
        return PLANNED
    s.planned_in[job] = s.pass_
    s.planned_of_part[part] += 1
    if s.plain:
        reserve_units(s, floor_of(s, start[0]), end_of(s, start[0], s.limit[job]))
    else:
        reserve(s, floor_of(s, start[0]), end_of(s, start[0], s.limit[job]))
    if array >= 0:
        count_up(s.array_count + array, s.pass_ << 32, INT64_MAX)
    return PLANNED


cdef inline void begin_pass(Site* s) noexcept nogil:
    s.pass_ += 1
    s.watched_at = NEVER
    s.slot_begin[0], s.slot_end[0] = floor_of(s, s.now), floor_of(s, s.now + s.rules.bf_window)
    s.slots, s.slot_count[0], s.rises[0] = 1, s.nodes, False
    memcpy(s.unreserved, s.every, s.words * sizeof(uint64_t))
    memset(s.planned_of_part, 0, s.partitions * sizeof(int32_t))


cdef inline bint goes_on(Site* s, int32_t pair) noexcept nogil:
    # Whether a task of an array is looked at: not after enough, or a rejected one.
    cdef int64_t array = s.array[s.pair_job[pair]], base = s.pass_ << 32
    if array < 0:
        return True
    if s.array_rejected[array * s.partitions + s.pair_partition[pair]] == s.pass_:
        return False
    return s.array_count[array] < base or (
        s.array_count[array] - base < s.rules.bf_max_job_array_resv
    )


cdef inline int32_t last_that_fits(Site* s) noexcept nogil:
    # Place behind the last waiting pair that could start now if there were no reservations; only
    # starts of a pass have an effect.
    cdef int32_t k, last = 0, w, pair
    cdef int64_t kind
    cdef const uint64_t* fits
    memset(s.class_state, 0, s.classes)
    for k in range(s.waits):
        pair = s.order[k]
        kind = s.pair_class[pair]
        if not s.class_state[kind]:
            fits = nodes_of(s, kind)
            for w in range(s.words):
                s.usable[w] = fits[w] & s.up[w]
            s.class_state[kind] = 2 if choose(s, <int32_t>kind, s.usable) else 1
        if s.class_state[kind] == 2:
            last = k + 1
    return last


cdef inline void backfill_pass(Site* s) noexcept nogil:
    # Plan pairs in order around those before them; start those that can start now.
    cdef int32_t k = -1, pair, started = 0, last, most
    cdef int64_t tested = 0, start
    cdef int what
    tidy(s)
    last = s.waits
    if not (s.has_checks or s.preempts or s.plain or s.rules.watched >= 0):
        last = last_that_fits(s)
    if not last:
        return
    if s.valid > s.now:
        # only jobs behind those of the last pass are new: go on with its plan
        s.slot_begin[0] = floor_of(s, s.now)
        s.slot_end[s.slots - 1] = floor_of(s, s.now + s.rules.bf_window)
        k = s.planned - 1
        tested = s.planned
    else:
        begin_pass(s)
        s.valid = INT64_MAX if s.plain and not s.rules.bf_min_age_reserve else s.now
    if s.plain:
        if s.rules.bf_max_job_test and s.tests_all:
            last = <int32_t>min(<int64_t>last, s.rules.bf_max_job_test)
        measure_room(s)
        last = last_with_room(s, last)
    s.planned = INT32_MAX
    most = <int32_t>(s.rules.bf_node_space_size or s.rules.bf_max_job_test or INT64_MAX >> 33)
    while k + 1 < last:
        k += 1
        pair = s.order[k]
        if s.start[s.pair_job[pair]] >= 0 or blocked_early(s, pair):
            continue
        if not is_counted(s, pair, s.pass_) or not goes_on(s, pair):
            continue
        if s.rules.bf_max_job_test and tested >= s.rules.bf_max_job_test:
            break
        tested += 1
        what = look_at(s, pair, &start)
        if what == STARTED:
            started += 1
            if s.rules.bf_max_job_start and started >= s.rules.bf_max_job_start:
                break
        elif what == PLANNED and (s.slots >= most or s.slots + 3 >= s.most_slots):
            break
        if s.plain and (what == STARTED or (what == PLANNED and meet(s.where, s.idle, s.words))):
            measure_room(s)
            last = last_with_room(s, last)
    else:
        s.planned = k + 1
    s.quiet = s.valid
    tidy(s)
