# States at a boundary, where states that have become equal are merged.
#
# A state consists of its waiting jobs and its running jobs by estimated end, ties in the order in
# which a reservation counts them (actual ends follow from these). A hash table finds an equal
# state, and hits are compared in full.
#
# Invariant: no two states at a boundary are equal, and each vector has one. Leaving and entering
# cost O(waiting + running), and O(1) for each vector.

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from schedlab.kernels.common.region cimport arena_grow
from schedlab.kernels.mixed.mixed_machine cimport fill_needs, oldest_of
from schedlab.kernels.mixed.mixed_state cimport NO_JOB, Batch, Boundary, Kept, State, job_of


cdef inline int leave_to_boundary(Batch* b) noexcept nogil:
    # Add the costs of the present state to its vectors, and move it to the next boundary, merged
    # with an equal state if there is one; -1 if memory runs out.
    cdef State* s = &b.s
    cdef Boundary* t = &b.there
    cdef int64_t ranks = (s.waiting + (s.waiting & 1)) * sizeof(int32_t)
    cdef int64_t ends = s.running * sizeof(int64_t), size = 8 + ranks + ends, k
    cdef uint64_t hash = 0
    cdef uint64_t* word
    cdef int32_t found, vector
    cdef char* p = arena_grow(&b.arena, &t.states, size + ends)
    if p == NULL:
        return -1
    (<int32_t*>p)[0] = s.waiting
    (<int32_t*>p)[1] = s.running
    memcpy(p + 8, b.rank_of, s.waiting * sizeof(int32_t))
    if s.waiting & 1:
        (<int32_t*>(p + 8))[s.waiting] = 0
    memcpy(p + 8 + ranks, b.release, ends)
    word = <uint64_t*>p
    for k in range(size >> 3):
        hash = (hash ^ word[k]) * 0x9E3779B97F4A7C15ULL
        hash ^= hash >> 29
    k = hash & (b.table_size - 1)
    while True:
        found = b.table[k]
        if found < 0:
            break
        if (
            t.kept[found].hash == hash
            and t.kept[found].size == size
            and memcmp(t.states.at + t.kept[found].at, p, size) == 0
        ):
            break
        k = (k + 1) & (b.table_size - 1)
    if found < 0:
        found = t.count
        b.table[k] = found
        t.count += 1
        t.kept[found].at, t.kept[found].size = p - t.states.at, size
        t.kept[found].hash, t.kept[found].low = hash, 0
        memcpy(p + size, b.ending, ends)
    else:
        t.states.used -= size + ends
    t.kept[found].low += s.high - s.low
    for k in range(s.low, s.high):
        vector = b.order[k]
        b.state_of[vector] = found
        b.whole[vector] += s.whole
        b.part[vector] += s.part
        b.mark[vector] += s.mark
    return 0


cdef inline void enter_from_boundary(Batch* b, const Kept* kept, int32_t arrived) noexcept nogil:
    # Continue with a state of the boundary.
    cdef State* s = &b.s
    cdef char* p = b.here.states.at + kept.at
    cdef int64_t ranks, ends
    cdef int32_t k
    memset(s, 0, sizeof(State))
    s.waiting, s.running = (<int32_t*>p)[0], (<int32_t*>p)[1]
    ranks = (s.waiting + (s.waiting & 1)) * sizeof(int32_t)
    ends = s.running * sizeof(int64_t)
    memcpy(b.rank_of, p + 8, s.waiting * sizeof(int32_t))
    memcpy(b.release, p + 8 + ranks, ends)
    memcpy(b.ending, p + 8 + ranks + ends, ends)
    fill_needs(b)
    s.low, s.high, s.arrived, s.head, s.fill = kept.low, kept.high, arrived, NO_JOB, NO_JOB
    s.free_procs = b.processors
    for k in range(s.running):
        s.free_procs -= <int32_t>b.procs[job_of(b.release[k])]
    s.due = INT64_MAX
    if b.threshold != INT64_MAX and s.waiting:
        s.due = oldest_of(b) + b.threshold
