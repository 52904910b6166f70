# Allocation of nodes to jobs, and their release.
#
# The time at which the queue head will fit is computed without the nodes. Every running job has
# two counts: the nodes that it opens to another job if it ends at its wall time (a second job
# stays there longer, or the job has the whole node), and the nodes that it clears (it is the last
# one there).
#
# Invariant: opens and clears of all running jobs count every node that is not open, or not idle,
# exactly once; a place's slot is a running job, NO_JOB or WHOLE. A node costs O(1).

from libc.stdint cimport int32_t

from schedlab.kernels.nodes.neighbours cimport neighbours_gain, neighbours_lose
from schedlab.kernels.nodes.node_classes cimport (
    node_classes_add,
    node_classes_drop,
    node_classes_move,
)
from schedlab.kernels.nodes.nodes_state cimport NO_JOB, WAYS, WHOLE, Cosched, Running


cdef inline bint ends_before(const Running* a, const Running* b) noexcept nogil:
    # Compare wall-time ends; ties go to the first job.
    return a.wall_end < b.wall_end or (a.wall_end == b.wall_end and a.job < b.job)


cdef inline void mark_changed(Cosched* q, int32_t slot) noexcept nogil:
    # Mark a job for an update of its speed at the end of this instant.
    if not q.running[slot].changed:
        q.running[slot].changed = True
        q.changed[q.changed_count] = slot
        q.changed_count += 1


cdef inline void occupy_node(Cosched* q, int32_t slot, int32_t node) noexcept nogil:
    cdef Running* job = &q.running[slot]
    cdef Running* other
    cdef int32_t base = node * WAYS, way = 0, there
    if job.compact:
        node_classes_drop(&q.nodes, 0, node)
        q.on[base + 1] = WHOLE
        job.opens += 1
        job.clears += 1
    elif q.on[base] == NO_JOB and q.on[base + 1] == NO_JOB:
        node_classes_move(&q.nodes, 0, 1 + job.app, node)
        job.clears += 1
    else:
        if q.on[base] != NO_JOB:
            way = 1
        there = q.on[base + 1 - way]
        other = &q.running[there]
        node_classes_drop(&q.nodes, 1 + other.app, node)
        if neighbours_gain(&q.neighbours, slot, job.app, other.app):
            mark_changed(q, slot)
        if neighbours_gain(&q.neighbours, there, other.app, job.app):
            mark_changed(q, there)
        if ends_before(other, job):
            other.opens += 1
            other.clears -= 1
            job.clears += 1
        else:
            job.opens += 1
    q.on[base + way] = slot
    q.link[base + way] = job.chain
    job.chain = base + way


cdef inline void vacate_nodes(Cosched* q, int32_t slot) noexcept nogil:
    cdef Running* job = &q.running[slot]
    cdef Running* other
    cdef int32_t k = job.chain, node, there
    while k >= 0:
        node = k // WAYS
        there = q.on[k ^ 1]
        q.on[k] = NO_JOB
        if there >= 0:
            other = &q.running[there]
            if neighbours_lose(&q.neighbours, there, other.app, job.app):
                mark_changed(q, there)
            node_classes_add(&q.nodes, 1 + other.app, node)
            if ends_before(other, job):
                other.opens -= 1
                other.clears += 1
        elif there == WHOLE:
            q.on[k ^ 1] = NO_JOB
            node_classes_add(&q.nodes, 0, node)
        else:
            node_classes_move(&q.nodes, 1 + job.app, 0, node)
        k = q.link[k]
