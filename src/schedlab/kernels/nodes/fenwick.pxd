# Counts of a kind before a place: Fenwick trees in contiguous memory, one for each kind.
#
# Invariant: node i of a tree, from 1 on, contains the count of its kind at the places i - (i & -i)
# .. i - 1. A change and a query cost O(log places).

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.common.region cimport Arena, arena_zeros


cdef struct Fenwick:
    int32_t places
    int32_t* node                       # tree after tree


cdef inline void fenwick_make(
    Fenwick* f, Arena* arena, int32_t kinds, int32_t places
) noexcept nogil:
    f.places = places
    f.node = <int32_t*>arena_zeros(arena, <int64_t>kinds * (places + 1), sizeof(int32_t))


cdef inline void fenwick_add(
    Fenwick* f, int32_t kind, int32_t place, int32_t amount
) noexcept nogil:
    cdef int32_t* node = &f.node[<int64_t>kind * (f.places + 1)]
    place += 1
    while place <= f.places:
        node[place] += amount
        place += place & -place


cdef inline int32_t fenwick_before(const Fenwick* f, int32_t kind, int32_t place) noexcept nogil:
    cdef const int32_t* node = &f.node[<int64_t>kind * (f.places + 1)]
    cdef int32_t total = 0
    while place > 0:
        total += node[place]
        place -= place & -place
    return total
