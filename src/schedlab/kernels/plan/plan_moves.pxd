# Moves in a plan: one job to another place of an order, and the resulting improvement.
#
# A move is evaluated without being made. The update walks through the new order from the earlier
# of the two places on, stores starts that differ (`fresh`), and adds up the changes of the
# criteria. A rejected move needs no undo.
#
# The walk soon falls into step with the old plan: only jobs run that start by the same time later
# (or earlier) than in the old plan, its shift. From there on, all jobs up to the next change of
# the order have this shift as well, because the update only looks at times relative to each other.
# They are not walked through, only summed up. If the shift is 0 behind both places, the walk has
# met the old plan again and ends. Where nodes are planned, only a shift of 0 counts: a job keeps
# its nodes only if it keeps its start.
#
# Cost: O(m log a + n) for a walk of m jobs that falls into step before the n behind them.

from libc.stdint cimport INT64_MAX, UINT64_MAX, int32_t, int64_t, uint64_t

from schedlab.kernels.common.region cimport resize
from schedlab.kernels.plan.plan cimport (
    End,
    Line,
    Plan,
    Task,
    Walk,
    end_of,
    heap_clear,
    heap_push,
    is_plain,
    keep_tried,
    line_cut,
    line_put,
    nodes_differ,
    walk_begin,
    walk_place,
)

from schedlab.kernels.plan.plan_ends cimport (
    LEAF_BITS,
    Ends,
    ends_clear,
    ends_drop,
    ends_first,
    ends_hold,
    ends_leaf,
    ends_place,
    ends_play,
    ends_put,
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
    int64_t shift                       # of the previous job; INT64_MAX at a change of the order
    bint is_in_step                     # whether all running jobs have it
    int64_t in_step_from                # jobs before the first with this shift have ended by then
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


cdef inline void sum_starts(
    const Plan* p,
    Search* s,
    Delta* d,
    const int32_t* order,
    int64_t* fresh,
    int32_t count,
    int32_t walked,
) noexcept nogil:
    # Add the changes by the new starts of part of the order. Jobs that were not walked through have
    # the present shift.
    cdef int32_t k
    cdef int64_t shift, wait = 0
    cdef double slowdown = d.slowdown
    cdef const Task* t
    for k in range(count):
        t = &p.task[order[k]]
        if k >= walked:
            fresh[k] = t.start + d.shift
        shift = fresh[k] - t.start
        if shift == 0:
            continue
        wait += shift
        slowdown += slowdown_at(s, t, fresh[k]) - slowdown_at(s, t, t.start)
        if s.mark[t.user] != s.tries:
            s.mark[t.user] = s.tries
            s.by[t.user] = 0
            s.touched[d.touched] = t.user
            d.touched += 1
        s.by[t.user] += shift
    d.wait += wait
    d.slowdown = slowdown


cdef inline void follow_begin(
    Plan* p, Walk* w, Delta* d, Line* line, int32_t place, int64_t removed
) noexcept nogil:
    # Begin at a place of the order. The job that leaves it there, if any, would end at `removed`.
    walk_begin(p, w, line, place, 0)
    d.settled, d.shift = removed, INT64_MAX


cdef inline bint check_step(
    const Plan* p, Delta* d, const Task* t, int64_t start, bint has_moved
) noexcept nogil:
    # Return whether all jobs that run when a job starts have its shift; `has_moved` is whether it
    # starts at another time or on other nodes than in the old plan.
    cdef int64_t shift = start - t.start
    if has_moved:
        d.settled = max(d.settled, max(start, t.start) + t.estimate)
    if shift != d.shift:
        d.shift, d.in_step_from = shift, start + p.longest
    return start >= (d.settled if shift == 0 else d.in_step_from)


cdef inline int32_t walk_along(
    Plan* p,
    Walk* w,
    Delta* d,
    const int32_t* order,
    int32_t count,
    int64_t* fresh,
    bint is_last,
) noexcept nogil:
    # Plan jobs until the walk is in step; return their number.
    cdef int32_t k
    cdef const Task* t
    for k in range(count):
        t = &p.task[order[k]]
        fresh[k] = walk_place(p, w, order[k])
        d.is_in_step = check_step(
            p, d, t, fresh[k], fresh[k] != t.start or (p.by_node and nodes_differ(p, order[k]))
        )
        if d.is_in_step and not (p.by_node and (d.shift != 0 or not is_last)):
            return k + 1
    return count


cdef inline void read_ends(Ends* e, const Walk* w, const End* heap) noexcept nogil:
    # Take the ends of a walk, of which none has passed.
    cdef const Line* line = w.line
    cdef int32_t k
    ends_clear(e, w.size + line.runs - w.next)
    for k in range(w.size):
        ends_place(e, heap[k].time - w.time, heap[k].need)
    for k in range(w.next, line.runs):
        ends_place(e, line.run[k].time - w.time, line.run[k].need)
    ends_play(e)


cdef inline void write_ends(const Ends* e, Walk* w, int64_t since, End* heap) noexcept nogil:
    # Give the ends back to a walk, all of them in its heap and without their jobs.
    cdef int32_t k
    cdef uint64_t word
    heap_clear(heap, &w.size)
    w.next = w.line.runs
    for k in range(e.leaves):
        word = e.node[e.leaves + k]
        if word != UINT64_MAX:
            heap_push(heap, &w.size, End(since + <int64_t>(word >> LEAF_BITS), -1, e.need[k]))


cdef inline int32_t walk_along_plain(
    Plan* p,
    Walk* w,
    Delta* d,
    const int32_t* order,
    int32_t count,
    int64_t* fresh,
    bint is_last,
) noexcept nogil:
    # The same, faster, for a plain plan. The last walk leaves no ends.
    cdef int32_t k, free = w.free, leaf = -1       # of an end that has passed, if any
    cdef int64_t time = 0, since = w.time
    cdef Ends ends = p.ends
    cdef Delta step = d[0]                      # a copy of its own can stay in registers
    cdef const Task* t
    read_ends(&ends, w, p.heap)
    for k in range(count):
        t = &p.task[order[k]]
        while free < t.need:
            if leaf >= 0:
                ends_drop(&ends, leaf)
            leaf = ends_first(&ends, &time)
            free += ends.need[leaf]
        ends_put(&ends, leaf if leaf >= 0 else ends_leaf(&ends), time + t.estimate, t.need)
        leaf = -1
        free -= t.need
        fresh[k] = since + time
        step.is_in_step = check_step(p, &step, t, since + time, since + time != t.start)
        if step.is_in_step:
            count = k + 1
            break
    d[0] = step
    if not is_last:
        write_ends(&ends, w, since, p.heap)
        w.free, w.time = free, since + time
    return count


cdef inline int32_t follow(
    Plan* p,
    Search* s,
    Walk* w,
    Delta* d,
    Line* line,
    int32_t begin,
    int32_t end,
    int64_t* fresh,
    bint is_last,
) noexcept nogil:
    # Plan part of the old order; return the number of jobs until the old plan is met for good.
    cdef int32_t count = end - begin, walked
    cdef const int32_t* order = &line.order[begin]
    d.shift, d.is_in_step = INT64_MAX, False
    if is_plain(p) and ends_hold(line.count + line.runs, line.cpus, p.longest):
        walked = walk_along_plain(p, w, d, order, count, fresh, is_last)
    else:
        walked = walk_along(p, w, d, order, count, fresh, is_last)
    if d.is_in_step and is_last and d.shift == 0:
        count = walked - 1
    if walked < count and not is_last:
        walk_begin(p, w, line, end, d.shift)
        if d.shift != 0:
            d.settled = max(d.settled, max(w.time, w.time - d.shift) + p.longest)
    sum_starts(p, s, d, order, fresh, count, walked)
    return count


cdef inline void follow_moved(
    Plan* p, Search* s, Walk* w, Delta* d, int32_t task, int64_t* fresh
) noexcept nogil:
    # Plan the job that moves.
    fresh[0] = walk_place(p, w, task)
    d.settled = max(d.settled, max(fresh[0], p.task[task].start) + p.task[task].estimate)
    sum_starts(p, s, d, &task, fresh, 1, 1)


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
    cdef int32_t task = line.order[origin], last = max(origin, target) + 1
    d.first = min(origin, target)
    follow_begin(p, &w, d, line, d.first, end_of(&p.task[task]) if origin < target else 0)
    if origin < target:
        follow(p, s, &w, d, line, origin + 1, last, &line.fresh[origin], False)
        follow_moved(p, s, &w, d, task, &line.fresh[target])
    else:
        follow_moved(p, s, &w, d, task, &line.fresh[target])
        follow(p, s, &w, d, line, target, origin, &line.fresh[target + 1], False)
    d.end = last + follow(p, s, &w, d, line, last, line.count, &line.fresh[last], True)


cdef inline void try_across(
    Plan* p, Search* s, Delta* d, Line* line, int32_t origin, Line* other, int32_t target
) noexcept nogil:
    # Evaluate a job at a place of another cluster.
    cdef Walk w
    cdef int32_t task = line.order[origin], place = target + 1
    d.first = origin
    follow_begin(p, &w, d, line, origin, end_of(&p.task[task]))
    d.end = origin + follow(
        p, s, &w, d, line, origin + 1, line.count, &line.fresh[origin], True
    )
    follow_begin(p, &w, d, other, target, 0)
    follow_moved(p, s, &w, d, task, &other.fresh[target])
    d.last = place + follow(p, s, &w, d, other, target, other.count, &other.fresh[place], True)


cdef inline void try_move(
    Plan* p, Search* s, Delta* d, int32_t origin, Move* move
) noexcept nogil:
    # Evaluate the move of a job from a place of its cluster to the target of `move`.
    cdef Line* line = &p.line[move.origin]
    d.wait, d.slowdown, d.touched = 0, 0, 0
    s.tries += 1
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
