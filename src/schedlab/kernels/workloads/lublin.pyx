"""Rigid jobs of the Lublin-Feitelson model, with the same draws as its C program.

Algorithm: one arrival of each of two types is kept ready. A job takes the earlier one; then its
type's next arrival, its size and its run time are drawn in that order. No draw can be skipped or
reordered, because all numbers come from one stream.

Precision: results are truncated to whole numbers, so log, exp and pow may come from any C library;
`schedlab.workloads.published` states how near the published workloads come to a truncation
boundary. Cost: a few hundred logarithms per job, for the gamma distribution of shape 312.
"""

from libc.math cimport exp, log, pow
from libc.stdint cimport INT64_MAX, int64_t, uint64_t

from schedlab.kernels.workloads.rand48 cimport rand48_seeded, rand48_uniform

cdef enum:
    BUCKET = 1800                       # seconds
    BUCKETS = 48                        # a day
    LONGEST_LOG_RUNTIME = 12
    LONGEST_LOG_GAP = 13


cdef struct Kind:
    # Parameters of a job type, named as in `schedlab.workloads.lublin.LublinParameters`.
    double serial_prob
    double pow2_prob
    double ulow
    double umed
    double uhi
    double uprob
    double a1
    double b1
    double a2
    double b2
    double pa
    double pb
    double aarr
    double barr
    double arar


cdef struct Arrivals:
    double points                       # remaining points of the gap, in weights of half hours
    double remainder                    # elapsed part of the half hour
    int64_t bucket                      # half hour of the day
    int64_t time                        # the next arrival


cdef double gamma(uint64_t* x, double shape, double scale) noexcept nogil:
    # The whole part of the shape with logarithms, the rest with Johnk's method.
    cdef int64_t whole = <int64_t>shape, _k
    cdef double rest = shape - whole, logs = 0.0, u, v, total
    for _k in range(whole):
        logs += log(rand48_uniform(x))
    total = -logs * scale
    if rest > 0:
        while True:
            u = pow(rand48_uniform(x), 1 / rest)
            v = pow(rand48_uniform(x), 1 / (1 - rest))
            if u + v <= 1:
                break
        total += scale * (u / (u + v)) * -log(rand48_uniform(x))
    return total


cdef void advance(
    uint64_t* x, const Kind* kind, const double* weights, Arrivals* next
) noexcept nogil:
    # Spend the points of a gap on half hours, each worth its weight; truncate the time to seconds.
    cdef double drawn, gap = 0.0, passed
    while True:
        drawn = gamma(x, kind.aarr * kind.arar, kind.barr)
        if drawn <= LONGEST_LOG_GAP:
            break
    next.points += exp(drawn) / BUCKET
    while next.points > weights[next.bucket]:
        next.points -= weights[next.bucket]
        next.bucket = (next.bucket + 1) % BUCKETS
        gap += BUCKET
    passed = next.points / weights[next.bucket]
    gap += BUCKET * (passed - next.remainder)
    next.remainder = passed
    next.time = <int64_t>(next.time + gap)


cdef int64_t size_of(uint64_t* x, const Kind* kind) noexcept nogil:
    cdef double share = rand48_uniform(x), low, high, log_size
    if share <= kind.serial_prob:
        return 1
    if rand48_uniform(x) <= kind.uprob:
        low = kind.ulow
        high = kind.umed
    else:
        low = kind.umed
        high = kind.uhi
    log_size = rand48_uniform(x) * (high - low) + low
    if share <= kind.serial_prob + kind.pow2_prob:
        log_size = <double><int64_t>(log_size + 0.5)
    return <int64_t>(pow(2, log_size) + 0.5)


cdef int64_t runtime_of(uint64_t* x, const Kind* kind, int64_t size) noexcept nogil:
    cdef double first = kind.pa * size + kind.pb, drawn
    if first > 1:
        first = 1
    elif first < 0:
        first = 0
    while True:
        if rand48_uniform(x) <= first:
            drawn = gamma(x, kind.a1, kind.b1)
        else:
            drawn = gamma(x, kind.a2, kind.b2)
        if drawn <= LONGEST_LOG_RUNTIME:
            return <int64_t>exp(drawn)


def draw_jobs(
    list kinds,
    const double[:, ::1] weights,
    bint alone,
    uint64_t seed,
    int64_t[::1] submit,
    int64_t[::1] place,
    int64_t[::1] procs,
    int64_t[::1] runtime,
):
    """Draw as many jobs as the arrays hold.

    The caller (`schedlab.workloads.published`) checks the arguments.

    Parameters
    ----------
    kinds : list of dict
        Parameters of two job types, the one that wins ties first.
    weights : memoryview of float64, shape (2, 48)
        Weights of the half hours of the day for each type.
    alone : bool
        Whether the second type never arrives; its first arrival is drawn anyway.
    seed : int
        Seed of the stream; only the low 32 bits count.
    submit, place, procs, runtime : memoryviews of int64, shape (n,)
        Out: submit time, place of the type in `kinds`, size and run time of each job.
    """
    cdef Kind kind[2]
    cdef Arrivals ready[2]
    cdef uint64_t x = rand48_seeded(seed)
    cdef int64_t job, taken
    kind[0] = kinds[0]
    kind[1] = kinds[1]
    with nogil:
        for taken in range(1, -1, -1):
            ready[taken].points = ready[taken].remainder = 0
            ready[taken].bucket = ready[taken].time = 0
            advance(&x, &kind[taken], &weights[taken, 0], &ready[taken])
        if alone:
            ready[1].time = INT64_MAX
        for job in range(submit.shape[0]):
            taken = ready[1].time < ready[0].time
            submit[job] = ready[taken].time
            place[job] = taken
            advance(&x, &kind[taken], &weights[taken, 0], &ready[taken])
            procs[job] = size_of(&x, &kind[taken])
            runtime[job] = runtime_of(&x, &kind[taken], procs[job])
