# Textbook conservative backfilling on whole nodes: every job has a reservation.
#
# At each instant the plan is rebuilt from the running jobs' wall-time ends and the reservations.
# By arrival, each reservation moves as early as the others allow, and due jobs start.
#
# Invariant: no reservation ever moves later. Cost of an instant: O((running + depth)^2).

from libc.stdint cimport int32_t

from schedlab.kernels.nodes.nodes_running cimport start_job
from schedlab.kernels.nodes.nodes_state cimport Cosched, Running
from schedlab.kernels.nodes.steps cimport steps_add, steps_clear, steps_earliest


cdef inline int plan(Cosched* q) except -1 nogil:
    cdef int32_t k, job = q.queue.next[q.n], following, need
    cdef const Running* r
    cdef double when
    steps_clear(&q.steps, q.now, q.nodes.nodes)
    for k in range(q.count):
        r = &q.running[q.by_wall[k]]
        steps_add(&q.steps, q.now, r.wall_end, -r.nodes)
    for _ in range(q.depth + 1):
        if job == q.n or q.reserved[job] < 0:
            break
        if q.reserved[job] < q.now:
            q.reserved[job] = q.now
        steps_add(&q.steps, q.reserved[job], q.reserved[job] + q.wall[job], -q.whole[job])
        job = q.queue.next[job]
    job = q.queue.next[q.n]
    for _ in range(q.depth + 1):
        if job == q.n:
            break
        following, need, when = q.queue.next[job], q.whole[job], q.reserved[job]
        if when >= 0:
            steps_add(&q.steps, when, when + q.wall[job], need)
        when = steps_earliest(&q.steps, need, q.wall[job])
        steps_add(&q.steps, when, when + q.wall[job], -need)
        if when <= q.now and q.nodes.size[0] >= need:
            start_job(q, job)
        else:
            q.reserved[job] = when
        job = following
    return 0
