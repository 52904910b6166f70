# The other order of a plan: queues by rank, in each the users who have used least first.
#
# Every job that waits is planned at the earliest gap, in that order. Whenever the order has changed
# they are planned anew from the first change on, and all of them if something ended early: who
# stands before the change is planned as if nobody came behind.
#
# What a user has used decays without steps: usage that grows by `rate` a second halves every
# `half_life` seconds. It is compared in thousandths of a processor second, so that rounding decides
# between no two users.
#
# Cost: an instant takes O(users), O(n) for an order that hardly changes, and a gap for each job
# that is planned anew.

from libc.math cimport M_LN2, exp2, rint
from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.plan cimport Line, Plan, Task, plan_insert


cdef struct Fair:
    int32_t* queue                      # who waits, in order
    int32_t* rank                       # of each job's queue
    int32_t count
    double* used                        # of each user, as of `time`
    double* rate                        # what users' jobs that run use a second
    int64_t* key                        # of users, as they are compared
    int64_t time
    double half_life
    bint must_sort


cdef inline void fair_advance(Fair* f, int32_t users, int64_t now) noexcept nogil:
    # Bring what was used to the present time.
    cdef int32_t user
    cdef double factor, grown
    if now == f.time:
        return
    factor = exp2(-<double>(now - f.time) / f.half_life)
    grown = f.half_life / M_LN2 * (1 - factor)
    for user in range(users):
        f.used[user] = f.used[user] * factor + f.rate[user] * grown
    f.time = now


cdef inline bint is_before(const Plan* p, const Fair* f, int32_t a, int32_t b) noexcept nogil:
    cdef const Task* s = &p.task[a]
    cdef const Task* t = &p.task[b]
    if f.rank[a] != f.rank[b]:
        return f.rank[a] < f.rank[b]
    if f.key[s.user] != f.key[t.user]:
        return f.key[s.user] < f.key[t.user]
    if s.submit != t.submit:
        return s.submit < t.submit
    return a < b


cdef inline int32_t fair_sort(Plan* p, Fair* f) noexcept nogil:
    # Put the queue in order; the first place at which it has changed.
    cdef int32_t k, i, job, first = f.count
    for k in range(p.users):
        f.key[k] = <int64_t>rint(1000 * f.used[k])
    for k in range(1, f.count):
        job, i = f.queue[k], k
        while i > 0 and is_before(p, f, job, f.queue[i - 1]):
            f.queue[i] = f.queue[i - 1]
            i -= 1
        f.queue[i] = job
        if i < k:
            first = min(first, i)
    return first


cdef inline void fair_plan(Plan* p, Fair* f, int32_t first) noexcept nogil:
    # Plan everyone from a place of the queue on anew, and who has not been planned.
    cdef int32_t c, k, kept
    cdef Line* line
    for k in range(first, f.count):
        p.task[f.queue[k]].start = -1
    for c in range(p.lines):
        line, kept = &p.line[c], 0
        for k in range(line.count):
            line.order[kept] = line.order[k]
            kept += p.task[line.order[k]].start >= 0
        p.planned -= line.count - kept
        line.count, line.is_stale = kept, False
    for k in range(f.count):
        if p.task[f.queue[k]].start < 0:
            plan_insert(p, f.queue[k])


cdef inline void fair_leave(Fair* f, int32_t job) noexcept nogil:
    # Take a job out of the queue.
    cdef int32_t k = 0
    while f.queue[k] != job:
        k += 1
    f.count -= 1
    while k < f.count:
        f.queue[k] = f.queue[k + 1]
        k += 1
