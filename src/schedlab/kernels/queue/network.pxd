# A network that scores waiting jobs one by one: dense layers, ReLU between them, one number out.
#
# A block of jobs goes through each layer together, so that the compiler puts several jobs into one
# instruction. Each sum begins with the bias and adds the products in the order of the inputs, in
# single precision, as the twin does: equal scores to the last bit.

from libc.stdint cimport int32_t

cdef enum:
    JOBS = 16                           # in a block
    WIDEST = 64                         # inputs or outputs of a layer
    LAYERS = 8


cdef struct Network:
    int32_t layers
    int32_t size[LAYERS + 1]            # numbers between the layers, from the inputs on
    const float* kernel[LAYERS]         # (n_in, n_out), row by row
    const float* bias[LAYERS]


cdef inline void layer(
    const float* kernel, const float* bias, int32_t inputs, int32_t outputs, bint last,
    const float* given, float* values
) noexcept nogil:
    # One layer of a block; numbers of the same input are next to each other.
    cdef int32_t i, o, j
    cdef float total[JOBS]
    cdef float weight
    for o in range(outputs):
        for j in range(JOBS):
            total[j] = bias[o]
        for i in range(inputs):
            weight = kernel[i * outputs + o]
            for j in range(JOBS):
                total[j] += weight * given[i * JOBS + j]
        for j in range(JOBS):
            values[o * JOBS + j] = total[j] if last or total[j] > 0 else 0


cdef inline void logits(
    const Network* network, const float* rows, int32_t count, float* score
) noexcept nogil:
    # The scores of some jobs from their rows of inputs.
    cdef float block[2][WIDEST * JOBS]
    cdef int32_t first = 0, some, i, j, k, inputs = network.size[0]
    while first < count:
        some = min(count - first, <int32_t>JOBS)
        for i in range(inputs):
            for j in range(JOBS):
                block[0][i * JOBS + j] = rows[(first + j) * inputs + i] if j < some else 0
        for k in range(network.layers):
            layer(
                network.kernel[k], network.bias[k], network.size[k], network.size[k + 1],
                k == network.layers - 1, block[k & 1], block[1 - (k & 1)]
            )
        for j in range(some):
            score[first + j] = block[network.layers & 1][j]
        first += some
