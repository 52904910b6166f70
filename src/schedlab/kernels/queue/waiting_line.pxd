# The waiting jobs of a short queue by rank, in compact arrays.
#
# A search for a job that fits looks at needs and estimates one after the other, many at a time
# (`fit_scan`); with some hundred jobs that costs less than a tree. Invariant: ranks ascend; `first`
# is the first waiting job unless there is none; an entry whose job no longer waits has a need that
# never fits, and such entries are removed when no room is left or half of them are of this kind.
# line_add costs O(log size) and the move of what comes after, line_drop O(1), line_at O(log size).

from libc.stdint cimport INT32_MAX, int32_t
from libc.string cimport memmove

from schedlab.kernels.common.bisect cimport before_int32, bisect

cdef enum:
    LINE_ROOM = 1024                    # jobs up to which an array beats a tree


cdef struct WaitingLine:
    int32_t first, end                  # entries first .. end - 1 are in use,
    int32_t dropped                     # so many of them by jobs that no longer wait
    int32_t rank[LINE_ROOM]
    int32_t need[LINE_ROOM]             # processors, or INT32_MAX
    int32_t estimate[LINE_ROOM]         # seconds
    int32_t job[LINE_ROOM]              # its place in submit order


cdef inline int32_t line_at(const WaitingLine* line, int32_t rank) noexcept nogil:
    # The place of the first entry of this rank or a later one.
    return line.first + bisect(
        before_int32, &line.rank[line.first], line.end - line.first, &rank
    )


cdef inline void line_compact(WaitingLine* line) noexcept nogil:
    # Remove the entries of jobs that no longer wait.
    cdef int32_t k, kept = 0
    for k in range(line.first, line.end):
        if line.need[k] != INT32_MAX:
            line.rank[kept], line.need[kept] = line.rank[k], line.need[k]
            line.estimate[kept], line.job[kept] = line.estimate[k], line.job[k]
            kept += 1
    line.first, line.end, line.dropped = 0, kept, 0


cdef inline int line_add(
    WaitingLine* line, int32_t rank, int32_t need, int32_t estimate, int32_t job
) noexcept nogil:
    # Add a waiting job; -1 if LINE_ROOM jobs wait.
    cdef int32_t at, later
    if line.end == LINE_ROOM or 2 * line.dropped > line.end - line.first + 64:
        line_compact(line)
        if line.end == LINE_ROOM:
            return -1
    at = line.end
    if at > line.first and line.rank[at - 1] > rank:
        at = line_at(line, rank)
        later = (line.end - at) * sizeof(int32_t)
        memmove(&line.rank[at + 1], &line.rank[at], later)
        memmove(&line.need[at + 1], &line.need[at], later)
        memmove(&line.estimate[at + 1], &line.estimate[at], later)
        memmove(&line.job[at + 1], &line.job[at], later)
    line.rank[at], line.need[at], line.estimate[at], line.job[at] = rank, need, estimate, job
    line.end += 1
    return 0


cdef inline void line_drop(WaitingLine* line, int32_t at) noexcept nogil:
    # Remove the waiting job at a place.
    line.need[at] = INT32_MAX
    line.dropped += 1
    while line.first < line.end and line.need[line.first] == INT32_MAX:
        line.first += 1
        line.dropped -= 1
    if line.first == line.end:
        line.first = line.end = 0
