# The other order of a plan: queues by rank, in each the users who have used least first.
#
# Every job that waits is planned at the earliest gap, in that order. Whenever the order has changed
# they are planned anew from the first change on, and all of them if something ended early: who
# stands before the change is planned as if nobody came behind.
#
# What a user has used grows by `rate` a second and is halved whenever the clock comes to a multiple
# of `half_life` seconds. It is compared in thousandths of a processor second, so that rounding
# decides between no two users.
#
# Where processors alone decide, what is free of them over time is kept (`free`): whoever is planned
# anew is taken out of it and put in again, so that nobody walks through the plan for a gap.
#
# Invariant, of a cluster with `free`: it is what those leave who run, until they are expected to
# end, and those who are planned.
# Cost: an instant takes O(users), O(n) for an order that hardly changes, and a gap for each job
# that is planned anew: with `free` what a search and two changes of a profile take.

from libc.math cimport ldexp, rint
from libc.stdint cimport INT64_MAX, int32_t, int64_t

from schedlab.kernels.common.chunks cimport Profile
from schedlab.kernels.plan.plan cimport Line, Plan, Task, end_of, plan_insert, plan_put
from schedlab.kernels.common.profile cimport profile_add, profile_advance, profile_earliest


cdef struct Fair:
    int32_t* queue                      # who waits, in order
    int32_t* rank                       # of each job's queue
    int32_t count
    double* used                        # of each user, as of `time`
    double* rate                        # what users' jobs that run use a second
    int64_t* key                        # of users, as they are compared
    int64_t time
    int64_t half_life
    Profile* free                       # of each cluster; NULL where limits or nodes count as well
    bint failed                         # memory was out once


cdef inline void fair_advance(Fair* f, int32_t users, int64_t now) noexcept nogil:
    # Bring what was used to the present time: up to the first halving, over whole half-lives, on.
    cdef int64_t first = (f.time // f.half_life + 1) * f.half_life, times
    cdef int32_t user, halved
    cdef double factor
    if now < first:
        for user in range(users):
            f.used[user] += f.rate[user] * (now - f.time)
    else:
        times = (now - first) // f.half_life
        halved = <int32_t>min(times, 2000)          # more leave nothing
        factor = ldexp(1, -halved)
        for user in range(users):
            f.used[user] = (f.used[user] + f.rate[user] * (first - f.time)) / 2 * factor
            f.used[user] += f.rate[user] * f.half_life * (1 - factor)
            f.used[user] += f.rate[user] * (now - first - times * f.half_life)
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


cdef inline void fair_keys(const Plan* p, Fair* f) noexcept nogil:
    cdef int32_t k
    for k in range(p.users):
        f.key[k] = <int64_t>rint(1000 * f.used[k])


cdef inline int32_t fair_sort(Plan* p, Fair* f) noexcept nogil:
    # Put the queue in order; the first place at which it has changed.
    cdef int32_t k, i, job, first = f.count
    fair_keys(p, f)
    for k in range(1, f.count):
        job, i = f.queue[k], k
        while i > 0 and is_before(p, f, job, f.queue[i - 1]):
            f.queue[i] = f.queue[i - 1]
            i -= 1
        f.queue[i] = job
        if i < k:
            first = min(first, i)
    return first


cdef inline void fair_hold(Fair* f, const Task* t, int64_t begin, int32_t procs) noexcept nogil:
    # Let so many processors be free more (fewer, if negative) from then until a job is to end.
    if profile_add(&f.free[t.cluster], begin, end_of(t), procs) < 0:
        f.failed = True


cdef inline void fair_end(Plan* p, Fair* f, int32_t job) noexcept nogil:
    # Free what a job that has ended was expected to hold on.
    if f.free != NULL:
        fair_hold(f, &p.task[job], p.now, p.task[job].need)


cdef inline void fair_insert(Plan* p, Fair* f, int32_t job) noexcept nogil:
    # Plan a job at the earliest gap of all clusters, of equal ones in the first.
    cdef Task* t = &p.task[job]
    cdef int64_t best = INT64_MAX, start
    cdef int32_t c
    if f.free == NULL:
        plan_insert(p, job)
        return
    for c in range(p.lines):
        if t.allowed >> c & 1:
            start = profile_earliest(&f.free[c], t.need, t.estimate, p.now, INT64_MAX)
            if start < best:
                best, t.cluster = start, c
    plan_put(p, job, best)
    fair_hold(f, t, best, -t.need)


cdef inline void fair_plan(Plan* p, Fair* f, int32_t first) noexcept nogil:
    # Plan everyone from a place of the queue on anew, and who has not been planned.
    cdef int32_t c, k, kept
    cdef Line* line
    cdef Task* t
    for c in range(p.lines if f.free != NULL else 0):
        profile_advance(&f.free[c], p.now)
    for k in range(first, f.count):
        t = &p.task[f.queue[k]]
        if f.free != NULL and t.start >= 0:
            fair_hold(f, t, t.start, t.need)
        t.start = -1
    for c in range(p.lines):
        line, kept = &p.line[c], 0
        for k in range(line.count):
            line.order[kept] = line.order[k]
            kept += p.task[line.order[k]].start >= 0
        p.planned -= line.count - kept
        line.count, line.is_stale = kept, False
    for k in range(f.count):
        if p.task[f.queue[k]].start < 0:
            fair_insert(p, f, f.queue[k])


cdef inline void fair_leave(Fair* f, int32_t job) noexcept nogil:
    # Take a job out of the queue.
    cdef int32_t k = 0
    while f.queue[k] != job:
        k += 1
    f.count -= 1
    while k < f.count:
        f.queue[k] = f.queue[k + 1]
        k += 1
