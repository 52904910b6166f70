# What happens at an instant: ends, changes, priorities, arrivals, then the passes that are due.
#
# Cost: O(pairs ahead) per arrival until all nodes are covered, besides the passes.

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcpy, memmove, memset

from schedlab.kernels.site.site_limits cimport blocked_early
from schedlab.kernels.site.site_order cimport enter, priority_of, recalculate, tidy
from schedlab.kernels.site.site_passes cimport backfill_pass, main_pass
from schedlab.kernels.site.site_start cimport end_due, try_now
from schedlab.kernels.site.site_state cimport Site
from schedlab.kernels.site.site_units cimport has_room


cdef inline bint is_free(const Site* s, int32_t job) noexcept nogil:
    # Whether all jobs that a job waits for have ended.
    cdef int64_t k
    for k in range(s.after_of[job], s.after_of[job + 1]):
        if not s.ended[s.after[k]]:
            return False
    return True


cdef inline void arrive(Site* s, int32_t job) noexcept nogil:
    # Put the pairs of a job into the queue.
    cdef int64_t pair
    cdef int32_t place
    s.accrue[job] = s.submit[job] if s.rules.accrue_always else s.now
    s.entered[job] = True
    s.main_quiet = False
    for pair in range(s.pair_of[job], s.pair_of[job + 1]):
        s.priority[pair] = priority_of(s, <int32_t>pair)
        place = enter(s, <int32_t>pair)
        if not s.plain or place < s.planned:
            s.valid = s.quiet = s.now
        elif has_room(s, <int32_t>pair):
            s.quiet = s.now
    s.fresh_at[job] = s.now
    s.fresh += <int32_t>(s.pair_of[job + 1] - s.pair_of[job])


cdef inline bint is_ahead(const Site* s, int32_t at) noexcept nogil:
    # Whether a pair of another job is ahead of a place in the queue, with nodes in common.
    cdef int32_t k, w, pair = s.order[at], other
    cdef const uint64_t* pair_nodes = s.members + s.pair_partition[pair] * s.words
    cdef const uint64_t* ahead
    for k in range(at):
        other = s.order[k]
        if (
            s.pair_job[other] == s.pair_job[pair] or s.limited[other]
            or s.start[s.pair_job[other]] >= 0
        ):
            continue
        ahead = s.members + s.pair_partition[other] * s.words
        for w in range(s.words):
            if pair_nodes[w] & ahead[w]:
                return True
    return False


cdef inline void try_new(Site* s) noexcept nogil:
    # Try new jobs at once, in order, if no job that shares nodes with them is ahead. `covered` has
    # the nodes of the pairs ahead.
    cdef int32_t k, w, pair, job, rest = s.fresh
    cdef const uint64_t* pair_nodes
    cdef bint shares, all_covered
    if s.rules.defer or not rest:
        return
    memset(s.covered, 0, s.words * sizeof(uint64_t))
    for k in range(s.waits):
        pair = s.order[k]
        job = s.pair_job[pair]
        pair_nodes = s.members + s.pair_partition[pair] * s.words
        if s.fresh_at[job] == s.now:
            rest -= 1
            if s.start[job] < 0:
                shares = False
                for w in range(s.words):
                    if s.covered[w] & pair_nodes[w]:
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
                s.covered[w] |= pair_nodes[w]
                if ~s.covered[w] & s.every[w]:
                    all_covered = False
            if all_covered and s.partitions == 1:
                break
    tidy(s)


cdef inline int64_t next_pass(const Site* s) noexcept nogil:
    # When the next backfill pass is: periodic, or at given times.
    if not s.passes:
        return s.backfill
    return s.pass_times[s.backfill] if s.backfill < s.passes else INT64_MAX


cdef inline void skip_pass(Site* s) noexcept nogil:
    s.backfill += 1 if s.passes else max(s.rules.bf_interval, <int64_t>1)


cdef inline void leave_hold(Site* s) noexcept nogil:
    # Put held jobs whose begin has come, and all they depend on, into the queue.
    cdef int32_t k, count = 0, job
    s.next_begin = INT64_MAX
    for k in range(s.held_count):
        job = s.held[k]
        if s.eligible[job] <= s.now and is_free(s, job):
            arrive(s, job)
            continue
        if s.eligible[job] > s.now:
            s.next_begin = min(s.next_begin, s.eligible[job])
        s.held[count] = job
        count += 1
    s.held_count = count


cdef inline bint is_stuck(Site* s) noexcept nogil:
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


cdef inline int64_t at_or_after(int64_t time, int64_t now, int64_t step) noexcept nogil:
    # The first time of a period that has not passed.
    if time >= now:
        return time
    step = max(step, <int64_t>1)
    return time + (now - time + step - 1) // step * step


cdef inline int64_t next_instant(const Site* s) noexcept nogil:
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
            if s.quiet <= s.now or s.passes:
                soonest = min(soonest, next_pass(s))
            elif s.quiet < INT64_MAX:
                soonest = min(soonest, at_or_after(s.backfill, s.quiet, s.rules.bf_interval))
        if s.rules.sched_interval > 0 and not s.main_quiet:
            soonest = min(soonest, s.full)
        soonest = min(soonest, s.queued)
    if s.rules.multifactor and (s.alive or s.running.size):
        soonest = min(soonest, s.calc)
    return soonest


cdef inline void catch_up(Site* s, int64_t now) noexcept nogil:
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


cdef inline void apply_changes(Site* s, int64_t now) noexcept nogil:
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


cdef inline bint instant(Site* s) noexcept nogil:
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
        if s.eligible[k] <= now and s.after_of[k] == s.after_of[k + 1]:
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
        if s.rules.bf_interval and s.alive and s.quiet <= now:
            backfill_pass(s)
        skip_pass(s)
    return not is_stuck(s)
