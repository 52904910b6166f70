# When processors are expected back: the running jobs in order of their estimated ends.
#
# A sorted list cut into blocks of at most BLOCK entries, each with the sum of its processors, so
# that the shadow time of a wide job skips whole blocks. Invariant: blocks are non-empty, entries
# ascend within and across blocks, first[k] is the first entry of the k-th block and sum[k] its
# processors. add and shadow cost O(BLOCK + running / BLOCK), a few cache lines in practice; drop
# costs the same and a look at each entry of the same end in front of the one it wants.

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memmove

from schedlab.kernels.common.bisect cimport before_int64, bisect
from schedlab.kernels.common.region cimport resize

cdef enum:
    BLOCK = 64


cdef struct Release:
    int64_t end                         # estimated end of a running job
    int64_t procs                       # processors it will free


cdef struct Block:
    int32_t size
    Release entry[BLOCK]


cdef struct Releases:
    Block* pool                         # all blocks ever made
    int32_t pooled                      # how many of them exist
    int32_t used                        # blocks taken from the pool so far
    int32_t* spare                      # emptied blocks to reuse
    int32_t spares
    int32_t* order                      # blocks in ascending order
    int64_t* first                      # their first estimated ends
    int64_t* sum                        # their processors
    int32_t count                       # blocks in use


cdef inline int releases_grow(Releases* r, int32_t pooled) noexcept nogil:
    # Allocate `pooled` blocks; -1 if memory runs out. The owner frees the memory.
    if (
        resize(<void**>&r.pool, pooled, sizeof(Block))
        or resize(<void**>&r.spare, pooled, sizeof(int32_t))
        or resize(<void**>&r.order, pooled, sizeof(int32_t))
        or resize(<void**>&r.first, pooled, sizeof(int64_t))
        or resize(<void**>&r.sum, pooled, sizeof(int64_t))
    ):
        return -1
    r.pooled = pooled
    return 0


cdef inline void releases_clear(Releases* r) noexcept nogil:
    r.used = r.spares = r.count = 0


cdef inline void releases_free(Releases* r) noexcept nogil:
    free(r.pool)
    free(r.spare)
    free(r.order)
    free(r.first)
    free(r.sum)


cdef inline int releases_copy(Releases* r, const Releases* other) noexcept nogil:
    # Copy the blocks in use to an empty structure; -1 if memory runs out.
    cdef int32_t k
    if releases_grow(r, max(2 * other.count, 16)):
        return -1
    for k in range(other.count):
        r.pool[k] = other.pool[other.order[k]]
        r.order[k], r.first[k], r.sum[k] = k, other.first[k], other.sum[k]
    r.used = r.count = other.count
    r.spares = 0
    return 0


cdef inline int32_t releases_open(Releases* r, int32_t at) noexcept nogil:
    # Put an empty block at place `at` of the order; -1 if memory runs out.
    cdef int32_t block
    if r.spares:
        r.spares -= 1
        block = r.spare[r.spares]
    else:
        if r.used == r.pooled and releases_grow(r, 2 * r.pooled):
            return -1
        block = r.used
        r.used += 1
    memmove(&r.order[at + 1], &r.order[at], (r.count - at) * sizeof(int32_t))
    memmove(&r.first[at + 1], &r.first[at], (r.count - at) * sizeof(int64_t))
    memmove(&r.sum[at + 1], &r.sum[at], (r.count - at) * sizeof(int64_t))
    r.count += 1
    r.order[at] = block
    r.pool[block].size = 0
    r.sum[at] = 0
    return block


cdef inline int32_t releases_block(const Releases* r, int64_t end) noexcept nogil:
    # The last block whose first entry is before `end` (or the first block).
    cdef int32_t at = bisect(before_int64, r.first, r.count, &end)
    return at - 1 if at else 0


cdef inline bint ends_before(const void* entries, int32_t place, const void* end) noexcept nogil:
    return (<const Release*>entries)[place].end < (<const int64_t*>end)[0]


cdef inline int releases_add(Releases* r, int64_t end, int64_t procs) noexcept nogil:
    cdef int32_t at, place, half
    cdef int64_t moved = 0
    cdef Block* block
    cdef Block* upper
    if r.count == 0 and releases_open(r, 0) < 0:
        return -1
    at = releases_block(r, end)
    block = &r.pool[r.order[at]]
    if block.size == BLOCK:
        if releases_open(r, at + 1) < 0:
            return -1
        block = &r.pool[r.order[at]]
        upper = &r.pool[r.order[at + 1]]
        half = BLOCK // 2
        memcpy(upper.entry, &block.entry[half], half * sizeof(Release))
        for place in range(half):
            moved += upper.entry[place].procs
        block.size = upper.size = half
        r.first[at + 1] = upper.entry[0].end
        r.sum[at + 1] = moved
        r.sum[at] -= moved
        if end > r.first[at + 1]:
            at += 1
            block = upper
    place = block.size
    while place > 0 and block.entry[place - 1].end > end:
        block.entry[place] = block.entry[place - 1]
        place -= 1
    block.entry[place].end = end
    block.entry[place].procs = procs
    block.size += 1
    r.sum[at] += procs
    if place == 0:
        r.first[at] = end
    return 0


cdef inline void releases_drop(Releases* r, int64_t end, int64_t procs) noexcept nogil:
    # Remove one entry equal to (end, procs), which must exist.
    cdef int32_t at = releases_block(r, end), place
    cdef Block* block
    while True:
        block = &r.pool[r.order[at]]
        place = bisect(ends_before, block.entry, block.size, &end)
        while place < block.size and block.entry[place].end == end:
            if block.entry[place].procs == procs:
                block.size -= 1
                memmove(&block.entry[place], &block.entry[place + 1],
                        (block.size - place) * sizeof(Release))
                r.sum[at] -= procs
                if block.size == 0:
                    releases_close(r, at)
                elif place == 0:
                    r.first[at] = block.entry[0].end
                return
            place += 1
        at += 1


cdef inline void releases_close(Releases* r, int32_t at) noexcept nogil:
    # Return the empty block at place `at` to the pool.
    r.spare[r.spares] = r.order[at]
    r.spares += 1
    r.count -= 1
    memmove(&r.order[at], &r.order[at + 1], (r.count - at) * sizeof(int32_t))
    memmove(&r.first[at], &r.first[at + 1], (r.count - at) * sizeof(int64_t))
    memmove(&r.sum[at], &r.sum[at + 1], (r.count - at) * sizeof(int64_t))


cdef inline int64_t releases_shadow(
    const Releases* r, int64_t free_procs, int64_t need, int64_t* extra
) noexcept nogil:
    # The earliest estimated time when `need` processors are free, and in `extra` the surplus then;
    # every job expected to end by that time counts as released. need > free_procs must hold.
    cdef int32_t at = 0, place = 0
    cdef int64_t shadow
    cdef const Block* block
    while free_procs + r.sum[at] < need:
        free_procs += r.sum[at]
        at += 1
    block = &r.pool[r.order[at]]
    while free_procs < need:
        free_procs += block.entry[place].procs
        place += 1
    shadow = block.entry[place - 1].end
    while True:
        while place < block.size and block.entry[place].end == shadow:
            free_procs += block.entry[place].procs
            place += 1
        at += 1
        if place < block.size or at == r.count or r.first[at] != shadow:
            break
        block = &r.pool[r.order[at]]
        place = 0
    extra[0] = free_procs - need
    return shadow
