"""Jobs that share nodes: co-scheduling on clusters, with speeds that depend on neighbors.

Algorithm: at each instant all completions, then all arrivals, then passes of starts in the
scheduler's order and backfilling. Then the jobs whose neighbors changed get their new speed and
move in the heap of completions.

Structures: waiting jobs by arrival and in groups with a fixed order (`nodes_queue`,
`nodes_order`); nodes in classes by occupant (`node_classes`, `nodes_places`); running jobs with
their neighbors (`nodes_running`, `neighbours`); backfilling in `nodes_backfill` and `nodes_plan`.
`nodes_state` contains all data, and states what more than two jobs per node would change.

Invariant: between instants no job may start, and every speed is that of the present neighbors.
Cost, with g groups and r running jobs: a start or an end O(nodes of the job + g + r), a pass O(g
log n + r + depth). `textbook` replans at each instant, O((r + depth)^2).
"""

import numpy as np

from cpython.ref cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from schedlab.kernels.common.region cimport Arena, arena_free, arena_take, arena_zeros
from schedlab.kernels.nodes.arrivals cimport arrivals_make
from schedlab.kernels.common.bitset cimport bitset_make
from schedlab.kernels.nodes.fenwick cimport fenwick_make
from schedlab.kernels.nodes.neighbours cimport neighbours_make
from schedlab.kernels.nodes.node_classes cimport COMPACT, HYBRID, SPREAD, STRIPED, node_classes_make
from schedlab.kernels.nodes.nodes_backfill cimport backfill
from schedlab.kernels.nodes.nodes_order cimport find_head, first_group
from schedlab.kernels.nodes.nodes_plan cimport plan
from schedlab.kernels.nodes.nodes_queue cimport arrive, begin_pass, end_pass
from schedlab.kernels.nodes.nodes_running cimport end_job, renew_speeds, start_job
from schedlab.kernels.nodes.nodes_state cimport (
    CONSERVATIVE,
    EASY,
    FILLER,
    INDEXED,
    NO_JOB,
    NONE,
    OWN,
    RANK,
    RANK_INDEXED,
    RANK_INDEXED_UP,
    STATIC,
    TEXTBOOK,
    WAYS,
    Cosched,
    Piece,
    Running,
    fits,
    no_memory,
)
from schedlab.kernels.nodes.popularity cimport popularity_make

KINDS = {
    "filler": FILLER,
    "sjf-filler": INDEXED,
    "pop-filler": RANK_INDEXED,
    "pop-filler-ascending": RANK_INDEXED_UP,
    "popularity": RANK,
    "static": STATIC,
    "own": OWN,
}
MODES = {"compact": COMPACT, "spread": SPREAD, "striped": STRIPED, "hybrid": HYBRID}
BACKFILLS = {None: NONE, "easy": EASY, "conservative": CONSERVATIVE, "textbook": TEXTBOOK}


cdef int ask(Cosched* q) except -1 nogil:
    # List the visible jobs in a user-defined order.
    cdef int32_t job, k
    cdef int32_t[::1] places
    with gil:
        seen = np.empty(q.queue.seen, dtype=np.int32)
        places = seen
        job = q.queue.next[q.n]
        for k in range(q.queue.seen):
            places[k] = job
            job = q.queue.next[job]
        places = (<object>q.own)(seen, q.pass_free, q.now)
        for k in range(q.queue.seen):
            q.listed[k] = places[k]
    return 0


cdef int start_in_order(Cosched* q) except -1 nogil:
    # Perform one pass: start jobs in order until one does not fit; return their number.
    cdef int32_t group, started = 0
    begin_pass(q)
    if q.pass_seen == 0 or q.nodes.open == 0:
        end_pass(q)
        return 0
    if q.order == OWN:
        ask(q)
        while started < q.pass_seen and fits(q, q.listed[started]):
            start_job(q, q.listed[started])
            started += 1
    else:
        for group in range(q.groups):
            find_head(q, group)
        group = first_group(q)
        while group >= 0 and fits(q, q.head[group]):
            start_job(q, q.head[group])
            started += 1
            find_head(q, group)
            group = first_group(q)
    end_pass(q)
    return started


cdef int simulate(Cosched* q) except -1 nogil:
    cdef int32_t arrived = 0
    while arrived < q.n or q.ends.size:
        if q.ends.size and (
            arrived == q.n or q.ends.time[q.ends.item[0]] <= q.submit[arrived]
        ):
            q.now = q.ends.time[q.ends.item[0]]
        else:
            q.now = q.submit[arrived]
        while q.ends.size and q.ends.time[q.ends.item[0]] <= q.now:
            end_job(q, q.ends.item[0])
        while arrived < q.n and q.submit[arrived] <= q.now:
            arrive(q, arrived)
            arrived += 1
        if q.backfill == TEXTBOOK:
            plan(q)
        else:
            while q.queue.waiting:
                if start_in_order(q) + backfill(q) == 0 or not q.repeat:
                    break
        renew_speeds(q)
    return 0


cdef int prepare(Cosched* q) except -1 nogil:
    # Allocate all memory once for the whole run.
    cdef Arena* arena = &q.arena
    cdef int64_t n = q.n, slots = q.slots, places = <int64_t>q.nodes.nodes * WAYS, k
    cdef int64_t steps = 2 * (slots + 3 * (<int64_t>q.depth + 1)) + 2
    cdef int32_t kinds = 0
    if q.order == INDEXED:
        kinds = 1
    elif q.order == RANK_INDEXED or q.order == RANK_INDEXED_UP:
        kinds = q.popularity.types
    arrivals_make(&q.queue, arena, q.n)
    popularity_make(&q.popularity, arena)
    fenwick_make(&q.index, arena, kinds, q.n)
    bitset_make(&q.seen, arena, n)
    node_classes_make(&q.nodes, arena)
    neighbours_make(&q.neighbours, arena, slots)
    q.head = <int32_t*>arena_take(arena, q.groups, sizeof(int32_t))
    q.key = <int64_t*>arena_take(arena, q.groups, sizeof(int64_t))
    q.score = <double*>arena_take(arena, q.groups, sizeof(double))
    q.gone = <int32_t*>arena_take(arena, n, sizeof(int32_t))
    q.listed = <int32_t*>arena_take(arena, n if q.order == OWN else 0, sizeof(int32_t))
    q.on = <int32_t*>arena_take(arena, places, sizeof(int32_t))
    q.link = <int32_t*>arena_take(arena, places, sizeof(int32_t))
    q.running = <Running*>arena_zeros(arena, slots, sizeof(Running))
    q.spare = <int32_t*>arena_take(arena, slots, sizeof(int32_t))
    q.by_wall = <int32_t*>arena_take(arena, slots, sizeof(int32_t))
    q.changed = <int32_t*>arena_take(arena, slots, sizeof(int32_t))
    q.ends.time = <double*>arena_take(arena, slots, sizeof(double))
    q.ends.item = <int32_t*>arena_take(arena, slots, sizeof(int32_t))
    q.ends.place = <int32_t*>arena_take(arena, slots, sizeof(int32_t))
    if q.backfill == TEXTBOOK:
        q.steps.time = <double*>arena_take(arena, steps, sizeof(double))
        q.steps.free = <int32_t*>arena_take(arena, steps, sizeof(int32_t))
        q.reserved = <double*>arena_take(arena, n, sizeof(double))
    if q.backfill == CONSERVATIVE:
        q.limit = <double*>arena_take(arena, q.depth, sizeof(double))
        q.left = <int32_t*>arena_take(arena, slots, sizeof(int32_t))
    if arena.failed:
        return no_memory()
    if q.backfill == TEXTBOOK:
        for k in range(n):
            q.reserved[k] = -1
    for k in range(places):
        q.on[k] = NO_JOB
    for k in range(slots):
        q.spare[k] = <int32_t>(slots - 1 - k)
        q.ends.place[k] = q.running[k].job = NO_JOB
    q.spares = q.slots
    return 0


def run_nodes(
    const double[::1] submit,
    const double[::1] time,
    const double[::1] wall,
    const int64_t[::1] procs,
    const int32_t[::1] app,
    const int32_t[::1] whole,
    const int32_t[::1] shared,
    machine,
    speeds,
    groups,
    ranks,
    scheduler,
    own,
    bint keep,
):
    """Simulate n jobs; the caller (`schedlab.cosched.simulation`) checks the arguments.

    Parameters
    ----------
    submit, time, wall : memoryviews of float64, shape (n,)
        Seconds, in order of submission.
    procs, app, whole, shared : memoryviews, shape (n,)
        Processes, application, and number of nodes, whole and shared.
    machine : tuple of int
        Number of nodes, cores per node, and cores that a second job can get on a node.
    speeds : tuple of ndarray
        For a applications: speed alone (a,), speeds when paired with the others, slowest first (a,
        a), place of each other one in that order (a, a), classes of nodes in order of preference
        (a, a + 1) and the level of each of these (a, a + 1), which is equal for equal keys.
    groups : tuple
        Place of each job, group after group (n,), job at each place (n,), first place of each
        group and the end (g + 1,), and place of each job in the second queue (n,).
    ranks : tuple of ndarray
        Type of each application (a,), which applications a type likes (t, a), and whether it likes
        itself (t,); no type if ranks are not needed.
    scheduler : tuple of int
        Order, exact keys, mode, mode of backfilled jobs, backfilling, repeat, depth, window, rank
        below which jobs are compact.
    own : callable or None
        Maps the places of the visible jobs, the free cores and the time to the places in order.
    keep : bool
        Whether to return nodes and speeds.

    Returns
    -------
    start, end : ndarray of float64, shape (n,)
    nodes : ndarray of int32, shape (n,)
    compact : ndarray of uint8, shape (n,)
    kept : None or tuple of ndarray
        Position of each job's first node (n,), all nodes, and job, time and speed of the pieces.
    """
    cdef Cosched q
    cdef int32_t n = <int32_t>submit.shape[0]
    cdef const double[::1] alone = speeds[0]
    cdef const double[:, ::1] ascending = speeds[1]
    cdef const int32_t[:, ::1] place_of = speeds[2], classes = speeds[3], level = speeds[4]
    cdef const int32_t[::1] place = groups[0], at = groups[1], group_first = groups[2]
    cdef const int32_t[::1] second = groups[3]
    cdef const int32_t[::1] type_of = ranks[0]
    cdef const uint8_t[:, ::1] likes = ranks[1]
    cdef const uint8_t[::1] likes_itself = ranks[2]
    start_out, end_out = np.empty(n), np.empty(n)
    nodes_out, compact_out = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.uint8)
    first_out = np.zeros(n, dtype=np.int64)
    cdef double[::1] start = start_out, end = end_out
    cdef int32_t[::1] given = nodes_out
    cdef uint8_t[::1] packed = compact_out
    cdef int64_t[::1] first = first_out
    cdef int32_t[::1] node_out, job_out
    cdef double[::1] time_out, speed_out
    cdef const Piece* piece
    cdef int64_t k
    kept = None
    if n == 0:
        empty = np.empty(0, dtype=np.int32)
        kept = (first_out, empty, empty, np.empty(0), np.empty(0)) if keep else None
        return start_out, end_out, nodes_out, compact_out, kept
    memset(&q, 0, sizeof(Cosched))
    q.n, q.submit, q.time, q.wall = n, &submit[0], &time[0], &wall[0]
    q.procs, q.app, q.whole, q.shared = &procs[0], &app[0], &whole[0], &shared[0]
    q.nodes.nodes, q.node_cores, q.second_cores = machine
    q.nodes.apps = q.neighbours.apps = q.popularity.apps = <int32_t>alone.shape[0]
    q.nodes.order, q.nodes.level = &classes[0, 0], &level[0, 0]
    q.neighbours.alone, q.neighbours.ascending = &alone[0], &ascending[0, 0]
    q.neighbours.place_of = &place_of[0, 0]
    (
        q.order, q.exact, q.mode, q.filling_mode, q.backfill, q.repeat, q.depth, q.window,
        q.compact_below,
    ) = scheduler
    q.own = <PyObject*>own
    q.groups = <int32_t>group_first.shape[0] - 1
    q.place, q.at = &place[0], &at[0]
    q.group_first, q.second = &group_first[0], &second[0]
    q.popularity.types = <int32_t>likes.shape[0]
    q.popularity.type_of = &type_of[0]
    if q.popularity.types:
        q.popularity.likes, q.popularity.likes_itself = &likes[0, 0], &likes_itself[0]
    q.start, q.end, q.given, q.packed = &start[0], &end[0], &given[0], &packed[0]
    q.kept_first, q.keep = &first[0], keep
    q.slots = min(n, q.nodes.nodes * WAYS)
    try:
        with nogil:
            prepare(&q)
            simulate(&q)
        if keep:
            piece = <const Piece*>q.pieces.at
            count = q.pieces.used // sizeof(Piece)
            nodes = np.empty(q.kept_nodes.used // sizeof(int32_t), dtype=np.int32)
            jobs, times, speeds = np.empty(count, dtype=np.int32), np.empty(count), np.empty(count)
            node_out, job_out, time_out, speed_out = nodes, jobs, times, speeds
            memcpy(&node_out[0], q.kept_nodes.at, q.kept_nodes.used)
            for k in range(job_out.shape[0]):
                job_out[k], time_out[k], speed_out[k] = piece[k].job, piece[k].time, piece[k].speed
            kept = (first_out, nodes, jobs, times, speeds)
    finally:
        arena_free(&q.arena)
    return start_out, end_out, nodes_out, compact_out, kept
