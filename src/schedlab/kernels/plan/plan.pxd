# A plan: for each cluster who runs there, and who is to run there in which order.
#
# UPDATE goes through a cluster's order and lets each job start at the earliest time that is not
# before the start of the job in front of it. All that is planned before has begun by then, so that
# from there on processors only become free: a job that fits at an instant fits for as long as it
# may run, and what an update must know is the time it has come to, what is free, and a heap of the
# ends of what still runs (`Walk`). The same holds for what a user or the long jobs may take.
#
# Where nodes are planned a job must find room on them too, and has its nodes in the plan. An update
# leaves it on them if it starts as before and they are free; else it takes the first that are.
#
# Invariant: of each cluster, `order` is by start and every start is where an update leaves it;
# `run` is by the end that is expected; left[k] processors are held by run[k] and those behind it.
# Cost: an update of n jobs, of which a run at a time, takes O(n log a); to begin it in the middle
# takes one look at each job in front. An earliest gap takes one pass over the plan up to its end.

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcmp, memcpy, memmove, memset

from schedlab.kernels.plan.plan_nodes cimport (
    Nodes,
    Spread,
    nodes_add,
    nodes_choose,
    nodes_empty,
    nodes_hold,
    nodes_least,
)


cdef struct Task:
    int64_t start                       # planned; then as it was
    int64_t estimate
    int64_t submit
    double pace                         # 1 / max(estimate, tau)
    int32_t need                        # processors
    int32_t user
    int32_t cluster                     # where it is planned, or ran
    bint is_long                        # of those that have a share of the processors only
    uint64_t allowed                    # clusters that it may use and that are wide enough


cdef struct End:
    int64_t time
    int32_t task
    int32_t need


cdef struct Line:                       # of one cluster
    int32_t cpus
    int32_t long_most                   # processors that long jobs may hold
    int32_t count                       # who is planned
    int32_t runs
    int32_t* order
    End* run
    int32_t* left
    int64_t* fresh                      # starts of an order that is being tried, by place
    Nodes nodes
    bint is_stale                       # something ended before it was expected to


cdef struct Plan:
    Line* line
    Task* task
    End* heap                           # of the walk that is under way
    int32_t* used                       # of each user in it, where users have a limit
    End* spare_heap                     # of a walk that looks ahead and comes back
    int32_t* spare_used
    int32_t lines, users
    int32_t planned                     # jobs of all clusters
    int32_t user_most
    bint is_limited
    bint by_node
    int32_t words                       # of bits, for the nodes of a job
    Spread* spread                      # of each job on each cluster
    uint64_t* kept                      # nodes of each job
    uint64_t* tried                     # in the walk that is under way
    int64_t now


cdef struct Walk:
    Line* line
    int64_t time                        # nobody who follows starts before it
    int32_t free
    int32_t next                        # of those that run, who ends first
    int32_t size                        # of the heap
    int32_t long_used


cdef inline int64_t end_of(const Task* t) noexcept nogil:
    return t.start + t.estimate


cdef inline void heap_push(
    End* heap, int32_t* size, int64_t time, const Task* t, int32_t task
) noexcept nogil:
    cdef int32_t i = size[0], parent
    size[0] += 1
    while i > 0:
        parent = (i - 1) >> 1
        if heap[parent].time <= time:
            break
        heap[i] = heap[parent]
        i = parent
    heap[i].time, heap[i].task, heap[i].need = time, task, t.need


cdef inline void heap_pop(End* heap, int32_t* size) noexcept nogil:
    cdef int32_t i = 0, child, n
    cdef End last
    size[0] -= 1
    n = size[0]
    last = heap[n]
    while True:
        child = 2 * i + 1
        if child >= n:
            break
        child += child + 1 < n and heap[child + 1].time < heap[child].time
        if heap[child].time >= last.time:
            break
        heap[i] = heap[child]
        i = child
    heap[i] = last


cdef inline Spread* spread_of(const Plan* p, const Line* line, int32_t task) noexcept nogil:
    return &p.spread[<int64_t>task * p.lines + (line - p.line)]


cdef inline uint64_t* kept_nodes(const Plan* p, int32_t task) noexcept nogil:
    return &p.kept[<int64_t>task * p.words]


cdef inline uint64_t* tried_nodes(const Plan* p, int32_t task) noexcept nogil:
    return &p.tried[<int64_t>task * p.words]


cdef inline bint nodes_differ(const Plan* p, int32_t task) noexcept nogil:
    return memcmp(kept_nodes(p, task), tried_nodes(p, task), p.words * sizeof(uint64_t)) != 0


cdef inline void take_kept(Plan* p, Walk* w, int32_t task) noexcept nogil:
    # Let a job hold the nodes that it has in the plan.
    memcpy(tried_nodes(p, task), kept_nodes(p, task), p.words * sizeof(uint64_t))
    nodes_add(&w.line.nodes, spread_of(p, w.line, task), kept_nodes(p, task), p.words, -1)


cdef inline bint has_nodes(Plan* p, Walk* w, int32_t task) noexcept nogil:
    # Whether there are nodes for a job now; if so, those are tried.
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
    # Note what a job takes (gives back, if negative) of what is limited.
    cdef const Task* t = &p.task[task]
    p.used[t.user] += procs
    if t.is_long:
        w.long_used += procs


cdef inline bint is_over(const Plan* p, const Walk* w, const Task* t) noexcept nogil:
    # Whether a job would exceed what its user or long jobs may hold.
    return p.used[t.user] + t.need > p.user_most or (
        t.is_long and w.long_used + t.need > w.line.long_most
    )


cdef inline int32_t first_beyond(const Line* line, int64_t time) noexcept nogil:
    # The first of those that run that is expected to end after a time.
    cdef int32_t low = 0, high = line.runs, middle
    while low < high:
        middle = (low + high) >> 1
        if line.run[middle].time <= time:
            low = middle + 1
        else:
            high = middle
    return low


cdef inline void walk_begin(Plan* p, Walk* w, Line* line, int32_t place) noexcept nogil:
    # Stand where the job at that place of the order would be planned.
    cdef int32_t k
    cdef int64_t end
    cdef const Task* t
    w.line, w.size, w.long_used = line, 0, 0
    w.time = p.task[line.order[place - 1]].start if place else p.now
    w.next = first_beyond(line, w.time)
    w.free = line.cpus - line.left[w.next]
    for k in range(place):
        t = &p.task[line.order[k]]
        end = end_of(t)
        if end > w.time:
            heap_push(p.heap, &w.size, end, t, line.order[k])
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


cdef inline int64_t next_end(const Plan* p, const Walk* w) noexcept nogil:
    # When the next job ends of those that run by then.
    cdef int64_t time = INT64_MAX
    if w.next < w.line.runs:
        time = w.line.run[w.next].time
    if w.size and p.heap[0].time < time:
        time = p.heap[0].time
    return time


cdef inline void walk_on(Plan* p, Walk* w) noexcept nogil:
    # Let the next job end. There is one.
    cdef End end
    if w.size == 0 or (
        w.next < w.line.runs and w.line.run[w.next].time <= p.heap[0].time
    ):
        end = w.line.run[w.next]
        w.next += 1
    else:
        end = p.heap[0]
        heap_pop(p.heap, &w.size)
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
    heap_push(p.heap, &w.size, start + t.estimate, t, task)
    w.free -= t.need
    if p.is_limited:
        walk_count(p, w, task, t.need)


cdef inline int64_t walk_place(Plan* p, Walk* w, int32_t task) noexcept nogil:
    # Plan a job as soon as it can start, who comes next after it; its start.
    cdef const Task* t = &p.task[task]
    while (
        w.free < t.need
        or (p.is_limited and is_over(p, w, t))
        or (p.by_node and not has_nodes(p, w, task))
    ):
        walk_on(p, w)
        while p.by_node and next_end(p, w) == w.time:
            walk_on(p, w)               # which nodes are free is known when all have ended
    walk_take(p, w, task, w.time)
    if p.by_node:
        nodes_add(&w.line.nodes, spread_of(p, w.line, task), tried_nodes(p, task), p.words, -1)
    return w.time


cdef inline void plan_update(Plan* p, Line* line) noexcept nogil:
    # Move every job of a cluster to the earliest start that keeps their order.
    cdef Walk w
    cdef int32_t k
    walk_begin(p, &w, line, 0)
    for k in range(line.count):
        p.task[line.order[k]].start = walk_place(p, &w, line.order[k])
        if p.by_node:
            keep_tried(p, line.order[k])
    line.is_stale = False


cdef inline int64_t next_change(const Plan* p, const Walk* w, int32_t k) noexcept nogil:
    # When the next job ends, or the k-th of the order starts.
    cdef int64_t time = next_end(p, w)
    return min(time, p.task[w.line.order[k]].start) if k < w.line.count else time


cdef inline int32_t walk_change(Plan* p, Walk* w, int32_t k, int64_t time) noexcept nogil:
    # Let jobs end and start at a time at which some do, as planned; who is the next to start.
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
    # When a cluster as a whole has room for a new job first; the limit, if not before it.
    cdef Walk w
    cdef const Task* t = &p.task[task]
    cdef int64_t begin = p.now, following
    cdef int32_t k = 0
    walk_begin(p, &w, line, 0)
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
    # Whether a new job could start, on nodes with so much that is free; if so, those are tried.
    cdef const Task* t = &p.task[task]
    return w.free >= t.need and not (p.is_limited and is_over(p, w, t)) and nodes_choose(
        &w.line.nodes, cpus, ram, spread_of(p, w.line, task), tried_nodes(p, task), p.words
    )


cdef inline int64_t look_ahead(
    Plan* p, Walk* w, int32_t k, int32_t task, int64_t begin
) noexcept nogil:
    # Whether a new job that could start at a time can go on for its estimate: -1 if so. If not, a
    # time up to which it cannot start either. The walk goes on from there or ends.
    cdef Walk kept = w[0]
    cdef Nodes* n = &w.line.nodes
    cdef int64_t end = begin + p.task[task].estimate, time
    cdef int32_t cpus = n.count * sizeof(int32_t), ram = n.count * sizeof(int64_t)
    memcpy(p.spare_heap, p.heap, w.size * sizeof(End))
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
    memcpy(p.heap, p.spare_heap, w.size * sizeof(End))
    memcpy(n.free_cpus, n.spare_cpus, cpus)
    memcpy(n.free_ram, n.spare_ram, ram)
    if p.is_limited:
        memcpy(p.used, p.spare_used, p.users * sizeof(int32_t))
    return begin


cdef inline int64_t gap_of_nodes(Plan* p, Line* line, int32_t task, int64_t limit) noexcept nogil:
    # When nodes of a cluster have room for a new job first; the limit, if not before it.
    cdef Walk w
    cdef Nodes* n = &line.nodes
    cdef int64_t begin = p.now, beyond, following
    cdef int32_t k = 0
    walk_begin(p, &w, line, 0)
    while begin < limit:
        beyond = begin
        if has_room_now(p, &w, task, n.free_cpus, n.free_ram):
            beyond = look_ahead(p, &w, k, task, begin)
            if beyond < 0:
                return begin
        while begin <= beyond:          # more becomes free only where something ends
            following = next_change(p, &w, k)
            if following == next_end(p, &w):
                begin = following
            k = walk_change(p, &w, k, following)
    return limit


cdef inline int64_t plan_gap(Plan* p, Line* line, int32_t task, int64_t limit) noexcept nogil:
    # When a new job could start first without moving any other one; the limit, if not before it.
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
    # Plan a new job at the earliest gap of all clusters, of equal ones in the first.
    #
    # Every job stands as early as its order lets it, the new one too: what it would need to start
    # earlier behind those in front of it, some job behind it would have to leave free as well. So
    # an update has nothing to move, unless nodes are planned: on them gaps may be left open.
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
    # Take a job that has ended from those that run; who waits may move if it ended early.
    cdef const Task* t = &p.task[task]
    cdef Line* line = &p.line[t.cluster]
    cdef int32_t k = first_beyond(line, end_of(t) - 1)
    while line.run[k].task != task:
        k += 1
    line.runs -= 1
    memmove(&line.run[k], &line.run[k + 1], (line.runs - k) * sizeof(End))
    line.is_stale = line.is_stale or p.now < end_of(t)
    sum_left(line)
