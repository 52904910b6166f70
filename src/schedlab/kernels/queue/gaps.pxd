# Free processors over time, by estimated ends and by some reservations.
#
# Invariant: times ascend strictly from now on, or from the first estimated end if that is past.
# `free[k]` processors are free from time[k] until time[k + 1], or without end. Each pass makes the
# arrays again, in O(running jobs).

from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memmove

from schedlab.kernels.common.region cimport resize
from schedlab.kernels.queue.releases cimport Releases


cdef struct Gaps:
    int32_t count, room
    int64_t* time
    int64_t* free


cdef inline void gaps_free(Gaps* g) noexcept nogil:
    free(g.time)
    free(g.free)


cdef inline int gaps_room(Gaps* g, int32_t room) noexcept nogil:
    # Ensure capacity in steps; -1 if memory runs out.
    if room <= g.room:
        return 0
    room *= 2
    if (
        resize(<void**>&g.time, room, sizeof(int64_t))
        or resize(<void**>&g.free, room, sizeof(int64_t))
    ):
        return -1
    g.room = room
    return 0


cdef inline int gaps_make(
    Gaps* g, const Releases* running, int64_t now, int64_t free_procs
) noexcept nogil:
    # Make steps of the processors that running jobs give back. -1 if memory runs out.
    cdef int32_t block, k
    cdef int64_t end
    if gaps_room(g, running.count * 64 + 1):
        return -1
    g.count, g.free[0] = 1, free_procs
    g.time[0] = min(now, running.first[0]) if running.count else now
    for block in range(running.count):
        for k in range(running.pool[running.order[block]].size):
            end = running.pool[running.order[block]].entry[k].end
            free_procs += running.pool[running.order[block]].entry[k].procs
            if end > g.time[g.count - 1]:
                g.time[g.count] = end
                g.count += 1
            g.free[g.count - 1] = free_procs
    return 0


cdef inline int64_t gaps_earliest(
    const Gaps* g, int64_t need, int64_t length
) noexcept nogil:
    # The first time from which a number of processors is free for so long.
    cdef int64_t begin = g.time[0]
    cdef int32_t k
    for k in range(g.count):
        if g.time[k] - begin >= length:
            return begin
        if g.free[k] < need:
            begin = g.time[k + 1] if k + 1 < g.count else INT64_MAX
    return begin


cdef inline int32_t gaps_cut(Gaps* g, int64_t time) noexcept nogil:
    # Let a step begin at a time, which is not past; return its place.
    cdef int32_t k = g.count
    while g.time[k - 1] > time:
        k -= 1
    if g.time[k - 1] == time:
        return k - 1
    memmove(&g.time[k + 1], &g.time[k], (g.count - k) * sizeof(int64_t))
    memmove(&g.free[k + 1], &g.free[k], (g.count - k) * sizeof(int64_t))
    g.time[k], g.free[k] = time, g.free[k - 1]
    g.count += 1
    return k


cdef inline int gaps_take(
    Gaps* g, int64_t begin, int64_t length, int64_t procs
) noexcept nogil:
    # Take processors from a time on for so long. -1 if memory runs out.
    cdef int32_t k, last
    if gaps_room(g, g.count + 2):
        return -1
    k = gaps_cut(g, begin)
    last = gaps_cut(g, begin + length)
    for k in range(k, last):
        g.free[k] -= procs
    return 0


cdef inline bint gaps_fit_now(
    const Gaps* g, int64_t now, int64_t need, int64_t length
) noexcept nogil:
    # Whether a job that starts now moves no reservation.
    return gaps_earliest(g, need, now - g.time[0] + length) == g.time[0]


cdef inline int gaps_take_now(Gaps* g, int64_t now, int64_t length, int64_t procs) noexcept nogil:
    # Let a job start now. -1 if memory runs out.
    return gaps_take(g, g.time[0], now - g.time[0] + length, procs)
