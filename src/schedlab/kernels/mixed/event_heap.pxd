# A binomial heap of events, with the order in which it returns events of one instant.
#
# The purpose of this heap is not speed. The reproduced simulator has its events in such a heap,
# and the resulting order of equal times decides which of equal jobs runs first.
# Rules: of two trees the first operand stays on top unless it is later; trees are ordered by rank,
# and the leftmost of the earliest is popped. Each job has at most one event, so it is its own
# node.
#
# Invariant: `first` lists trees of ascending rank by `next`; children have descending rank.
# A push or a pop costs O(log n).

from libc.stdint cimport int32_t, int64_t

from schedlab.kernels.common.region cimport Arena, arena_take

cdef enum:
    NO_NODE = -1


cdef struct EventHeap:
    int64_t* time                       # of each job's event
    int32_t* rank
    int32_t* child
    int32_t* next
    int32_t first


cdef inline void event_heap_make(EventHeap* h, Arena* arena, int32_t jobs) noexcept nogil:
    h.time = <int64_t*>arena_take(arena, jobs, sizeof(int64_t))
    h.rank = <int32_t*>arena_take(arena, jobs, sizeof(int32_t))
    h.child = <int32_t*>arena_take(arena, jobs, sizeof(int32_t))
    h.next = <int32_t*>arena_take(arena, jobs, sizeof(int32_t))
    h.first = NO_NODE


cdef inline int32_t link_trees(EventHeap* h, int32_t a, int32_t b) noexcept nogil:
    # Merge two trees of equal rank; the first operand stays on top unless it is later.
    cdef int32_t top = a if h.time[a] <= h.time[b] else b, below = b if top == a else a
    h.next[below] = h.child[top]
    h.child[top] = below
    h.rank[top] += 1
    return top


cdef inline int32_t put_tree(EventHeap* h, int32_t tree, int32_t trees) noexcept nogil:
    # Put a tree in front of others of no lower rank.
    cdef int32_t rest
    while trees != NO_NODE and h.rank[tree] >= h.rank[trees]:
        rest = h.next[trees]
        tree = link_trees(h, tree, trees)
        trees = rest
    h.next[tree] = trees
    return tree


cdef inline int32_t merge_trees(EventHeap* h, int32_t a, int32_t b) noexcept nogil:
    # Merge two lists of trees, from the highest ranks down: binary addition with carry.
    cdef int32_t done[64]
    cdef int32_t count = 0, merged, rest_a, rest_b
    cdef bint carry[64]
    while a != NO_NODE and b != NO_NODE:
        carry[count] = h.rank[a] == h.rank[b]
        if carry[count]:
            rest_a, rest_b = h.next[a], h.next[b]
            done[count] = link_trees(h, a, b)
            a, b = rest_a, rest_b
        elif h.rank[a] < h.rank[b]:
            done[count] = a
            a = h.next[a]
        else:
            done[count] = b
            b = h.next[b]
        count += 1
    merged = b if a == NO_NODE else a
    while count:
        count -= 1
        if carry[count]:
            merged = put_tree(h, done[count], merged)
        else:
            h.next[done[count]] = merged
            merged = done[count]
    return merged


cdef inline void event_push(EventHeap* h, int64_t time, int32_t job) noexcept nogil:
    h.time[job] = time
    h.rank[job] = 0
    h.child[job] = NO_NODE
    h.first = put_tree(h, job, h.first)


cdef inline int32_t event_pop_at(EventHeap* h, int64_t time) noexcept nogil:
    # Return the job of the next event if it is at `time`, else NO_NODE.
    cdef int32_t least = NO_NODE, before = NO_NODE, last = NO_NODE, tree = h.first
    cdef int32_t children = NO_NODE, child, rest
    while tree != NO_NODE:
        if least == NO_NODE or h.time[tree] < h.time[least]:
            least, before = tree, last
        last = tree
        tree = h.next[tree]
    if least == NO_NODE or h.time[least] != time:
        return NO_NODE
    if before == NO_NODE:
        h.first = h.next[least]
    else:
        h.next[before] = h.next[least]
    child = h.child[least]
    while child != NO_NODE:
        rest = h.next[child]
        h.next[child] = children
        children = child
        child = rest
    h.first = merge_trees(h, children, h.first)
    return least
