# Who waits and has a reservation, in the order of the policy (`planned.pyx`).
#
# Invariant: entries ascend by score as of when they came, or as of `ordered` where scores move; of
# equal ones by submission, or the last first. Entries of jobs that wait no longer stay until they
# are forgotten: they are at most as many as those that wait, twice over, and 64.
#
# Cost: a job that comes last costs O(1), another one O(log n) and moving who stands behind; a sort
# costs O(n) for an order that hardly changes, and forgetting O(n).

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
    int32_t size                        # of what it needs, as `Frees` counts


cdef struct Queue:
    Waiting* entry
    int32_t count, alive                # entries, and of them those that wait
    int64_t ordered                     # when it was sorted, if scores move; -1: not yet
    bint moves, lifo


cdef inline bint comes_before(
    const Queue* q, const Waiting* a, double score, int32_t job
) noexcept nogil:
    # Whether a waiting job comes before one of that score; ties by submission.
    if a.score != score:
        return a.score < score
    return a.job > job if q.lifo else a.job < job


cdef inline void queue_forget(Queue* q, const signed char* state, int waits) noexcept nogil:
    # Drop entries whose jobs are not in the state of waiting any more.
    cdef int32_t k, kept = 0
    for k in range(q.count):
        if state[q.entry[k].job] == waits:
            q.entry[kept] = q.entry[k]
            kept += 1
    q.count = kept


cdef inline void queue_put(Queue* q, const Waiting* new) noexcept nogil:
    # Put a job where its score belongs.
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
    # Let an entry go to where its score belongs among those in front of it, which are in order.
    cdef Waiting entry = q.entry[k]
    while k > 0 and not comes_before(q, &q.entry[k - 1], entry.score, entry.job):
        q.entry[k] = q.entry[k - 1]
        k -= 1
    q.entry[k] = entry


cdef inline int32_t queue_sort(
    Queue* q, const Program* program, const int64_t* submit, int64_t now
) noexcept nogil:
    # Put the queue in the order of its scores at `now`; a job whose score orders nothing, or -1.
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
