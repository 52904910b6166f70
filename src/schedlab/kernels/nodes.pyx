"""Jobs that share nodes: co-scheduling on clusters, with speeds that follow the neighbours.

Algorithm: at each instant all completions, then all arrivals, then passes of starting in the
scheduler's order and backfilling; then the jobs whose neighbours changed get their new speed and
move in the heap of completions.

Nodes stand in classes by who is on them (nobody, one job of application b, no more room), each
class a set of bits; a job takes nodes class by class, classes of one key merged by node number, so
that choosing costs words and not nodes. Each running job counts its neighbours by application; the
slowest one is the lowest bit of a word in which applications stand by speed.

When the head of the queue will fit is known without looking at nodes: every running job carries how
many nodes it opens to another job when it ends at its wall time (`opens`: a second job outlasts it
there, or it has them whole) and how many it leaves idle (`clears`: it is the last one there).

Waiting jobs stand in groups within which the order never changes (all of them; those of equal need;
those of equally popular applications); before each start the heads of the groups are compared.
Keys are exact: whole numbers, never quotients.

Two jobs share a node at most. Places on nodes, their links, neighbours by application and speeds
hold any number of ways; what knows that there are two is: who else is on a node (`k ^ 1` in
`clear`, `way` in `settle`, the mark WHOLE on the other way), the classes (a set per occupant; more
ways: one per multiset of occupants), `opens` and `clears` (who of two leaves last) and
`second_cores` of a node. To raise WAYS is to change these, and to say what a speed beside several
others is.

Invariants: opens and clears of all running jobs count every node that is not open, or not idle,
exactly once; the heap's time of a job is since + work / speed.

Cost, with g groups and r running jobs: a start or an end O(nodes of the job + g + r), a pass
O(g log n + r + depth). `textbook` plans anew at each instant, O((r + depth)^2).
"""

import numpy as np

from cpython.ref cimport PyObject
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memmove, memset

from schedlab.kernels.bitset cimport (
    Bitset,
    bitset_add,
    bitset_drop,
    bitset_free,
    bitset_make,
    bitset_next,
    lowest,
)
from schedlab.kernels.steps cimport (
    Steps,
    steps_add,
    steps_clear,
    steps_earliest,
)
from schedlab.kernels.timed_heap cimport TimedHeap, timed_drop, timed_put

cdef enum:
    WAYS = 2                            # jobs that may share a node
    NOBODY = -1
    WHOLE = -2                          # the other way of a node that a job has whole

cdef double NEVER = -INFINITY            # of a limit: who has it is not looked at

cdef enum Order:
    STATIC, FILLER, INDEXED, RANK_INDEXED, RANK_INDEXED_UP, RANK, OWN

cdef enum Mode:
    COMPACT, SPREAD, STRIPED, HYBRID

cdef enum Backfill:
    NONE, EASY, CONSERVATIVE, TEXTBOOK

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


cdef struct Running:
    int32_t job
    int32_t app
    int32_t chain                       # its first place on a node, by `link`
    int32_t nodes
    int32_t opens
    int32_t clears
    bint compact
    bint dirty                          # its neighbours changed at this instant
    double wall_end
    double work                         # left at `since`, in seconds on whole nodes
    double since
    double speed


cdef struct Piece:
    int32_t job
    double time
    double speed


cdef struct Cosched:
    # jobs
    int32_t n
    const double* submit
    const double* time
    const double* wall
    const int64_t* procs
    const int32_t* app
    const int32_t* whole                # nodes needed: whole ones,
    const int32_t* shared               # or shares
    # machine
    int32_t nodes
    int32_t words                       # of a set of nodes
    int64_t node_cores
    int64_t second_cores                # of a node that one job shares
    # speeds
    int32_t apps
    int32_t app_words
    const double* alone                 # of each application
    const double* ascending             # speeds beside the others, slowest first
    const int32_t* place_of             # of each other one therein
    const int32_t* classes              # in the order in which an application takes them
    const int32_t* level                # of each of these; equal keys, equal level
    # scheduler
    int32_t order
    int32_t mode
    int32_t filling_mode                # of jobs that are backfilled
    bint filling
    int32_t backfill
    bint repeat
    int32_t depth
    int32_t window
    int32_t compact_below
    PyObject* own
    # groups of waiting jobs
    int32_t groups
    const int32_t* place                # of each job among all, group after group
    const int32_t* at                   # the job at each place
    const int32_t* group_first          # first place of each group; one more at the end
    Bitset shown                        # places of the jobs that the order sees
    int32_t* head                       # of each group in this pass, -1: none
    int64_t* key                        # of each head
    int32_t* listed                     # the order's own list
    int32_t listed_count
    int32_t listed_next
    # ranks
    int32_t types                       # classes of applications that are equally popular
    const int32_t* type_of              # of each application
    const uint8_t* likes                # type by application
    const uint8_t* likes_itself         # of each type
    int64_t* popularity                 # of each type among the waiting, itself counted
    int64_t* rank                       # the same when this pass began, itself not counted
    int32_t* of_type                    # jobs of each type that the order sees
    int32_t* seen_of_type               # the same when this pass began
    # index queries: Fenwick trees over `second`, one per type or one for all
    const int32_t* second
    int32_t* tree
    int32_t* gone                       # started in this pass, still in the trees
    int32_t gone_count
    bint passing
    int64_t pass_free
    int32_t pass_shown
    # the queue by arrival: a ring through n
    int32_t* next
    int32_t* previous
    uint8_t* is_shown
    int32_t waiting
    int32_t showing
    int32_t hidden                      # the first that the order does not see
    # nodes
    int32_t* on                         # running slot at each place (node * WAYS + way)
    int32_t* link                       # next place of the same job
    uint64_t* set                       # class after class; 0: idle, 1 + b: one job of b
    int32_t* set_size
    int32_t idle
    int32_t open                        # idle, or with room for one more
    int32_t* taken                      # nodes chosen
    # running jobs
    Running* running
    int32_t slots
    int32_t* spare                      # slots without a job
    int32_t spares
    int32_t* neighbours                 # slot by application
    uint64_t* present                   # slot by application, slowest first
    int32_t* by_wall                    # slots by wall-time end
    int32_t count
    int32_t* dirty
    int32_t dirty_count
    TimedHeap heap
    # plans
    Steps steps
    double* reserved                    # < 0: none
    double* limit                       # by when each candidate must end
    int32_t* left                       # running jobs in a walk over candidates
    # out
    double now
    double* start
    double* end
    int32_t* given
    uint8_t* packed
    bint keep
    int32_t* kept_node
    int64_t kept_nodes
    int64_t kept_room
    int64_t* kept_first                 # where the nodes of each job begin
    Piece* piece
    int64_t pieces
    int64_t piece_room


cdef int no_memory() except -1 nogil:
    with gil:
        raise MemoryError("no memory left to simulate co-scheduled jobs")


# --- Fenwick trees: how many of a type stand before a place


cdef inline void tree_add(Cosched* q, int32_t tree, int32_t place, int32_t amount) noexcept nogil:
    cdef int32_t* t = &q.tree[<int64_t>tree * (q.n + 1)]
    place += 1
    while place <= q.n:
        t[place] += amount
        place += place & -place


cdef inline int32_t tree_before(const Cosched* q, int32_t tree, int32_t place) noexcept nogil:
    cdef const int32_t* t = &q.tree[<int64_t>tree * (q.n + 1)]
    cdef int32_t total = 0
    while place > 0:
        total += t[place]
        place -= place & -place
    return total


cdef inline void tree_change(Cosched* q, int32_t job, int32_t amount) noexcept nogil:
    if q.order == INDEXED:
        tree_add(q, 0, q.second[job], amount)
    elif q.order == RANK_INDEXED or q.order == RANK_INDEXED_UP:
        tree_add(q, q.type_of[q.app[job]], job, amount)


# --- the queue


cdef void arrive(Cosched* q, int32_t job) noexcept nogil:
    cdef int32_t last = q.previous[q.n], t
    q.next[last], q.previous[job] = job, last
    q.next[job], q.previous[q.n] = q.n, job
    q.waiting += 1
    if q.hidden == q.n:
        q.hidden = job
    for t in range(q.types):
        q.popularity[t] += q.likes[t * q.apps + q.app[job]]


cdef void show(Cosched* q) noexcept nogil:
    # Let the order see the oldest jobs, as many as it may.
    cdef int32_t job
    while q.hidden != q.n and q.showing < q.window:
        job = q.hidden
        q.hidden = q.next[job]
        q.is_shown[job] = 1
        q.showing += 1
        bitset_add(&q.shown, q.place[job])
        if q.types:
            q.of_type[q.type_of[q.app[job]]] += 1
        tree_change(q, job, 1)


cdef void leave(Cosched* q, int32_t job) noexcept nogil:
    cdef int32_t t
    if job == q.hidden:
        q.hidden = q.next[job]
    q.next[q.previous[job]] = q.next[job]
    q.previous[q.next[job]] = q.previous[job]
    q.waiting -= 1
    for t in range(q.types):
        q.popularity[t] -= q.likes[t * q.apps + q.app[job]]
    if not q.is_shown[job]:
        return
    q.showing -= 1
    bitset_drop(&q.shown, q.place[job])
    if q.types:
        q.of_type[q.type_of[q.app[job]]] -= 1
    if q.passing:
        q.gone[q.gone_count] = job
        q.gone_count += 1
    else:
        tree_change(q, job, -1)


# --- nodes


cdef inline void put_in(Cosched* q, int32_t which, int32_t node) noexcept nogil:
    q.set[<int64_t>which * q.words + (node >> 6)] |= <uint64_t>1 << (node & 63)
    q.set_size[which] += 1


cdef inline void take_out(Cosched* q, int32_t which, int32_t node) noexcept nogil:
    q.set[<int64_t>which * q.words + (node >> 6)] &= ~(<uint64_t>1 << (node & 63))
    q.set_size[which] -= 1


cdef inline bint earlier(const Running* a, const Running* b) noexcept nogil:
    return a.wall_end < b.wall_end or (a.wall_end == b.wall_end and a.job < b.job)


cdef inline int32_t mode_of(const Cosched* q, int32_t job) noexcept nogil:
    cdef int32_t mode = q.filling_mode if q.filling else q.mode
    if mode != HYBRID:
        return mode
    return COMPACT if q.rank[q.type_of[q.app[job]]] < q.compact_below else SPREAD


cdef inline bint enough(int32_t mode, int32_t need, int32_t idle, int32_t open) noexcept nogil:
    if mode == SPREAD:
        return open >= need
    return idle >= need or (mode == STRIPED and open - idle >= need)


cdef inline int32_t need_of(const Cosched* q, int32_t job, int32_t mode) noexcept nogil:
    return q.whole[job] if mode == COMPACT else q.shared[job]


cdef inline bint fits(const Cosched* q, int32_t job) noexcept nogil:
    cdef int32_t mode = mode_of(q, job)
    return enough(mode, need_of(q, job, mode), q.idle, q.open)


cdef void choose(Cosched* q, int32_t app, int32_t mode, int32_t need) noexcept nogil:
    # Fill `taken`: class by class as the application likes them, by number among equals.
    cdef int32_t k = 0, last, i, w, which, found = 0
    cdef const int32_t* classes = &q.classes[app * (q.apps + 1)]
    cdef const int32_t* level = &q.level[app * (q.apps + 1)]
    cdef bint idle = True, shared = mode != COMPACT
    cdef uint64_t bits
    if mode == STRIPED:
        idle = q.open - q.idle < need
        shared = not idle
    if not shared:                      # one class
        for w in range(q.words):
            bits = q.set[w]
            while bits:
                q.taken[found] = w << 6 | lowest(bits)
                found += 1
                if found == need:
                    return
                bits &= bits - 1
    while True:
        last = k
        while last <= q.apps and level[last] == level[k]:
            last += 1
        for w in range(q.words):
            bits = 0
            for i in range(k, last):
                which = classes[i]
                if q.set_size[which] and (idle if which == 0 else shared):
                    bits |= q.set[<int64_t>which * q.words + w]
            while bits:
                q.taken[found] = w << 6 | lowest(bits)
                found += 1
                if found == need:
                    return
                bits &= bits - 1
        k = last


cdef inline void smear(Cosched* q, int32_t slot) noexcept nogil:
    if not q.running[slot].dirty:
        q.running[slot].dirty = True
        q.dirty[q.dirty_count] = slot
        q.dirty_count += 1


cdef inline void meet(Cosched* q, int32_t slot, int32_t app) noexcept nogil:
    # One more neighbour of an application.
    cdef int64_t k = <int64_t>slot * q.apps
    cdef int32_t place
    q.neighbours[k + app] += 1
    if q.neighbours[k + app] == 1:
        place = q.place_of[q.running[slot].app * q.apps + app]
        q.present[<int64_t>slot * q.app_words + (place >> 6)] |= <uint64_t>1 << (place & 63)
        smear(q, slot)


cdef inline void part(Cosched* q, int32_t slot, int32_t app) noexcept nogil:
    cdef int64_t k = <int64_t>slot * q.apps
    cdef int32_t place
    q.neighbours[k + app] -= 1
    if q.neighbours[k + app] == 0:
        place = q.place_of[q.running[slot].app * q.apps + app]
        q.present[<int64_t>slot * q.app_words + (place >> 6)] &= ~(<uint64_t>1 << (place & 63))
        smear(q, slot)


cdef void settle(Cosched* q, int32_t slot, int32_t node) noexcept nogil:
    # Put a running job on a node.
    cdef Running* job = &q.running[slot]
    cdef Running* other
    cdef int32_t base = node * WAYS, way = 0, there
    if job.compact:
        take_out(q, 0, node)
        q.idle -= 1
        q.open -= 1
        q.on[base + 1] = WHOLE
        job.opens += 1
        job.clears += 1
    elif q.on[base] == NOBODY and q.on[base + 1] == NOBODY:
        take_out(q, 0, node)
        put_in(q, 1 + job.app, node)
        q.idle -= 1
        job.clears += 1
    else:
        if q.on[base] != NOBODY:
            way = 1
        there = q.on[base + 1 - way]
        other = &q.running[there]
        take_out(q, 1 + other.app, node)
        q.open -= 1
        meet(q, slot, other.app)
        meet(q, there, job.app)
        if earlier(other, job):
            other.opens += 1
            other.clears -= 1
            job.clears += 1
        else:
            job.opens += 1
    q.on[base + way] = slot
    q.link[base + way] = job.chain
    job.chain = base + way


cdef void clear(Cosched* q, int32_t slot) noexcept nogil:
    # Take a job that has ended off its nodes.
    cdef Running* job = &q.running[slot]
    cdef Running* other
    cdef int32_t k = job.chain, node, there
    while k >= 0:
        node = k // WAYS
        there = q.on[k ^ 1]
        q.on[k] = NOBODY
        if there >= 0:
            other = &q.running[there]
            part(q, there, job.app)
            put_in(q, 1 + other.app, node)
            q.open += 1
            if earlier(other, job):
                other.opens -= 1
                other.clears += 1
        else:
            if there == WHOLE:
                q.on[k ^ 1] = NOBODY
                q.open += 1
            else:
                take_out(q, 1 + job.app, node)
            put_in(q, 0, node)
            q.idle += 1
        k = q.link[k]


# --- running jobs


cdef int begin(Cosched* q, int32_t job) except -1 nogil:
    # Start a waiting job that fits.
    cdef int32_t mode = mode_of(q, job), need = need_of(q, job, mode), k, low, high
    cdef int32_t slot
    cdef Running* r
    cdef void* room
    leave(q, job)
    choose(q, q.app[job], mode, need)
    q.spares -= 1
    slot = q.spare[q.spares]
    r = &q.running[slot]
    r.job, r.app, r.chain, r.nodes = job, q.app[job], -1, need
    r.opens = r.clears = 0
    r.compact = mode == COMPACT
    r.wall_end = q.now + q.wall[job]
    r.work, r.since, r.speed = q.time[job], q.now, 0
    if not r.compact:
        memset(&q.neighbours[<int64_t>slot * q.apps], 0, q.apps * sizeof(int32_t))
        memset(&q.present[<int64_t>slot * q.app_words], 0, q.app_words * sizeof(uint64_t))
    q.start[job], q.given[job], q.packed[job] = q.now, need, r.compact
    for k in range(need):
        settle(q, slot, q.taken[k])
    smear(q, slot)
    low, high = 0, q.count
    while low < high:
        k = (low + high) >> 1
        if earlier(&q.running[q.by_wall[k]], r):
            low = k + 1
        else:
            high = k
    memmove(&q.by_wall[low + 1], &q.by_wall[low], (q.count - low) * sizeof(int32_t))
    q.by_wall[low] = slot
    q.count += 1
    if q.keep:
        if q.kept_nodes + need > q.kept_room:
            q.kept_room = 2 * (q.kept_nodes + need)
            room = realloc(q.kept_node, q.kept_room * sizeof(int32_t))
            if room == NULL:
                return no_memory()
            q.kept_node = <int32_t*>room
        q.kept_first[job] = q.kept_nodes
        memcpy(&q.kept_node[q.kept_nodes], q.taken, need * sizeof(int32_t))
        q.kept_nodes += need
    return 0


cdef void finish(Cosched* q, int32_t slot) noexcept nogil:
    cdef Running* r = &q.running[slot]
    cdef int32_t low = 0, high = q.count, k
    q.end[r.job] = q.now
    timed_drop(&q.heap, slot)
    clear(q, slot)
    while low < high:
        k = (low + high) >> 1
        if earlier(&q.running[q.by_wall[k]], r):
            low = k + 1
        else:
            high = k
    q.count -= 1
    memmove(&q.by_wall[low], &q.by_wall[low + 1], (q.count - low) * sizeof(int32_t))
    r.job = -1
    q.spare[q.spares] = slot
    q.spares += 1


cdef double speed_of(const Cosched* q, int32_t slot) noexcept nogil:
    cdef const Running* r = &q.running[slot]
    cdef const uint64_t* present
    cdef int32_t w
    cdef double speed
    if r.compact:
        return 1
    present = &q.present[<int64_t>slot * q.app_words]
    for w in range(q.app_words):
        if present[w]:
            speed = q.ascending[r.app * q.apps + (w << 6 | lowest(present[w]))]
            return speed if speed < q.alone[r.app] else q.alone[r.app]
    return q.alone[r.app]


cdef int retime(Cosched* q) except -1 nogil:
    # New speeds of the jobs whose neighbours changed; work done until now is done.
    cdef int32_t k, slot
    cdef double speed
    cdef Running* r
    cdef void* room
    for k in range(q.dirty_count):
        slot = q.dirty[k]
        r = &q.running[slot]
        r.dirty = False
        if r.job < 0:
            continue
        speed = speed_of(q, slot)
        if speed == r.speed:
            continue
        r.work -= (q.now - r.since) * r.speed
        if r.work < 0:
            r.work = 0
        r.since, r.speed = q.now, speed
        timed_put(&q.heap, slot, r.since + r.work / r.speed)
        if q.keep:
            if q.pieces == q.piece_room:
                q.piece_room = 2 * q.piece_room + 1024
                room = realloc(q.piece, q.piece_room * sizeof(Piece))
                if room == NULL:
                    return no_memory()
                q.piece = <Piece*>room
            q.piece[q.pieces].job, q.piece[q.pieces].time = r.job, q.now
            q.piece[q.pieces].speed = speed
            q.pieces += 1
    q.dirty_count = 0
    return 0


# --- starting in order


cdef int64_t index_of(const Cosched* q, int32_t job) noexcept nogil:
    # Where the job stood in the second queue when this pass began.
    cdef int64_t total = 0, mine
    cdef int32_t t
    if q.order == INDEXED:
        return tree_before(q, 0, q.second[job])
    mine = q.rank[q.type_of[q.app[job]]]
    for t in range(q.types):
        if q.seen_of_type[t] == 0:
            continue
        if q.rank[t] == mine:
            total += tree_before(q, t, job)
        elif (q.rank[t] < mine) == (q.order == RANK_INDEXED_UP):
            total += q.seen_of_type[t]
    return total


cdef void look(Cosched* q, int32_t group) noexcept nogil:
    # Find the head of a group and its key.
    cdef int32_t job, first = q.group_first[group], end = q.group_first[group + 1], place
    q.head[group] = -1
    place = bitset_next(&q.shown, 0, first)
    if place < 0 or place >= end:
        return
    job = q.at[place]
    if q.order == STATIC:
        q.head[group] = job
        return
    if q.order != RANK and q.procs[job] > q.pass_free:
        return                          # its gap is -1: behind all others, and it cannot fit
    q.head[group] = job
    if q.order == RANK:
        q.key[group] = q.rank[q.type_of[q.app[job]]]
    elif q.order != FILLER:
        q.key[group] = q.procs[job] * q.pass_shown + index_of(q, job) * q.pass_free


cdef inline bint outranks(const Cosched* q, int32_t a, int32_t b) noexcept nogil:
    # Whether the head of group a starts before that of group b.
    cdef int32_t one = q.head[a], other = q.head[b]
    cdef int64_t x, y
    if q.order == FILLER:
        x = q.procs[one] * (other + 1)
        y = q.procs[other] * (one + 1)
    else:
        x, y = q.key[a], q.key[b]
    return x > y or (x == y and one < other)


cdef int ask(Cosched* q) except -1 nogil:
    # The order of somebody's own.
    cdef int32_t job, k
    cdef int32_t[::1] places
    with gil:
        seen = np.empty(q.showing, dtype=np.int32)
        places = seen
        job = q.next[q.n]
        for k in range(q.showing):
            places[k] = job
            job = q.next[job]
        places = (<object>q.own)(seen, q.pass_free, q.now)
        for k in range(q.showing):
            q.listed[k] = places[k]
        q.listed_count = q.showing
    return 0


cdef int deploy(Cosched* q) except -1 nogil:
    # Start jobs in order until one does not fit; how many.
    cdef int32_t group, best, started = 0, t, k
    show(q)
    q.pass_free = q.idle * q.node_cores + (q.open - q.idle) * q.second_cores
    q.pass_shown = q.showing
    for t in range(q.types):
        q.rank[t] = q.popularity[t] - q.likes_itself[t]
        q.seen_of_type[t] = q.of_type[t]
    if q.showing == 0 or q.open == 0:
        return 0
    q.passing = True
    if q.order == OWN:
        ask(q)
        for k in range(q.listed_count):
            if not fits(q, q.listed[k]):
                break
            begin(q, q.listed[k])
            started += 1
    else:
        for group in range(q.groups):
            look(q, group)
        while True:
            best = -1
            for group in range(q.groups):
                if q.head[group] >= 0 and (best < 0 or outranks(q, group, best)):
                    best = group
            if best < 0 or not fits(q, q.head[best]):
                break
            begin(q, q.head[best])
            started += 1
            look(q, best)
    q.passing = False
    for k in range(q.gone_count):
        tree_change(q, q.gone[k], -1)
    q.gone_count = 0
    return started


# --- backfilling


cdef double shadow(const Cosched* q, int32_t job) noexcept nogil:
    # By which wall-time end a job fits; NEVER: nobody runs.
    cdef int32_t mode = mode_of(q, job), need = need_of(q, job, mode), k
    cdef int32_t idle = q.idle, open = q.open
    cdef const Running* r
    for k in range(q.count):
        r = &q.running[q.by_wall[k]]
        idle += r.clears
        open += r.opens
        if k + 1 < q.count and q.running[q.by_wall[k + 1]].wall_end == r.wall_end:
            continue
        if enough(mode, need, idle, open):
            return r.wall_end
    return NEVER


cdef void reserve(Cosched* q, int32_t job) noexcept nogil:
    # kellari2025's conservative: by when each candidate must end, from the first one on. Times to
    # wall-time ends add up, and a running job is left out once its actual end is within the sum;
    # who would need more than what is left has no limit, and nobody behind it is looked at.
    cdef int32_t k, i, unused = q.idle, count = q.count, kept
    cdef int32_t slot
    cdef double after = 0
    cdef bint found
    memcpy(q.left, q.by_wall, count * sizeof(int32_t))
    for k in range(q.depth):
        q.limit[k] = NEVER
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
                q.limit[k + 1] = NEVER
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
        job = q.next[job]


cdef int backfill(Cosched* q) except -1 nogil:
    # Start what ends before it would be in the way; how many.
    cdef int32_t job = q.next[q.n], following, k, started = 0
    cdef double limit = 0
    cdef bint easy = q.backfill == EASY
    if q.waiting < 2 or q.backfill == NONE or q.open == 0:
        return 0
    if easy:
        limit = shadow(q, job)
    following = q.next[job]
    if not easy:
        reserve(q, following)
    q.filling = True
    for k in range(q.depth):
        job = following
        if job == q.n or q.open == 0:
            break
        following = q.next[job]
        if not easy:
            limit = q.limit[k]
        if limit == NEVER:              # nor is any behind it looked at
            break
        if q.now + q.wall[job] <= limit and fits(q, job):
            begin(q, job)
            started += 1
    q.filling = False
    return started


cdef int plan(Cosched* q) except -1 nogil:
    # Conservative backfilling of the literature: by arrival, each reservation moves as early as the
    # others allow; what is due starts.
    cdef int32_t k, job = q.next[q.n], following, need
    cdef const Running* r
    cdef double when
    steps_clear(&q.steps, q.now, q.nodes)
    for k in range(q.count):
        r = &q.running[q.by_wall[k]]
        steps_add(&q.steps, q.now, r.wall_end, -r.nodes)
    for _ in range(q.depth + 1):
        if job == q.n or q.reserved[job] < 0:
            break
        if q.reserved[job] < q.now:
            q.reserved[job] = q.now
        steps_add(&q.steps, q.reserved[job], q.reserved[job] + q.wall[job], -q.whole[job])
        job = q.next[job]
    job = q.next[q.n]
    for _ in range(q.depth + 1):
        if job == q.n:
            break
        following, need, when = q.next[job], q.whole[job], q.reserved[job]
        if when >= 0:
            steps_add(&q.steps, when, when + q.wall[job], need)
        when = steps_earliest(&q.steps, need, q.wall[job])
        steps_add(&q.steps, when, when + q.wall[job], -need)
        if when <= q.now and q.idle >= need:
            begin(q, job)
        else:
            q.reserved[job] = when
        job = following
    return 0


# --- the run


cdef int simulate(Cosched* q) except -1 nogil:
    cdef int32_t arrived = 0
    while arrived < q.n or q.heap.size:
        if q.heap.size and (
            arrived == q.n or q.heap.time[q.heap.item[0]] <= q.submit[arrived]
        ):
            q.now = q.heap.time[q.heap.item[0]]
        else:
            q.now = q.submit[arrived]
        while q.heap.size and q.heap.time[q.heap.item[0]] <= q.now:
            finish(q, q.heap.item[0])
        while arrived < q.n and q.submit[arrived] <= q.now:
            arrive(q, arrived)
            arrived += 1
        if q.backfill == TEXTBOOK:
            plan(q)
        else:
            while q.waiting:
                if deploy(q) + backfill(q) == 0 or not q.repeat:
                    break
        retime(q)
    return 0


cdef void* room(int64_t count, size_t size) noexcept nogil:
    return malloc((count + 1) * size)


cdef int prepare(Cosched* q) except -1 nogil:
    # Allocate once for the whole run.
    cdef int64_t n = q.n, slots = q.slots, places = <int64_t>q.nodes * WAYS, k
    cdef int64_t trees = 0, steps = 0
    if q.order == INDEXED:
        trees = 1
    elif q.order == RANK_INDEXED or q.order == RANK_INDEXED_UP:
        trees = q.types
    if q.backfill == TEXTBOOK:
        steps = 2 * (slots + 3 * (<int64_t>q.depth + 1)) + 2
    q.head = <int32_t*>room(q.groups, sizeof(int32_t))
    q.key = <int64_t*>room(q.groups, sizeof(int64_t))
    q.listed = <int32_t*>room(n if q.order == OWN else 0, sizeof(int32_t))
    q.popularity = <int64_t*>calloc(q.types + 1, sizeof(int64_t))
    q.rank = <int64_t*>calloc(q.types + 1, sizeof(int64_t))
    q.of_type = <int32_t*>calloc(q.types + 1, sizeof(int32_t))
    q.seen_of_type = <int32_t*>calloc(q.types + 1, sizeof(int32_t))
    q.tree = <int32_t*>calloc(trees * (n + 1) + 1, sizeof(int32_t))
    q.gone = <int32_t*>room(n, sizeof(int32_t))
    q.next = <int32_t*>room(n, sizeof(int32_t))
    q.previous = <int32_t*>room(n, sizeof(int32_t))
    q.is_shown = <uint8_t*>calloc(n + 1, 1)
    q.on = <int32_t*>room(places, sizeof(int32_t))
    q.link = <int32_t*>room(places, sizeof(int32_t))
    q.set = <uint64_t*>calloc(<int64_t>q.words * (q.apps + 1), sizeof(uint64_t))
    q.set_size = <int32_t*>calloc(q.apps + 1, sizeof(int32_t))
    q.taken = <int32_t*>room(q.nodes, sizeof(int32_t))
    q.running = <Running*>calloc(slots + 1, sizeof(Running))
    q.spare = <int32_t*>room(slots, sizeof(int32_t))
    q.neighbours = <int32_t*>room(slots * q.apps, sizeof(int32_t))
    q.present = <uint64_t*>room(slots * q.app_words, sizeof(uint64_t))
    q.by_wall = <int32_t*>room(slots, sizeof(int32_t))
    q.dirty = <int32_t*>room(slots, sizeof(int32_t))
    q.heap.time = <double*>room(slots, sizeof(double))
    q.heap.item = <int32_t*>room(slots, sizeof(int32_t))
    q.heap.place = <int32_t*>room(slots, sizeof(int32_t))
    q.steps.time = <double*>room(steps, sizeof(double))
    q.steps.free = <int32_t*>room(steps, sizeof(int32_t))
    q.reserved = <double*>room(n, sizeof(double))
    q.limit = <double*>room(q.depth, sizeof(double))
    q.left = <int32_t*>room(slots, sizeof(int32_t))
    if (
        bitset_make(&q.shown, n) or q.head == NULL or q.key == NULL or q.listed == NULL
        or q.popularity == NULL or q.rank == NULL or q.of_type == NULL or q.seen_of_type == NULL
        or q.tree == NULL or q.gone == NULL or q.next == NULL or q.previous == NULL
        or q.is_shown == NULL or q.on == NULL or q.link == NULL or q.set == NULL
        or q.set_size == NULL or q.taken == NULL or q.running == NULL or q.spare == NULL
        or q.neighbours == NULL or q.present == NULL or q.by_wall == NULL or q.dirty == NULL
        or q.heap.time == NULL or q.heap.item == NULL or q.heap.place == NULL
        or q.steps.time == NULL or q.steps.free == NULL or q.reserved == NULL or q.limit == NULL
        or q.left == NULL
    ):
        return no_memory()
    q.next[n] = q.previous[n] = q.hidden = q.n
    for k in range(n):
        q.reserved[k] = -1
    for k in range(places):
        q.on[k] = NOBODY
    for k in range(slots):
        q.spare[k], q.heap.place[k], q.running[k].job = <int32_t>(slots - 1 - k), -1, -1
    q.spares = q.slots
    for k in range(q.nodes):
        put_in(q, 0, <int32_t>k)
    q.idle = q.open = q.nodes
    return 0


cdef void release(Cosched* q) noexcept nogil:
    cdef void** each = [
        q.head, q.key, q.listed, q.popularity, q.rank, q.of_type, q.seen_of_type, q.tree, q.gone,
        q.next, q.previous, q.is_shown, q.on, q.link, q.set, q.set_size, q.taken, q.running,
        q.spare, q.neighbours, q.present, q.by_wall, q.dirty, q.heap.time, q.heap.item,
        q.heap.place, q.steps.time, q.steps.free, q.reserved, q.limit, q.left, q.kept_node,
        q.piece,
    ]
    cdef int32_t k
    for k in range(33):
        free(each[k])
    bitset_free(&q.shown)


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
    """Simulate n jobs; the façade (`schedlab.cosched.simulation`) has checked the arguments.

    Parameters
    ----------
    submit, time, wall : memoryviews of float64, shape (n,)
        Seconds, in order of submission.
    procs, app, whole, shared : memoryviews, shape (n,)
        Processes, application, and nodes needed if whole and if shared.
    machine : tuple of int
        Nodes, cores of a node, cores that a second job can get of it.
    speeds : tuple of ndarray
        Of a applications: speed alone (a,), speeds beside the others, slowest first (a, a), where
        each other one stands in that order (a, a), classes of nodes in the order in which they are
        taken (a, a + 1) and the level of each of these (a, a + 1), equal keys sharing one.
    groups : tuple
        Place of each job, group after group (n,), job at each place (n,), first place of each group
        and the end (g + 1,), and place of each job in the second queue (n,).
    ranks : tuple of ndarray
        Type of each application (a,), which applications a type likes (t, a), and whether it likes
        itself (t,); no type if ranks are not needed.
    scheduler : tuple of int
        Order, mode, mode of backfilled jobs, backfilling, repeat, depth, window, rank below which
        jobs are packed.
    own : callable or None
        From places of the jobs seen, free cores and time to the places in order.
    keep : bool
        Whether nodes and speeds are wanted.

    Returns
    -------
    start, end : ndarray of float64, shape (n,)
    nodes : ndarray of int32, shape (n,)
    compact : ndarray of uint8, shape (n,)
    kept : None or tuple of ndarray
        First of each job's nodes (n,), all nodes, and job, time and speed of the pieces.
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
    cdef int64_t k
    kept = None
    if n == 0:
        empty = np.empty(0, dtype=np.int32)
        kept = (first_out, empty, empty, np.empty(0), np.empty(0)) if keep else None
        return start_out, end_out, nodes_out, compact_out, kept
    memset(&q, 0, sizeof(Cosched))
    q.n, q.submit, q.time, q.wall = n, &submit[0], &time[0], &wall[0]
    q.procs, q.app, q.whole, q.shared = &procs[0], &app[0], &whole[0], &shared[0]
    q.nodes, q.node_cores, q.second_cores = machine
    q.words = (q.nodes + 63) >> 6
    q.apps = <int32_t>alone.shape[0]
    q.app_words = (q.apps + 63) >> 6
    q.alone, q.ascending, q.place_of = &alone[0], &ascending[0, 0], &place_of[0, 0]
    q.classes, q.level = &classes[0, 0], &level[0, 0]
    (
        q.order, q.mode, q.filling_mode, q.backfill, q.repeat, q.depth, q.window, q.compact_below
    ) = scheduler
    q.own = <PyObject*>own
    q.groups = <int32_t>group_first.shape[0] - 1
    q.place, q.at = &place[0], &at[0]
    q.group_first, q.second = &group_first[0], &second[0]
    q.types = <int32_t>likes.shape[0]
    q.type_of = &type_of[0]
    if q.types:
        q.likes, q.likes_itself = &likes[0, 0], &likes_itself[0]
    q.start, q.end, q.given, q.packed = &start[0], &end[0], &given[0], &packed[0]
    q.kept_first, q.keep = &first[0], keep
    q.slots = n if n < q.nodes * WAYS else q.nodes * WAYS
    try:
        with nogil:
            prepare(&q)
            simulate(&q)
        if keep:
            nodes = np.empty(q.kept_nodes, dtype=np.int32)
            jobs, times, all_speeds = np.empty(q.pieces, dtype=np.int32), \
                np.empty(q.pieces), np.empty(q.pieces)
            node_out, job_out, time_out, speed_out = nodes, jobs, times, all_speeds
            for k in range(q.kept_nodes):
                node_out[k] = q.kept_node[k]
            for k in range(q.pieces):
                job_out[k], time_out[k] = q.piece[k].job, q.piece[k].time
                speed_out[k] = q.piece[k].speed
            kept = (first_out, nodes, jobs, times, all_speeds)
    finally:
        release(&q)
    return start_out, end_out, nodes_out, compact_out, kept
