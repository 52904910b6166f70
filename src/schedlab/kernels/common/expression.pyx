"""Scores of many jobs by a policy's compiled expression; the code itself is in the .pxd.

The system's libm computes every logarithm and power, here, in the kernels that include the .pxd
and in the Python twin. So a score is the same number everywhere.
"""

import numpy as np

#: names of the instructions, in the order of their codes
OPERATIONS = (
    "constant", "r", "n", "s", "w",
    "add", "sub", "mul", "div", "pow", "min", "max",
    "neg", "abs", "sqrt", "cbrt", "exp", "log", "log2", "log10",
)
MAX_STACK = STACK


def evaluate(
    const int32_t[::1] op,
    const double[::1] constant,
    const double[::1] r,
    const double[::1] n,
    const double[::1] s,
    const double[::1] w,
):
    """Return the score of each job.

    Parameters
    ----------
    op, constant : memoryviews, shape (instructions,)
        The compiled expression.
    r, n, s, w : memoryviews of float64, shape (jobs,)
        Run time or estimate, processors, submit time and waiting time of each job.

    Returns
    -------
    score : ndarray of float64, shape (jobs,)
    faulty : int
        Place of the first job whose score is not a number, or infinite without a pole; -1 if there
        is none.
    """
    cdef Program program
    cdef Py_ssize_t k, faulty = -1, jobs = r.shape[0]
    score = np.empty(jobs)
    cdef double[::1] out = score
    program.op, program.constant = &op[0], &constant[0]
    program.length = <int32_t>op.shape[0]
    with nogil:
        for k in range(jobs):
            out[k] = run_program(&program, r[k], n[k], s[k], w[k])
            if faulty < 0 and orders_nothing(&program, out[k], r[k], n[k], s[k], w[k]):
                faulty = k
    return score, faulty
