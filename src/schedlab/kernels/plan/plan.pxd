# A plan: for each cluster the running jobs, and the planned jobs in order.
#
# UPDATE walks through a cluster's order and gives each job the earliest start that is not before
# the start of the previous job. All jobs planned before have begun by then, so that from there on
# processors only become free: a job that fits at an instant fits for its whole estimate. So an
# update only needs the present time of the walk, the free processors, and a heap of the ends of
# running jobs (`Walk`). The same is true for the limits of users and of long jobs.
#
# If nodes are planned, a job must also fit on them, and has its nodes in the plan. An update keeps
# its nodes if its start does not change and they are free; otherwise it takes the first free ones.
#
# Invariant: for each cluster, `order` is by start and every start is the result of an update;
# `run` is by expected end; left[k] is the number of processors of run[k] and those behind it.
# Cost: an update of n jobs, of which a run at a time, takes O(n log a); a beginning in the middle
# also visits the jobs that start within the longest estimate before it. An earliest gap takes one
# pass over the plan up to its end.

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset

from schedlab.kernels.plan.plan_ends cimport Ends
from schedlab.kernels.plan.plan_nodes cimport (
    Nodes,
    Spread,
    nodes_add,
    nodes_choose,
    nodes_empty,
    nodes_hold,
    nodes_least,
)


cdef enum:
    FEW_EARLIER = 32                    # up to so many earlier jobs, all are visited


cdef struct Task:
    int64_t start                       # planned start; later the actual start
    int64_t estimate
    int64_t submit
    double pace                         # 1 / max(estimate, tau)
    int32_t need                        # processors
    int32_t user
    int32_t cluster                     # where it is planned, or where it ran
    bint is_long                        # whether it counts for the limit of long jobs
    uint64_t allowed                    # clusters that it may use and that it fits


cdef struct End:
    int64_t time
    int32_t task
    int32_t need


cdef struct Line:                       # of one cluster
    int32_t cpus
    int32_t long_most                   # limit on the processors of long jobs
    int32_t count                       # number of planned jobs
    int32_t runs
    int32_t* order
    End* run
    int32_t* left
    int64_t* fresh                      # starts of a tentative order, by place
    Nodes nodes
    bint is_stale                       # whether a job ended before its expected end


cdef struct Plan:
    Line* line
    Task* task
    End* heap                           # of the present walk
    Ends ends                           # of it, if only processors count
    int32_t* used                       # processors of each user in it, if users have a limit
    End* spare_heap                     # of a walk that looks ahead and returns
    int32_t* spare_used
    int32_t lines, users
    int32_t planned                     # number of jobs of all clusters
    int32_t user_most
    bint is_limited
    bint by_node
    int32_t words                       # of bits, for the nodes of a job
    Spread* spread                      # of each job on each cluster
    uint64_t* kept                      # nodes of each job
    uint64_t* tried                     # nodes of each job in the present walk
    int64_t now
    int64_t longest                     # no job's estimate is above it


cdef struct Walk:
    Line* line
    int64_t time                        # no later job starts before it
    int32_t free
    int32_t next                        # running job with the next end
    int32_t size                        # of the heap
    bint is_past                        # whether the heap's first job has ended: to be removed
    int32_t long_used


cdef inline int64_t end_of(const Task* t) noexcept nogil:
    return t.start + t.estimate


# The heap of a walk has the ends of planned jobs, the earliest first. Each has four below it.
# Behind the last one are three sentinels with an infinite time: four can always be compared.

cdef inline void heap_clear(End* heap, int32_t* size) noexcept nogil:
    size[0] = 0
    heap[0].time = heap[1].time = heap[2].time = INT64_MAX


cdef inline void heap_rise(End* heap, int64_t i, End end) noexcept nogil:
    # Put an end in place i or above it.
    cdef int64_t parent
    while i > 0:
        parent = (i - 1) >> 2
        if heap[parent].time <= end.time:
            break
        heap[i] = heap[parent]
        i = parent
    heap[i] = end


cdef inline void heap_push(End* heap, int32_t* size, End end) noexcept nogil:
    size[0] += 1
    heap[size[0] + 2].time = INT64_MAX
    heap_rise(heap, size[0] - 1, end)


cdef inline void heap_sink(End* heap, int32_t size, End end) noexcept nogil:
    # Put an end in place of the first one. The earliest of each four move up all the way, without a
    # branch that depends on times; most ends then stay below.
    cdef int64_t i = 0, child = 1, left, right
    cdef int64_t a, b
    while child < size:
        a, b = heap[child].time, heap[child + 2].time
        left, right = heap[child + 1].time < a, 2 + (heap[child + 3].time < b)
        a, b = min(a, heap[child + 1].time), min(b, heap[child + 3].time)
        child += left if a <= b else right
        heap[i] = heap[child]
        i = child
        child = 4 * i + 1
    heap_rise(heap, i, end)


cdef inline void heap_pop(End* heap, int32_t* size) noexcept nogil:
    cdef End last = heap[size[0] - 1]
    size[0] -= 1
    heap[size[0]].time = INT64_MAX
    heap_sink(heap, size[0], last)


cdef inline bint is_plain(const Plan* p) noexcept nogil:
    # Return whether only processors count.
    return not p.by_node and not p.is_limited


cdef inline Spread* spread_of(const Plan* p, const Line* line, int32_t task) noexcept nogil:
    return &p.spread[<int64_t>task * p.lines + (line - p.line)]


cdef inline uint64_t* kept_nodes(const Plan* p, int32_t task) noexcept nogil:
    return &p.kept[<int64_t>task * p.words]


cdef inline uint64_t* tried_nodes(const Plan* p, int32_t task) noexcept nogil:
    return &p.tried[<int64_t>task * p.words]


cdef inline bint nodes_differ(const Plan* p, int32_t task) noexcept nogil:
    return memcmp(kept_nodes(p, task), tried_nodes(p, task), p.words * sizeof(uint64_t)) != 0


cdef inline void take_kept(Plan* p, Walk* w, int32_t task) noexcept nogil:
    # Let a job use the nodes that it has in the plan.
    memcpy(tried_nodes(p, task), kept_nodes(p, task), p.words * sizeof(uint64_t))
    nodes_add(&w.line.nodes, spread_of(p, w.line, task), kept_nodes(p, task), p.words, -1)


cdef inline bint has_nodes(Plan* p, Walk* w, int32_t task) noexcept nogil:
    # Return whether there are nodes for a job now; if so, store them as tried nodes.
    cdef Nodes* n = &w.line.nodes
    cdef const Spread* s = spread_of(p, w.line, task)
    cdef const Task* t = &p.task[task]
    if not nodes_choose(n, n.free_cpus, n.free_ram, s, tried_nodes(p, task), p.words):
        return False
    if t.start == w.time and &p.line[t.cluster] == w.line and (
        nodes_hold(n, s, kept_nodes(p, task), p.words)
    ):
        memcpy(tried_nodes(p, task), kept_nodes(p, task), p.words * sizeof(uint64_t))
    return True


cdef inline void keep_tried(Plan* p, int32_t task) noexcept nogil:
    memcpy(kept_nodes(p, task), tried_nodes(p, task), p.words * sizeof(uint64_t))


cdef inline void walk_count(Plan* p, Walk* w, int32_t task, int32_t procs) noexcept nogil:
    # Add a job's processors (negative to remove them) to the limited quantities.
    cdef const Task* t = &p.task[task]
    p.used[t.user] += procs
    if t.is_long:
        w.long_used += procs


cdef inline bint is_over(const Plan* p, const Walk* w, const Task* t) noexcept nogil:
    # Return whether a job would exceed the limit of its user or of long jobs.
    return p.used[t.user] + t.need > p.user_most or (
        t.is_long and w.long_used + t.need > w.line.long_most
    )


cdef inline int32_t first_beyond(const Line* line, int64_t time) noexcept nogil:
    # Return the first running job whose expected end is after a time.
    cdef int32_t low = 0, high = line.runs, middle
    while low < high:
        middle = (low + high) >> 1
        if line.run[middle].time <= time:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline int32_t first_from(
    const Plan* p, const Line* line, int32_t places, int64_t time
) noexcept nogil:
    # Return the first of so many places whose job starts at a time or later.
    cdef int32_t low = 0, high = places, middle
    while low < high:
        middle = (low + high) >> 1
        if p.task[line.order[middle]].start < time:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline void walk_begin(
    Plan* p, Walk* w, Line* line, int32_t place, int64_t shift
) noexcept nogil:
    # Begin a walk at the place of the order where the next job would be planned. The planned jobs
    # that run there start, and end, by `shift` later than in the plan.
    cdef int32_t k
    cdef int64_t end, time = p.task[line.order[place - 1]].start if place else p.now
    cdef const Task* t
    w.line, w.is_past, w.long_used = line, False, 0
    heap_clear(p.heap, &w.size)
    w.time = time + shift
    w.next = first_beyond(line, w.time)
    w.free = line.cpus - line.left[w.next]
    k = first_from(p, line, place, time - p.longest) if place > FEW_EARLIER else 0
    for k in range(k, place):
        t = &p.task[line.order[k]]
        end = end_of(t)
        if end > time:
            heap_push(p.heap, &w.size, End(end + shift, line.order[k], t.need))
            w.free -= t.need
    if p.is_limited:
        memset(p.used, 0, p.users * sizeof(int32_t))
        for k in range(w.next, line.runs):
            walk_count(p, w, line.run[k].task, line.run[k].need)
        for k in range(w.size):
            walk_count(p, w, p.heap[k].task, p.heap[k].need)
    if p.by_node:
        nodes_empty(&line.nodes)
        for k in range(w.next, line.runs):
            take_kept(p, w, line.run[k].task)
        for k in range(w.size):
            take_kept(p, w, p.heap[k].task)


cdef inline void drop_past(Plan* p, Walk* w) noexcept nogil:
    if w.is_past:
        w.is_past = False
        heap_pop(p.heap, &w.size)


cdef inline int64_t next_end(Plan* p, Walk* w) noexcept nogil:
    # Return when the next of the jobs that run by then ends.
    cdef int64_t time = INT64_MAX
    drop_past(p, w)
    if w.next < w.line.runs:
        time = w.line.run[w.next].time
    if w.size:
        time = min(time, p.heap[0].time)
    return time


cdef inline void walk_on(Plan* p, Walk* w) noexcept nogil:
    # Let the next job end; there must be one. The next that begins takes its place in the heap.
    cdef End end
    drop_past(p, w)
    if w.size == 0 or (
        w.next < w.line.runs and w.line.run[w.next].time <= p.heap[0].time
    ):
        end = w.line.run[w.next]
        w.next += 1
    else:
        end = p.heap[0]
        w.is_past = True
    w.free += end.need
    if p.is_limited:
        walk_count(p, w, end.task, -end.need)
    if p.by_node:
        nodes_add(
            &w.line.nodes,
            spread_of(p, w.line, end.task),
            tried_nodes(p, end.task),
            p.words,
            1,
        )
    if end.time > w.time:
        w.time = end.time


cdef inline void walk_take(Plan* p, Walk* w, int32_t task, int64_t start) noexcept nogil:
    # Let a job begin.
    cdef const Task* t = &p.task[task]
    cdef End end = End(start + t.estimate, task, t.need)
    if w.is_past:
        w.is_past = False
        heap_sink(p.heap, w.size, end)
    else:
        heap_push(p.heap, &w.size, end)
    w.free -= t.need
    if p.is_limited:
        walk_count(p, w, task, t.need)


cdef inline int64_t walk_place(Plan* p, Walk* w, int32_t task) noexcept nogil:
    # Plan the next job of the walk as early as it can start; return its start.
    cdef const Task* t = &p.task[task]
    while (
        w.free < t.need
        or (p.is_limited and is_over(p, w, t))
        or (p.by_node and not has_nodes(p, w, task))
    ):
        walk_on(p, w)
        while p.by_node and next_end(p, w) == w.time:
            walk_on(p, w)               # free nodes are known only after all ends of this time
    walk_take(p, w, task, w.time)
    if p.by_node:
        nodes_add(&w.line.nodes, spread_of(p, w.line, task), tried_nodes(p, task), p.words, -1)
    return w.time


cdef inline void plan_update(Plan* p, Line* line) noexcept nogil:
    # Move every job of a cluster to the earliest start that keeps their order.
    cdef Walk w
    cdef int32_t k
    walk_begin(p, &w, line, 0, 0)
    for k in range(line.count):
        p.task[line.order[k]].start = walk_place(p, &w, line.order[k])
        if p.by_node:
            keep_tried(p, line.order[k])
    line.is_stale = False


cdef inline int64_t next_change(Plan* p, Walk* w, int32_t k) noexcept nogil:
    # Return when the next job ends, or the k-th of the order starts.
    cdef int64_t time = next_end(p, w)
    return min(time, p.task[w.line.order[k]].start) if k < w.line.count else time


cdef inline int32_t walk_change(Plan* p, Walk* w, int32_t k, int64_t time) noexcept nogil:
    # Let jobs end and start at a time of planned changes; return the next job to start.
    cdef int32_t task
    while next_end(p, w) == time:
        walk_on(p, w)
    while k < w.line.count and p.task[w.line.order[k]].start == time:
        task = w.line.order[k]
        walk_take(p, w, task, time)
        if p.by_node:
            take_kept(p, w, task)
        k += 1
    return k


cdef inline int64_t gap_of_all(Plan* p, Line* line, int32_t task, int64_t limit) noexcept nogil:
    # Return when a new job first fits a cluster as a whole; the limit, if not before it.
    cdef Walk w
    cdef const Task* t = &p.task[task]
    cdef int64_t begin = p.now, following
    cdef int32_t k = 0
    walk_begin(p, &w, line, 0, 0)
    while begin < limit:
        following = next_change(p, &w, k)
        if w.free < t.need or (p.is_limited and is_over(p, &w, t)):
            begin = following
        elif following == INT64_MAX or following - begin >= t.estimate:
            return begin
        k = walk_change(p, &w, k, following)
    return limit


cdef inline bint has_room_now(
    Plan* p, Walk* w, int32_t task, const int32_t* cpus, const int64_t* ram
) noexcept nogil:
    # Return whether a new job could start with given free resources; if so, store its nodes.
    cdef const Task* t = &p.task[task]
    return w.free >= t.need and not (p.is_limited and is_over(p, w, t)) and nodes_choose(
        &w.line.nodes, cpus, ram, spread_of(p, w.line, task), tried_nodes(p, task), p.words
    )


cdef inline int64_t look_ahead(
    Plan* p, Walk* w, int32_t k, int32_t task, int64_t begin
) noexcept nogil:
    # Check whether a new job that could start at a time can run for its estimate: -1 if so. If
    # not, return a time up to which it cannot start either. The walk continues from there or ends.
    cdef Walk kept = w[0]
    cdef Nodes* n = &w.line.nodes
    cdef int64_t end = begin + p.task[task].estimate, time
    cdef int32_t cpus = n.count * sizeof(int32_t), ram = n.count * sizeof(int64_t)
    memcpy(p.spare_heap, p.heap, (w.size + 3) * sizeof(End))
    memcpy(n.spare_cpus, n.free_cpus, cpus)
    memcpy(n.spare_ram, n.free_ram, ram)
    memcpy(n.least_cpus, n.free_cpus, cpus)
    memcpy(n.least_ram, n.free_ram, ram)
    if p.is_limited:
        memcpy(p.spare_used, p.used, p.users * sizeof(int32_t))
    time = next_change(p, w, k)
    while time < end:
        k = walk_change(p, w, k, time)
        nodes_least(n)
        if not has_room_now(p, w, task, n.free_cpus, n.free_ram):
            begin = time
            break
        if not has_room_now(p, w, task, n.least_cpus, n.least_ram):
            break
        time = next_change(p, w, k)
    if time >= end:
        nodes_choose(
            n, n.least_cpus, n.least_ram, spread_of(p, w.line, task), tried_nodes(p, task), p.words
        )
        return -1
    w[0] = kept
    memcpy(p.heap, p.spare_heap, (w.size + 3) * sizeof(End))
    memcpy(n.free_cpus, n.spare_cpus, cpus)
    memcpy(n.free_ram, n.spare_ram, ram)
    if p.is_limited:
        memcpy(p.used, p.spare_used, p.users * sizeof(int32_t))
    return begin


cdef inline int64_t gap_of_nodes(Plan* p, Line* line, int32_t task, int64_t limit) noexcept nogil:
    # Return when a new job first fits the nodes of a cluster; the limit, if not before it.
    cdef Walk w
    cdef Nodes* n = &line.nodes
    cdef int64_t begin = p.now, beyond, following
    cdef int32_t k = 0
    walk_begin(p, &w, line, 0, 0)
    while begin < limit:
        beyond = begin
        if has_room_now(p, &w, task, n.free_cpus, n.free_ram):
            beyond = look_ahead(p, &w, k, task, begin)
            if beyond < 0:
                return begin
        while begin <= beyond:          # more becomes free only at an end
            following = next_change(p, &w, k)
            if following == next_end(p, &w):
                begin = following
            k = walk_change(p, &w, k, following)
    return limit


cdef inline int64_t plan_gap(Plan* p, Line* line, int32_t task, int64_t limit) noexcept nogil:
    # Return the first start of a new job that moves no other; the limit, if not before it.
    if p.by_node:
        return gap_of_nodes(p, line, task, limit)
    return gap_of_all(p, line, task, limit)


cdef inline void line_put(Line* line, int32_t place, int32_t task) noexcept nogil:
    memmove(
        &line.order[place + 1], &line.order[place], (line.count - place) * sizeof(int32_t)
    )
    line.order[place] = task
    line.count += 1


cdef inline void line_cut(Line* line, int32_t place) noexcept nogil:
    line.count -= 1
    memmove(
        &line.order[place], &line.order[place + 1], (line.count - place) * sizeof(int32_t)
    )


cdef inline void plan_put(Plan* p, int32_t task, int64_t start) noexcept nogil:
    # Plan a job of a cluster at a time, behind all that start no later.
    cdef Line* line = &p.line[p.task[task].cluster]
    cdef int32_t low = 0, high = line.count, middle
    p.task[task].start = start
    while low < high:
        middle = (low + high) >> 1
        if p.task[line.order[middle]].start <= start:
            low = middle + 1
        else:
            high = middle
    line_put(line, low, task)
    p.planned += 1


cdef inline void plan_insert(Plan* p, int32_t task) noexcept nogil:
    # Plan a new job at the earliest gap of all clusters; ties go to the first cluster.
    #
    # Every job, including the new one, is as early as its order allows: resources for an earlier
    # start behind its predecessors would also have to be left free by some job behind it. So an
    # update has nothing to move, unless nodes are planned, where gaps may stay open.
    cdef Task* t = &p.task[task]
    cdef int64_t best = INT64_MAX, start
    cdef int32_t c
    for c in range(p.lines):
        if t.allowed >> c & 1:
            start = plan_gap(p, &p.line[c], task, best)
            if start < best:
                best, t.cluster = start, c
                if p.by_node:
                    keep_tried(p, task)
    plan_put(p, task, best)


cdef inline void sum_left(Line* line) noexcept nogil:
    cdef int32_t k
    line.left[line.runs] = 0
    for k in range(line.runs - 1, -1, -1):
        line.left[k] = line.left[k + 1] + line.run[k].need


cdef inline void plan_begin(Plan* p, Line* line) noexcept nogil:
    # Let the first job of a cluster's order run.
    cdef int32_t task = line.order[0], k
    cdef const Task* t = &p.task[task]
    cdef int64_t end = end_of(t)
    k = first_beyond(line, end)
    memmove(&line.run[k + 1], &line.run[k], (line.runs - k) * sizeof(End))
    line.run[k].time, line.run[k].task, line.run[k].need = end, task, t.need
    line.runs += 1
    line_cut(line, 0)
    p.planned -= 1
    sum_left(line)


cdef inline void plan_end(Plan* p, int32_t task) noexcept nogil:
    # Remove an ended job from the running ones; waiting jobs may move if it ended early.
    cdef const Task* t = &p.task[task]
    cdef Line* line = &p.line[t.cluster]
    cdef int32_t k = first_beyond(line, end_of(t) - 1)
    while line.run[k].task != task:
        k += 1
    line.runs -= 1
    memmove(&line.run[k], &line.run[k + 1], (line.runs - k) * sizeof(End))
    line.is_stale = line.is_stale or p.now < end_of(t)
    sum_left(line)
