# The waiting jobs by predicted run time, the shortest first, where predictions change while jobs
# wait: those of one user's jobs all at once.
#
# A prediction is the user's mean, or the job's estimate if that is smaller. So among the jobs of
# one user, the mean only makes all jobs with estimates of at least the mean equal, the oldest
# first. Every node of a group's tree stores the job with the shortest estimate below, the oldest
# one and the smallest need, which do not depend on the mean. Needs are divided into classes (as in
# `FitTree`), each class into groups by user; a tree above the groups of each class stores whose
# winner comes first.
#
# Invariant: with the present means every node above groups has the winner below it, and bit c of
# `filled` is set if class c has a waiting job. Adding or removing a job costs O(log n); a new mean
# costs O(log users) for each class with waiting jobs of the user. A search costs O(1) for each
# non-empty class. In classes that contain the free or the extra processors it also visits nodes
# below which some need is small enough and the winner's is not.

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memset

from schedlab.kernels.common.region cimport Arena, arena_take, arena_zeros
from schedlab.kernels.queue.fit_tree cimport CLASSES, need_class
from schedlab.kernels.common.portable cimport lowest

cdef enum:
    NO_JOB = -1


cdef struct Node:
    int32_t shortest                    # the waiting job of the smallest estimate below, or NO_JOB
    int32_t oldest
    int32_t need                        # the smallest need


cdef struct Top:
    int32_t winner                      # the waiting job that comes first below, or NO_JOB
    int32_t need                        # the smallest need


cdef struct Group:                      # of a class and a user
    int32_t first                       # its tree is node[2 * first + 1 ...]
    int32_t jobs
    int32_t next                        # group of the same user, or NO_JOB
    int32_t of_class


cdef struct ByPrediction:
    const int64_t* estimate
    const int64_t* procs
    const int32_t* user
    int64_t* mean                       # by user; INT64_MAX if nothing is known of the user yet
    Node* node
    Top* top
    Group* group
    int32_t* group_of                   # of each job
    int32_t* leaf_of                    # its leaf, from 0
    int32_t* groups_of                  # first group of each user, or NO_JOB
    int32_t begin[CLASSES + 1]          # the groups of each class
    uint64_t filled


cdef struct Gap:
    int64_t free_procs                  # processors that a job may need,
    int64_t slack                       # its longest predicted run time,
    int64_t extra                       # unless it needs at most this many processors


cdef inline int64_t prediction(const ByPrediction* f, int32_t job) noexcept nogil:
    cdef int64_t mean = f.mean[f.user[job]]
    return mean if mean < f.estimate[job] else f.estimate[job]


cdef inline bint comes_first(const ByPrediction* f, int32_t i, int32_t j) noexcept nogil:
    cdef int64_t a = prediction(f, i), b = prediction(f, j)
    return a < b or (a == b and i < j)


cdef inline int32_t winner_of(const ByPrediction* f, const Node* node) noexcept nogil:
    # Return the job that comes first below a node of a group's tree.
    cdef int32_t job = node.shortest
    if job == NO_JOB or f.estimate[job] < f.mean[f.user[job]]:
        return job
    return node.oldest


cdef inline int by_prediction_order(
    const ByPrediction* f, Arena* arena, int32_t* order, int32_t n, int32_t users
) noexcept nogil:
    # List n jobs by class, user and age, by counting twice. -1: no memory.
    cdef int32_t* by_user = <int32_t*>arena_take(arena, n, sizeof(int32_t))
    cdef int32_t* place = <int32_t*>arena_zeros(arena, users, sizeof(int32_t))
    cdef int32_t count[CLASSES + 1]
    cdef int32_t k, c
    if arena.failed:
        return -1
    memset(count, 0, sizeof(count))
    for k in range(n):
        place[f.user[k] + 1] += 1
        count[need_class(<int32_t>f.procs[k]) + 1] += 1
    for k in range(users):
        place[k + 1] += place[k]
    for c in range(CLASSES):
        count[c + 1] += count[c]
    for k in range(n):
        by_user[place[f.user[k]]] = k
        place[f.user[k]] += 1
    for k in range(n):
        c = need_class(<int32_t>f.procs[by_user[k]])
        order[count[c]] = by_user[k]
        count[c] += 1
    return 0


cdef inline int by_prediction_make(
    ByPrediction* f, Arena* arena, const int32_t* order, int32_t n, int32_t users
) noexcept nogil:
    # Make trees of n jobs, none waiting; `order` lists jobs by class, user and age. -1: no memory.
    cdef int32_t k, job, c, g = -1, last = 0
    f.node = <Node*>arena_take(arena, 2 * <int64_t>n, sizeof(Node))
    f.top = <Top*>arena_take(arena, 2 * <int64_t>n, sizeof(Top))
    f.group = <Group*>arena_take(arena, n, sizeof(Group))
    f.group_of = <int32_t*>arena_take(arena, n, sizeof(int32_t))
    f.leaf_of = <int32_t*>arena_take(arena, n, sizeof(int32_t))
    f.groups_of = <int32_t*>arena_take(arena, users, sizeof(int32_t))
    if arena.failed:
        return -1
    for k in range(users):
        f.groups_of[k] = NO_JOB
    for k in range(2 * n):
        f.node[k].shortest = f.node[k].oldest = f.top[k].winner = NO_JOB
        f.node[k].need = f.top[k].need = INT32_MAX
    memset(f.begin, 0, sizeof(f.begin))
    for k in range(n):
        job = order[k]
        c = need_class(<int32_t>f.procs[job])
        if k == 0 or c != f.group[g].of_class or f.user[job] != f.user[order[k - 1]]:
            g += 1
            while last < c:
                last += 1
                f.begin[last] = g
            f.group[g].first, f.group[g].jobs, f.group[g].of_class = k, 0, c
            f.group[g].next = f.groups_of[f.user[job]]
            f.groups_of[f.user[job]] = g
        f.group_of[job] = g
        f.leaf_of[job] = f.group[g].jobs
        f.group[g].jobs += 1
    while last < CLASSES:
        last += 1
        f.begin[last] = g + 1
    return 0


cdef inline void replay(ByPrediction* f, int32_t g) noexcept nogil:
    # Update the trees above a group with its winner.
    cdef int32_t c = f.group[g].of_class, groups = f.begin[c + 1] - f.begin[c]
    cdef int32_t at = groups + g - f.begin[c]
    cdef Top* top = &f.top[2 * f.begin[c]]
    cdef Node* root = &f.node[2 * f.group[g].first + 1]
    cdef Top* left
    cdef Top* right
    top[at].winner, top[at].need = winner_of(f, root), root.need
    at >>= 1
    while at:
        left, right = &top[2 * at], &top[2 * at + 1]
        top[at].need = left.need if left.need < right.need else right.need
        if right.winner == NO_JOB or (
            left.winner != NO_JOB and comes_first(f, left.winner, right.winner)
        ):
            top[at].winner = left.winner
        else:
            top[at].winner = right.winner
        at >>= 1
    if top[1].winner == NO_JOB:
        f.filled &= ~(<uint64_t>1 << c)
    else:
        f.filled |= <uint64_t>1 << c


cdef inline void by_prediction_set(ByPrediction* f, int32_t job, bint waits) noexcept nogil:
    # Mark a job as waiting, or as no longer waiting.
    cdef int32_t g = f.group_of[job], at = f.group[g].jobs + f.leaf_of[job]
    cdef Node* node = &f.node[2 * f.group[g].first]
    cdef Node* a
    cdef Node* b
    node[at].shortest = node[at].oldest = job if waits else NO_JOB
    node[at].need = <int32_t>f.procs[job] if waits else INT32_MAX
    at >>= 1
    while at:
        a, b = &node[2 * at], &node[2 * at + 1]
        node[at].need = a.need if a.need < b.need else b.need
        if a.shortest == NO_JOB or b.shortest == NO_JOB:
            node[at].shortest = b.shortest if a.shortest == NO_JOB else a.shortest
            node[at].oldest = b.oldest if a.shortest == NO_JOB else a.oldest
        else:
            node[at].oldest = a.oldest if a.oldest < b.oldest else b.oldest
            if f.estimate[a.shortest] != f.estimate[b.shortest]:
                if f.estimate[a.shortest] > f.estimate[b.shortest]:
                    a = b
            elif a.shortest > b.shortest:
                a = b
            node[at].shortest = a.shortest
        at >>= 1
    replay(f, g)


cdef inline void by_prediction_learn(ByPrediction* f, int32_t user, int64_t mean) noexcept nogil:
    # Set a new mean of a user's run times, which changes the predictions of waiting jobs.
    cdef int32_t g = f.groups_of[user]
    f.mean[user] = mean
    while g != NO_JOB:
        if f.node[2 * f.group[g].first + 1].shortest != NO_JOB:
            replay(f, g)
        g = f.group[g].next


cdef inline bint is_out(
    const ByPrediction* f, int32_t winner, int32_t need, const Gap* gap, int32_t best
) noexcept nogil:
    # Return whether no job below a node, with a given winner and smallest need, would be taken.
    if winner == NO_JOB or need > gap.free_procs:
        return True
    if best != NO_JOB and not comes_first(f, winner, best):
        return True
    return need > gap.extra and prediction(f, winner) > gap.slack


cdef inline bint may_start(const ByPrediction* f, int32_t job, const Gap* gap) noexcept nogil:
    return f.procs[job] <= gap.free_procs and (
        prediction(f, job) <= gap.slack or f.procs[job] <= gap.extra
    )


cdef inline void search_group(
    const ByPrediction* f, const Group* group, int32_t at, const Gap* gap, int32_t* best
) noexcept nogil:
    # Improve `best` by the first job below a node of a group's tree that fits.
    cdef const Node* node = &f.node[2 * group.first]
    cdef int32_t job = winner_of(f, &node[at]), child
    if is_out(f, job, node[at].need, gap, best[0]):
        return
    if may_start(f, job, gap):
        best[0] = job
    elif at < group.jobs:
        child = 2 * at + (winner_of(f, &node[2 * at]) != job)
        search_group(f, group, child, gap, best)
        search_group(f, group, child ^ 1, gap, best)


cdef inline void search_class(
    const ByPrediction* f, int32_t c, int32_t at, const Gap* gap, int32_t* best
) noexcept nogil:
    # The same below a node above the groups of a class.
    cdef const Top* top = &f.top[2 * f.begin[c]]
    cdef int32_t job = top[at].winner, groups = f.begin[c + 1] - f.begin[c], child
    if is_out(f, job, top[at].need, gap, best[0]):
        return
    if may_start(f, job, gap):
        best[0] = job
    elif at < groups:
        child = 2 * at + (top[2 * at].winner != job)
        search_class(f, c, child, gap, best)
        search_class(f, c, child ^ 1, gap, best)
    else:
        search_group(f, &f.group[f.begin[c] + at - groups], 1, gap, best)


cdef inline int32_t by_prediction_first_fit(const ByPrediction* f, const Gap* gap) noexcept nogil:
    # Return the fitting waiting job with the shortest prediction, ties to the oldest; or NO_JOB.
    cdef int32_t best = NO_JOB
    cdef uint64_t rest = f.filled & (
        ~<uint64_t>0 >> (63 - need_class(<int32_t>gap.free_procs))
    )
    while rest:
        search_class(f, lowest(rest), 1, gap, &best)
        rest &= rest - 1
    return best
