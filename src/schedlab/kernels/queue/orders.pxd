# The order of two waiting jobs, static or as of one time, and scores of all waiting jobs.
#
# There are two kinds of score: a number per job, smaller first, which is computed once or at every
# pass; or w / (F * r), larger first or smaller first, with w the waiting time, r the estimate and F
# a whole number per job (a divisor in fixed point; 0: before all others). The second kind is
# compared exactly: 128-bit integers decide where floats are too close. Ties go to the earlier
# submitted job, then to the lower number, or the other way round. `early` jobs precede all others,
# by submission.
#
# Programs are run one instruction at a time over a block of jobs, so that the overhead of the
# interpreter is paid once per block. Each score is bit for bit that of `run_program`.

from libc.math cimport fabs, isfinite, pow
from libc.stdint cimport int32_t, int64_t, uint64_t

from schedlab.kernels.common.expression cimport (
    ADD,
    CONSTANT,
    DIV,
    MAX,
    MIN,
    MUL,
    POW,
    STACK,
    SUB,
    N,
    Program,
    R,
    S,
    W,
    change,
    orders_nothing,
)
from schedlab.kernels.common.portable cimport Wide, less, product

cdef enum:
    BLOCK = 64                          # jobs

cdef extern from *:
    """
    /* Ratios of floats below are right to 1e-15 of their size. */
    #define SCHEDLAB_DOUBT 2e-15
    """
    const double DOUBT "SCHEDLAB_DOUBT"


cdef struct Order:
    const int64_t* submit               # by job
    const int64_t* estimate
    double* score                       # by job: the number, or w / (F * r) as of `now`
    const char* early                   # by job, or NULL: none is early
    const int64_t* divisor              # by job: F; NULL: the first kind of score
    bint fresh                          # jobs without wait: by F * r instead of submission
    bint reverse                        # the smaller w / (F * r) first
    bint lifo                           # of equal jobs the last first,
    int32_t strict                      # except for the first jobs, which are early
    bint moves                          # scores depend on time
    int64_t now                         # when such scores were computed


cdef struct Columns:
    double r[BLOCK]
    double n[BLOCK]
    double s[BLOCK]
    double w[BLOCK]
    double stack[STACK][BLOCK]          # the scores end up in the lowest row


cdef inline int compare_exactly(
    uint64_t w1, uint64_t r1, uint64_t f1, uint64_t w2, uint64_t r2, uint64_t f2
) noexcept nogil:
    # The sign of w1 / (f1 r1) - w2 / (f2 r2).
    cdef Wide a = product(w1 * r2, f2), b = product(w2 * r1, f1)
    return less(b, a) - less(a, b)


cdef inline int compare_lines(const Order* o, int32_t i, int32_t j) noexcept nogil:
    # Below 0 if job i precedes job j by w / (F * r), above 0 if j precedes i.
    cdef double a = o.score[i], b = o.score[j]
    cdef int64_t f1 = o.divisor[i], f2 = o.divisor[j], w1, w2
    cdef int sign
    if f1 == 0 or f2 == 0:
        return (f1 != 0) - (f2 != 0)
    if fabs(a - b) > (a + b) * DOUBT:
        sign = 1 if a > b else -1
    else:
        w1, w2 = o.now - o.submit[i], o.now - o.submit[j]
        sign = compare_exactly(w1, o.estimate[i], f1, w2, o.estimate[j], f2)
        if sign == 0 and o.fresh and w1 == 0 and w2 == 0:
            # at equal waiting times the steeper line leads
            sign = compare_exactly(1, o.estimate[i], f1, 1, o.estimate[j], f2)
    return sign if o.reverse else -sign


cdef inline bint before(const Order* o, int32_t i, int32_t j) noexcept nogil:
    # Whether job i precedes job j.
    cdef bint lifo = o.lifo
    cdef int sign
    if o.early != NULL and (o.early[i] or o.early[j]):
        if not (o.early[i] and o.early[j]):
            return o.early[i]
        if o.submit[i] != o.submit[j]:
            return o.submit[i] < o.submit[j]
        lifo = lifo and i >= o.strict and j >= o.strict
        return i > j if lifo else i < j
    if o.divisor == NULL:
        if o.score[i] != o.score[j]:
            return o.score[i] < o.score[j]
    else:
        sign = compare_lines(o, i, j)
        if sign:
            return sign < 0
    if o.submit[i] != o.submit[j]:
        return (o.submit[i] < o.submit[j]) != lifo
    return i > j if lifo else i < j


cdef inline void combine(int32_t op, double* a, const double* b, int32_t count) noexcept nogil:
    # Instructions with two operands, as in `run_program`.
    cdef int32_t k
    if op == ADD:
        for k in range(count):
            a[k] += b[k]
    elif op == SUB:
        for k in range(count):
            a[k] -= b[k]
    elif op == MUL:
        for k in range(count):
            a[k] *= b[k]
    elif op == DIV:
        for k in range(count):
            a[k] /= b[k]
    elif op == POW:
        for k in range(count):
            a[k] = pow(a[k], b[k])
    elif op == MIN:
        for k in range(count):
            a[k] = b[k] if b[k] < a[k] else a[k]
    else:
        for k in range(count):
            a[k] = b[k] if b[k] > a[k] else a[k]


cdef inline void run_block(const Program* program, Columns* b, int32_t count) noexcept nogil:
    # Fill the lowest row of the stack with the scores of the first jobs of a block.
    cdef int32_t top = -1, k, i, op
    cdef const double* column
    for i in range(program.length):
        op = program.op[i]
        if op == CONSTANT:
            top += 1
            for k in range(count):
                b.stack[top][k] = program.constant[i]
        elif op <= W:
            top += 1
            if op == R:
                column = &b.r[0]
            elif op == N:
                column = &b.n[0]
            else:
                column = &b.s[0] if op == S else &b.w[0]
            for k in range(count):
                b.stack[top][k] = column[k]
        elif op <= MAX:
            top -= 1
            combine(op, &b.stack[top][0], &b.stack[top + 1][0], count)
        else:
            for k in range(count):
                b.stack[top][k] = change(op, b.stack[top][k])


cdef inline int32_t score_jobs(
    Order* o, const Program* program, const int32_t* job, const int32_t* need, int32_t count,
    int64_t now
) noexcept nogil:
    # Compute the scores of some jobs at a time, by a program or by their lines; return a job whose
    # score has no order, or -1. The first jobs, which start strictly in order, have none.
    cdef int32_t first = 0, at, some
    cdef double score
    cdef Columns b
    o.now = now
    if o.divisor != NULL:
        for at in range(count):
            score = <double>o.divisor[job[at]] * <double>o.estimate[job[at]]
            o.score[job[at]] = <double>(now - o.submit[job[at]]) / score if score else 0
        return -1
    while first < count:
        some = min(count - first, <int32_t>BLOCK)
        for at in range(some):
            b.r[at], b.n[at] = o.estimate[job[first + at]], need[first + at]
            b.s[at] = o.submit[job[first + at]]
            b.w[at] = now - b.s[at]
        run_block(program, &b, some)
        for at in range(some):
            score = b.stack[0][at]
            if job[first + at] < o.strict:
                continue
            if not isfinite(score) and orders_nothing(
                program, score, b.r[at], b.n[at], b.s[at], b.w[at]
            ):
                return job[first + at]
            o.score[job[first + at]] = score
        first += some
    return -1
