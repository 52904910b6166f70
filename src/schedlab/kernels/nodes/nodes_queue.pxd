# Waiting jobs: arrivals, jobs that the order sees, ranks, and places in the second queue.
#
# The second queue sorts the visible jobs by time (SJF-Filler) or by rank (Pop-Filler).
#
# Invariant: `seen`, ranks and indices are those of the queue between passes. Within a pass, ranks
# and indices stay as at its beginning, and `gone` lists the jobs to remove from the index. A
# change costs O(log n + types), an index O(log n), with ranks O(types * log n).

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.nodes.arrivals cimport arrivals_add, arrivals_drop, arrivals_see
from schedlab.kernels.common.bitset cimport bitset_add, bitset_drop
from schedlab.kernels.nodes.fenwick cimport fenwick_add, fenwick_before
from schedlab.kernels.nodes.nodes_state cimport INDEXED, RANK_INDEXED, RANK_INDEXED_UP, Cosched
from schedlab.kernels.nodes.popularity cimport (
    popularity_begin_pass,
    popularity_change,
    popularity_see,
    rank_of,
)


cdef inline void index_change(Cosched* q, int32_t job, int32_t amount) noexcept nogil:
    if q.order == INDEXED:
        fenwick_add(&q.index, 0, q.second[job], amount)
    elif q.order == RANK_INDEXED or q.order == RANK_INDEXED_UP:
        fenwick_add(&q.index, q.popularity.type_of[q.app[job]], job, amount)


cdef inline int64_t index_of(const Cosched* q, int32_t job) noexcept nogil:
    # Return the job's place in the second queue at the beginning of this pass.
    cdef int64_t total = 0, mine, rank
    cdef int32_t t
    if q.order == INDEXED:
        return fenwick_before(&q.index, 0, q.second[job])
    mine = rank_of(&q.popularity, q.app[job])
    for t in range(q.popularity.types):
        if q.popularity.seen_before[t] == 0:
            continue
        rank = q.popularity.rank[t]
        if rank == mine:
            total += fenwick_before(&q.index, t, job)
        elif (rank < mine) == (q.order == RANK_INDEXED_UP):
            total += q.popularity.seen_before[t]
    return total


cdef inline void arrive(Cosched* q, int32_t job) noexcept nogil:
    arrivals_add(&q.queue, job)
    popularity_change(&q.popularity, q.app[job], 1)


cdef inline void leave_queue(Cosched* q, int32_t job) noexcept nogil:
    arrivals_drop(&q.queue, job)
    popularity_change(&q.popularity, q.app[job], -1)
    if not q.queue.is_seen[job]:
        return
    bitset_drop(&q.seen, q.place[job])
    popularity_see(&q.popularity, q.app[job], -1)
    if q.passing:
        q.gone[q.gone_count] = job
        q.gone_count += 1
    else:
        index_change(q, job, -1)


cdef inline void begin_pass(Cosched* q) noexcept nogil:
    # Let the order see the oldest jobs, up to its limit, and the machine.
    cdef int32_t job
    while q.queue.unseen != q.n and q.queue.seen < q.window:
        job = arrivals_see(&q.queue)
        bitset_add(&q.seen, q.place[job])
        popularity_see(&q.popularity, q.app[job], 1)
        index_change(q, job, 1)
    q.pass_free = (
        q.nodes.size[0] * q.node_cores + (q.nodes.open - q.nodes.size[0]) * q.second_cores
    )
    q.pass_seen = q.queue.seen
    popularity_begin_pass(&q.popularity)
    q.passing = True


cdef inline void end_pass(Cosched* q) noexcept nogil:
    cdef int32_t k
    q.passing = False
    for k in range(q.gone_count):
        index_change(q, q.gone[k], -1)
    q.gone_count = 0
