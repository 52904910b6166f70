# Who comes first under each weight vector, and the parting of vectors that differ.
#
# Invariant: order[low:high] of a state lists its vectors; after a question they all have `chosen`
# the same job. A question costs O(vectors * jobs asked for), a challenge by one newcomer
# O(vectors), a parting a copy of the state for each answer.

from libc.math cimport isfinite
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from schedlab.kernels.arena cimport arena_grow
from schedlab.kernels.expression cimport orders_nothing, run_program
from schedlab.kernels.mixed_machine cimport fill_needs
from schedlab.kernels.mixed_state cimport BASIC, EXPRESSION, NOBODY, Batch, State


cdef inline double expression_score(Batch* b, int32_t rank) noexcept nogil:
    # The score of a policy that is an expression; one that orders nothing is noted.
    cdef int32_t job = b.job[rank]
    cdef double r, n, s, w, found
    if not b.moving:
        return b.fixed[rank]
    r, n, s = <double>b.estimate[job], <double>b.procs[job], <double>b.submit[job]
    w = <double>(b.s.now - b.submit[job])
    found = run_program(&b.program, r, n, s, w)
    if not isfinite(found) and orders_nothing(&b.program, found, r, n, s, w):
        b.faulty, b.wait = job, b.s.now - b.submit[job]
    return found


cdef inline double score(Batch* b, int32_t vector, int32_t rank) noexcept nogil:
    # What schedlab.policies.mixed says, in the same order.
    cdef const double* w = &b.weight[<int64_t>vector * b.features]
    cdef const double* x = &b.feature_at[<int64_t>rank * b.features]
    cdef double total
    if b.features == EXPRESSION:
        return expression_score(b, rank)
    total = w[0] * x[0] + w[1] * x[1] + w[2] * x[2]
    if b.features == BASIC:
        return total
    total = total + w[3] * x[3] + w[4] * x[4]
    if b.moving:
        total += b.pace[vector] * (
            (<double>(b.s.now - b.submit[b.job[rank]]) / <double>b.estimate_at[rank])
            / b.pace_scale
        )
    return total


cdef inline int32_t head_under(Batch* b, int32_t vector) noexcept nogil:
    # The waiting job that comes first under a vector.
    cdef int32_t k, rank, best = b.rank_of[0]
    cdef double least = score(b, vector, best), value
    cdef double w0, w1, w2
    cdef const double* x
    if b.features == BASIC:                         # as below; these few lines are most of the work
        x = &b.weight[<int64_t>vector * BASIC]
        w0, w1, w2 = x[0], x[1], x[2]
        for k in range(1, b.s.waiting):
            rank = b.rank_of[k]
            x = &b.feature_at[<int64_t>rank * BASIC]
            value = w0 * x[0] + w1 * x[1] + w2 * x[2]
            if value <= least and (value < least or b.came[b.job[rank]] > b.came[b.job[best]]):
                least = value
                best = rank
        return b.job[best]
    for k in range(1, b.s.waiting):
        rank = b.rank_of[k]
        value = score(b, vector, rank)
        if value <= least and (value < least or b.came[b.job[rank]] > b.came[b.job[best]]):
            least = value
            best = rank
    return b.job[best]


cdef inline int32_t rival_under(Batch* b, int32_t vector, int32_t rivals) noexcept nogil:
    # Of the jobs at the first so many places of `rival` the one that comes first under a vector.
    cdef int32_t k, rank, best = b.rank_of[b.rival[0]]
    cdef double least = score(b, vector, best), value
    for k in range(1, rivals):
        rank = b.rank_of[b.rival[k]]
        value = score(b, vector, rank)
        if value <= least and (
            value < least or b.came[b.job[rank]] > b.came[b.job[best]]
        ):
            least = value
            best = rank
    return b.job[best]


cdef inline int push(Batch* b) noexcept nogil:
    # Put a copy of the state on the stack; -1 when memory is out.
    cdef State* s = &b.s
    cdef int64_t ranks = s.waiting * sizeof(int32_t), ends = s.running * sizeof(int64_t)
    cdef int64_t begun = s.begun * sizeof(int32_t)
    cdef char* p = arena_grow(&b.arena, &b.stack, ranks + 2 * ends + begun + sizeof(State))
    if p == NULL:
        return -1
    memcpy(p, b.rank_of, ranks)
    p += ranks
    memcpy(p, b.ending, ends)
    p += ends
    memcpy(p, b.release, ends)
    p += ends
    memcpy(p, b.begun, begun)
    memcpy(p + begun, s, sizeof(State))
    return 0


cdef inline void pop(Batch* b) noexcept nogil:
    # Go on with the last state of the stack.
    cdef int64_t ranks, ends, begun
    cdef char* p
    b.stack.used -= sizeof(State)
    memcpy(&b.s, b.stack.at + b.stack.used, sizeof(State))
    ranks = b.s.waiting * sizeof(int32_t)
    ends = b.s.running * sizeof(int64_t)
    begun = b.s.begun * sizeof(int32_t)
    b.stack.used -= ranks + 2 * ends + begun
    p = b.stack.at + b.stack.used
    memcpy(b.rank_of, p, ranks)
    p += ranks
    memcpy(b.ending, p, ends)
    p += ends
    memcpy(b.release, p, ends)
    memcpy(b.begun, p + ends, begun)
    fill_needs(b)


cdef inline int part_vectors(Batch* b, int32_t* answer) noexcept nogil:
    # Vectors that have `chosen` another job than the first one part; each state has its own as the
    # answer, which lies in the state that is worked on. -1 when memory is out.
    cdef State* s = &b.s
    cdef int32_t low = s.low, high = s.high, at = low, k, vector, job
    while True:
        job = b.chosen[b.order[at]]
        low = at
        at += 1
        for k in range(at, high):
            vector = b.order[k]
            if b.chosen[vector] == job:
                b.order[k] = b.order[at]
                b.order[at] = vector
                at += 1
        s.low, s.high = low, at
        answer[0] = job
        if at == high:
            return 0
        if push(b):
            return -1


cdef inline int choose(Batch* b, int32_t rivals, int32_t* answer) noexcept nogil:
    # Ask every vector who comes first, of the first so many `rival` places, or of all that wait if
    # that is 0; who differs parts. -1 when memory is out.
    cdef State* s = &b.s
    cdef int32_t k, vector, job = NOBODY
    cdef bint same = True
    for k in range(s.low, s.high):
        vector = b.order[k]
        b.chosen[vector] = rival_under(b, vector, rivals) if rivals else head_under(b, vector)
        if k == s.low:
            job = b.chosen[vector]
        elif b.chosen[vector] != job:
            same = False
    if same:
        answer[0] = job
        return 0
    return part_vectors(b, answer)


cdef inline int challenge(Batch* b, int32_t job) noexcept nogil:
    # Ask every vector whether a newcomer comes before the head; who differs parts.
    cdef State* s = &b.s
    cdef int32_t k, vector, wins = 0, head = s.head, rank = b.rank[job], other = b.rank[head]
    for k in range(s.low, s.high):
        vector = b.order[k]
        if score(b, vector, rank) <= score(b, vector, other):   # of equal jobs the last one
            b.chosen[vector] = job
            wins += 1
        else:
            b.chosen[vector] = head
    if wins == 0:
        return 0
    s.reserved = False
    if wins == s.high - s.low:
        s.head = job
        return 0
    return part_vectors(b, &s.head)
