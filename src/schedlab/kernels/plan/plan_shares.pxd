# Order of jobs for moves: by their share of the criteria to improve, the largest first.
#
# A job's share of a mean is its part of the sum. For the unfairness, each user has the square of
# the distance to the fair value, and a job the same part of it as of its user's wait. Shares are
# weighted, and compared as multiples of 2^-32 of the total, so that rounding errors do not affect
# the order; ties are in the plan's order.
#
# Cost: O(n log n) for the order.

from libc.math cimport floor
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport qsort

from schedlab.kernels.plan.plan cimport Plan, Task
from schedlab.kernels.plan.plan_moves cimport CRITERIA, Search, normalised, slowdown_at


cdef enum:
    MOST = 1 << 30                      # limit on a share, to avoid overflow


cdef struct Share:
    int64_t part
    int32_t place                       # in the plan's order, cluster after cluster
    int32_t task


cdef inline int by_part(const void* a, const void* b) noexcept nogil:
    cdef const Share* s = <const Share*>a
    cdef const Share* t = <const Share*>b
    if s.part != t.part:
        return -1 if s.part > t.part else 1
    return s.place - t.place


cdef inline double share_of(const Search* s, const Task* t) noexcept nogil:
    cdef double wait = <double>(t.start - t.submit), user_wait = <double>s.wait[t.user], away
    cdef double found = s.weight[1] * slowdown_at(s, t, t.start) / s.base[1]
    found += s.weight[0] * wait / s.base[0]
    found += s.weight[3] * (wait + t.estimate) / s.base[3]
    if user_wait > 0:
        away = 1 + s.norm / s.seen - normalised(s, t.user, s.wait[t.user])
        found += s.weight[2] * away * away / s.base[2] * (wait / user_wait)
    return found


cdef inline void order_shares(const Plan* p, const Search* s, Share* share) noexcept nogil:
    cdef int32_t c, k, place = 0
    cdef double all_ = 0, found
    for k in range(CRITERIA):
        all_ += s.weight[k]
    all_ = all_ if all_ > 0 else 1
    for c in range(p.lines):
        for k in range(p.line[c].count):
            share[place].task, share[place].place = p.line[c].order[k], place
            found = min(share_of(s, &p.task[p.line[c].order[k]]) / all_, MOST)
            share[place].part = <int64_t>floor(found * 4294967296.0 + 0.5)
            place += 1
    qsort(share, place, sizeof(Share), by_part)
