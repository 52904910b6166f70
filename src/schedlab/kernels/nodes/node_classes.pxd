# Nodes with room for a job, in classes by their occupant, and the choice of nodes for a job.
#
# Class 0 contains the idle nodes, class 1 + b those with one job of application b; each class is a
# set of bits. An application has an order of classes; classes of equal keys are merged by node
# number. So a choice costs words and not nodes.
#
# Invariant: a node with room is in one class, any other in none; `size` counts each class, `open`
# all of them. A change costs O(1), a choice O(nodes chosen + classes * words).

from libc.stdint cimport int32_t, int64_t, uint64_t

from schedlab.kernels.common.region cimport Arena, arena_take, arena_zeros
from schedlab.kernels.common.portable cimport lowest

cdef enum Mode:
    COMPACT, SPREAD, STRIPED, HYBRID


cdef struct NodeClasses:
    int32_t nodes
    int32_t words                       # words of a set
    int32_t apps
    const int32_t* order                # classes in the order in which an application takes them
    const int32_t* level                # of each of these; equal for equal keys
    uint64_t* set                       # class after class
    int32_t* size                       # of each class; the first one has the idle nodes
    int32_t open                        # nodes that are idle or have room for one more job
    int32_t* chosen


cdef inline void put_in(NodeClasses* c, int32_t which, int32_t node) noexcept nogil:
    c.set[<int64_t>which * c.words + (node >> 6)] |= <uint64_t>1 << (node & 63)
    c.size[which] += 1


cdef inline void take_out(NodeClasses* c, int32_t which, int32_t node) noexcept nogil:
    c.set[<int64_t>which * c.words + (node >> 6)] &= ~(<uint64_t>1 << (node & 63))
    c.size[which] -= 1


cdef inline void node_classes_add(NodeClasses* c, int32_t which, int32_t node) noexcept nogil:
    # Add a node that has room again.
    put_in(c, which, node)
    c.open += 1


cdef inline void node_classes_drop(NodeClasses* c, int32_t which, int32_t node) noexcept nogil:
    # Remove a node that has no room any more.
    take_out(c, which, node)
    c.open -= 1


cdef inline void node_classes_move(
    NodeClasses* c, int32_t before, int32_t after, int32_t node
) noexcept nogil:
    take_out(c, before, node)
    put_in(c, after, node)


cdef inline void node_classes_make(NodeClasses* c, Arena* arena) noexcept nogil:
    # Make the classes, with every node idle.
    cdef int32_t node
    c.words = (c.nodes + 63) >> 6
    c.set = <uint64_t*>arena_zeros(arena, <int64_t>c.words * (c.apps + 1), sizeof(uint64_t))
    c.size = <int32_t*>arena_zeros(arena, c.apps + 1, sizeof(int32_t))
    c.chosen = <int32_t*>arena_take(arena, c.nodes, sizeof(int32_t))
    if arena.failed:
        return
    for node in range(c.nodes):
        node_classes_add(c, 0, node)


cdef inline bint enough(int32_t mode, int32_t need, int32_t idle, int32_t open) noexcept nogil:
    # Return whether the number of nodes suffices for a job.
    if mode == SPREAD:
        return open >= need
    return idle >= need or (mode == STRIPED and open - idle >= need)


cdef inline int32_t choose_of_word(
    NodeClasses* c, int32_t w, uint64_t bits, int32_t found, int32_t need
) noexcept nogil:
    # Choose nodes of a set's word while more are needed; return the number found so far.
    while bits:
        c.chosen[found] = w << 6 | lowest(bits)
        found += 1
        if found == need:
            break
        bits &= bits - 1
    return found


cdef inline void node_classes_choose(
    NodeClasses* c, int32_t app, int32_t mode, int32_t need
) noexcept nogil:
    # Fill `chosen` for a job for which there are enough nodes.
    cdef int32_t first = 0, end, k, w, which, found = 0
    cdef const int32_t* order = &c.order[app * (c.apps + 1)]
    cdef const int32_t* level = &c.level[app * (c.apps + 1)]
    cdef bint idle = True, shared = mode != COMPACT
    cdef uint64_t bits
    if mode == STRIPED:
        idle = c.open - c.size[0] < need
        shared = not idle
    if not shared:                      # one class
        for w in range(c.words):
            found = choose_of_word(c, w, c.set[w], found, need)
            if found == need:
                return
    while True:
        end = first
        while end <= c.apps and level[end] == level[first]:
            end += 1
        for w in range(c.words):
            bits = 0
            for k in range(first, end):
                which = order[k]
                if c.size[which] and (idle if which == 0 else shared):
                    bits |= c.set[<int64_t>which * c.words + w]
            found = choose_of_word(c, w, bits, found, need)
            if found == need:
                return
        first = end
