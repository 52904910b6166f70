# The waiting jobs in an order, in compact arrays.
#
# A search for a job that fits looks at needs and lengths one after the other, many at a time
# (`fit_scan`). Where nearly all of 100,000 jobs wait, that takes 0.4 to 1.1 s, two thirds of the
# time of bench/limit.c (AVX2). So there is no tree above the arrays; with one it took 0.05 to
# 0.1 s.
#
# Invariant: unless `unsorted`, jobs ascend in the order. `first` is the first waiting job unless
# there is none. An entry whose job no longer waits has a need that never fits; such entries are
# removed when no room is left or half of them are of this kind. line_add costs O(log size) and the
# move of what comes after, line_drop O(1), line_sort O(size) if few jobs have overtaken others.

from libc.stdint cimport INT32_MAX, INT64_MAX, int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memmove

from schedlab.kernels.common.region cimport resize
from schedlab.kernels.queue.orders cimport Order, before


cdef struct Line:
    int32_t first, end                  # entries first .. end - 1 are in use,
    int32_t dropped                     # so many of them by jobs that no longer wait
    int32_t room
    bint unsorted
    int32_t* job
    int32_t* need                       # processors, or INT32_MAX
    int32_t* length                     # seconds for which the scheduler expects it to run


cdef inline void line_free(Line* line) noexcept nogil:
    free(line.job)
    free(line.need)
    free(line.length)


cdef inline int line_room(Line* line, int32_t room) noexcept nogil:
    # -1 if memory runs out.
    if (
        resize(<void**>&line.job, room, sizeof(int32_t))
        or resize(<void**>&line.need, room, sizeof(int32_t))
        or resize(<void**>&line.length, room, sizeof(int32_t))
    ):
        return -1
    line.room = room
    return 0


cdef inline void line_compact(Line* line) noexcept nogil:
    # Remove the entries of jobs that no longer wait.
    cdef int32_t k, kept = 0
    for k in range(line.first, line.end):
        if line.need[k] != INT32_MAX:
            line.job[kept], line.need[kept] = line.job[k], line.need[k]
            line.length[kept] = line.length[k]
            kept += 1
    line.first, line.end, line.dropped = 0, kept, 0


cdef inline int32_t line_at(const Line* line, const Order* order, int32_t job) noexcept nogil:
    # The place of a job, or that of the first entry behind it in the order.
    cdef int32_t low = line.first, high = line.end, middle
    if line.unsorted:
        while line.job[low] != job:
            low += 1
        return low
    while low < high:
        middle = (low + high) >> 1
        if before(order, line.job[middle], job):
            low = middle + 1
        else:
            high = middle
    return low


cdef inline int line_add(
    Line* line, const Order* order, int32_t job, int32_t need, int32_t length
) noexcept nogil:
    # Add a waiting job; behind all others if it must be sorted anyway. -1 if memory runs out.
    cdef int32_t at, later
    if line.end == line.room or 2 * line.dropped > line.end - line.first + 64:
        line_compact(line)
        if 2 * line.end >= line.room and line_room(line, max(2 * line.room, 64)):
            return -1
    at = line.end
    if not line.unsorted and at > line.first and before(order, job, line.job[at - 1]):
        at = line_at(line, order, job)
        later = (line.end - at) * sizeof(int32_t)
        memmove(&line.job[at + 1], &line.job[at], later)
        memmove(&line.need[at + 1], &line.need[at], later)
        memmove(&line.length[at + 1], &line.length[at], later)
    line.job[at], line.need[at], line.length[at] = job, need, length
    line.end += 1
    return 0


cdef inline void line_drop(Line* line, int32_t at) noexcept nogil:
    # Remove the waiting job at a place.
    line.need[at] = INT32_MAX
    line.dropped += 1
    while line.first < line.end and line.need[line.first] == INT32_MAX:
        line.first += 1
        line.dropped -= 1
    if line.first == line.end:
        line.first = line.end = 0


cdef inline bint line_sink(
    Line* line, const Order* order, int32_t gap, int64_t moves
) noexcept nogil:
    # Sort the entries that are so far apart by insertion; false if that takes more moves.
    cdef int32_t k, at, job, need, length
    for k in range(gap, line.end):
        job = line.job[k]
        if not before(order, job, line.job[k - gap]):
            continue
        need, length, at = line.need[k], line.length[k], k
        while at >= gap and before(order, job, line.job[at - gap]):
            line.job[at], line.need[at] = line.job[at - gap], line.need[at - gap]
            line.length[at] = line.length[at - gap]
            at -= gap
        line.job[at], line.need[at], line.length[at] = job, need, length
        moves -= k - at
        if moves < 0:
            return False
    return True


cdef inline void line_sort(Line* line, const Order* order) noexcept nogil:
    # Sort by insertion, because most jobs are in order; by Shell's method if they are not.
    cdef int32_t gap
    line_compact(line)
    gap, line.unsorted = line.end, False
    if line_sink(line, order, 1, 16 * <int64_t>line.end):
        return
    while gap > 1:
        gap = max(1, gap * 4 // 9)
        line_sink(line, order, gap, INT64_MAX)


cdef inline int line_copy(Line* line, const Line* other, const int32_t* fresh) noexcept nogil:
    # Copy the waiting jobs, by their places in a copy, to an empty line. -1: out of memory.
    cdef int32_t k
    if line_room(line, max(other.end - other.first, 64)):
        return -1
    for k in range(other.first, other.end):
        if other.need[k] != INT32_MAX:
            line.job[line.end] = fresh[other.job[k]]
            line.need[line.end], line.length[line.end] = other.need[k], other.length[k]
            line.end += 1
    line.unsorted = other.unsorted
    return 0
