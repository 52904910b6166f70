# The ends of planned jobs in a walk in which only processors count: a tournament of words.
#
# A word has the time of an end, in seconds since the ends were read, above the number of its leaf;
# an empty leaf has the largest word. A change replays the matches above its leaf. Which words that
# compares is known in advance, so that the processor need not guess: with some hundred ends that is
# faster than a heap.
#
# Invariant: a node has the smaller word of its two children. The leaves without an end are a list.
# Cost: O(log n) per change; the number of leaves doubles when none is left.

from libc.stdint cimport UINT64_MAX, int32_t, int64_t, uint64_t

cdef enum:
    LEAF_BITS = 20                      # of the leaf in a word
    LEAVES = 16                         # at least


cdef struct Ends:
    uint64_t* node                      # root 1, leaves from `leaves` on
    int32_t* need                       # processors by leaf; of an empty one the next empty one
    int32_t leaves                      # a power of two
    int32_t empty                       # the first empty leaf, or -1


cdef inline int64_t ends_room(int64_t jobs) noexcept nogil:
    # Return the number of leaves for the ends of that many jobs.
    cdef int64_t leaves = LEAVES
    while leaves < jobs:
        leaves *= 2
    return leaves


cdef inline bint ends_hold(int32_t jobs, int32_t cpus, int64_t longest) noexcept nogil:
    # Return whether words can have the ends of a plan of so many jobs on so many processors.
    return min(jobs, cpus) < 1 << LEAF_BITS and (
        longest <= (<int64_t>1 << (63 - LEAF_BITS)) // (<int64_t>jobs + 1)
    )


cdef inline void ends_clear(Ends* e, int32_t jobs) noexcept nogil:
    # Begin without an end, and with room for some.
    cdef int32_t k
    e.leaves, e.empty = <int32_t>ends_room(jobs), 0
    for k in range(e.leaves):
        e.node[e.leaves + k], e.need[k] = UINT64_MAX, k + 1
    e.need[e.leaves - 1] = -1


cdef inline void ends_play(Ends* e) noexcept nogil:
    # Play all matches.
    cdef int32_t k
    for k in range(e.leaves - 1, 0, -1):
        e.node[k] = min(e.node[2 * k], e.node[2 * k + 1])


cdef inline void ends_double(Ends* e) noexcept nogil:
    # Double the leaves, of which none is empty.
    cdef int32_t k, held = e.leaves
    e.leaves, e.empty = 2 * held, held
    for k in range(held):
        e.node[e.leaves + k] = e.node[held + k]
        e.node[e.leaves + held + k], e.need[held + k] = UINT64_MAX, held + k + 1
    e.need[e.leaves - 1] = -1
    ends_play(e)


cdef inline int32_t ends_leaf(Ends* e) noexcept nogil:
    # Take an empty leaf.
    cdef int32_t leaf
    if e.empty < 0:
        ends_double(e)
    leaf = e.empty
    e.empty = e.need[leaf]
    return leaf


cdef inline void ends_set(Ends* e, int32_t leaf, uint64_t word) noexcept nogil:
    cdef int32_t k = e.leaves + leaf
    e.node[k] = word
    while k > 1:
        word = min(word, e.node[k ^ 1])
        k >>= 1
        e.node[k] = word


cdef inline uint64_t end_word(int32_t leaf, int64_t time) noexcept nogil:
    return <uint64_t>time << LEAF_BITS | <uint64_t>leaf


cdef inline void ends_place(Ends* e, int64_t time, int32_t need) noexcept nogil:
    # Let an empty leaf have an end. The matches above are still to be played.
    cdef int32_t leaf = ends_leaf(e)
    e.need[leaf], e.node[e.leaves + leaf] = need, end_word(leaf, time)


cdef inline void ends_put(Ends* e, int32_t leaf, int64_t time, int32_t need) noexcept nogil:
    # Let a leaf have an end.
    e.need[leaf] = need
    ends_set(e, leaf, end_word(leaf, time))


cdef inline void ends_drop(Ends* e, int32_t leaf) noexcept nogil:
    e.need[leaf], e.empty = e.empty, leaf
    ends_set(e, leaf, UINT64_MAX)


cdef inline int32_t ends_first(const Ends* e, int64_t* time) noexcept nogil:
    # Return the leaf of the first end, and its time. There must be one.
    time[0] = <int64_t>(e.node[1] >> LEAF_BITS)
    return <int32_t>(e.node[1] & ((1 << LEAF_BITS) - 1))
