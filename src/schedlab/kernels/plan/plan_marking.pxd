# Blocked jobs mark processors: one pass over the waiting jobs, without future times.
#
# Jobs are tried by rank, then users with less usage first, then by submission. A job that fits
# starts. Otherwise it marks the total need of its nodes on every suitable node of every cluster,
# and no job behind it in the order uses marked resources. If a limit keeps a job off a cluster, it
# marks nothing there. Marks last for one pass.
#
# By node, marks are processors and memory of each node; by cluster, a cluster is one node.
#
# The waiting jobs of a user form an ordered list, and a heap of users gives the next job of all.
# The pass ends as soon as no cluster has a processor that is neither used nor marked.
#
# Invariant, by node: `free_cpus` and `free_ram` of a cluster are what its running jobs leave free.
# Cost: an instant takes O(users), and O(log users) for each tried job, plus O(nodes) for one that
# starts or marks.

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.plan.plan cimport (
    Line,
    Plan,
    Task,
    kept_nodes,
    plan_put,
    spread_of,
)
from schedlab.kernels.plan.plan_nodes cimport Nodes, Spread, nodes_add, nodes_choose
from schedlab.kernels.plan.plan_queue cimport Fair, fair_keys, is_before


cdef struct Marks:
    int32_t* first                      # waiting jobs of each user, in order; -1 if there is none
    int32_t* last
    int32_t* next                       # of each job, in its user's list; -1 if there is none
    int32_t* previous
    int32_t* head                       # users by their next job: a heap of jobs
    int32_t size
    int64_t* room                       # of each cluster: processors neither used nor marked


cdef inline void marks_add(Plan* p, Fair* f, Marks* m, int32_t job) noexcept nogil:
    # Insert a job in its user's list, almost always at its end.
    cdef int32_t user = p.task[job].user, before = m.last[user], behind = -1
    while before >= 0 and is_before(p, f, job, before):
        behind, before = before, m.previous[before]
    m.previous[job], m.next[job] = before, behind
    if before >= 0:
        m.next[before] = job
    else:
        m.first[user] = job
    if behind >= 0:
        m.previous[behind] = job
    else:
        m.last[user] = job


cdef inline void marks_drop(Plan* p, Marks* m, int32_t job) noexcept nogil:
    cdef int32_t user = p.task[job].user, before = m.previous[job], behind = m.next[job]
    if before >= 0:
        m.next[before] = behind
    else:
        m.first[user] = behind
    if behind >= 0:
        m.previous[behind] = before
    else:
        m.last[user] = before


cdef inline void head_sink(const Plan* p, const Fair* f, Marks* m, int32_t i) noexcept nogil:
    cdef int32_t child, job = m.head[i]
    while True:
        child = 2 * i + 1
        if child >= m.size:
            break
        child += child + 1 < m.size and is_before(p, f, m.head[child + 1], m.head[child])
        if not is_before(p, f, m.head[child], job):
            break
        m.head[i] = m.head[child]
        i = child
    m.head[i] = job


cdef inline void head_next(const Plan* p, const Fair* f, Marks* m) noexcept nogil:
    # Replace the present job by the next one of its user.
    cdef int32_t behind = m.next[m.head[0]]
    if behind < 0:
        m.size -= 1
        behind = m.head[m.size]
    m.head[0] = behind
    head_sink(p, f, m, 0)


cdef inline void marks_begin(Plan* p, Fair* f, Marks* m) noexcept nogil:
    cdef int32_t k, c
    cdef Nodes* n
    fair_keys(p, f)
    m.size = 0
    for k in range(p.users):
        if m.first[k] >= 0:
            m.head[m.size] = m.first[k]
            m.size += 1
    for k in range(m.size // 2 - 1, -1, -1):
        head_sink(p, f, m, k)
    for c in range(p.lines):
        m.room[c] = p.line[c].cpus - p.line[c].left[0]
        if p.by_node:
            n, m.room[c] = &p.line[c].nodes, 0
            for k in range(n.count):
                n.least_cpus[k], n.least_ram[k] = n.free_cpus[k], n.free_ram[k]
                m.room[c] += n.free_cpus[k]


cdef inline bint is_limited_now(const Plan* p, const Line* line, const Task* t) noexcept nogil:
    # Return whether a job would exceed the limit of its user or of long jobs, with the running
    # jobs and those that start in this pass. A limit as large as the cluster has no effect.
    cdef int32_t k
    cdef int64_t of_user = t.need, of_long = t.need
    cdef const Task* other
    if not p.is_limited:
        return False
    for k in range(line.runs + line.count):
        if k < line.runs:
            other = &p.task[line.run[k].task]
        else:
            other = &p.task[line.order[k - line.runs]]
        of_user += other.need if other.user == t.user else 0
        of_long += other.need if other.is_long else 0
    return (of_user > p.user_most and p.user_most < line.cpus) or (
        t.is_long and of_long > line.long_most and line.long_most < line.cpus
    )


cdef inline bint is_suitable(const Plan* p, int32_t c, int32_t job) noexcept nogil:
    # Return whether a job may use a cluster now, apart from free resources; it fits the cluster.
    cdef const Task* t = &p.task[job]
    return t.allowed >> c & 1 and not is_limited_now(p, &p.line[c], t)


cdef inline bint marks_start(Plan* p, Marks* m, int32_t c, int32_t job) noexcept nogil:
    # Start a job on a cluster if unmarked resources suffice; return whether it starts.
    cdef Task* t = &p.task[job]
    cdef Nodes* n = &p.line[c].nodes
    cdef Nodes unmarked
    cdef const Spread* s
    cdef int32_t taken = t.need
    if p.by_node:
        s = spread_of(p, &p.line[c], job)
        if not nodes_choose(n, n.least_cpus, n.least_ram, s, kept_nodes(p, job), p.words):
            return False
        nodes_add(n, s, kept_nodes(p, job), p.words, -1)
        unmarked = n[0]
        unmarked.free_cpus, unmarked.free_ram = n.least_cpus, n.least_ram
        nodes_add(&unmarked, s, kept_nodes(p, job), p.words, -1)
        taken = s.nodes * n.cpus if s.is_whole else t.need
    elif m.room[c] < t.need:
        return False
    m.room[c] -= taken
    t.cluster = c
    plan_put(p, job, p.now)
    return True


cdef inline void marks_mark(Plan* p, Marks* m, int32_t c, int32_t job) noexcept nogil:
    # Mark the need of a job on every node of a cluster.
    cdef const Task* t = &p.task[job]
    cdef Nodes* n = &p.line[c].nodes
    cdef const Spread* s
    cdef int32_t node
    if not p.by_node:
        m.room[c] = max(m.room[c] - t.need, 0)
        return
    s = spread_of(p, &p.line[c], job)
    m.room[c] = 0
    for node in range(n.count):
        n.least_cpus[node] = 0 if s.is_whole else max(n.least_cpus[node] - t.need, 0)
        n.least_ram[node] = 0 if s.is_whole else max(n.least_ram[node] - s.nodes * s.ram, 0)
        m.room[c] += n.least_cpus[node]


cdef inline bint marks_try(Plan* p, Marks* m, int32_t job) noexcept nogil:
    # Let a job start or mark; return whether any cluster has resources neither used nor marked.
    cdef const Task* t = &p.task[job]
    cdef int32_t c
    cdef bint is_left = False
    for c in range(p.lines):
        if m.room[c] and is_suitable(p, c, job) and marks_start(p, m, c, job):
            break
    for c in range(p.lines):
        if m.room[c] and t.start < 0 and is_suitable(p, c, job):
            marks_mark(p, m, c, job)
        is_left = is_left or m.room[c] > 0
    return is_left


cdef inline void marks_pass(Plan* p, Fair* f, Marks* m) noexcept nogil:
    # Try the waiting jobs in order; those that start form the plan.
    cdef int32_t c
    cdef bint is_left = False
    marks_begin(p, f, m)
    for c in range(p.lines):
        is_left = is_left or m.room[c] > 0
    while m.size and is_left:
        is_left = marks_try(p, m, m.head[0])
        head_next(p, f, m)
