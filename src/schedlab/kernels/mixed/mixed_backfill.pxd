# Passes: starts in the vectors' order, and EASY backfilling in the order that all of them share.
#
# What that order sees no difference between is backfilled in the vectors' order, and then they may
# part. The head's reservation counts on running jobs one at a time, and stops at the one with which
# it fits: others that end in that instant are not counted.
#
# Invariant: between events no waiting job may start, and nothing is `begun`. A pass costs
# O(waiting + running) for each start, plus what mixed_heads says of its questions; an arrival alone
# that may not lead costs O(vectors + waiting).

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.mixed.fit_scan cimport any_fits, fitting
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
    NOBODY,
    Batch,
    State,
    entry_of,
    job_of,
    time_of,
)


cdef inline int32_t keep_oldest(Batch* b, int32_t rivals) noexcept nogil:
    # Of jobs that compete, keep those that waited too long and came first among these; all of them
    # if nobody waited too long.
    cdef int64_t oldest = b.submit[b.job[b.rival[0]]]
    cdef int32_t k, kept = 0
    if b.s.now <= b.s.due:                      # nobody did
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
    # Let the oldest job lead if it waited longer than the threshold; of equally old ones the first
    # in the vectors' order. -1 when memory is out.
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
    # Who leads; -1 when memory is out.
    cdef State* s = &b.s
    if s.now > s.due:
        if lead_by_age(b):
            return -1
        if s.now > s.due:
            return 0
    if s.starving:
        s.starving = False
        s.head = NOBODY
    if s.head != NOBODY:
        return 0
    s.reserved = False
    return choose_head(b)


cdef inline void reserve_for_head(Batch* b) noexcept nogil:
    # The head's shadow time and the extra processors. Among jobs of an estimated end those that
    # this pass started come last here, but first in later passes: then there is no reservation to
    # keep.
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
    # Whether a waiting job may be backfilled, `most` being the seconds up to the reservation.
    return b.need[place] <= b.s.free_procs and (
        b.estimate_of[place] <= most or b.need[place] <= b.s.extra
    )


cdef inline int fill_next(Batch* b, int32_t at, int32_t most) noexcept nogil:
    # Choose who is backfilled next: the job at a place, or an equal of it; -1 when memory is out.
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
    # Backfill with the reservation of this pass, beginning with `fill` if it is somebody; -1 when
    # memory is out.
    cdef State* s = &b.s
    cdef int64_t slack = s.shadow - s.now
    cdef int32_t most = <int32_t>max(-1, min(slack, LONGEST)), at = 0, place
    while s.free_procs > 0:
        if s.fill == NOBODY:
            at = fitting(b.need, b.estimate_of, at, s.waiting, s.free_procs, most, s.extra)
            if at == s.waiting:
                return 0
            if fill_next(b, at, most):
                return -1
            place = waiting_place(b, b.rank[s.fill])
        else:                                   # after a parting: equals of it may be in front
            at = place = waiting_place(b, b.rank[s.fill])
            while at > 0 and b.level[b.rank_of[at - 1]] == b.level[b.rank_of[place]]:
                at -= 1
        if b.estimate_of[place] > most:
            s.extra -= b.need[place]
        dequeue(b, place)
        start_job(b, s.fill)
        s.fill = NOBODY
    return 0


cdef inline int full_pass(Batch* b) noexcept nogil:
    # -1 when memory is out.
    cdef State* s = &b.s
    while s.waiting:
        if s.fill == NOBODY:
            if s.head == NOBODY or b.procs[s.head] > s.free_procs:
                if not any_fits(b.need, s.waiting, s.free_procs):
                    s.reserved = False
                    end_pass(b)
                    return 0
            if find_head(b):
                return -1
            if b.procs[s.head] <= s.free_procs:
                dequeue(b, waiting_place(b, b.rank[s.head]))
                start_job(b, s.head)
                s.led += 1
                s.head = NOBODY
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
    s.head = NOBODY
    s.reserved = False
    end_pass(b)
    return 0


cdef inline int handle_arrivals(Batch* b, int32_t first) noexcept nogil:
    # Handle arrivals alone, jobs first .. arrived - 1; -1 when memory is out.
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
    k = waiting_place(b, b.rank[first])                  # only the newcomer may start
    most = <int32_t>max(-1, min(s.shadow - s.now, LONGEST))
    if may_start(b, k, most):
        if b.estimate_of[k] > most:
            s.extra -= b.need[k]
        dequeue(b, k)
        start_job(b, first)
        end_pass(b)
    return 0
