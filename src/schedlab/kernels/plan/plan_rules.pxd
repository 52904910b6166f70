# Rules for accepting the moves of a search.
#
# - First: every gain relative to the present plan, nothing else (Random Search).
# - Annealing: also a loss, with probability exp(-loss / heat). The heat falls geometrically, from
#   the median loss of a first sample of moves to its smallest one: at the beginning half of all
#   losses are almost always accepted, at the end not even the smallest. The sample takes the
#   square root of the budget, at most SAMPLE iterations; meanwhile only gains are accepted.
# - Tabu: every gain of a job that is not barred, and of any job if the plan is better than all
#   seen. After as many iterations without a move as there are jobs, the smallest loss among them
#   is made. A moved job is barred for as many moves as the square root of the number of jobs.
#
# For the last two, gains are relative to the plan at the beginning of the search (`base`), so that
# they add up. The plan is evaluated again after each move, so that rounding errors do not add up.

from libc.math cimport exp, pow, sqrt
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport qsort

from schedlab.kernels.plan.plan cimport Plan
from schedlab.kernels.plan.plan_best cimport Best, best_take, gain_since, sums_of
from schedlab.kernels.plan.plan_moves cimport Move, Search, measure, set_base
from schedlab.kernels.common.splitmix cimport draw

cdef enum Rule:
    FIRST, ANNEALING, TABU

cdef enum:
    SAMPLE = 256                        # sample size that suffices for the median loss


cdef struct Rules:
    Rule rule
    double begin[4]                     # sums of the criteria at the beginning of the search
    double gain                         # of the present plan, since then
    Best best
    # annealing
    double loss[256]                    # of the sample
    int32_t losses, sampled             # number of losses; iterations of the sample
    double heat, cooling                # factor of the heat after each iteration
    # tabu
    int64_t* barred                     # of each job: until this number of moves
    int32_t tenure
    int32_t idle                        # iterations since the last move
    Move out                            # the smallest loss since then
    int32_t out_from                    # place of its job
    bint has_out


cdef inline int by_loss(const void* a, const void* b) noexcept nogil:
    cdef double x = (<const double*>a)[0], y = (<const double*>b)[0]
    return -1 if x < y else x > y


cdef inline int32_t root(int32_t count) noexcept nogil:
    return <int32_t>sqrt(<double>count)


cdef inline void rules_begin(Plan* p, Search* s, Rules* r, int32_t budget) noexcept nogil:
    # Begin a search of an evaluated plan.
    cdef int32_t c, k
    set_base(p, s)
    r.heat, r.cooling = 0, 1
    if r.rule == FIRST:
        return
    r.gain = 0
    best_take(p, s, &r.best, 0)
    sums_of(s, r.begin)
    r.losses, r.sampled = 0, min(root(budget), SAMPLE)
    r.tenure, r.idle, r.has_out = root(p.planned), 0, False
    if r.rule == TABU:
        for c in range(p.lines):
            for k in range(p.line[c].count):
                r.barred[p.line[c].order[k]] = 0


cdef inline void set_heat(Rules* r, int32_t left) noexcept nogil:
    # Set the heat when the sample is complete, for the iterations that are left.
    if r.losses == 0:
        return
    qsort(r.loss, r.losses, sizeof(double), by_loss)
    r.heat = r.loss[(r.losses - 1) // 2]
    r.cooling = pow(r.loss[0] / r.heat, 1.0 / max(left - 1, 1))


cdef inline bint anneals(
    Search* s, Rules* r, const Move* move, uint64_t* state
) noexcept nogil:
    if move.iteration < r.sampled and -move.gain > s.least and r.losses < SAMPLE:
        r.loss[r.losses] = -move.gain
        r.losses += 1
    if r.heat == 0:
        return move.gain > s.least
    return <double>(draw(state) >> 11) * 2.0 ** -53 < exp(move.gain / r.heat)


cdef inline bint is_let(Search* s, Rules* r, const Move* move, int32_t origin) noexcept nogil:
    # Return whether tabu search accepts a move; a rejected move may be stored as the smallest
    # loss.
    if r.gain + move.gain > r.best.gain + s.least:
        return True
    if s.moves < r.barred[move.task]:
        return False
    if move.gain > s.least:
        return True
    if move.gain < -s.least and (not r.has_out or move.gain > r.out.gain + s.least):
        r.out, r.out_from, r.has_out = move[0], origin, True
    return False


cdef inline bint is_kept(
    Search* s, Rules* r, const Move* move, int32_t origin, uint64_t* state
) noexcept nogil:
    # Return whether the move that was evaluated last is accepted.
    if r.rule == ANNEALING:
        return anneals(s, r, move, state)
    if r.rule == TABU:
        return is_let(s, r, move, origin)
    return move.gain > s.least


cdef inline void rules_keep(Plan* p, Search* s, Rules* r, int32_t task) noexcept nogil:
    # Update the search after a move.
    if r.rule == FIRST:
        set_base(p, s)
        return
    measure(p, s)
    r.gain, r.best.is_present = gain_since(s, r.begin), False
    if r.gain > r.best.gain + s.least:
        best_take(p, s, &r.best, r.gain)
    if r.rule == TABU:
        r.idle, r.has_out, r.barred[task] = 0, False, s.moves + r.tenure
