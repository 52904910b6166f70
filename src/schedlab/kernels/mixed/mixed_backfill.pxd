# Passes: starts in the vectors' order, and EASY backfilling in their common order.
#
# Ties of the common order are backfilled in the vectors' order, and then the vectors may split.
# The head's reservation adds the processors of running jobs one at a time, and stops at the job
# with which it fits; others that end at the same instant are not counted.
#
# Invariant: between events no waiting job may start, and `begun` is empty. A pass costs O(waiting
# + running) for each start, plus the questions of mixed_heads. A single arrival that cannot become
# the head costs O(vectors + waiting).

from libc.stdint cimport INT32_MAX, int32_t, int64_t

from schedlab.kernels.common.fit_scan cimport LANES, fitting
from schedlab.kernels.mixed.mixed_heads cimport challenge, choose_head, choose_rival
from schedlab.kernels.mixed.mixed_machine cimport (
    dequeue,
    end_pass,
    enqueue,
    oldest_of,
    start_job,
    waiting_place,
)
from schedlab.kernels.mixed.mixed_state cimport (
    LONGEST,
    NO_JOB,
    Batch,
    State,
    entry_of,
    job_of,
    time_of,
)


cdef inline int32_t keep_oldest(Batch* b, int32_t rivals) noexcept nogil:
    # Of competing jobs, keep those that exceed the threshold and have the first arrival; all of
    # them if none exceeds it.
    cdef int64_t oldest = b.submit[b.job[b.rival[0]]]
    cdef int32_t k, kept = 0
    if b.s.now <= b.s.due:                      # no job exceeds the threshold
        return rivals
    for k in range(1, rivals):
        oldest = min(oldest, b.submit[b.job[b.rival[k]]])
    if b.s.now - oldest <= b.threshold:
        return rivals
    for k in range(rivals):
        if b.submit[b.job[b.rival[k]]] == oldest:
            b.rival[kept] = b.rival[k]
            kept += 1
    return kept


cdef inline int lead_by_age(Batch* b) noexcept nogil:
    # Make the oldest job the head if it has waited longer than the threshold; of equally old ones
    # the first in the vectors' order. -1 if memory runs out.
    cdef State* s = &b.s
    cdef int32_t head = s.head, rivals = 0, k
    cdef int64_t oldest = oldest_of(b)
    s.due = oldest + b.threshold
    if s.now <= s.due:
        return 0
    for k in range(s.waiting):
        if b.submit[b.job[b.rank_of[k]]] == oldest:
            b.rival[rivals] = b.rank_of[k]
            rivals += 1
    s.starving = True
    if rivals == 1:
        s.head = b.job[b.rival[0]]
        if s.head != head:
            s.reserved = False
        return 0
    s.reserved = False
    return choose_rival(b, rivals, &s.head)


cdef inline int find_head(Batch* b) noexcept nogil:
    # Determine the head; -1 if memory runs out.
    cdef State* s = &b.s
    if s.now > s.due:
        if lead_by_age(b):
            return -1
        if s.now > s.due:
            return 0
    if s.starving:
        s.starving = False
        s.head = NO_JOB
    if s.head != NO_JOB:
        return 0
    s.reserved = False
    return choose_head(b)


cdef inline void reserve_for_head(Batch* b) noexcept nogil:
    # Compute the head's shadow time and the extra processors. Among jobs with equal estimated end,
    # those that this pass started come last here, but first in later passes, when this reservation
    # no longer exists.
    cdef State* s = &b.s
    cdef int64_t fits = s.free_procs, need = b.procs[s.head], end = 0, entry
    cdef int32_t k = 0, j = 0, old = s.running - s.begun, led = s.led
    for k in range(led):
        entry = entry_of(s.now + b.estimate[b.begun[k]], b.begun[k])
        j = k
        while j > 0 and time_of(b.fresh[j - 1]) > time_of(entry):
            b.fresh[j] = b.fresh[j - 1]
            j -= 1
        b.fresh[j] = entry
    k = j = 0
    while fits < need:
        if k < old and (j == led or time_of(b.release[k]) <= time_of(b.fresh[j])):
            entry = b.release[k]
            k += 1
        else:
            entry = b.fresh[j]
            j += 1
        fits += b.procs[job_of(entry)]
        end = time_of(entry)
    s.shadow = end
    s.extra = <int32_t>(fits - need)
    s.reserved = True
    for k in range(led):
        if time_of(b.fresh[k]) == end:
            s.reserved = False


cdef inline bint may_start(const Batch* b, int32_t place, int32_t most) noexcept nogil:
    # Return whether a waiting job may be backfilled; `most` is the seconds up to the reservation.
    return b.need[place] <= b.s.free_procs and (
        b.estimate_of[place] <= most or b.need[place] <= b.s.extra
    )


cdef inline int fill_next(Batch* b, int32_t at, int32_t most) noexcept nogil:
    # Choose the next backfilled job: the job at a place, or one equal to it; -1 if memory runs
    # out.
    cdef State* s = &b.s
    cdef int32_t level = b.level[b.rank_of[at]], place = at + 1, rivals = 0
    s.fill = b.job[b.rank_of[at]]
    while place < s.waiting and b.level[b.rank_of[place]] == level:
        if may_start(b, place, most):
            if rivals == 0:
                b.rival[0] = b.rank_of[at]
                rivals = 1
            b.rival[rivals] = b.rank_of[place]
            rivals += 1
        place += 1
    if rivals == 0:
        return 0
    return choose_rival(b, keep_oldest(b, rivals), &s.fill)


cdef inline int backfill(Batch* b) noexcept nogil:
    # Backfill with the reservation of this pass, beginning with the job `fill` if there is one; -1
    # if memory runs out.
    cdef State* s = &b.s
    cdef int64_t slack = s.shadow - s.now
    cdef int32_t most = <int32_t>max(-1, min(slack, LONGEST)), at = 0, place
    while s.free_procs > 0:
        if s.fill == NO_JOB:
            at = fitting(
                b.need, b.estimate_of, at, s.waiting, s.free_procs, most, s.extra, LANES
            )
            if at == s.waiting:
                return 0
            if fill_next(b, at, most):
                return -1
            place = waiting_place(b, b.rank[s.fill])
        else:                                   # after a split: equal jobs may be in front
            at = place = waiting_place(b, b.rank[s.fill])
            while at > 0 and b.level[b.rank_of[at - 1]] == b.level[b.rank_of[place]]:
                at -= 1
        if b.estimate_of[place] > most:
            s.extra -= b.need[place]
        dequeue(b, place)
        start_job(b, s.fill)
        s.fill = NO_JOB
    return 0


cdef inline int full_pass(Batch* b) noexcept nogil:
    # Perform a full pass; -1 if memory runs out.
    cdef State* s = &b.s
    while s.waiting:
        if s.fill == NO_JOB:
            if s.head == NO_JOB or b.procs[s.head] > s.free_procs:
                if s.waiting == fitting(
                    b.need, b.estimate_of, 0, s.waiting, s.free_procs, INT32_MAX, 0, LANES
                ):
                    s.reserved = False
                    end_pass(b)
                    return 0
            if find_head(b):
                return -1
            if b.procs[s.head] <= s.free_procs:
                dequeue(b, waiting_place(b, b.rank[s.head]))
                start_job(b, s.head)
                s.led += 1
                s.head = NO_JOB
                s.starving = False
                continue
            if not b.easy:
                s.reserved = False
                end_pass(b)
                return 0
            reserve_for_head(b)
        if backfill(b):
            return -1
        end_pass(b)
        return 0
    s.head = NO_JOB
    s.reserved = False
    end_pass(b)
    return 0


cdef inline int handle_arrivals(Batch* b, int32_t first) noexcept nogil:
    # Handle an instant with arrivals only, jobs first .. arrived - 1; -1 if memory runs out.
    cdef State* s = &b.s
    cdef int32_t k, most
    cdef bint alone = s.arrived - first == 1
    if alone and s.waiting == 0 and b.procs[first] <= s.free_procs:
        start_job(b, first)
        s.led = 1
        end_pass(b)
        return 0
    for k in range(first, s.arrived):
        enqueue(b, k)
    if b.moving or (s.now > s.due and not s.starving):
        s.head = NO_JOB
        s.starving = False
        return full_pass(b)
    if not alone:
        if not s.starving:
            s.head = NO_JOB
        return full_pass(b)
    if s.head != NO_JOB and not s.starving and challenge(b, first):
        return -1
    if not s.reserved:
        return full_pass(b)
    k = waiting_place(b, b.rank[first])                  # only the new job may start
    most = <int32_t>max(-1, min(s.shadow - s.now, LONGEST))
    if may_start(b, k, most):
        if b.estimate_of[k] > most:
            s.extra -= b.need[k]
        dequeue(b, k)
        start_job(b, first)
        end_pass(b)
    return 0
