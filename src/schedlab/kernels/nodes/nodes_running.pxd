# Running jobs: starts, ends, and speeds that depend on neighbors.
#
# Invariant: between instants the heap's time of a running job is since + work / speed, and
# `by_wall` ascends. A start or an end costs O(nodes of the job + running jobs), where the latter
# is a move of memory; a new speed O(log running).

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy, memmove

from schedlab.kernels.common.region cimport arena_grow
from schedlab.kernels.common.bisect cimport bisect
from schedlab.kernels.nodes.neighbours cimport neighbours_clear, neighbours_speed
from schedlab.kernels.nodes.node_classes cimport COMPACT, node_classes_choose
from schedlab.kernels.nodes.nodes_places cimport (
    ends_before,
    mark_changed,
    occupy_node,
    vacate_nodes,
)
from schedlab.kernels.nodes.nodes_queue cimport leave_queue
from schedlab.kernels.nodes.nodes_state cimport (
    NO_JOB,
    Cosched,
    Piece,
    Running,
    mode_of,
    need_of,
    no_memory,
)
from schedlab.kernels.nodes.timed_heap cimport timed_drop, timed_put


cdef inline bint slot_before(const void* state, int32_t place, const void* slot) noexcept nogil:
    cdef const Cosched* q = <const Cosched*>state
    return ends_before(&q.running[q.by_wall[place]], &q.running[(<const int32_t*>slot)[0]])


cdef inline int start_job(Cosched* q, int32_t job) except -1 nogil:
    # Start a waiting job that fits.
    cdef int32_t mode = mode_of(q, job), need = need_of(q, job, mode), k, slot
    cdef Running* r
    cdef char* room
    leave_queue(q, job)
    node_classes_choose(&q.nodes, q.app[job], mode, need)
    q.spares -= 1
    slot = q.spare[q.spares]
    r = &q.running[slot]
    r.job, r.app, r.chain, r.nodes = job, q.app[job], NO_JOB, need
    r.opens = r.clears = 0
    r.compact = mode == COMPACT
    r.wall_end = q.now + q.wall[job]
    r.work, r.since, r.speed = q.time[job], q.now, 0
    if not r.compact:
        neighbours_clear(&q.neighbours, slot)
    q.start[job], q.given[job], q.packed[job] = q.now, need, r.compact
    for k in range(need):
        occupy_node(q, slot, q.nodes.chosen[k])
    mark_changed(q, slot)
    k = bisect(slot_before, q, q.count, &slot)
    memmove(&q.by_wall[k + 1], &q.by_wall[k], (q.count - k) * sizeof(int32_t))
    q.by_wall[k] = slot
    q.count += 1
    if q.keep:
        q.kept_first[job] = q.kept_nodes.used // <int64_t>sizeof(int32_t)
        room = arena_grow(&q.arena, &q.kept_nodes, need * sizeof(int32_t))
        if room == NULL:
            return no_memory()
        memcpy(room, q.nodes.chosen, need * sizeof(int32_t))
    return 0


cdef inline void end_job(Cosched* q, int32_t slot) noexcept nogil:
    cdef Running* r = &q.running[slot]
    cdef int32_t k
    q.end[r.job] = q.now
    timed_drop(&q.ends, slot)
    vacate_nodes(q, slot)
    k = bisect(slot_before, q, q.count, &slot)
    q.count -= 1
    memmove(&q.by_wall[k], &q.by_wall[k + 1], (q.count - k) * sizeof(int32_t))
    r.job = NO_JOB
    q.spare[q.spares] = slot
    q.spares += 1


cdef inline int renew_speeds(Cosched* q) except -1 nogil:
    # Update the work left and the speed of jobs whose neighbors changed.
    cdef int32_t k, slot
    cdef double speed
    cdef Running* r
    cdef Piece* piece
    for k in range(q.changed_count):
        slot = q.changed[k]
        r = &q.running[slot]
        r.changed = False
        if r.job < 0:
            continue
        speed = 1 if r.compact else neighbours_speed(&q.neighbours, slot, r.app)
        if speed == r.speed:
            continue
        r.work -= (q.now - r.since) * r.speed
        if r.work < 0:
            r.work = 0
        r.since, r.speed = q.now, speed
        timed_put(&q.ends, slot, r.since + r.work / r.speed)
        if q.keep:
            piece = <Piece*>arena_grow(&q.arena, &q.pieces, sizeof(Piece))
            if piece == NULL:
                return no_memory()
            piece.job, piece.time, piece.speed = r.job, q.now, speed
    q.changed_count = 0
    return 0
