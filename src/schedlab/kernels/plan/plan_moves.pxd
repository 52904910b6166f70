# Moves in a plan: one job to another place of an order, and by how much the plan is better so.
#
# A move is tried without being made: the update goes through the new order from the earlier of the
# two places on, notes starts that differ (`fresh`), and adds up by how much the criteria change.
# It stops where it meets the old plan again: at a job behind both places that starts as before, no
# earlier than all that changed has ended. What is not made leaves nothing to be undone.
#
# Cost: O(n log a) at most, as for an update of what stands behind the earlier place.

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport realloc

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
    int32_t first, end                  # places whose starts may change, of the job's cluster
    int32_t last                        # where they end of another cluster that it goes to


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
    double base[4]                      # what a change of each criterion is a part of
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


cdef inline void set_base(const Plan* p, Search* s) noexcept nogil:
    # Let changes be parts of the criteria as they are.
    cdef double tiny = 1e-9 * p.planned
    s.base[0] = max(<double>s.waits, tiny)
    s.base[1] = max(s.slowdowns, tiny)
    s.base[2] = s.fairness
    s.base[3] = max(<double>s.waits + s.estimates, tiny)


cdef inline void weigh(Search* s, Delta* d, Move* move) noexcept nogil:
    # Write down by how much a change makes the plan better.
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


cdef inline void try_within(
    Plan* p, Search* s, Delta* d, Line* line, int32_t origin, int32_t target
) noexcept nogil:
    # Try a job at another place of its cluster.
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
    # Try a job at a place of another cluster.
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
    # Find what it would change to move a job from a place of its cluster to where `move` says.
    cdef Line* line = &p.line[move.origin]
    if move.target == move.origin:
        try_within(p, s, d, line, origin, move.place)
    else:
        try_across(p, s, d, line, origin, &p.line[move.target], move.place)
    weigh(s, d, move)


cdef inline void make_move(
    Plan* p, Search* s, const Delta* d, int32_t origin, const Move* move
) noexcept nogil:
    # Make the move that was tried last.
    cdef Line* line = &p.line[move.origin]
    cdef Line* other = &p.line[move.target]
    line_cut(line, origin)
    line_put(other, move.place, move.task)
    p.task[move.task].cluster = move.target
    set_starts(p, line, line.fresh, d.first, d.end)
    if other != line:
        set_starts(p, other, other.fresh, move.place, d.last)
    keep(s, d, move)
