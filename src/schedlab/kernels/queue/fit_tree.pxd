# Waiting jobs in a fixed order, and the first of them that fits.
#
# Places 0 .. n-1 are the jobs' ranks in the order. Ranks are divided into leaves of 64. Each leaf,
# and each group of 16 nodes above, has a line of 64 bounds, one cache line: bound[c] is at most
# the class of the smallest estimate among its waiting jobs whose need is of class c or below.
# Classes divide needs and estimates more and more coarsely (needs: one by one up to 16, then four
# per octave; estimates: eight per octave). So one byte shows that no job below can fit, and only
# nodes that may contain one are visited.
#
# Invariant: every bound is at most the true minimum. A drop leaves bounds unchanged (they stay
# valid); a search without success tightens the lines on its way, so each drop causes this cost at
# most once per level. add, drop and a search cost O(log n), except for jobs that miss the bound by
# less than a class.

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.string cimport memset

from schedlab.kernels.common.region cimport Arena, arena_take
from schedlab.kernels.common.bitset cimport Bitset, bitset_add, bitset_drop, bitset_make
from schedlab.kernels.common.portable cimport log2_floor, lowest

cdef extern from *:
    """
    #include <stdint.h>
    static const uint8_t schedlab_place[64] = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
        48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    /* Lower the bounds from class `first` on; bytes side by side, so that compilers take many. */
    static inline void schedlab_lower(uint8_t *bound, uint8_t first, uint8_t least) {
        for (int c = 0; c < 64; c++) {
            uint8_t value = schedlab_place[c] >= first ? least : 255;
            bound[c] = value < bound[c] ? value : bound[c];
        }
    }
    """
    void lower_bounds "schedlab_lower"(uint8_t* bound, uint8_t first, uint8_t least) noexcept nogil

cdef enum:
    CLASSES = 64                        # of needs
    NO_JOB = 255                        # the bound of an empty class
    DEPTH = 8                           # 64 * 16^7 ranks


cdef struct Item:
    int32_t need                        # processors
    int32_t estimate                    # seconds
    int32_t job                         # its place in submit order


cdef struct Line:
    uint8_t bound[CLASSES]


cdef struct FitTree:
    Bitset waiting                      # ranks of the waiting jobs
    Item* item                          # by rank, of the jobs that were added
    int32_t levels
    int32_t nodes[DEPTH]
    Line* line[DEPTH]                   # level 0: the leaves


cdef inline int fit_make(FitTree* t, Arena* arena, int64_t n) noexcept nogil:
    # Make an empty tree over n ranks; -1 if memory runs out.
    cdef int64_t nodes = (n + 63) >> 6
    t.levels = 0
    t.item = <Item*>arena_take(arena, n, sizeof(Item))
    if t.item == NULL or bitset_make(&t.waiting, arena, n):
        return -1
    if nodes == 0:
        nodes = 1
    while True:
        t.nodes[t.levels] = <int32_t>nodes
        t.line[t.levels] = <Line*>arena_take(arena, nodes, sizeof(Line))
        t.levels += 1
        if t.line[t.levels - 1] == NULL:
            return -1
        memset(t.line[t.levels - 1], NO_JOB, nodes * sizeof(Line))
        if nodes == 1:
            return 0
        nodes = (nodes + 15) >> 4


cdef inline int32_t need_class(int32_t need) noexcept nogil:
    cdef int32_t octave, c
    if need < 16:
        return need - 1
    octave = log2_floor(need)
    c = 15 + 4 * (octave - 4) + ((need >> (octave - 2)) & 3)
    return c if c < CLASSES else CLASSES - 1


cdef inline int32_t estimate_class(int64_t estimate) noexcept nogil:
    # Return the class of an estimate; -1 for impossible estimates.
    cdef int32_t octave
    if estimate < 8:
        return <int32_t>estimate if estimate >= 0 else -1
    if estimate > 0x7FFFFFFF:
        estimate = 0x7FFFFFFF
    octave = log2_floor(<int32_t>estimate)
    return 8 * (octave - 2) + ((<int32_t>estimate >> (octave - 3)) & 7)


cdef inline void fit_add(
    FitTree* t, int32_t rank, int32_t need, int32_t estimate, int32_t job
) noexcept nogil:
    # Add a waiting job at its rank.
    cdef int32_t level, node = rank >> 6
    cdef int32_t first = need_class(need)
    cdef uint8_t least = <uint8_t>estimate_class(estimate)
    cdef uint8_t* bound
    cdef Item* item = &t.item[rank]
    item.need, item.estimate, item.job = need, estimate, job
    bitset_add(&t.waiting, rank)
    for level in range(t.levels):
        bound = t.line[level][node].bound
        if bound[first] <= least:
            return
        lower_bounds(bound, <uint8_t>first, least)
        node >>= 4


cdef inline void fit_drop(FitTree* t, int32_t rank) noexcept nogil:
    bitset_drop(&t.waiting, rank)
    if t.waiting.word[0][rank >> 6] == 0:
        memset(&t.line[0][rank >> 6], NO_JOB, sizeof(Line))


cdef inline void fit_tighten_leaf(FitTree* t, int32_t leaf) noexcept nogil:
    cdef uint64_t bits = t.waiting.word[0][leaf]
    cdef uint8_t* bound = t.line[0][leaf].bound
    cdef uint8_t least
    cdef int32_t c
    cdef Item* item
    memset(bound, NO_JOB, sizeof(Line))
    while bits:
        item = &t.item[(leaf << 6) | lowest(bits)]
        bits &= bits - 1
        c = need_class(item.need)
        least = <uint8_t>estimate_class(item.estimate)
        if least < bound[c]:
            bound[c] = least
    for c in range(1, CLASSES):
        if bound[c - 1] < bound[c]:
            bound[c] = bound[c - 1]


cdef inline void fit_tighten(FitTree* t, int32_t level, int32_t node) noexcept nogil:
    cdef int32_t child = node << 4, last = child + 16, c
    cdef Line line = t.line[level - 1][child]
    cdef Line* other
    if last > t.nodes[level - 1]:
        last = t.nodes[level - 1]
    for child in range(child + 1, last):
        other = &t.line[level - 1][child]
        for c in range(CLASSES):
            line.bound[c] = other.bound[c] if other.bound[c] < line.bound[c] else line.bound[c]
    t.line[level][node] = line


cdef inline bint may_fit(
    const Line* line, int32_t by_end, int32_t slack, int32_t by_extra
) noexcept nogil:
    # Return whether a job below may fit: `by_end` is the class of the free processors, `slack`
    # that of the time until the shadow time, `by_extra` that of the extra processors (-1 for
    # none).
    return line.bound[by_end] <= slack or (by_extra >= 0 and line.bound[by_extra] != NO_JOB)


cdef inline int32_t fit_next(
    FitTree* t, int32_t rank, int32_t free_procs, int64_t slack, int64_t extra
) noexcept nogil:
    # Return the first waiting rank >= `rank` whose need is at most free_procs and that either ends
    # within `slack` seconds from now or needs at most `extra` processors; -1 if there is none.
    cdef int32_t level = 0, node = rank >> 6, top = t.levels - 1, found
    cdef int32_t by_end = need_class(free_procs), by_extra = -1
    cdef int32_t slack_class = estimate_class(slack)
    cdef uint64_t bits, mask = ~<uint64_t>0 << (rank & 63)
    cdef Item* item
    if extra > 0:
        by_extra = need_class(<int32_t>(extra if extra < free_procs else free_procs))
    if node >= t.nodes[0]:
        return -1
    if rank == 0:                                       # a search from rank 0 starts at the root
        level = top
    while True:
        if may_fit(&t.line[level][node], by_end, slack_class, by_extra):
            if level:
                level -= 1
                node <<= 4
                continue
            bits = t.waiting.word[0][node] & mask
            while bits:
                found = (node << 6) | lowest(bits)
                item = &t.item[found]
                if item.need <= free_procs and (item.estimate <= slack or item.need <= extra):
                    return found
                bits &= bits - 1
            fit_tighten_leaf(t, node)
        mask = ~<uint64_t>0
        node += 1
        while level < top and (node & 15 == 0 or node >= t.nodes[level]):
            node = (node - 1) >> 4
            level += 1
            if may_fit(&t.line[level][node], by_end, slack_class, by_extra):
                fit_tighten(t, level, node)
            node += 1
        if node >= t.nodes[level]:
            return -1
