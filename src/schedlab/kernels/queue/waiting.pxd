# Waiting jobs with reservations, in the order of the policy (`planned.pyx`).
#
# Invariant: entries ascend by score as of their arrival, or as of `ordered` if scores depend on
# time; equal ones by submission, or the last first. Entries of jobs that no longer wait are
# removed later: their number is at most twice that of the waiting jobs, plus 64.
#
# Cost: O(1) for a job at the end, O(log n) plus the moves of later entries for another one; O(n)
# for sorting an order that hardly changes, and O(n) for removal.

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memmove

from schedlab.kernels.common.expression cimport Program, orders_nothing, run_program


cdef struct Waiting:
    int64_t start                       # of its reservation
    int64_t estimate
    double score
    int32_t need                        # processors
    int32_t job
    int32_t kind
    int32_t size                        # of its need, in the classes of `Frees`


cdef struct Queue:
    Waiting* entry
    int32_t count, alive                # entries, and those of waiting jobs
    int64_t ordered                     # when it was last sorted, if time-dependent; -1: never
    bint moves, lifo


cdef inline bint comes_before(
    const Queue* q, const Waiting* a, double score, int32_t job
) noexcept nogil:
    # Whether a waiting job precedes one with that score; ties by submission.
    if a.score != score:
        return a.score < score
    return a.job > job if q.lifo else a.job < job


cdef inline void queue_forget(Queue* q, const signed char* state, int waits) noexcept nogil:
    # Remove the entries of jobs that are no longer in the waiting state.
    cdef int32_t k, kept = 0
    for k in range(q.count):
        if state[q.entry[k].job] == waits:
            q.entry[kept] = q.entry[k]
            kept += 1
    q.count = kept


cdef inline void queue_put(Queue* q, const Waiting* new) noexcept nogil:
    # Insert a job by its score.
    cdef int32_t low, high, middle
    low = high = q.count
    if high and not q.moves and not comes_before(q, &q.entry[high - 1], new.score, new.job):
        low = 0
    while low < high:
        middle = (low + high) >> 1
        if comes_before(q, &q.entry[middle], new.score, new.job):
            low = middle + 1
        else:
            high = middle
    memmove(&q.entry[low + 1], &q.entry[low], (q.count - low) * sizeof(Waiting))
    q.entry[low] = new[0]
    q.count += 1
    q.ordered = -1


cdef inline void queue_sink(Queue* q, int32_t k) noexcept nogil:
    # Move an entry to its place by score among the sorted entries in front of it.
    cdef Waiting entry = q.entry[k]
    while k > 0 and not comes_before(q, &q.entry[k - 1], entry.score, entry.job):
        q.entry[k] = q.entry[k - 1]
        k -= 1
    q.entry[k] = entry


cdef inline int32_t queue_sort(
    Queue* q, const Program* program, const int64_t* submit, int64_t now
) noexcept nogil:
    # Sort the queue by its scores at `now`; return a job whose score has no order, or -1.
    cdef int32_t k
    cdef double r, n, s, wait
    cdef Waiting* entry
    for k in range(q.count):
        entry = &q.entry[k]
        r, n, s = entry.estimate, entry.need, submit[entry.job]
        wait = now - s
        entry.score = run_program(program, r, n, s, wait)
        if orders_nothing(program, entry.score, r, n, s, wait):
            return entry.job
        queue_sink(q, k)
    q.ordered = now
    return -1
