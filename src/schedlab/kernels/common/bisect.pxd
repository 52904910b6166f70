# Binary search in a sorted sequence.
#
# Invariant of the search: every place before `low` comes before the sought entry, no place from
# `high` on does. O(log count); compilers inline the comparison, so that it costs no call.

from libc.stdint cimport int32_t, int64_t

ctypedef bint (*Before)(const void* entries, int32_t place, const void* sought) noexcept nogil


cdef inline int32_t bisect(
    Before before, const void* entries, int32_t count, const void* sought
) noexcept nogil:
    # Return the first place that does not come before the sought entry; `count` if all do.
    cdef int32_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) >> 1
        if before(entries, middle, sought):
            low = middle + 1
        else:
            high = middle
    return low


cdef inline bint before_int64(
    const void* entries, int32_t place, const void* sought
) noexcept nogil:
    # Comparison for bisect: ascending whole numbers.
    return (<const int64_t*>entries)[place] < (<const int64_t*>sought)[0]


cdef inline bint before_int32(
    const void* entries, int32_t place, const void* sought
) noexcept nogil:
    # The same for shorter ones.
    return (<const int32_t*>entries)[place] < (<const int32_t*>sought)[0]


cdef inline bint up_to_double(
    const void* entries, int32_t place, const void* sought
) noexcept nogil:
    # Comparison for bisect: ascending numbers, to find the first above the sought one.
    return (<const double*>entries)[place] <= (<const double*>sought)[0]
