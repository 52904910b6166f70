# Passes: starts in the vectors' order, and EASY backfilling in the order that all of them share.
#
# Invariant: between events no waiting job may start. A pass costs O(waiting + running) for each
# start, plus what mixed_heads says of its questions; an arrival alone that may not lead costs
# O(vectors + waiting).

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.fit_scan cimport any_fits, fitting
from schedlab.kernels.mixed_heads cimport challenge, choose_heads
from schedlab.kernels.mixed_machine cimport (
    dequeue,
    enqueue,
    oldest_of,
    start_job,
    waiting_place,
)
from schedlab.kernels.mixed_state cimport (
    LONGEST,
    NOBODY,
    Batch,
    State,
    job_of,
    time_of,
)


cdef inline bint head_starves(Batch* b) noexcept nogil:
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


cdef inline void reserve_for_head(Batch* b) noexcept nogil:
    # The head's shadow time and the extra processors.
    cdef State* s = &b.s
    cdef int64_t fits = s.free_procs, need = b.procs[s.head], end = 0
    cdef int32_t k = 0
    while fits < need:
        end = time_of(b.release[k])
        fits += b.procs[job_of(b.release[k])]
        k += 1
    while k < s.running and time_of(b.release[k]) == end:
        fits += b.procs[job_of(b.release[k])]
        k += 1
    s.shadow = end
    s.extra = <int32_t>(fits - need)
    s.reserved = True


cdef inline void backfill_from(Batch* b, int32_t at) noexcept nogil:
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
        start_job(b, job)


cdef inline int full_pass(Batch* b) noexcept nogil:
    # -1 when memory is out.
    cdef State* s = &b.s
    cdef bint starves
    while s.waiting:
        if s.head == NOBODY or b.procs[s.head] > s.free_procs:
            if not any_fits(b.need, s.waiting, s.free_procs):
                s.reserved = False
                return 0
        starves = s.now > s.due and head_starves(b)
        if not starves:
            if s.starving:
                s.starving = False
                s.head = NOBODY
            if s.head == NOBODY and choose_heads(b):
                return -1
        if b.procs[s.head] > s.free_procs:
            reserve_for_head(b)
            backfill_from(b, 0)
            return 0
        dequeue(b, waiting_place(b, b.rank[s.head]))
        start_job(b, s.head)
        s.head = NOBODY
        s.starving = False
    s.head = NOBODY
    s.reserved = False
    return 0


cdef inline int handle_arrivals(Batch* b, int32_t first) noexcept nogil:
    # Handle arrivals alone, jobs first .. arrived - 1; -1 when memory is out.
    cdef State* s = &b.s
    cdef int32_t k
    cdef bint alone = s.arrived - first == 1
    if alone and s.waiting == 0 and b.procs[first] <= s.free_procs:
        start_job(b, first)
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
    if (
        b.need[k] <= s.free_procs
        and (b.estimate_of[k] <= s.shadow - s.now or b.need[k] <= s.extra)
    ):
        if b.estimate_of[k] > s.shadow - s.now:
            s.extra -= b.need[k]
        dequeue(b, k)
        start_job(b, first)
    return 0
