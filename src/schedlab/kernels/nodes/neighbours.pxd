# Neighbors of running jobs by application, and the speeds that follow from them.
#
# Running jobs have slots. Invariant: count has the number of neighbors of each application for
# each slot, and bit i of its words in `present` is set if there is a neighbor of the i-th slowest
# application to share with. So the lowest bit is the slowest neighbor. A change and a query cost
# O(1) for 64 applications.

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from schedlab.kernels.common.region cimport Arena, arena_take
from schedlab.kernels.common.portable cimport lowest


cdef struct Neighbours:
    int32_t apps
    int32_t words                       # words of a set of applications
    const double* alone                 # speed of each application
    const double* ascending             # its speeds when paired with the others, slowest first,
    const int32_t* place_of             # and the place of each other one in that order
    int32_t* count                      # slot by application
    uint64_t* present


cdef inline void neighbours_make(Neighbours* b, Arena* arena, int64_t slots) noexcept nogil:
    b.words = (b.apps + 63) >> 6
    b.count = <int32_t*>arena_take(arena, slots * b.apps, sizeof(int32_t))
    b.present = <uint64_t*>arena_take(arena, slots * b.words, sizeof(uint64_t))


cdef inline void neighbours_clear(Neighbours* b, int32_t slot) noexcept nogil:
    memset(&b.count[<int64_t>slot * b.apps], 0, b.apps * sizeof(int32_t))
    memset(&b.present[<int64_t>slot * b.words], 0, b.words * sizeof(uint64_t))


cdef inline bint neighbours_gain(
    Neighbours* b, int32_t slot, int32_t app, int32_t other
) noexcept nogil:
    # Add a neighbor of another application; return whether it is the only one.
    cdef int32_t* count = &b.count[<int64_t>slot * b.apps + other]
    cdef int32_t place
    count[0] += 1
    if count[0] > 1:
        return False
    place = b.place_of[app * b.apps + other]
    b.present[<int64_t>slot * b.words + (place >> 6)] |= <uint64_t>1 << (place & 63)
    return True


cdef inline bint neighbours_lose(
    Neighbours* b, int32_t slot, int32_t app, int32_t other
) noexcept nogil:
    # Remove a neighbor; return whether none is left.
    cdef int32_t* count = &b.count[<int64_t>slot * b.apps + other]
    cdef int32_t place
    count[0] -= 1
    if count[0]:
        return False
    place = b.place_of[app * b.apps + other]
    b.present[<int64_t>slot * b.words + (place >> 6)] &= ~(<uint64_t>1 << (place & 63))
    return True


cdef inline double neighbours_speed(const Neighbours* b, int32_t slot, int32_t app) noexcept nogil:
    # Return an application's speed with its slowest neighbor, at most its speed alone.
    cdef const uint64_t* present = &b.present[<int64_t>slot * b.words]
    cdef double alone = b.alone[app], paired
    cdef int32_t w
    for w in range(b.words):
        if present[w]:
            paired = b.ascending[app * b.apps + (w << 6 | lowest(present[w]))]
            return paired if paired < alone else alone
    return alone
