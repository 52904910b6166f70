# The queue by arrival, of which an order sees only the oldest jobs.
#
# Invariant: `next` and `previous` form a ring of the waiting jobs and n, which is before the
# oldest and after the newest. Jobs from `unseen` on up to n are not seen. Every change costs O(1).

from libc.stdint cimport int32_t, uint8_t

from schedlab.kernels.common.region cimport Arena, arena_take, arena_zeros


cdef struct Arrivals:
    int32_t n                           # number of jobs; as a place in the ring: no job
    int32_t* next
    int32_t* previous
    uint8_t* is_seen
    int32_t waiting
    int32_t seen
    int32_t unseen                      # the oldest job that the order does not see, or n


cdef inline void arrivals_make(Arrivals* a, Arena* arena, int32_t n) noexcept nogil:
    a.n = n
    a.next = <int32_t*>arena_take(arena, n, sizeof(int32_t))
    a.previous = <int32_t*>arena_take(arena, n, sizeof(int32_t))
    a.is_seen = <uint8_t*>arena_zeros(arena, n, 1)
    if not arena.failed:
        a.next[n] = a.previous[n] = a.unseen = n


cdef inline void arrivals_add(Arrivals* a, int32_t job) noexcept nogil:
    cdef int32_t last = a.previous[a.n]
    a.next[last], a.previous[job] = job, last
    a.next[job], a.previous[a.n] = a.n, job
    a.waiting += 1
    if a.unseen == a.n:
        a.unseen = job


cdef inline int32_t arrivals_see(Arrivals* a) noexcept nogil:
    # Let the order see one more job; return it.
    cdef int32_t job = a.unseen
    a.unseen = a.next[job]
    a.is_seen[job] = 1
    a.seen += 1
    return job


cdef inline void arrivals_drop(Arrivals* a, int32_t job) noexcept nogil:
    if job == a.unseen:
        a.unseen = a.next[job]
    a.next[a.previous[job]] = a.next[job]
    a.previous[a.next[job]] = a.previous[job]
    a.waiting -= 1
    a.seen -= a.is_seen[job]
