# Backfilling on shared nodes: EASY, and kellari2025's conservative variant.
#
# The head is the oldest waiting job; the candidates are the jobs behind it by arrival. A candidate
# starts if it fits and ends by its limit: the shadow time of the head's reservation for all, or a
# sum that grows from candidate to candidate.
#
# Invariant: `by_wall` ascends (nodes_running). A shadow time costs O(running), limits O(depth *
# running), a pass over the candidates O(depth) and its starts.

from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libc.string cimport memcpy

from schedlab.kernels.nodes.node_classes cimport enough
from schedlab.kernels.nodes.nodes_running cimport start_job
from schedlab.kernels.nodes.nodes_state cimport (
    EASY,
    NONE,
    Cosched,
    Running,
    fits,
    mode_of,
    need_of,
)


cdef inline double shadow_time(const Cosched* q, int32_t head) noexcept nogil:
    # Return the wall-time end by which the head fits; -INFINITY if no job runs.
    cdef int32_t mode = mode_of(q, head), need = need_of(q, head, mode), k
    cdef int32_t idle = q.nodes.size[0], open = q.nodes.open
    cdef const Running* r
    for k in range(q.count):
        r = &q.running[q.by_wall[k]]
        idle += r.clears
        open += r.opens
        if k + 1 < q.count and q.running[q.by_wall[k + 1]].wall_end == r.wall_end:
            continue
        if enough(mode, need, idle, open):
            return r.wall_end
    return -INFINITY


cdef inline void limit_candidates(Cosched* q, int32_t job) noexcept nogil:
    # kellari2025's conservative: compute the time by which each candidate must end, from the first
    # one on. Times to wall-time ends add up, and a running job is skipped once its actual end is
    # within the sum. A candidate that needs more than the rest has no limit, and the search stops
    # there.
    cdef int32_t k, i, unused = q.nodes.size[0], count = q.count, kept, slot
    cdef double after = 0
    cdef bint found
    memcpy(q.left, q.by_wall, count * sizeof(int32_t))
    for k in range(q.depth):
        q.limit[k] = -INFINITY
        if job == q.n:
            return
        found = False
        for i in range(count):
            unused += q.running[q.left[i]].nodes
            if unused >= q.whole[job]:
                after += q.running[q.left[i]].wall_end - q.now
                found = True
                break
        if not found:
            q.limit[k] = INFINITY
            if k + 1 < q.depth:
                q.limit[k + 1] = -INFINITY
            return
        q.limit[k] = q.now + after
        kept = 0
        for i in range(count):
            slot = q.left[i]
            if q.start[q.running[slot].job] + q.time[q.running[slot].job] - q.now > after:
                q.left[kept] = slot
                kept += 1
        count = kept
        unused = 0
        job = q.queue.next[job]


cdef inline int backfill(Cosched* q) except -1 nogil:
    # Start the candidates that may start; return their number.
    cdef int32_t head = q.queue.next[q.n], job, following, k, started = 0
    cdef double limit = 0
    cdef bint easy = q.backfill == EASY
    if q.queue.waiting < 2 or q.backfill == NONE or q.nodes.open == 0:
        return 0
    following = q.queue.next[head]
    if easy:
        limit = shadow_time(q, head)
    else:
        limit_candidates(q, following)
    q.filling = True
    for k in range(q.depth):
        job = following
        if job == q.n or q.nodes.open == 0:
            break
        following = q.queue.next[job]
        if not easy:
            limit = q.limit[k]
        if limit == -INFINITY:          # the candidates behind it are skipped as well
            break
        if q.now + q.wall[job] <= limit and fits(q, job):
            start_job(q, job)
            started += 1
    q.filling = False
    return started
