# Processors and memory by node: distribution of a job over nodes of a cluster, and its nodes.
#
# A job uses a fixed number of nodes (`Spread`): its processors are distributed as evenly as
# possible, the first nodes by number have one more, and its memory has equal shares. It gets the
# first nodes by number with enough processors for the larger share and enough memory. A job that
# requests whole nodes gets the first empty ones. Nodes are bits of words, `words` per job.

from libc.stdint cimport int32_t, int64_t, uint64_t

from schedlab.kernels.common.portable cimport lowest


cdef struct Spread:                     # of a job on a cluster
    int32_t nodes                       # 0 if it does not fit on this cluster
    int32_t more                        # processors on the first nodes
    int32_t few                         # number of nodes with that many; the others have one less
    bint is_whole                       # whether it requests whole nodes
    int64_t ram                         # on each node


cdef struct Nodes:                      # of a cluster
    int32_t count
    int32_t cpus                        # of each empty node
    int64_t ram
    int32_t* free_cpus                  # of each node at the present time of a walk
    int64_t* free_ram
    int32_t* least_cpus                 # smallest free number over a time interval
    int64_t* least_ram
    int32_t* spare_cpus                 # of a walk that looks ahead and returns
    int64_t* spare_ram


cdef inline void nodes_empty(Nodes* n) noexcept nogil:
    cdef int32_t k
    for k in range(n.count):
        n.free_cpus[k], n.free_ram[k] = n.cpus, n.ram


cdef inline void nodes_add(
    Nodes* n, const Spread* s, const uint64_t* bits, int32_t words, int32_t sign
) noexcept nogil:
    # Release a job's resources, or use them (sign -1).
    cdef int32_t word, node, rank = 0
    cdef uint64_t left
    for word in range(words):
        left = bits[word]
        while left:
            node = 64 * word + lowest(left)
            left &= left - 1
            if s.is_whole:
                n.free_cpus[node] += sign * n.cpus
                n.free_ram[node] += sign * n.ram
            else:
                n.free_cpus[node] += sign * (s.more - (rank >= s.few))
                n.free_ram[node] += sign * s.ram
            rank += 1


cdef inline void nodes_least(Nodes* n) noexcept nogil:
    # Update the smallest free numbers.
    cdef int32_t k
    for k in range(n.count):
        n.least_cpus[k] = min(n.least_cpus[k], n.free_cpus[k])
        n.least_ram[k] = min(n.least_ram[k], n.free_ram[k])


cdef inline bint has_room(
    const Nodes* n, const Spread* s, int32_t cpus, int64_t ram, int32_t need
) noexcept nogil:
    if s.is_whole:
        return cpus == n.cpus and ram == n.ram
    return cpus >= need and ram >= s.ram


cdef inline bint nodes_choose(
    const Nodes* n,
    const int32_t* cpus,
    const int64_t* ram,
    const Spread* s,
    uint64_t* bits,
    int32_t words,
) noexcept nogil:
    # Choose nodes that fit a job; return whether there are enough.
    cdef int32_t node, lacking = s.nodes
    for node in range(words):
        bits[node] = 0
    for node in range(n.count):
        if has_room(n, s, cpus[node], ram[node], s.more):
            bits[node >> 6] |= <uint64_t>1 << (node & 63)
            lacking -= 1
            if lacking == 0:
                return True
    return False


cdef inline bint nodes_hold(
    const Nodes* n, const Spread* s, const uint64_t* bits, int32_t words
) noexcept nogil:
    # Return whether a job's nodes have enough free resources for it.
    cdef int32_t word, node, rank = 0
    cdef uint64_t left
    for word in range(words):
        left = bits[word]
        while left:
            node = 64 * word + lowest(left)
            left &= left - 1
            if not has_room(
                n, s, n.free_cpus[node], n.free_ram[node], s.more - (rank >= s.few)
            ):
                return False
            rank += 1
    return rank == s.nodes
