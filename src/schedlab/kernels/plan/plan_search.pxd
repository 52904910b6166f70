# A search of a plan: each iteration draws a job, and tries it at random places.
#
# The job is random, or selected by shares (`plan_shares.pxd`): from the largest share on, one
# after the other, and again from the largest after a gain. The rules for moves are in
# `plan_rules.pxd`.
#
# Alternatively an iteration goes through the clusters, as the production scheduler does, and tries
# one job of each at another place there.
#
# If only gains are accepted, rejected moves of a small plan are stored since the last accepted
# one. They are not tried again, and once all moves are rejected, the search ends.

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memmove

from schedlab.kernels.plan.plan cimport Line, Plan, Task
from schedlab.kernels.plan.plan_best cimport best_back
from schedlab.kernels.plan.plan_moves cimport Delta, Move, Search, make_move, measure, try_move
from schedlab.kernels.plan.plan_rules cimport (
    ANNEALING,
    FIRST,
    TABU,
    Rules,
    is_kept,
    rules_begin,
    rules_keep,
    set_heat,
)
from schedlab.kernels.plan.plan_shares cimport Share, order_shares
from schedlab.kernels.common.splitmix cimport draw, mix

cdef enum:
    SMALL = 64                          # largest number of jobs of a plan whose moves are stored
    WAYS = 64                           # largest number of clusters: bits of a word
    FEW = 4                             # smallest number of planned jobs of a cluster for a move


cdef struct Hunt:                       # a search in progress
    Rules rules
    uint64_t state                      # of the random numbers
    int32_t budget, done                # iterations
    bint by_share, by_cluster
    Share* share
    int32_t turn                        # place of the next job in `share`
    # rejected moves
    bint is_small
    int32_t* vain
    int32_t round, tried, all_moves


cdef inline int32_t below(uint64_t* state, int32_t most) noexcept nogil:
    # Return a random number from 0 to most - 1.
    return <int32_t>((draw(state) >> 32) * <uint64_t>most >> 32)


cdef inline int32_t all_moves(const Plan* p) noexcept nogil:
    # Return the number of moves: each job to each place of each cluster that it may use.
    cdef int32_t c, k, other, count = 0
    for c in range(p.lines):
        for k in range(p.line[c].count):
            for other in range(p.lines):
                if p.task[p.line[c].order[k]].allowed >> other & 1:
                    count += p.line[other].count + (other != c)
    return count


cdef inline void forget_vain(const Plan* p, Hunt* h) noexcept nogil:
    if h.is_small:
        h.round += 1
        h.tried, h.all_moves = 0, all_moves(p)


cdef inline void search_begin(
    Plan* p, Search* s, Hunt* h, uint64_t state, int32_t iterations
) noexcept nogil:
    # Prepare a search of the present plan; random numbers depend on `state` only.
    h.state, h.budget, h.done, h.turn = state, iterations, 0, p.planned
    if p.planned == 0:
        h.done = iterations
        return
    measure(p, s)
    s.searches += 1
    s.iterations += iterations
    rules_begin(p, s, &h.rules, iterations)
    h.is_small = h.rules.rule == FIRST and p.planned <= SMALL and p.lines <= SMALL
    h.is_small = h.is_small and not h.by_cluster
    forget_vain(p, h)


cdef inline int32_t whose_turn(const Plan* p, const Search* s, Hunt* h) noexcept nogil:
    # Return the next job to try: a place in the plan's order, cluster after cluster.
    cdef int32_t place = 0, k = 0, c, task
    if not h.by_share:
        return below(&h.state, p.planned)
    if h.turn == p.planned:
        order_shares(p, s, h.share)
        h.turn = 0
    task = h.share[h.turn].task
    h.turn += 1
    for c in range(p.task[task].cluster):
        place += p.line[c].count
    while p.line[p.task[task].cluster].order[k] != task:
        k += 1
    return place + k


cdef inline int32_t* vain_of(const Plan* p, Hunt* h, int32_t r, const Move* move) noexcept nogil:
    # Return where the last round with a rejection of a move of the job at place r is stored.
    cdef int32_t index = r * (2 * SMALL) + move.target + move.place, k
    for k in range(move.target):
        index += p.line[k].count
    return &h.vain[index]


cdef inline void made(
    Plan* p, Search* s, Hunt* h, const Delta* d, int32_t origin, const Move* move
) noexcept nogil:
    # Make the move that was evaluated last.
    make_move(p, s, d, origin, move)
    rules_keep(p, s, &h.rules, move.task)
    if move.gain > s.least:
        h.turn = p.planned
    forget_vain(p, h)


cdef inline void way_out(Plan* p, Search* s, Hunt* h, int32_t iteration) noexcept nogil:
    # Let tabu search make the smallest loss, after too many iterations without a move.
    cdef Delta d
    cdef Move move
    h.rules.idle += 1
    if h.rules.idle >= p.planned and h.rules.has_out:
        move = h.rules.out
        move.iteration = iteration
        try_move(p, s, &d, h.rules.out_from, &move)
        made(p, s, h, &d, h.rules.out_from, &move)


cdef inline void iterate(Plan* p, Search* s, Hunt* h, int32_t i) noexcept nogil:
    cdef int32_t k, r = whose_turn(p, s, h), c = 0, origin = r, ways = 0
    cdef int32_t way[WAYS]
    cdef bint kept = False
    cdef Delta d
    cdef Move move
    while origin >= p.line[c].count:
        origin -= p.line[c].count
        c += 1
    move.time, move.iteration, move.task, move.origin = p.now, i, p.line[c].order[origin], c
    for k in range(p.lines):
        if p.task[move.task].allowed >> k & 1:
            way[ways] = k
            ways += 1
    while ways and not kept:
        k = below(&h.state, ways)
        move.target = way[k]
        ways -= 1
        memmove(&way[k], &way[k + 1], (ways - k) * sizeof(int32_t))
        move.place = below(&h.state, p.line[move.target].count + (move.target != c))
        if h.is_small and vain_of(p, h, r, &move)[0] == h.round:
            continue
        if move.target != c or move.place != origin:
            try_move(p, s, &d, origin, &move)
            s.evaluated += 1
            kept = is_kept(s, &h.rules, &move, origin, &h.state)
        if h.is_small and not kept:
            vain_of(p, h, r, &move)[0] = h.round
            h.tried += 1
    if kept:
        made(p, s, h, &d, origin, &move)
    elif h.rules.rule == TABU:
        way_out(p, s, h, i)


cdef inline int32_t other_place(Hunt* h, const Line* line, int32_t origin) noexcept nogil:
    # Draw a running or planned job except the previous one; return the place behind it.
    cdef int32_t others = line.runs + line.count - 1, drawn = below(&h.state, others)
    while drawn == line.runs + origin - 1:
        drawn = below(&h.state, others)
    return max(drawn - line.runs + 1, 0)


cdef inline void sweep(Plan* p, Search* s, Hunt* h, int32_t i) noexcept nogil:
    # Try one move within each cluster.
    cdef int32_t c, origin
    cdef Delta d
    cdef Move move
    for c in range(p.lines):
        if p.line[c].count < FEW:
            continue
        origin = below(&h.state, p.line[c].count)
        move.time, move.iteration, move.task = p.now, i, p.line[c].order[origin]
        move.origin, move.target = c, c
        move.place = other_place(h, &p.line[c], origin)
        if move.place != origin:
            try_move(p, s, &d, origin, &move)
            s.evaluated += 1
            if is_kept(s, &h.rules, &move, origin, &h.state):
                made(p, s, h, &d, origin, &move)


cdef inline void search_on(Plan* p, Search* s, Hunt* h, int32_t until) noexcept nogil:
    # Continue until a number of iterations of the budget is done.
    while h.done < until and not s.failed:
        if h.rules.rule == ANNEALING and h.done == h.rules.sampled:
            set_heat(&h.rules, h.budget - h.done)
        if h.by_cluster:
            sweep(p, s, h, h.done)
        else:
            iterate(p, s, h, h.done)
        h.done += 1
        h.rules.heat *= h.rules.cooling
        if h.is_small and h.tried == h.all_moves:
            h.done = h.budget


cdef inline void search_end(Plan* p, Hunt* h) noexcept nogil:
    # Restore the best plan that was seen.
    if h.rules.rule != FIRST and p.planned:
        best_back(p, &h.rules.best)


cdef inline void search_plan(
    Plan* p, Search* s, Hunt* h, uint64_t state, int32_t iterations
) noexcept nogil:
    search_begin(p, s, h, state, iterations)
    search_on(p, s, h, iterations)
    search_end(p, h)


cdef inline uint64_t search_state(uint64_t key, int64_t number) noexcept nogil:
    # Return the initial state of the random numbers of a search, by its number.
    return mix(mix(key) + <uint64_t>number)
