# The plan of Orig-BF: queues by rank, in each queue the users with the least usage first.
#
# Every waiting job is planned at the earliest gap, in that order. Whenever the order changes, jobs
# are replanned from the first change on, and all of them if a job ended early. Jobs before the
# change are planned as if no job came behind them.
#
# A user's usage grows by `rate` per second and is halved at multiples of `half_life` seconds. It
# is compared in thousandths of a processor second, so that rounding errors do not affect the order
# of users.
#
# If only processors count, the free processors over time are stored (`free`). A replanned job is
# removed there and inserted again, so that no search walks through the plan for a gap.
#
# Invariant for a cluster with `free`: it equals the processors that running jobs, until their
# expected ends, and planned jobs leave free.
# Cost: an instant takes O(users), O(n) for an order that hardly changes, and a gap for each
# replanned job: with `free` the cost of a search and two changes of a profile.

from libc.math cimport ldexp, rint
from libc.stdint cimport INT64_MAX, int32_t, int64_t

from schedlab.kernels.common.chunks cimport Profile
from schedlab.kernels.plan.plan cimport Line, Plan, Task, end_of, plan_insert, plan_put
from schedlab.kernels.common.profile cimport profile_add, profile_advance, profile_earliest


cdef struct Fair:
    int32_t* queue                      # waiting jobs, in order
    int32_t* rank                       # of each job's queue
    int32_t count
    double* used                        # of each user, as of `time`
    double* rate                        # usage per second of users' running jobs
    int64_t* key                        # of users, for comparison
    int64_t time
    int64_t half_life
    Profile* free                       # of each cluster; NULL if limits or nodes count as well
    bint failed                         # memory has run out


cdef inline void fair_advance(Fair* f, int32_t users, int64_t now) noexcept nogil:
    # Update the usage to the present: until the first halving, over whole half-lives, and after.
    cdef int64_t first = (f.time // f.half_life + 1) * f.half_life, times
    cdef int32_t user, halved
    cdef double factor
    if now < first:
        for user in range(users):
            f.used[user] += f.rate[user] * (now - f.time)
    else:
        times = (now - first) // f.half_life
        halved = <int32_t>min(times, 2000)          # more halvings leave nothing
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
    # Sort the queue; return the first changed place.
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
    # Free processors (a negative number removes them) from a time until a job's planned end.
    if profile_add(&f.free[t.cluster], begin, end_of(t), procs) < 0:
        f.failed = True


cdef inline void fair_end(Plan* p, Fair* f, int32_t job) noexcept nogil:
    # Free the processors of a job that has ended before its expected end.
    if f.free != NULL:
        fair_hold(f, &p.task[job], p.now, p.task[job].need)


cdef inline void fair_insert(Plan* p, Fair* f, int32_t job) noexcept nogil:
    # Plan a job at the earliest gap of all clusters; ties go to the first cluster.
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
    # Replan all jobs from a place of the queue on, and plan unplanned ones.
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
    # Remove a job from the queue.
    cdef int32_t k = 0
    while f.queue[k] != job:
        k += 1
    f.count -= 1
    while k < f.count:
        f.queue[k] = f.queue[k + 1]
        k += 1
