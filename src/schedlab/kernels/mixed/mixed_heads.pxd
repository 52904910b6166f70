# The first job under each weight vector, and the split of vectors that differ.
#
# Invariant: order[low:high] of a state lists its vectors; after a question all of them have
# `chosen` the same job. A question costs O(candidates), plus O(vectors) for each candidate that
# may come first under some vector in the bounding box. A challenge by one new job costs
# O(vectors), a split a copy of the state for each answer.

from libc.math cimport fabs, isfinite
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memcpy

from schedlab.kernels.common.region cimport arena_grow
from schedlab.kernels.common.expression cimport orders_nothing, run_program
from schedlab.kernels.mixed.mixed_machine cimport fill_needs
from schedlab.kernels.mixed.mixed_state cimport (
    BASIC,
    EXPRESSION,
    FEW,
    MOST_WEIGHTS,
    Batch,
    State,
)


cdef inline double expression_score(Batch* b, int32_t rank) noexcept nogil:
    # Return the score of a policy that is an expression; a score without an order is recorded.
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


cdef inline double share_of(const Batch* b, int32_t rank) noexcept nogil:
    # Return the time-dependent feature: a job's wait relative to its estimate.
    return (
        <double>(b.s.now - b.submit[b.job[rank]]) / <double>b.estimate_at[rank]
    ) / b.pace_scale


cdef inline void note_shares(Batch* b, const int32_t* ranks, int32_t count) noexcept nogil:
    # Before a question, compute the time-dependent feature of the candidates for all vectors.
    cdef int32_t k
    if b.moving and b.features != EXPRESSION:
        for k in range(count):
            b.share[ranks[k]] = share_of(b, ranks[k])


cdef inline double still_score(const Batch* b, int32_t vector, int32_t rank) noexcept nogil:
    # Return the static part of a score, in the same order as in schedlab.policies.mixed.
    cdef const double* w = &b.weight[<int64_t>vector * b.features]
    cdef const double* x = &b.feature_at[<int64_t>rank * b.features]
    cdef double total = w[0] * x[0] + w[1] * x[1] + w[2] * x[2]
    return total if b.features == BASIC else total + w[3] * x[3] + w[4] * x[4]


cdef inline double score(Batch* b, int32_t vector, int32_t rank) noexcept nogil:
    # Return the score of a job; its time-dependent feature is already computed.
    cdef double total
    if b.features == EXPRESSION:
        return expression_score(b, rank)
    if b.still_at != NULL:
        total = b.still_at[<int64_t>vector * b.n + rank]
    else:
        total = still_score(b, vector, rank)
    return total + b.pace[vector] * b.share[rank] if b.moving else total


cdef inline int32_t first_under(
    Batch* b, int32_t vector, const int32_t* ranks, int32_t count
) noexcept nogil:
    # Return the first job under a vector among some ranks.
    cdef int32_t k, rank, best = ranks[0]
    cdef double least = score(b, vector, best), value
    for k in range(1, count):
        rank = ranks[k]
        value = score(b, vector, rank)
        if value <= least and (value < least or b.came[b.job[rank]] > b.came[b.job[best]]):
            least = value
            best = rank
    return b.job[best]


cdef inline int32_t head_under(Batch* b, int32_t vector) noexcept nogil:
    # Return the first waiting job under a vector.
    cdef int32_t k, rank, best = b.rank_of[0]
    cdef double least, value
    cdef double w0, w1, w2, pace
    cdef const double* x
    # these few lines are most of the work, hence variants with and without a table
    if b.still_at != NULL and b.moving:
        least = score(b, vector, best)
        x, pace = &b.still_at[<int64_t>vector * b.n], b.pace[vector]
        for k in range(1, b.s.waiting):
            rank = b.rank_of[k]
            value = x[rank] + pace * b.share[rank]
            if value <= least and (value < least or b.came[b.job[rank]] > b.came[b.job[best]]):
                least = value
                best = rank
        return b.job[best]
    if b.features == BASIC and b.still_at == NULL:
        least = score(b, vector, best)
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
    return first_under(b, vector, b.rank_of, b.s.waiting)


cdef inline void box_vectors(Batch* b) noexcept nogil:
    # Compute the bounding box of the vectors of the state.
    cdef State* s = &b.s
    cdef int32_t k, i
    cdef const double* w
    cdef double pace
    if s.high - s.low <= FEW:
        return
    for i in range(MOST_WEIGHTS):
        s.least[i], s.most[i] = 1, -1
    for k in range(s.low, s.high):
        w = &b.weight[<int64_t>b.order[k] * b.features]
        for i in range(b.features):
            s.least[i] = min(s.least[i], w[i])
            s.most[i] = max(s.most[i], w[i])
        pace = b.pace[b.order[k]]
        s.least[MOST_WEIGHTS - 1] = min(s.least[MOST_WEIGHTS - 1], pace)
        s.most[MOST_WEIGHTS - 1] = max(s.most[MOST_WEIGHTS - 1], pace)


cdef inline bint surely_before(const Batch* b, int32_t first, int32_t second) noexcept nogil:
    # Return whether a rank comes before another under every vector of the box, despite rounding.
    cdef const double* x = &b.feature_at[<int64_t>first * b.features]
    cdef const double* y = &b.feature_at[<int64_t>second * b.features]
    cdef double worst = 0, gap, size = b.size_at[first] + b.size_at[second], one, two
    cdef int32_t i
    cdef bint equal = True
    for i in range(b.features):
        gap = x[i] - y[i]
        equal = equal and gap == 0
        worst += (b.s.most[i] if gap > 0 else b.s.least[i]) * gap
    if b.moving:
        one, two = b.share[first], b.share[second]
        gap = one - two
        equal = equal and gap == 0
        size += fabs(one) + fabs(two)
        worst += (b.s.most[MOST_WEIGHTS - 1] if gap > 0 else b.s.least[MOST_WEIGHTS - 1]) * gap
    if equal:
        return b.came[b.job[first]] > b.came[b.job[second]]
    return worst < -1e-13 * size


cdef inline int push(Batch* b) noexcept nogil:
    # Push a copy of the state on the stack; -1 if memory runs out.
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
    # Continue with the last state of the stack.
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
    # Split off vectors that have `chosen` another job than the first one. Each state has its own
    # answer, which is stored in the present state. -1 if memory runs out.
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
        box_vectors(b)
        answer[0] = job
        if at == high:
            return 0
        if push(b):
            return -1


cdef inline int ask_rivals(Batch* b, int32_t rivals, int32_t* answer) noexcept nogil:
    # Ask every vector which of the first `rivals` ranks in `rival` comes first; vectors that
    # differ split. -1 if memory runs out.
    cdef State* s = &b.s
    cdef int32_t k, vector, job = first_under(b, b.order[s.low], b.rival, rivals)
    cdef bint same = True
    b.chosen[b.order[s.low]] = job
    for k in range(s.low + 1, s.high):
        vector = b.order[k]
        b.chosen[vector] = first_under(b, vector, b.rival, rivals)
        if b.chosen[vector] != job:
            same = False
    if same:
        answer[0] = job
        return 0
    return part_vectors(b, answer)


cdef inline int choose_rival(Batch* b, int32_t rivals, int32_t* answer) noexcept nogil:
    # The same, without jobs that certainly come behind the first vector's choice.
    cdef State* s = &b.s
    cdef int32_t k, left = 0, rank
    note_shares(b, b.rival, rivals)
    if s.high - s.low <= FEW:
        return ask_rivals(b, rivals, answer)
    rank = b.rank[first_under(b, b.order[s.low], b.rival, rivals)]
    for k in range(rivals):
        if b.rival[k] == rank or not surely_before(b, rank, b.rival[k]):
            b.rival[left] = b.rival[k]
            left += 1
    if left > 1:
        return ask_rivals(b, left, answer)
    answer[0] = b.job[rank]
    return 0


cdef inline int choose_head(Batch* b) noexcept nogil:
    # Ask every vector for the first waiting job; vectors that differ split. -1 if memory runs out.
    cdef State* s = &b.s
    cdef int32_t k, vector, left = 0, head, rank
    cdef bint same = True
    note_shares(b, b.rank_of, s.waiting)
    head = head_under(b, b.order[s.low])
    if s.high - s.low > FEW:
        rank = b.rank[head]
        for k in range(s.waiting):
            if b.rank_of[k] == rank or not surely_before(b, rank, b.rank_of[k]):
                b.rival[left] = b.rank_of[k]
                left += 1
        if left > 1:
            return ask_rivals(b, left, &s.head)
        s.head = head
        return 0
    b.chosen[b.order[s.low]] = head
    for k in range(s.low + 1, s.high):
        vector = b.order[k]
        b.chosen[vector] = head_under(b, vector)
        if b.chosen[vector] != head:
            same = False
    if same:
        s.head = head
        return 0
    return part_vectors(b, &s.head)


cdef inline int challenge(Batch* b, int32_t job) noexcept nogil:
    # Ask every vector whether a new job comes before the head; vectors that differ split.
    cdef State* s = &b.s
    cdef int32_t k, vector, wins = 0, head = s.head, rank = b.rank[job], other = b.rank[head]
    if s.high - s.low > FEW and surely_before(b, other, rank):
        return 0
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
