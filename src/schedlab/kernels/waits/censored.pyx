"""Kaplan-Meier quantiles of the waits of one geometry, at every submission of a log.

`schedlab.waits.censoring` is a simpler equivalent, one prediction at a time. Known waits are
sorted, waiting jobs are in order of submission, so the last has waited least. A prediction scans
the waiting jobs from the last one back until the quantile is reached, and continues the search of
the known waits where the last search ended.
"""

from libc.math cimport ceil
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.string cimport memmove

import numpy as np

from schedlab.kernels.common.bisect cimport bisect, up_to_double

cdef double NEAR = 1e-9


cdef Py_ssize_t above(const double* known, Py_ssize_t low, Py_ssize_t n, double age) noexcept nogil:
    # Number of known waits that are at most an age; it is at least `low`.
    cdef Py_ssize_t step = 1, high = low
    while high < n and known[high] <= age:
        low = high + 1
        high += step
        step *= 2
    if high > n:
        high = n
    return low + bisect(up_to_double, &known[low], <int32_t>(high - low), &age)


cdef double quantile(
    const double* known, Py_ssize_t n, const int64_t* waiting, Py_ssize_t k,
    const int64_t* submit, int64_t now, double level,
) noexcept nogil:
    cdef double still = 1.0, left, age
    cdef Py_ssize_t since = 0, until, part, at_risk, started
    if n + k == 0:
        return 0.0
    for part in range(k + 1):
        until = n
        if part < k:
            until = above(known, since, n, <double>(now - submit[waiting[k - 1 - part]]))
        at_risk = n + k - since - part
        if until > since:
            left = still * <double>(at_risk - (until - since)) / <double>at_risk
            if left <= 1 - level + NEAR:
                started = <Py_ssize_t>ceil(at_risk * (1 - (1 - level) / still) - NEAR)
                return known[since + (started if started > 1 else 1) - 1]
            still = left
        since = until
    age = <double>(now - submit[waiting[0]]) if k else 0.0
    return known[n - 1] if n and known[n - 1] > age else age


def predictions(
    const uint8_t[::1] is_start,
    const int64_t[::1] jobs,
    const int64_t[::1] submit,
    const double[::1] waits,
    const double[::1] levels,
    Py_ssize_t telling,
    Py_ssize_t least,
):
    """Return the prediction for each job at its submission, float64 of shape (n,).

    Parameters
    ----------
    is_start, jobs
        Submissions (0) and starts (1) in order, from `schedlab.waits.backtest_learning.events`.
    submit, waits
        Of the jobs, in seconds.
    levels
        Level of the quantile by the number of jobs that have started or wait, shape (n + 1,).
    telling, least
                This many consecutive waits above the quantile are a change, after which only the
                last `least` are kept; if `telling` is 0 all are kept.
    """
    cdef Py_ssize_t count = submit.shape[0], n = 0, k = 0, e, place, oldest = 0, row = 0
    cdef int64_t job
    cdef double wait
    expected = np.zeros(count)
    cdef double[::1] out = expected
    cdef double[::1] known = np.empty(count + 1), order = np.empty(count + 1)
    cdef int64_t[::1] waiting = np.empty(count + 1, dtype=np.int64)
    cdef Py_ssize_t observed = 0
    with nogil:
        for e in range(is_start.shape[0]):
            job = jobs[e]
            if not is_start[e]:
                out[job] = quantile(
                    &known[0], n, &waiting[0], k, &submit[0], submit[job], levels[n + k]
                )
                waiting[k] = job
                k += 1
                continue
            place = k - 1
            while waiting[place] != job:
                place -= 1
            memmove(&waiting[place], &waiting[place + 1], (k - 1 - place) * sizeof(int64_t))
            k -= 1
            wait = waits[job]
            if telling:
                if n >= least and wait > quantile(
                    &known[0], n, &waiting[0], 0, &submit[0], submit[job], levels[n]
                ):
                    row += 1
                else:
                    row = 0
            place = above(&known[0], 0, n, wait)
            memmove(&known[place + 1], &known[place], (n - place) * sizeof(double))
            known[place] = wait
            n += 1
            order[observed] = wait
            observed += 1
            if telling and row >= telling:
                row = 0
                while n > least:
                    place = above(&known[0], 0, n, order[oldest]) - 1
                    memmove(&known[place], &known[place + 1], (n - 1 - place) * sizeof(double))
                    n -= 1
                    oldest += 1
    return expected
