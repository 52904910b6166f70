"""A site's Slurm: main scheduler, backfill with a plan of whole nodes, multifactor priority.

Algorithm: at one instant completions, changes of nodes, the periodic calculation of priorities,
arrivals, then the passes that are due. The main pass walks the queue in order; a pair of a job and
a partition that does not fit closes its partition and the nodes of it. A backfill pass plans pair
after pair around those before it, and starts what can start now.

Requests that are equal are one class, with the nodes that could ever serve it as bit words.
`site_nodes.pxd` chooses nodes, `site_plan.pxd` has the plan of a pass, `site_order.pxd` priorities
and the queue, `site_limits.pxd` counters of limits, `site_state.pxd` the state.

Cost: a main pass reads the waiting pairs up to its depth and chooses nodes once per partition that
is open; a backfill pass places each pair in O(slots + groups of ends) choices, unless no class that
waits can start now.
"""

import numpy as np

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from schedlab.kernels.common.heap cimport Event, heap_pop, heap_push
from schedlab.kernels.common.region cimport arena_free, arena_grow, arena_take, arena_zeros
from schedlab.kernels.site.site_limits cimport (
    blocked, blocked_by_request, blocked_early, count_job,
)
from schedlab.kernels.site.site_nodes cimport (
    amounts_of_choice, choose, memory_taken, put_back, take_again, use,
)
from schedlab.kernels.site.site_order cimport (
    billing_of, charge, enter, fair_tree, priority_of, recalculate, tidy,
)
from schedlab.kernels.site.site_plan cimport barred, end_of, find_place, floor_of, reserve
from schedlab.kernels.site.site_state cimport FIRST_GRES, KEPT, NEVER, Place, Request, Site

cdef enum:
    SKIPPED = 0
    STARTED = 1
    FAILS = 2                           # closes the partition
    PLANNED = 3


cdef void begin_job(Site* s, int32_t pair) noexcept nogil:
    # Start a pair's job now on the chosen nodes.
    cdef int32_t job = s.pair_job[pair], kind = <int32_t>s.pair_class[pair], k, node
    cdef int32_t at = s.runs
    cdef int64_t end = s.now + s.limit[job]
    cdef Place* place
    cdef uint64_t* own
    cdef bint exclusive = s.request[kind].exclusive
    amounts_of_choice(s, kind)
    s.first_place[job] = s.places.used // <int64_t>sizeof(Place)
    place = <Place*>arena_grow(&s.arena, &s.places, s.picked * <int64_t>sizeof(Place))
    if place == NULL:
        return
    s.place_count[job] = s.picked
    s.spares -= 1
    s.slot[job] = s.spare[s.spares]
    own = s.sets + <int64_t>s.slot[job] * s.words
    memset(own, 0, s.words * sizeof(uint64_t))
    for k in range(s.picked):
        node = s.chosen[k]
        place[k].node = node
        place[k].cpus = <int32_t>(s.cpus[node] if exclusive else s.given[k])
        place[k].memory = memory_taken(s, kind, node, place[k].cpus)
        own[node >> 6] |= <uint64_t>1 << (node & 63)
    s.start[job], s.ran_in[job] = s.now, pair
    take_again(s, job)
    while at > 0 and s.ends[at - 1] > end:
        at -= 1
    memmove(s.by_limit + at + 1, s.by_limit + at, (s.runs - at) * sizeof(int32_t))
    memmove(s.ends + at + 1, s.ends + at, (s.runs - at) * sizeof(int64_t))
    memmove(s.home + at + 1, s.home + at, (s.runs - at) * sizeof(int32_t))
    s.by_limit[at], s.ends[at] = job, end
    s.home[at] = s.chosen[0] if s.picked == 1 else -1
    s.kept_count = 0
    s.by_start[s.runs] = job
    s.runs += 1
    heap_push(&s.running, s.now + s.holds[job], job)
    count_job(s, pair, 1)
    s.billed[job] = billing_of(s, pair)
    if s.entered[job]:
        s.alive -= <int32_t>(s.pair_of[job + 1] - s.pair_of[job])


cdef void amounts_of_job(Site* s, int32_t job) noexcept nogil:
    # Amounts of a running job.
    cdef const Place* place = <Place*>s.places.at + s.first_place[job]
    cdef int64_t kind = s.pair_class[s.ran_in[job]]
    cdef int32_t k, g
    s.amounts[0], s.amounts[1], s.amounts[2], s.amounts[3] = 1, 0, 0, s.place_count[job]
    for g in range(s.kinds):
        s.amounts[FIRST_GRES + g] = 0
    for k in range(s.place_count[job]):
        s.amounts[1] += place[k].cpus
        s.amounts[2] += place[k].memory
        for g in range(s.kinds):
            s.amounts[FIRST_GRES + g] += (
                s.gres[place[k].node * s.kinds + g] if s.request[kind].exclusive
                else s.class_gres[kind * s.kinds + g]
            )


cdef void end_job(Site* s, int32_t job) noexcept nogil:
    # End a job that is no longer in the heap, and free its nodes.
    cdef int32_t at = 0
    amounts_of_job(s, job)
    count_job(s, <int32_t>s.ran_in[job], -1)
    if s.rules.multifactor:
        charge(s, job, s.now - max(s.last, s.start[job]))
    put_back(s, job)
    s.ended[job] = True
    s.spare[s.spares] = s.slot[job]
    s.spares += 1
    s.runs -= 1
    while s.by_limit[at] != job:
        at += 1
    memmove(s.by_limit + at, s.by_limit + at + 1, (s.runs - at) * sizeof(int32_t))
    memmove(s.ends + at, s.ends + at + 1, (s.runs - at) * sizeof(int64_t))
    memmove(s.home + at, s.home + at + 1, (s.runs - at) * sizeof(int32_t))
    s.kept_count = at = 0
    while s.by_start[at] != job:
        at += 1
    memmove(s.by_start + at, s.by_start + at + 1, (s.runs - at) * sizeof(int32_t))


cdef int32_t end_due(Site* s) noexcept nogil:
    # End all jobs that are due, in their order; return how many. `other` is free for their list.
    cdef int32_t count = 0, k, job
    while s.running.size and s.running.entry[0].time <= s.now:
        job = heap_pop(&s.running)
        k = count
        while k > 0 and s.other[k - 1] > job:
            s.other[k] = s.other[k - 1]
            k -= 1
        s.other[k] = job
        count += 1
    for k in range(count):
        end_job(s, s.other[k])
    return count


cdef int try_now(Site* s, int32_t pair, const uint64_t* avail) noexcept nogil:
    # Start a pair now if it can.
    cdef int64_t kind = s.pair_class[pair]
    cdef int32_t w
    if not s.possible[kind] or blocked_by_request(s, pair):
        return SKIPPED
    for w in range(s.words):
        s.usable[w] = s.fits[kind * s.words + w] & avail[w]
    if s.reservations:
        barred(s, s.pair_job[pair], s.now, s.usable)
    if not choose(s, <int32_t>kind, s.usable):
        return FAILS
    if blocked(s, pair):
        return SKIPPED
    begin_job(s, pair)
    return STARTED


cdef void main_pass(Site* s, int64_t depth) noexcept nogil:
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
                break
            for w in range(s.words):
                s.avail[w] &= ~s.members[partition * s.words + w]
    tidy(s)


cdef bint is_counted(Site* s, int32_t pair, int64_t pass_) noexcept nogil:
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


cdef inline bint count_up(int64_t* counter, int64_t base, int64_t most) noexcept nogil:
    if not most:
        return True
    if counter[0] < base:
        counter[0] = base
    if counter[0] - base >= most:
        return False
    counter[0] += 1
    return True


cdef bint is_withheld(const Site* s, int32_t pair, int32_t planned) noexcept nogil:
    # Whether a pair that cannot start now gets no reservation; `planned` pairs of its partition
    # have had one in this pass.
    cdef int32_t job = s.pair_job[pair]
    return (
        s.now - s.accrue[job] < s.rules.bf_min_age_reserve
        or s.priority[pair] < s.rules.bf_min_prio_reserve
        or (s.rules.bf_one_resv_per_job and s.planned_in[job] == s.pass_)
        or (s.rules.bf_job_part_count_reserve and planned >= s.rules.bf_job_part_count_reserve)
    )


cdef int look_at(Site* s, int32_t pair, int64_t* start) noexcept nogil:
    # Plan a pair in a backfill pass: start it, reserve nodes for it, or neither.
    cdef int32_t job = s.pair_job[pair]
    cdef int64_t part = s.pair_partition[pair], array = s.array[job]
    cdef bint none
    start[0] = find_place(s, pair)
    if start[0] != NEVER and start[0] <= s.now:
        if blocked(s, pair):
            return SKIPPED
        begin_job(s, pair)
        return STARTED
    none = start[0] == NEVER or start[0] > s.now + s.rules.bf_window
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
    reserve(s, floor_of(s, start[0]), end_of(s, start[0], s.limit[job]))
    if array >= 0:
        count_up(s.array_count + array, s.pass_ << 32, INT64_MAX)
    return PLANNED


cdef void begin_pass(Site* s) noexcept nogil:
    s.pass_ += 1
    s.slot_begin[0], s.slot_end[0] = floor_of(s, s.now), floor_of(s, s.now + s.rules.bf_window)
    s.slots = 1
    memset(s.unreserved, 0xff, s.words * sizeof(uint64_t))
    memset(s.planned_of_part, 0, s.partitions * sizeof(int32_t))


cdef bint goes_on(Site* s, int32_t pair) noexcept nogil:
    # Whether a task of an array is looked at: not after enough, or a rejected one.
    cdef int64_t array = s.array[s.pair_job[pair]], base = s.pass_ << 32
    if array < 0:
        return True
    if s.array_rejected[array * s.partitions + s.pair_partition[pair]] == s.pass_:
        return False
    return s.array_count[array] < base or (
        s.array_count[array] - base < s.rules.bf_max_job_array_resv
    )


cdef int32_t last_that_fits(Site* s) noexcept nogil:
    # Place behind the last waiting pair that could start now if nobody had a reservation; only
    # starts of a pass have an effect.
    cdef int32_t k, last = 0, w, pair
    cdef int64_t kind
    memset(s.class_state, 0, s.classes)
    for k in range(s.waits):
        pair = s.order[k]
        kind = s.pair_class[pair]
        if not s.class_state[kind]:
            for w in range(s.words):
                s.usable[w] = s.fits[kind * s.words + w] & s.up[w]
            s.class_state[kind] = 2 if choose(s, <int32_t>kind, s.usable) else 1
        if s.class_state[kind] == 2:
            last = k + 1
    return last


cdef void backfill_pass(Site* s) noexcept nogil:
    # Plan pairs in order around those before them; start those that can start now.
    cdef int32_t k, pair, started = 0, last, most
    cdef int64_t tested = 0, start
    cdef int what
    tidy(s)
    last = s.waits if s.has_checks else last_that_fits(s)
    if not last:
        return
    begin_pass(s)
    most = <int32_t>(s.rules.bf_node_space_size or s.rules.bf_max_job_test or INT64_MAX >> 33)
    for k in range(last):
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
    tidy(s)


cdef bint is_free(const Site* s, int32_t job) noexcept nogil:
    # Whether all jobs that a job waits for have ended.
    cdef int64_t k
    for k in range(s.after_of[job], s.after_of[job + 1]):
        if not s.ended[s.after[k]]:
            return False
    return True


cdef void arrive(Site* s, int32_t job) noexcept nogil:
    # Put the pairs of a job into the queue.
    cdef int64_t pair
    s.accrue[job] = s.submit[job] if s.rules.accrue_always else s.now
    s.entered[job] = True
    for pair in range(s.pair_of[job], s.pair_of[job + 1]):
        s.priority[pair] = priority_of(s, <int32_t>pair)
        enter(s, <int32_t>pair)
    s.fresh_at[job] = s.now
    s.fresh += <int32_t>(s.pair_of[job + 1] - s.pair_of[job])


cdef bint is_ahead(const Site* s, int32_t at) noexcept nogil:
    # Whether a pair of another job is ahead of a place in the queue, with nodes in common.
    cdef int32_t k, w, pair = s.order[at], other
    cdef const uint64_t* own = s.members + s.pair_partition[pair] * s.words
    cdef const uint64_t* its
    for k in range(at):
        other = s.order[k]
        if (
            s.pair_job[other] == s.pair_job[pair] or s.limited[other]
            or s.start[s.pair_job[other]] >= 0
        ):
            continue
        its = s.members + s.pair_partition[other] * s.words
        for w in range(s.words):
            if own[w] & its[w]:
                return True
    return False


cdef void try_new(Site* s) noexcept nogil:
    # Try new jobs at once, in order, if nobody who shares nodes with them is ahead. `covered` has
    # the nodes of the pairs ahead.
    cdef int32_t k, w, pair, job, rest = s.fresh
    cdef const uint64_t* own
    cdef bint shares, all_covered
    if s.rules.defer or not rest:
        return
    memset(s.covered, 0, s.words * sizeof(uint64_t))
    for k in range(s.waits):
        pair = s.order[k]
        job = s.pair_job[pair]
        own = s.members + s.pair_partition[pair] * s.words
        if s.fresh_at[job] == s.now:
            rest -= 1
            if s.start[job] < 0:
                shares = False
                for w in range(s.words):
                    if s.covered[w] & own[w]:
                        shares = True
                        break
                if shares and s.pair_of[job + 1] - s.pair_of[job] > 1:
                    shares = is_ahead(s, k)
                if not shares and not blocked_early(s, pair):
                    try_now(s, pair, s.up)
            if not rest:
                break
        if s.start[job] < 0 and not s.limited[pair]:
            all_covered = True
            for w in range(s.words):
                s.covered[w] |= own[w]
                if ~s.covered[w] & s.every[w]:
                    all_covered = False
            if all_covered and s.partitions == 1:
                break
    tidy(s)


cdef int64_t next_pass(const Site* s) noexcept nogil:
    # When the next backfill pass is: periodic, or at given times.
    if not s.passes:
        return s.backfill
    return s.pass_times[s.backfill] if s.backfill < s.passes else INT64_MAX


cdef void skip_pass(Site* s) noexcept nogil:
    s.backfill += 1 if s.passes else max(s.rules.bf_interval, <int64_t>1)


cdef void leave_hold(Site* s) noexcept nogil:
    # Put held jobs whose begin has come and that wait for nobody into the queue.
    cdef int32_t k, kept = 0, job
    s.next_begin = INT64_MAX
    for k in range(s.held_count):
        job = s.held[k]
        if s.begin[job] <= s.now and is_free(s, job):
            arrive(s, job)
            continue
        if s.begin[job] > s.now:
            s.next_begin = min(s.next_begin, s.begin[job])
        s.held[kept] = job
        kept += 1
    s.held_count = kept


cdef bint is_stuck(Site* s) noexcept nogil:
    # Whether nothing can happen any more: jobs wait that no pass of an idle machine starts.
    cdef int64_t longest = max(
        max(s.rules.bf_interval, s.rules.sched_interval), s.rules.calc_period
    )
    if (
        s.running.size or s.arrived < s.jobs or s.now < s.last_event
        or s.next_begin < INT64_MAX
    ):
        s.idle_since = -1
    elif s.idle_since < 0:
        s.idle_since = s.now
    return s.idle_since >= 0 and s.now - s.idle_since > 2 * longest


cdef int64_t next_instant(const Site* s) noexcept nogil:
    # When something happens next; INT64_MAX: never.
    cdef int64_t soonest = INT64_MAX
    if s.running.size:
        soonest = s.running.entry[0].time
    if s.arrived < s.jobs:
        soonest = min(soonest, s.submit[s.arrived])
    soonest = min(soonest, s.next_begin)
    if s.next_change < s.changes:
        soonest = min(soonest, s.change_times[2 * s.next_change])
    if s.alive:
        if s.rules.bf_interval:
            soonest = min(soonest, next_pass(s))
        if s.rules.sched_interval > 0:
            soonest = min(soonest, s.full)
        soonest = min(soonest, s.queued)
    if s.rules.multifactor and (s.alive or s.running.size):
        soonest = min(soonest, s.calc)
    return soonest


cdef void catch_up(Site* s, int64_t now) noexcept nogil:
    # Skip periodic work of a time in which there was nothing to do.
    if s.rules.multifactor and s.calc < now:
        s.calc += (now - s.calc - 1) // s.rules.calc_period * s.rules.calc_period
        if s.calc + s.rules.calc_period > now:
            s.now = s.calc
            recalculate(s)
        s.calc += s.rules.calc_period
    s.now = now
    while s.passes and next_pass(s) < now:
        s.backfill += 1
    if not s.passes:
        s.backfill = at_or_after(s.backfill, now, s.rules.bf_interval)
    s.full = at_or_after(s.full, now, s.rules.sched_interval)


cdef inline int64_t at_or_after(int64_t time, int64_t now, int64_t step) noexcept nogil:
    # The first time of a period that has not passed.
    if time >= now:
        return time
    step = max(step, <int64_t>1)
    return time + (now - time + step - 1) // step * step


cdef void apply_changes(Site* s, int64_t now) noexcept nogil:
    # Let nodes take jobs, or no more, from the changes up to a time on.
    cdef const uint64_t* nodes
    cdef int32_t w
    while s.next_change < s.changes and s.change_times[2 * s.next_change] <= now:
        nodes = s.changed + <int64_t>s.next_change * s.words
        for w in range(s.words):
            if s.change_times[2 * s.next_change + 1] > 0:
                s.up[w] |= nodes[w]
            else:
                s.up[w] &= ~nodes[w]
        s.next_change += 1


cdef bint instant(Site* s) noexcept nogil:
    # Do what happens next; False if nothing does.
    cdef int64_t now = next_instant(s)
    cdef int32_t ended, k
    cdef bint came = False
    if now == INT64_MAX:
        return False
    catch_up(s, now)
    apply_changes(s, now)
    ended = end_due(s)
    if s.rules.multifactor and s.calc == now:
        recalculate(s)
        s.calc += s.rules.calc_period
    s.fresh = 0
    while s.arrived < s.jobs and s.submit[s.arrived] <= now:
        k = s.arrived
        s.arrived += 1
        if s.pair_of[k] == s.pair_of[k + 1]:
            continue
        if s.begin[k] <= now and s.after_of[k] == s.after_of[k + 1]:
            arrive(s, k)
        else:
            s.held[s.held_count] = k
            s.held_count += 1
            came = True
    if s.held_count and (came or ended or s.next_begin <= now):
        leave_hold(s)
    if ended:
        main_pass(s, s.rules.default_queue_depth + 1)
    if s.fresh:
        try_new(s)
        if s.queued == INT64_MAX and s.alive:
            s.queued = max(now + 1, s.last_loop + s.rules.batch_sched_delay)
    if s.queued <= now:
        main_pass(s, s.rules.default_queue_depth + 1)
        s.queued, s.last_loop = INT64_MAX, now
    if s.full == now:
        if s.rules.sched_interval > 0 and s.alive:
            main_pass(s, INT64_MAX)
        s.full += max(s.rules.sched_interval, <int64_t>1)
    if next_pass(s) == now:
        if s.rules.bf_interval and s.alive:
            backfill_pass(s)
        skip_pass(s)
    return not is_stuck(s)


cdef class SiteKernel:
    """A site's controller, from the beginning or from a given state.

    Parameters
    ----------
    problem : schedlab.queue.site_problem.SiteProblem
        Site and jobs.
    rules : dict of str to number
        Fields of `Rules` (site_state.pxd).
    phases : tuple of int
        First backfill pass, full main pass and calculation of priorities, in seconds.
    passes : ndarray of int64
        Times of backfill passes in place of periodic ones; empty: periodic.

    Raises
    ------
    MemoryError
        Memory has run out.
    """

    cdef Site s
    cdef list kept

    def __cinit__(self, problem, dict rules, tuple phases, passes):
        memset(&self.s, 0, sizeof(Site))
        self.kept = []

    def __init__(self, problem, dict rules, tuple phases, passes):
        cdef Site* s = &self.s
        cdef int32_t k, node
        s.rules = rules
        s.nodes = len(problem.cpus)
        s.words = (s.nodes + 63) >> 6
        s.kinds = problem.gres.shape[1]
        s.classes, s.partitions = len(problem.numbers), len(problem.members)
        s.jobs, s.pairs = len(problem.submit), len(problem.pair_class)
        s.associations, s.reservations = len(problem.parent), len(problem.reserved_times)
        s.changes = len(problem.change_times)
        s.users = int(problem.user.max(initial=0)) + 1
        s.arrays = int(problem.array.max(initial=-1)) + 1
        s.has_checks = len(problem.checks) > 0
        s.cpus, s.memory = self.ints(problem.cpus), self.ints(problem.memory)
        s.weight, s.gres = self.ints(problem.weight), self.ints(problem.gres)
        s.request = <const Request*>self.ints(problem.numbers)
        s.class_gres = self.ints(problem.class_gres)
        s.fits, s.members = self.sets(problem.static), self.sets(problem.members)
        s.tier, s.billing = self.ints(problem.tier), self.doubles(problem.billing)
        s.pair_of, s.pair_class = self.ints(problem.pair_of), self.ints(problem.pair_class)
        s.pair_partition = self.ints(problem.pair_partition)
        s.pair_group, s.points = self.ints(problem.pair_group), self.doubles(problem.points)
        s.submit, s.begin = self.ints(problem.submit), self.ints(problem.begin)
        s.holds, s.limit = self.ints(problem.holds), self.ints(problem.limit)
        s.user, s.association = self.ints(problem.user), self.ints(problem.association)
        s.array, s.reservation = self.ints(problem.array), self.ints(problem.reservation)
        s.after_of, s.after = self.ints(problem.after_of), self.ints(problem.after)
        s.check_of, s.checks = self.ints(problem.check_of), self.ints(problem.checks)
        s.addition_of, s.additions = self.ints(problem.addition_of), self.ints(problem.additions)
        s.reserved_times = self.ints(problem.reserved_times)
        s.reserved = self.sets(problem.reserved_nodes)
        s.change_times, s.changed = self.ints(problem.change_times), self.sets(problem.change_nodes)
        s.parent, s.shares = self.ints(problem.parent), self.ints(problem.shares)
        s.is_user = self.ints(problem.is_user)
        s.pass_times, s.passes = self.ints(passes), len(passes)
        if self.allocate():
            raise MemoryError(f"no memory left to simulate {s.jobs} jobs on {s.nodes} nodes")
        self.begin(problem)
        s.backfill, s.full, s.calc = 0 if s.passes else phases[0], phases[1], phases[2]

    def __dealloc__(self):
        arena_free(&self.s.arena)

    cdef const int64_t* ints(self, array) except? NULL:
        # Keep a column of integers and return where it is.
        cdef const int64_t[::1] view
        column = np.ascontiguousarray(array, dtype=np.int64).ravel()
        if not len(column):
            column = np.zeros(1, dtype=np.int64)
        view = column
        self.kept.append(column)
        return &view[0]

    cdef const double* doubles(self, array) except? NULL:
        cdef const double[::1] view
        column = np.ascontiguousarray(array, dtype=np.float64).ravel()
        if not len(column):
            column = np.zeros(1)
        view = column
        self.kept.append(column)
        return &view[0]

    cdef const uint64_t* sets(self, rows) except? NULL:
        # Keep sets of nodes as bit words.
        cdef const uint64_t[::1] view
        padded = np.zeros((max(len(rows), 1), self.s.words * 64), dtype=np.uint8)
        padded[: len(rows), : self.s.nodes] = rows
        words = np.packbits(padded, axis=1, bitorder="little").view(np.uint64).ravel()
        view = words
        self.kept.append(words)
        return &view[0]

    cdef int allocate(self) noexcept:
        cdef Site* s = &self.s
        cdef int64_t most = s.jobs, cpus = 0, tested = s.rules.bf_max_job_test or s.pairs
        cdef int32_t k
        for k in range(s.nodes):
            cpus += s.cpus[k]
        most = min(most, cpus)
        s.most_slots = <int32_t>min(2 * min(tested, <int64_t>s.pairs) + 8, <int64_t>1 << 30)
        s.possible = <bint*>arena_zeros(&s.arena, s.classes, sizeof(bint))
        s.part = <int64_t>s.nodes * (2 + s.kinds) + s.words
        s.live = <int64_t*>arena_zeros(&s.arena, s.part, sizeof(int64_t))
        s.trial = <int64_t*>arena_zeros(&s.arena, s.part, sizeof(int64_t))
        s.kept = <int64_t*>arena_take(&s.arena, (most // KEPT + 2) * s.part, sizeof(int64_t))
        s.home = <int32_t*>arena_take(&s.arena, most, sizeof(int32_t))
        s.group_place = <int32_t*>arena_take(&s.arena, most, sizeof(int32_t))
        s.group_last = <int64_t*>arena_take(&s.arena, most, sizeof(int64_t))
        s.up = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.every = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.covered = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.usable = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.wide = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.where = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.avail = <uint64_t*>arena_zeros(&s.arena, s.words, sizeof(uint64_t))
        s.pair_job = <int32_t*>arena_take(&s.arena, s.pairs, sizeof(int32_t))
        s.start = <int64_t*>arena_take(&s.arena, s.jobs, sizeof(int64_t))
        s.ran_in = <int64_t*>arena_take(&s.arena, s.jobs, sizeof(int64_t))
        s.first_place = <int64_t*>arena_zeros(&s.arena, s.jobs, sizeof(int64_t))
        s.place_count = <int32_t*>arena_zeros(&s.arena, s.jobs, sizeof(int32_t))
        s.accrue = <int64_t*>arena_zeros(&s.arena, s.jobs, sizeof(int64_t))
        s.priority = <int64_t*>arena_zeros(&s.arena, s.pairs, sizeof(int64_t))
        s.billed = <double*>arena_zeros(&s.arena, s.jobs, sizeof(double))
        s.ended = <bint*>arena_zeros(&s.arena, s.jobs, sizeof(bint))
        s.entered = <bint*>arena_zeros(&s.arena, s.jobs, sizeof(bint))
        s.fresh_at = <int64_t*>arena_take(&s.arena, s.jobs, sizeof(int64_t))
        s.limited = <bint*>arena_zeros(&s.arena, s.pairs, sizeof(bint))
        s.amounts = <int64_t*>arena_zeros(&s.arena, FIRST_GRES + s.kinds, sizeof(int64_t))
        s.running.entry = <Event*>arena_take(&s.arena, most, sizeof(Event))
        s.by_start = <int32_t*>arena_take(&s.arena, most, sizeof(int32_t))
        s.by_limit = <int32_t*>arena_take(&s.arena, most, sizeof(int32_t))
        s.ends = <int64_t*>arena_take(&s.arena, most, sizeof(int64_t))
        s.sets = <uint64_t*>arena_take(&s.arena, most * s.words, sizeof(uint64_t))
        s.slot = <int32_t*>arena_take(&s.arena, s.jobs, sizeof(int32_t))
        s.spare = <int32_t*>arena_take(&s.arena, most, sizeof(int32_t))
        s.order = <int32_t*>arena_take(&s.arena, s.pairs + s.jobs, sizeof(int32_t))
        s.other = <int32_t*>arena_take(&s.arena, s.pairs + s.jobs, sizeof(int32_t))
        s.candidate = <int32_t*>arena_take(&s.arena, s.nodes, sizeof(int32_t))
        s.offer = <int64_t*>arena_take(&s.arena, s.nodes, sizeof(int64_t))
        s.left = <int32_t*>arena_take(&s.arena, s.nodes, sizeof(int32_t))
        s.chosen = <int32_t*>arena_take(&s.arena, s.nodes, sizeof(int32_t))
        s.given = <int64_t*>arena_take(&s.arena, s.nodes, sizeof(int64_t))
        s.slot_begin = <int64_t*>arena_take(&s.arena, s.most_slots, sizeof(int64_t))
        s.slot_end = <int64_t*>arena_take(&s.arena, s.most_slots, sizeof(int64_t))
        s.unreserved = <uint64_t*>arena_take(
            &s.arena, <int64_t>s.most_slots * s.words, sizeof(uint64_t)
        )
        s.seen_user = <int64_t*>arena_zeros(&s.arena, s.users, sizeof(int64_t))
        s.seen_part = <int64_t*>arena_zeros(&s.arena, s.partitions, sizeof(int64_t))
        s.seen_assoc = <int64_t*>arena_zeros(&s.arena, s.associations, sizeof(int64_t))
        s.seen_user_part = <int64_t*>arena_zeros(
            &s.arena, s.users * s.partitions, sizeof(int64_t)
        )
        s.array_count = <int64_t*>arena_zeros(&s.arena, s.arrays, sizeof(int64_t))
        s.array_rejected = <int64_t*>arena_zeros(
            &s.arena, s.arrays * s.partitions, sizeof(int64_t)
        )
        s.planned_in = <int64_t*>arena_zeros(&s.arena, s.jobs, sizeof(int64_t))
        s.planned_of_part = <int32_t*>arena_zeros(&s.arena, s.partitions, sizeof(int32_t))
        s.class_state = <unsigned char*>arena_zeros(&s.arena, s.classes, 1)
        s.failed = <bint*>arena_zeros(&s.arena, s.partitions, sizeof(bint))
        s.held = <int32_t*>arena_take(&s.arena, s.jobs, sizeof(int32_t))
        s.child = <int32_t*>arena_zeros(&s.arena, s.associations, sizeof(int32_t))
        s.child_of = <int32_t*>arena_zeros(&s.arena, s.associations + 1, sizeof(int32_t))
        s.level = <double*>arena_zeros(&s.arena, s.associations, sizeof(double))
        s.usage = <double*>arena_zeros(&s.arena, s.associations, sizeof(double))
        s.factor = <double*>arena_zeros(&s.arena, s.associations, sizeof(double))
        for k in range(<int32_t>most):
            s.spare[k] = k
        s.spares = <int32_t>most
        return -1 if s.arena.failed else 0

    cdef int begin(self, problem) except -1:
        # The idle machine, with what its classes of requests could have of it.
        cdef Site* s = &self.s
        cdef int32_t k, g, job
        cdef int64_t pair
        cdef const uint64_t* fits
        s.used = <int64_t*>arena_zeros(&s.arena, problem.counters, sizeof(int64_t))
        if s.arena.failed:
            raise MemoryError("no memory left for the limits")
        up, usage = problem.up, problem.usage
        use(s, s.live)
        s.unit = s.kinds == 0
        for k in range(s.nodes):
            s.free_cpus[k], s.free_memory[k] = s.cpus[k], s.memory[k]
            s.idle[k >> 6] |= <uint64_t>1 << (k & 63)
            s.every[k >> 6] |= <uint64_t>1 << (k & 63)
            if up[k]:
                s.up[k >> 6] |= <uint64_t>1 << (k & 63)
            if s.cpus[k] != 1 or s.weight[k] != s.weight[0]:
                s.unit = False
        for g in range(s.nodes * s.kinds):
            s.free_gres[g] = s.gres[g]
        for job in range(s.jobs):
            s.start[job] = s.ran_in[job] = s.fresh_at[job] = -1
            for pair in range(s.pair_of[job], s.pair_of[job + 1]):
                s.pair_job[pair] = job
        for k in range(s.classes):
            if s.request[k].mode != 0 or s.request[k].per_task != 1 or s.request[k].nodes != 1 or (
                s.request[k].most_nodes < s.request[k].cpus
            ):
                s.unit = False
        for k in range(s.classes):
            fits = s.fits + <int64_t>k * s.words
            s.possible[k] = choose(s, k, fits)
        for k in range(s.associations):
            s.usage[k] = usage[k]
            s.members_count += s.is_user[k] != 0
        self.link()
        fair_tree(s)
        s.next_begin = s.queued = INT64_MAX
        s.last_loop, s.idle_since = -(<int64_t>1 << 40), -1
        for k in range(s.reservations):
            if s.reserved_times[4 * k + 2] < <int64_t>1 << 62:
                s.last_event = max(s.last_event, s.reserved_times[4 * k + 2])
        for k in range(s.changes):
            s.last_event = max(s.last_event, s.change_times[2 * k])
        if s.passes:
            s.last_event = max(s.last_event, s.pass_times[s.passes - 1])
        return 0

    cdef void link(self) noexcept:
        # Children of each association together, in the order of the associations.
        cdef Site* s = &self.s
        cdef int32_t k, to
        for k in range(1, s.associations):
            s.child_of[s.parent[k] + 1] += 1
        for k in range(s.associations):
            s.child_of[k + 1] += s.child_of[k]
        for k in range(1, s.associations):
            to = s.child_of[s.parent[k]]
            while to < s.child_of[s.parent[k] + 1] and self.is_linked(to, k):
                to += 1
            s.child[to] = k

    cdef bint is_linked(self, int32_t at, int32_t before) noexcept:
        # Whether a place of the list of children has an association of a smaller number.
        cdef Site* s = &self.s
        return 0 < s.child[at] < before and s.parent[s.child[at]] == s.parent[before]

    def advance(self, int64_t instants):
        """Simulate up to so many instants; return whether anything is left to happen."""
        cdef Site* s = &self.s
        cdef int64_t k
        cdef bint goes_on = True
        with nogil:
            for k in range(instants):
                goes_on = instant(s)
                if not goes_on or s.arena.failed:
                    break
        if s.arena.failed:
            raise MemoryError(f"no memory left to simulate {s.jobs} jobs on {s.nodes} nodes")
        return goes_on

    def starts(self):
        """Return start times, int64 of shape (n,); -1: not started."""
        return np.asarray(<int64_t[: self.s.jobs]>self.s.start).copy() if self.s.jobs else (
            np.zeros(0, dtype=np.int64)
        )

    def places(self):
        """Return the pair in which each job ran, and its nodes.

        The pair (int64, -1: none), the first row of each job (int64, shape (n,)), their number
        (int64, shape (n,)), and rows of node and processors (int64, shape (…, 2)).
        """
        cdef Site* s = &self.s
        cdef int64_t k, rows = s.places.used // <int64_t>sizeof(Place)
        cdef const Place* place = <Place*>s.places.at
        pair, first = np.full(s.jobs, -1, dtype=np.int64), np.zeros(s.jobs, dtype=np.int64)
        count, table = np.zeros(s.jobs, dtype=np.int64), np.zeros((rows, 2), dtype=np.int64)
        cdef int64_t[::1] pairs = pair, firsts = first, counts = count
        cdef int64_t[:, ::1] to = table
        for k in range(s.jobs):
            pairs[k], firsts[k], counts[k] = s.ran_in[k], s.first_place[k], s.place_count[k]
        for k in range(rows):
            to[k, 0], to[k, 1] = place[k].node, place[k].cpus
        return pair, first, count, table

    def put(self, int32_t pair, dict where, int64_t start):
        """Let a pair's job run since a time on given processors of nodes."""
        cdef Site* s = &self.s
        cdef int32_t k = 0
        cdef int64_t now = s.now
        for node, cpus in where.items():
            s.chosen[k], s.given[k] = node, cpus
            k += 1
        s.picked, s.now = k, start
        begin_job(s, pair)
        s.now = now

    def change(self, int64_t now):
        """Apply the changes of nodes up to a time."""
        cdef Site* s = &self.s
        apply_changes(s, now)

    def backfill_pass(self, int64_t now, list pairs, list nows=None):
        """Make one backfill pass over given pairs, each at its own time if `nows` are given.

        Return a list of pair, "start", "plan" or "" (neither), start, and a frozenset of nodes.
        """
        cdef Site* s = &self.s
        cdef int64_t start
        cdef int32_t pair, place, k
        cdef int what
        s.now = now
        begin_pass(s)
        decisions = []
        for place in range(len(pairs)):
            pair = pairs[place]
            if nows is not None:
                s.now = nows[place]
            if s.start[s.pair_job[pair]] >= 0 or blocked_early(s, pair):
                continue
            if not is_counted(s, pair, s.pass_) or not goes_on(s, pair):
                continue
            what = look_at(s, pair, &start)
            nodes = frozenset([s.chosen[k] for k in range(s.picked)]) if what else frozenset()
            kind = "start" if what == STARTED else "plan" if what == PLANNED else ""
            decisions.append((pair, kind, start if what == PLANNED else s.now, nodes))
        return decisions
