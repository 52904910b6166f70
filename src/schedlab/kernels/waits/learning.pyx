"""Algorithm 1 for one learner, over many estimates and observations in a row.

`tests.twins.asa` is a simpler equivalent; `schedlab.waits.algorithm` handles many learners, one
case at a time. A draw is a binary search among m cumulative probabilities. The changes of a round
are stored when it ends, so the cost is log m per draw and m per round, and there are at most half
as many rounds as draws.
"""

from libc.math cimport exp, fabs, pow
from libc.stdint cimport int32_t, int64_t, uint8_t

import numpy as np

from schedlab.kernels.common.bisect cimport bisect, up_to_double

cdef enum:
    MOST_LOSS = 1


cdef struct State:
    double* chance
    double* reach                       # cumulative probabilities
    double* loss                        # of the current round
    double* last                        # last loss of each alternative
    int64_t rounds
    Py_ssize_t m
    double rate
    double power


cdef void summed(State* x) noexcept nogil:
    cdef double total = 0.0
    cdef Py_ssize_t k
    for k in range(x.m):
        total += x.chance[k]
        x.reach[k] = total


cdef Py_ssize_t drawn(const State* x, double uniform) noexcept nogil:
    # The first whose sum exceeds the number; the last if rounding leaves none.
    return bisect(up_to_double, x.reach, <int32_t>x.m - 1, &uniform)


cdef Py_ssize_t least(const State* x) noexcept nogil:
    cdef Py_ssize_t found = 0, k
    for k in range(1, x.m):
        if x.last[k] < x.last[found]:
            found = k
    return found


cdef void score(State* x, Py_ssize_t place, bint lost) noexcept nogil:
    # Lines 3 to 7 of the pseudocode; without a loss the round does not change.
    cdef double gamma, total = 0.0
    cdef Py_ssize_t k
    x.last[place] = lost
    if not lost:
        return
    x.loss[place] += 1
    if x.loss[place] <= MOST_LOSS:
        return
    gamma = x.rate / pow(<double>x.rounds, x.power)
    for k in range(x.m):
        if x.loss[k] > 0:
            x.chance[k] *= exp(-gamma * x.loss[k])
            x.loss[k] = 0
        total += x.chance[k]
    for k in range(x.m):
        x.chance[k] /= total
    x.rounds += 1
    summed(x)


def play(
    double[::1] chance,
    double[::1] loss,
    double[::1] last,
    int64_t rounds,
    const double[::1] alternatives,
    double rate,
    double power,
    Py_ssize_t draws,
    Py_ssize_t redraws,
    const uint8_t[::1] is_start,
    const int64_t[::1] jobs,
    const double[::1] waits,
    const double[::1] uniform,
    int32_t[::1] chosen,
):
    """Let a learner estimate the waits of jobs, and observe them.

    Parameters
    ----------
    chance, loss, last : float64, shape (m,)
        State of the learner, as in `schedlab.waits.algorithm.Learners`; modified.
    rounds : int
        Number of the current round, from 1.
    alternatives : float64, shape (m,)
        In seconds.
    rate, power : float
        The t-th round has the weight rate / t**power.
    draws, redraws : int
        Random numbers per estimate (0: greedy) and per observation.
    is_start : uint8, shape (e,)
        For each event in order: 0 for a submission, 1 for an observed wait.
    jobs : int64, shape (e,)
        Places of the jobs; each is submitted before its wait is observed.
    waits : float64, shape (n,)
        Of the jobs, in seconds.
    uniform : float64
        Random numbers, as many as the events need.
    chosen : int32, shape (n,)
        Out: the place of the estimated alternative for each job.

    Returns
    -------
    int
                Number of the current round at the end.
    """
    cdef Py_ssize_t m = chance.shape[0], event, k, used = 0, one, _k
    cdef double[::1] reach = np.empty(m)
    cdef double[::1] far = np.empty(m)
    cdef double nearest
    cdef int64_t job
    cdef State x
    x.chance, x.reach, x.loss, x.last = &chance[0], &reach[0], &loss[0], &last[0]
    x.rounds, x.m, x.rate, x.power = rounds, m, rate, power
    with nogil:
        summed(&x)
        for event in range(is_start.shape[0]):
            job = jobs[event]
            if not is_start[event]:
                if draws:
                    chosen[job] = <int32_t>drawn(&x, uniform[used])
                    used += 1
                else:
                    chosen[job] = <int32_t>least(&x)
                continue
            nearest = fabs(alternatives[0] - waits[job])
            for k in range(m):
                far[k] = fabs(alternatives[k] - waits[job])
                if far[k] < nearest:
                    nearest = far[k]
            score(&x, chosen[job], far[chosen[job]] > nearest)
            for _k in range(redraws):
                one = drawn(&x, uniform[used])
                used += 1
                score(&x, one, far[one] > nearest)
    return x.rounds
