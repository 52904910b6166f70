# Scores of a policy written as an expression over r, n, s and w, compiled to postfix code.

from libc.math cimport (
    cbrt,
    exp,
    fabs,
    isfinite,
    log,
    log2,
    log10,
    pow,
    sqrt,
)
from libc.stdint cimport int32_t, int64_t

cdef enum:
    STACK = 32                          # deepest expression (checked at compilation)

cdef enum Op:
    CONSTANT, R, N, S, W
    ADD, SUB, MUL, DIV, POW, MIN, MAX
    NEG, ABS, SQRT, CBRT, EXP, LOG, LOG2, LOG10


cdef struct Program:
    const int32_t* op
    const double* constant              # by instruction; only CONSTANT reads it
    int32_t length


cdef inline double change(int32_t op, double x) noexcept nogil:
    # Instructions with one operand.
    if op == NEG:
        return -x
    if op == ABS:
        return fabs(x)
    if op == SQRT:
        return sqrt(x)
    if op == CBRT:
        return cbrt(x)
    if op == EXP:
        return exp(x)
    if op == LOG:
        return log(x)
    if op == LOG2:
        return log2(x)
    return log10(x)


cdef inline double run_program(
    const Program* program, double r, double n, double s, double w
) noexcept nogil:
    cdef double stack[STACK]
    cdef int32_t top = -1, k, op
    cdef double x
    for k in range(program.length):
        op = program.op[k]
        if op <= W:
            top += 1
            if op == CONSTANT:
                stack[top] = program.constant[k]
            elif op == R:
                stack[top] = r
            elif op == N:
                stack[top] = n
            elif op == S:
                stack[top] = s
            else:
                stack[top] = w
        elif op <= MAX:
            x = stack[top]
            top -= 1
            if op == ADD:
                stack[top] += x
            elif op == SUB:
                stack[top] -= x
            elif op == MUL:
                stack[top] *= x
            elif op == DIV:
                stack[top] /= x
            elif op == POW:
                stack[top] = pow(stack[top], x)
            elif op == MIN:
                stack[top] = x if x < stack[top] else stack[top]
            else:
                stack[top] = x if x > stack[top] else stack[top]
        else:
            stack[top] = change(op, stack[top])
    return stack[0]


cdef inline bint orders_nothing(
    const Program* program, double score, double r, double n, double s, double w
) noexcept nogil:
    # Return whether a score has no order: not a number, or infinite without a pole. A pole, such
    # as log10(s) of the first job or 1 / log2(n) of a serial one, is finite one step further.
    if isfinite(score):
        return False
    return score != score or not isfinite(run_program(program, r + 1, n + 1, s + 1, w + 1))
