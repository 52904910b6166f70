# Moves in a plan: one job to another place of an order, and the resulting improvement.
#
# A move is evaluated without being made. The update walks through the new order from the earlier
# of the two places on, stores starts that differ (`fresh`), and adds up the changes of the
# criteria. It stops when it meets the old plan again: at a job behind both places with an
# unchanged start that is not before the end of all changes. A rejected move needs no undo.
#
# Cost: O(n log a) at most, as for an update of the jobs behind the earlier place.

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.common.region cimport resize
from schedlab.kernels.plan.plan cimport (
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

cdef enum:
    CRITERIA = 4                        # wait, slowdown, fairness, response


cdef struct Move:                       # an accepted move
    int64_t time
    double change[4]                    # relative, for each criterion; more is better
    double gain
    int32_t iteration
    int32_t task
    int32_t origin
    int32_t target
    int32_t place


cdef struct Delta:                      # changes of the criteria by a tentative order
    int64_t wait
    int64_t settled                     # no change lasts longer
    double slowdown
    double norm                         # as in `Search`, with the change
    double squares
    int32_t touched                     # number of users whose wait changes
    int32_t first, end                  # places in the job's cluster whose starts may change
    int32_t last                        # end of these places in another target cluster


cdef struct Search:
    double weight[4]
    double least                        # gains up to this are rounding errors
    double tau
    # waits and usage by user; for waiting jobs as planned
    int64_t* known_wait                 # of jobs that have started
    int64_t* wait                       # of all jobs, in this search
    double* usage                       # of all jobs, at present
    int64_t* by                         # change of a user's wait in the tentative order
    int64_t* mark                       # the last evaluation in which a user's wait changed
    int32_t* touched                    # users of this evaluation
    int64_t tries
    int32_t seen                        # number of users with at least one arrived job
    # criteria of the present plan, as sums
    int64_t waits
    double slowdowns
    double estimates
    double fairness
    double norm, squares                # users' normalized waits: sum and sum of squares
    double base[4]                      # divisor of the change of each criterion
    # the log
    Move* move
    int64_t moves, room
    int64_t searches, iterations, evaluated
    bint failed                         # memory has run out


cdef inline double slowdown_at(const Search* s, const Task* t, int64_t start) noexcept nogil:
    cdef double slowdown = <double>(start - t.submit + t.estimate) * t.pace
    return slowdown if slowdown > 1 else 1


cdef inline double normalised(const Search* s, int32_t user, int64_t wait) noexcept nogil:
    # Return a user's wait per processor second of past, present and planned use.
    return <double>wait / (s.usage[user] if s.usage[user] > 1 else 1)


cdef inline double unfairness(const Search* s, double norm, double squares) noexcept nogil:
    # Return the sum of (1 + mean - x)^2 over the users.
    return s.seen + squares - norm * norm / s.seen


cdef inline void measure(Plan* p, Search* s) noexcept nogil:
    # Compute the criteria of the present plan.
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
    # Record that a job would start at another time.
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
    # Plan part of an order; return the number of jobs until the old plan is met.
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


cdef inline void set_base(const Plan* p, Search* s) noexcept nogil:
    # Make changes relative to the present criteria.
    cdef double tiny = 1e-9 * p.planned
    s.base[0] = max(<double>s.waits, tiny)
    s.base[1] = max(s.slowdowns, tiny)
    s.base[2] = s.fairness
    s.base[3] = max(<double>s.waits + s.estimates, tiny)


cdef inline void weigh(Search* s, Delta* d, Move* move) noexcept nogil:
    # Compute the relative improvements of a change.
    cdef int32_t k, user
    cdef double old, new
    d.norm, d.squares = s.norm, s.squares
    for k in range(d.touched):
        user = s.touched[k]
        old = normalised(s, user, s.wait[user])
        new = normalised(s, user, s.wait[user] + s.by[user])
        d.norm += new - old
        d.squares += new * new - old * old
    move.change[0] = -<double>d.wait / s.base[0]
    move.change[1] = -d.slowdown / s.base[1]
    move.change[2] = (s.fairness - unfairness(s, d.norm, d.squares)) / s.base[2]
    move.change[3] = -<double>d.wait / s.base[3]
    move.gain = 0
    for k in range(CRITERIA):
        move.gain += s.weight[k] * move.change[k]


cdef inline void set_starts(
    Plan* p, const Line* line, const int64_t* fresh, int32_t begin, int32_t end
) noexcept nogil:
    cdef int32_t k
    for k in range(begin, end):
        p.task[line.order[k]].start = fresh[k]
        if p.by_node:
            keep_tried(p, line.order[k])


cdef inline void keep(Search* s, const Delta* d, const Move* move) noexcept nogil:
    # Use the criteria of the evaluated order for the plan, and record the move.
    cdef int32_t k, user
    cdef int64_t room
    for k in range(d.touched):
        user = s.touched[k]
        s.wait[user] += s.by[user]
    s.waits += d.wait
    s.slowdowns += d.slowdown
    s.norm, s.squares = d.norm, d.squares
    s.fairness = unfairness(s, d.norm, d.squares)
    if s.moves == s.room:
        room = 2 * s.room + 256
        if resize(<void**>&s.move, room, sizeof(Move)):
            s.failed = True
            return
        s.room = room
    s.move[s.moves] = move[0]
    s.moves += 1


cdef inline void try_within(
    Plan* p, Search* s, Delta* d, Line* line, int32_t origin, int32_t target
) noexcept nogil:
    # Evaluate a job at another place of its cluster.
    cdef Walk w
    cdef int32_t first = min(origin, target), place = first
    cdef int32_t last = max(origin, target) + 1
    delta_begin(s, d, 0)
    walk_begin(p, &w, line, first)
    if origin < target:
        place += follow(
            p, s, &w, d, &line.order[origin + 1], target - origin, &line.fresh[place], False
        )
        place += follow(p, s, &w, d, &line.order[origin], 1, &line.fresh[place], False)
    else:
        place += follow(p, s, &w, d, &line.order[origin], 1, &line.fresh[place], False)
        place += follow(
            p, s, &w, d, &line.order[target], origin - target, &line.fresh[place], False
        )
    place += follow(
        p, s, &w, d, &line.order[last], line.count - last, &line.fresh[place], True
    )
    d.first, d.end = first, place


cdef inline void try_across(
    Plan* p, Search* s, Delta* d, Line* line, int32_t origin, Line* other, int32_t target
) noexcept nogil:
    # Evaluate a job at a place of another cluster.
    cdef Walk w
    cdef int32_t behind = origin, place = target
    cdef Task* t = &p.task[line.order[origin]]
    delta_begin(s, d, t.start + t.estimate)
    walk_begin(p, &w, line, origin)
    behind += follow(
        p, s, &w, d, &line.order[origin + 1], line.count - origin - 1, &line.fresh[origin], True
    )
    walk_begin(p, &w, other, target)
    d.settled = 0
    place += follow(p, s, &w, d, &line.order[origin], 1, &other.fresh[place], False)
    d.settled = max(d.settled, other.fresh[target] + t.estimate)
    place += follow(
        p, s, &w, d, &other.order[target], other.count - target, &other.fresh[place], True
    )
    d.first, d.end, d.last = origin, behind, place


cdef inline void try_move(
    Plan* p, Search* s, Delta* d, int32_t origin, Move* move
) noexcept nogil:
    # Evaluate the move of a job from a place of its cluster to the target of `move`.
    cdef Line* line = &p.line[move.origin]
    if move.target == move.origin:
        try_within(p, s, d, line, origin, move.place)
    else:
        try_across(p, s, d, line, origin, &p.line[move.target], move.place)
    weigh(s, d, move)


cdef inline void make_move(
    Plan* p, Search* s, const Delta* d, int32_t origin, const Move* move
) noexcept nogil:
    # Make the move that was evaluated last.
    cdef Line* line = &p.line[move.origin]
    cdef Line* other = &p.line[move.target]
    line_cut(line, origin)
    line_put(other, move.place, move.task)
    p.task[move.task].cluster = move.target
    set_starts(p, line, line.fresh, d.first, d.end)
    if other != line:
        set_starts(p, other, other.fresh, move.place, d.last)
    keep(s, d, move)
