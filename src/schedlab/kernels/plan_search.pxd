# Random Search over a plan: one job to another place of an order, kept if the plan is better so.
#
# A move is tried without being made: the update goes through the new order from the earlier of the
# two places on, notes starts that differ (`fresh`), and adds up by how much the criteria change.
# It stops where it meets the old plan again: at a job behind both places that starts as before, no
# earlier than all that changed has ended. What is not kept leaves nothing to be undone.
#
# Of a small plan all moves that were tried in vain since the last one that was kept are remembered;
# they are not tried again, and once these are all that there are, the search ends.
#
# Cost: O(n log a) at most, as for an update of what stands behind the earlier place.

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport realloc
from libc.string cimport memmove

from schedlab.kernels.plan cimport (
    Line,
    Plan,
    Task,
    Walk,
    keep_tried,
    line_cut,
    line_put,
    nodes_differ,
    walk_begin,
    walk_place,
)
from schedlab.kernels.splitmix cimport draw, mix

cdef enum:
    CRITERIA = 4                        # wait, slowdown, fairness, response
    SMALL = 64                          # jobs of a plan whose moves are remembered
    WAYS = 64                           # clusters, at most: bits of a word


cdef struct Move:                       # one that was kept
    int64_t time
    double change[4]                    # relative, of each criterion; more is better
    double gain
    int32_t iteration
    int32_t task
    int32_t origin
    int32_t target
    int32_t place


cdef struct Delta:                      # by how much an order that is tried changes the criteria
    int64_t wait
    int64_t settled                     # nothing that changed lasts longer
    double slowdown
    double norm                         # as of `Search`, with the change
    double squares
    int32_t touched                     # users whose wait changes


cdef struct Search:
    double weight[4]
    double least                        # a gain that is no more is rounding
    double tau
    # what users waited for and used, by user; of who waits as planned
    int64_t* known_wait                 # of jobs that have started
    int64_t* wait                       # of all jobs, as of this search
    double* usage                       # of all jobs, as of now
    int64_t* by                         # a user's wait changes in the order that is tried
    int64_t* mark                       # the last try in which a user's wait changed
    int32_t* touched                    # users of this try
    int64_t tries
    int32_t seen                        # users of whom a job has come
    # criteria of the plan as it is, as sums
    int64_t waits
    double slowdowns
    double estimates
    double fairness
    double norm, squares                # of users' normalised waits, their sum and that of squares
    # what was tried in vain
    int32_t* vain
    int32_t round, tried
    # the log
    Move* move
    int64_t moves, room
    int64_t searches, iterations, evaluated
    bint failed                         # memory was out once


cdef inline double slowdown_at(const Search* s, const Task* t, int64_t start) noexcept nogil:
    cdef double slowdown = <double>(start - t.submit + t.estimate) * t.pace
    return slowdown if slowdown > 1 else 1


cdef inline double normalised(const Search* s, int32_t user, int64_t wait) noexcept nogil:
    # A user's wait for each processor second that was, is and will be used.
    return <double>wait / (s.usage[user] if s.usage[user] > 1 else 1)


cdef inline double unfairness(const Search* s, double norm, double squares) noexcept nogil:
    # sum of (1 + mean - x)^2 over the users
    return s.seen + squares - norm * norm / s.seen


cdef inline void measure(Plan* p, Search* s) noexcept nogil:
    # Find the criteria of the plan as it is.
    cdef int32_t c, k, user
    cdef const Task* t
    cdef double x
    s.waits, s.slowdowns, s.estimates, s.norm, s.squares = 0, 0, 0, 0, 0
    for user in range(p.users):
        s.wait[user] = s.known_wait[user]
    for c in range(p.lines):
        for k in range(p.line[c].count):
            t = &p.task[p.line[c].order[k]]
            s.waits += t.start - t.submit
            s.wait[t.user] += t.start - t.submit
            s.slowdowns += slowdown_at(s, t, t.start)
            s.estimates += t.estimate
    for user in range(p.users):
        x = normalised(s, user, s.wait[user])
        s.norm += x
        s.squares += x * x
    s.fairness = unfairness(s, s.norm, s.squares)


cdef inline void note_start(Search* s, Delta* d, const Task* t, int64_t start) noexcept nogil:
    # Note that a job would start at another time.
    cdef int64_t by = start - t.start, end = max(start, t.start) + t.estimate
    d.wait += by
    d.slowdown += slowdown_at(s, t, start) - slowdown_at(s, t, t.start)
    if end > d.settled:
        d.settled = end
    if s.mark[t.user] != s.tries:
        s.mark[t.user] = s.tries
        s.by[t.user] = 0
        s.touched[d.touched] = t.user
        d.touched += 1
    s.by[t.user] += by


cdef inline void delta_begin(Search* s, Delta* d, int64_t settled) noexcept nogil:
    d.wait, d.settled, d.slowdown, d.touched = 0, settled, 0, 0
    s.tries += 1


cdef inline int32_t follow(
    Plan* p,
    Search* s,
    Walk* w,
    Delta* d,
    const int32_t* order,
    int32_t count,
    int64_t* fresh,
    bint may_meet,
) noexcept nogil:
    # Plan a stretch of an order; of how many jobs, until the old plan is met.
    cdef int32_t k
    cdef int64_t start
    cdef const Task* t
    for k in range(count):
        t = &p.task[order[k]]
        start = walk_place(p, w, order[k])
        fresh[k] = start
        if start != t.start:
            note_start(s, d, t, start)
        elif p.by_node and nodes_differ(p, order[k]):
            d.settled = max(d.settled, start + t.estimate)
        elif may_meet and start >= d.settled:
            return k
    return count


cdef inline bint is_gain(const Plan* p, Search* s, Delta* d, Move* move) noexcept nogil:
    # Whether a change makes the plan better; writes down by how much.
    cdef int32_t k, user
    cdef double old, new, tiny = 1e-9 * p.planned
    d.norm, d.squares = s.norm, s.squares
    for k in range(d.touched):
        user = s.touched[k]
        old = normalised(s, user, s.wait[user])
        new = normalised(s, user, s.wait[user] + s.by[user])
        d.norm += new - old
        d.squares += new * new - old * old
    move.change[0] = -<double>d.wait / max(<double>s.waits, tiny)
    move.change[1] = -d.slowdown / max(s.slowdowns, tiny)
    move.change[2] = (s.fairness - unfairness(s, d.norm, d.squares)) / s.fairness
    move.change[3] = -<double>d.wait / max(<double>s.waits + s.estimates, tiny)
    move.gain = 0
    for k in range(CRITERIA):
        move.gain += s.weight[k] * move.change[k]
    return move.gain > s.least


cdef inline void set_starts(
    Plan* p, const Line* line, const int64_t* fresh, int32_t begin, int32_t end
) noexcept nogil:
    cdef int32_t k
    for k in range(begin, end):
        p.task[line.order[k]].start = fresh[k]
        if p.by_node:
            keep_tried(p, line.order[k])


cdef inline void keep(Search* s, const Delta* d, const Move* move) noexcept nogil:
    # Take the criteria of the order that was tried for those of the plan, and write it down.
    cdef int32_t k, user
    cdef int64_t room
    cdef void* grown
    for k in range(d.touched):
        user = s.touched[k]
        s.wait[user] += s.by[user]
    s.waits += d.wait
    s.slowdowns += d.slowdown
    s.norm, s.squares = d.norm, d.squares
    s.fairness = unfairness(s, d.norm, d.squares)
    if s.moves == s.room:
        room = 2 * s.room + 256
        grown = realloc(s.move, room * sizeof(Move))
        if grown == NULL:
            s.failed = True
            return
        s.move, s.room = <Move*>grown, room
    s.move[s.moves] = move[0]
    s.moves += 1


cdef inline bint try_within(
    Plan* p, Search* s, Line* line, int32_t origin, int32_t target, Move* move
) noexcept nogil:
    # Try a job at another place of its cluster; whether it is kept.
    cdef Delta d
    cdef Walk w
    cdef int32_t task = line.order[origin], first = min(origin, target), place = first
    cdef int32_t last = max(origin, target) + 1
    delta_begin(s, &d, 0)
    walk_begin(p, &w, line, first)
    if origin < target:
        place += follow(
            p, s, &w, &d, &line.order[origin + 1], target - origin, &line.fresh[place], False
        )
        place += follow(p, s, &w, &d, &line.order[origin], 1, &line.fresh[place], False)
    else:
        place += follow(p, s, &w, &d, &line.order[origin], 1, &line.fresh[place], False)
        place += follow(
            p, s, &w, &d, &line.order[target], origin - target, &line.fresh[place], False
        )
    place += follow(
        p, s, &w, &d, &line.order[last], line.count - last, &line.fresh[place], True
    )
    if not is_gain(p, s, &d, move):
        return False
    line_cut(line, origin)
    line_put(line, target, task)
    set_starts(p, line, line.fresh, first, place)
    keep(s, &d, move)
    return True


cdef inline bint try_across(
    Plan* p, Search* s, Line* line, int32_t origin, Line* other, int32_t target, Move* move
) noexcept nogil:
    # Try a job at a place of another cluster; whether it is kept.
    cdef Delta d
    cdef Walk w
    cdef int32_t task = line.order[origin], behind = origin, place = target
    cdef Task* t = &p.task[task]
    delta_begin(s, &d, t.start + t.estimate)
    walk_begin(p, &w, line, origin)
    behind += follow(
        p, s, &w, &d, &line.order[origin + 1], line.count - origin - 1, &line.fresh[origin], True
    )
    walk_begin(p, &w, other, target)
    d.settled = 0
    place += follow(p, s, &w, &d, &line.order[origin], 1, &other.fresh[place], False)
    d.settled = max(d.settled, other.fresh[target] + t.estimate)
    place += follow(
        p, s, &w, &d, &other.order[target], other.count - target, &other.fresh[place], True
    )
    if not is_gain(p, s, &d, move):
        return False
    line_cut(line, origin)
    line_put(other, target, task)
    t.cluster = move.target
    set_starts(p, line, line.fresh, origin, behind)
    set_starts(p, other, other.fresh, target, place)
    keep(s, &d, move)
    return True


cdef inline int32_t below(uint64_t* state, int32_t most) noexcept nogil:
    # A random number from 0 to most - 1.
    return <int32_t>((draw(state) >> 32) * <uint64_t>most >> 32)


cdef inline int32_t all_moves(const Plan* p) noexcept nogil:
    # How many there are: each job to each place of each cluster that it may use.
    cdef int32_t c, k, other, count = 0
    for c in range(p.lines):
        for k in range(p.line[c].count):
            for other in range(p.lines):
                if p.task[p.line[c].order[k]].allowed >> other & 1:
                    count += p.line[other].count + (other != c)
    return count


cdef inline void random_search(
    Plan* p, Search* s, uint64_t state, int32_t iterations
) noexcept nogil:
    # Search from the present plan; the numbers drawn depend on `state` alone.
    cdef int32_t i, k, r, c, origin, target, ways, other, index = 0, first, moves = 0
    cdef int32_t way[WAYS]
    cdef bint is_small = p.planned <= SMALL and p.lines <= SMALL, kept
    cdef Task* t
    cdef Move move
    if p.planned == 0:
        return
    measure(p, s)
    move.time = p.now
    s.searches += 1
    s.iterations += iterations
    if is_small:
        s.round += 1
        s.tried, moves = 0, all_moves(p)
    for i in range(iterations):
        r = below(&state, p.planned)
        c, origin = 0, r
        while origin >= p.line[c].count:
            origin -= p.line[c].count
            c += 1
        move.iteration, move.task, move.origin = i, p.line[c].order[origin], c
        t = &p.task[move.task]
        ways, kept = 0, False
        for k in range(p.lines):
            if t.allowed >> k & 1:
                way[ways] = k
                ways += 1
        while ways and not kept:
            k = below(&state, ways)
            other = way[k]
            ways -= 1
            memmove(&way[k], &way[k + 1], (ways - k) * sizeof(int32_t))
            target = below(&state, p.line[other].count + (other != c))
            if is_small:
                first = other
                for k in range(other):
                    first += p.line[k].count
                index = r * (2 * SMALL) + first + target
                if s.vain[index] == s.round:
                    continue
            move.target, move.place = other, target
            if other != c:
                kept = try_across(p, s, &p.line[c], origin, &p.line[other], target, &move)
                s.evaluated += 1
            elif target != origin:
                kept = try_within(p, s, &p.line[c], origin, target, &move)
                s.evaluated += 1
            if is_small and not kept:
                s.vain[index] = s.round
                s.tried += 1
        if kept and s.failed:
            return
        if is_small:
            if kept:
                s.round += 1
                s.tried, moves = 0, all_moves(p)
            elif s.tried == moves:
                return


cdef inline uint64_t search_state(uint64_t key, int64_t number) noexcept nogil:
    # Where the random numbers of the so-manieth search begin.
    return mix(mix(key) + <uint64_t>number)
