# Scores of many jobs under one expression, one instruction at a time over a block of jobs, so that
# the overhead of the interpreter is paid once per block. Each score is bit for bit that of
# `run_program`.

from libc.math cimport pow
from libc.stdint cimport int32_t

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
)

cdef enum:
    BLOCK = 64                          # jobs


cdef struct Block:
    double r[BLOCK]
    double n[BLOCK]
    double s[BLOCK]
    double w[BLOCK]
    double stack[STACK][BLOCK]          # the scores end up in the lowest row


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


cdef inline void score_block(const Program* program, Block* b, int32_t count) noexcept nogil:
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
