# The best plan that a search has seen: stored separately, and restored at the end.
#
# The value of a plan is its gain relative to the plan at the beginning of the search, with each
# criterion relative to its value there. So the comparison of two plans does not depend on the
# moves that led to them.

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy

from schedlab.kernels.plan.plan cimport Line, Plan, kept_nodes
from schedlab.kernels.plan.plan_moves cimport CRITERIA, Search


cdef struct Best:
    double gain
    double criterion[4]                 # sums, as computed by `sums_of`
    int32_t count[64]                   # jobs of each cluster
    int32_t* order                      # cluster after cluster
    int64_t* start                      # in this order
    uint64_t* nodes
    bint is_present                     # whether it is the present plan


cdef inline void sums_of(const Search* s, double* to) noexcept nogil:
    # Compute the criteria of the present plan: sums over jobs, and unfairness.
    to[0], to[1], to[2] = <double>s.waits, s.slowdowns, s.fairness
    to[3] = <double>s.waits + s.estimates


cdef inline void best_take(const Plan* p, const Search* s, Best* b, double gain) noexcept nogil:
    # Store the present plan as the best one so far.
    cdef int32_t c, k, place = 0
    cdef const Line* line
    b.gain, b.is_present = gain, True
    sums_of(s, b.criterion)
    for c in range(p.lines):
        line = &p.line[c]
        b.count[c] = line.count
        memcpy(&b.order[place], line.order, line.count * sizeof(int32_t))
        for k in range(line.count):
            b.start[place] = p.task[line.order[k]].start
            if p.by_node:
                memcpy(
                    &b.nodes[<int64_t>place * p.words],
                    kept_nodes(p, line.order[k]),
                    p.words * sizeof(uint64_t),
                )
            place += 1


cdef inline void best_back(Plan* p, Best* b) noexcept nogil:
    # Make the best plan the present one.
    cdef int32_t c, k, task, place = 0
    cdef Line* line
    if b.is_present:
        return
    b.is_present = True
    for c in range(p.lines):
        line = &p.line[c]
        line.count = b.count[c]
        memcpy(line.order, &b.order[place], line.count * sizeof(int32_t))
        for k in range(line.count):
            task = line.order[k]
            p.task[task].start, p.task[task].cluster = b.start[place], c
            if p.by_node:
                memcpy(
                    kept_nodes(p, task),
                    &b.nodes[<int64_t>place * p.words],
                    p.words * sizeof(uint64_t),
                )
            place += 1


cdef inline double gain_since(const Search* s, const double* begin) noexcept nogil:
    # Return the gain of the present plan over one with these sums of criteria, relative to `base`.
    cdef double now[4]
    cdef double gain = 0
    cdef int32_t k
    sums_of(s, now)
    for k in range(CRITERIA):
        gain += s.weight[k] * (begin[k] - now[k]) / s.base[k]
    return gain
