# Limits of QOS and associations as counters. Cost: O(limits of a job).

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.site.site_nodes cimport amounts_of_choice
from schedlab.kernels.site.site_state cimport FIRST_GRES, PER_CPU, PER_NODE, Request, Site


cdef inline bint exceeds(Site* s, int32_t pair) noexcept nogil:
    # Whether the amounts forbid a start.
    cdef int64_t group = s.pair_group[pair], k
    cdef const int64_t* check
    s.limited[pair] = False
    for k in range(s.check_of[group], s.check_of[group + 1]):
        check = s.checks + 4 * k
        if check[1] >= 0 and s.used[check[0]] + s.amounts[check[1]] > check[2]:
            s.limited[pair] = True
            return True
    return False


cdef inline bint blocked_early(Site* s, int32_t pair) noexcept nogil:
    # Whether a limit that is known before nodes are chosen forbids a start.
    cdef int64_t group = s.pair_group[pair], k
    cdef const int64_t* check
    s.limited[pair] = False
    for k in range(s.check_of[group], s.check_of[group + 1]):
        check = s.checks + 4 * k
        if check[3] and s.used[check[0]] + 1 > check[2]:
            s.limited[pair] = True
            return True
    return False


cdef inline bint blocked(Site* s, int32_t pair) noexcept nogil:
    # Whether a limit forbids a start on the chosen nodes.
    cdef int64_t group = s.pair_group[pair]
    if s.check_of[group] == s.check_of[group + 1]:
        s.limited[pair] = False
        return False
    amounts_of_choice(s, <int32_t>s.pair_class[pair])
    return exceeds(s, pair)


cdef inline bint blocked_by_request(Site* s, int32_t pair) noexcept nogil:
    # Whether a limit forbids a start with the amounts that are known before nodes are chosen.
    cdef int64_t kind = s.pair_class[pair], group = s.pair_group[pair]
    cdef const Request* r = &s.request[kind]
    cdef int32_t g
    if s.check_of[group] == s.check_of[group + 1]:
        s.limited[pair] = False
        return False
    s.amounts[0], s.amounts[1], s.amounts[3] = 1, r.cpus, r.nodes
    s.amounts[2] = 0
    if r.mode == PER_NODE:
        s.amounts[2] = r.memory * r.nodes
    elif r.mode == PER_CPU:
        s.amounts[2] = r.memory * r.cpus
    for g in range(s.kinds):
        s.amounts[FIRST_GRES + g] = s.class_gres[kind * s.kinds + g] * r.nodes
    return exceeds(s, pair)


cdef inline int64_t first_limit(Site* s, int32_t pair) noexcept nogil:
    # Place of the first limit that forbids a start with the amounts that are known before nodes are
    # chosen; -1: none.
    cdef int64_t group = s.pair_group[pair], k
    cdef const int64_t* check
    cdef bint was = s.limited[pair]
    blocked_by_request(s, pair)
    s.limited[pair] = was
    for k in range(s.check_of[group], s.check_of[group + 1]):
        check = s.checks + 4 * k
        if check[1] >= 0 and s.used[check[0]] + s.amounts[check[1]] > check[2]:
            return k
    return -1


cdef inline void count_job(Site* s, int32_t pair, int64_t sign) noexcept nogil:
    # Add the amounts of a job to the counters of its group, or take them away.
    cdef int64_t group = s.pair_group[pair], k
    for k in range(s.addition_of[group], s.addition_of[group + 1]):
        s.used[s.additions[2 * k]] += sign * s.amounts[s.additions[2 * k + 1]]
