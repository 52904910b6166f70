# The waiting job that starts next.
#
# Waiting jobs are in groups with a fixed order (all of them; those of equal need; those of equal
# need and popularity). Before each start the heads of the groups are compared.
#
# Keys are fractions: gap / ((id + 1) / n) with gap = 1 - (free - p) / free, or gap + index / n.
# They are compared as in kellari2025's simulator, in doubles and with this order of operations, or
# exactly, as whole numbers. A head is the largest of its group in doubles too, because rounding
# never reverses an order. Within a group the gap is one number, and (id + 1) / n, rounded, never
# decreases from one arrival to the next. So the quotient never increases, and ties go by arrival,
# as in the group. The groups of the other keys begin with the largest index: index / n differs by
# at least 1 / n, far more than the last bit of a sum below 2, so that sums differ as well.
#
# Cost, with g groups: O(log n) for each head, O(types * log n) with ranks, O(g) for each start.

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.common.bitset cimport bitset_next
from schedlab.kernels.nodes.nodes_queue cimport index_of
from schedlab.kernels.nodes.nodes_state cimport FILLER, NO_JOB, RANK, STATIC, Cosched
from schedlab.kernels.nodes.popularity cimport rank_of


cdef inline void find_head(Cosched* q, int32_t group) noexcept nogil:
    # Compute the head of a group and its key.
    cdef int32_t job, first = q.group_first[group], end = q.group_first[group + 1], place
    cdef double gap
    q.head[group] = NO_JOB
    place = bitset_next(&q.seen, 0, first)
    if place < 0 or place >= end:
        return
    job = q.at[place]
    if q.order != STATIC and q.order != RANK and q.procs[job] > q.pass_free:
        return                          # its gap is -1: behind all others, and it cannot fit
    q.head[group] = job
    if q.order == STATIC:
        return
    if q.order == RANK:
        q.key[group] = rank_of(&q.popularity, q.app[job])
    elif q.exact:
        if q.order != FILLER:
            q.key[group] = q.procs[job] * q.pass_seen + index_of(q, job) * q.pass_free
    else:
        gap = 1 - <double>(q.pass_free - q.procs[job]) / <double>q.pass_free
        if q.order == FILLER:
            q.score[group] = gap / (<double>(job + 1) / <double>q.pass_seen)
        else:
            q.score[group] = gap + <double>index_of(q, job) / <double>q.pass_seen


cdef inline bint starts_before(const Cosched* q, int32_t a, int32_t b) noexcept nogil:
    # Return whether the head of group a comes before that of group b.
    cdef int32_t one = q.head[a], other = q.head[b]
    cdef int64_t x, y
    if not q.exact and q.order != RANK:
        return q.score[a] > q.score[b] or (q.score[a] == q.score[b] and one < other)
    if q.order == FILLER:
        x = q.procs[one] * (other + 1)
        y = q.procs[other] * (one + 1)
    else:
        x, y = q.key[a], q.key[b]
    return x > y or (x == y and one < other)


cdef inline int32_t first_group(const Cosched* q) noexcept nogil:
    # Return the group whose head starts next, or NO_JOB.
    cdef int32_t group, best = NO_JOB
    for group in range(q.groups):
        if q.head[group] >= 0 and (best < 0 or starts_before(q, group, best)):
            best = group
    return best
