# Free nodes over time as a step function, for plans.
#
# Invariant: time ascends strictly, free[i] is valid from time[i] until time[i + 1], the last one
# indefinitely. add and earliest cost O(size).
# The owner allocates memory: each add needs up to two more steps.

from libc.stdint cimport int32_t
from libc.string cimport memmove

from schedlab.kernels.common.bisect cimport bisect, up_to_double


cdef struct Steps:
    double* time
    int32_t* free
    int32_t size


cdef inline void steps_clear(Steps* s, double now, int32_t free) noexcept nogil:
    s.size = 1
    s.time[0], s.free[0] = now, free


cdef inline void steps_insert(Steps* s, int32_t i, double time, int32_t free) noexcept nogil:
    memmove(&s.time[i + 1], &s.time[i], (s.size - i) * sizeof(double))
    memmove(&s.free[i + 1], &s.free[i], (s.size - i) * sizeof(int32_t))
    s.time[i], s.free[i] = time, free
    s.size += 1


cdef inline void steps_add(Steps* s, double begin, double end, int32_t nodes) noexcept nogil:
    # Add nodes (a negative number removes them) from `begin`, not before the first step, until
    # `end`.
    cdef int32_t i
    if begin >= end:
        return
    i = bisect(up_to_double, s.time, s.size, &begin)
    if s.time[i - 1] == begin:
        i -= 1
    else:
        steps_insert(s, i, begin, s.free[i - 1])
    while i < s.size and s.time[i] < end:
        s.free[i] += nodes
        i += 1
    if i == s.size or s.time[i] > end:
        steps_insert(s, i, end, s.free[i - 1] - nodes)


cdef inline double steps_earliest(const Steps* s, int32_t nodes, double length) noexcept nogil:
    # Return the earliest time at which `nodes` are free for `length`; the last step has them.
    cdef int32_t begin = 0, i = 0
    while i < s.size:
        if s.free[i] < nodes:
            begin = i + 1
        elif i + 1 == s.size or s.time[i + 1] >= s.time[begin] + length:
            break
        i += 1
    return s.time[begin]
