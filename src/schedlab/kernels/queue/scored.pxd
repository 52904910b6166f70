# A heap of jobs by the scores of one instant, for general time-dependent orders.
#
# Invariant: no job precedes its parent, the one at half its place. Building costs O(n), removing
# the first one O(log n); nothing is added.

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.queue.tournament cimport Order, before


cdef struct Scored:
    int32_t* job
    int32_t count


cdef inline void scored_sink(Scored* s, const Order* o, int32_t at, int64_t now) noexcept nogil:
    # Move the job at a place down to where it belongs.
    cdef int32_t job = s.job[at], below = 2 * at + 1
    while below < s.count:
        if below + 1 < s.count and before(o, s.job[below + 1], s.job[below], now):
            below += 1
        if not before(o, s.job[below], job, now):
            break
        s.job[at] = s.job[below]
        at, below = below, 2 * below + 1
    s.job[at] = job


cdef inline void scored_make(Scored* s, const Order* o, int64_t now) noexcept nogil:
    # Build the heap from jobs in any order.
    cdef int32_t at
    for at in range((s.count >> 1) - 1, -1, -1):
        scored_sink(s, o, at, now)


cdef inline void scored_drop(Scored* s, const Order* o, int64_t now) noexcept nogil:
    # Remove the first job.
    s.count -= 1
    s.job[0] = s.job[s.count]
    if s.count:
        scored_sink(s, o, 0, now)
