# A step function of time in chunks of at most STEPS steps: the data of a plan (`profile.pxd`).
#
# Parallel arrays contain for each chunk its first time, the smallest and the largest number of
# free processors, and a value to add to all of its steps.
#
# Invariant: times ascend strictly within and across chunks. free[i] + add is valid from time[i]
# until time[i + 1], where time[size] is the first time of the next chunk, or INT64_MAX behind the
# last one. low and high are the smallest and the largest free + add in a chunk; those of the first
# chunk, which changes most and is read least, only after `mind_head`. No chunk is empty. A step
# may equal the previous one only as the first of its chunk.
# A split or a merge moves the places behind it; finding the chunk of a time costs O(log n).

from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memmove

from schedlab.kernels.common.region cimport resize

cdef enum:
    STEPS = 32                          # largest number of steps of a chunk


cdef struct Chunk:
    int32_t size
    int32_t free[STEPS]                 # without the value that is added to the whole chunk
    int64_t time[STEPS + 1]


cdef struct Profile:
    Chunk* pool                         # all chunks ever allocated
    int32_t pooled                      # number of them
    int32_t* spare                      # places of unused chunks
    int32_t spares
    int32_t* order                      # places of chunks in words, by time, from `head` on
    int64_t* first                      # their first times, INT64_MAX behind the last one
    int32_t* low                        # smallest number of free processors in each,
    int32_t* high                       # largest number,
    int32_t* add                        # and value added to all steps of it
    int32_t head
    int32_t end                         # behind the last chunk
    int32_t room                        # capacity of the five arrays
    bint stale                          # whether the bounds of the first chunk must be recomputed


cdef inline int profile_grow(Profile* p, int32_t room) noexcept nogil:
    # Ensure a capacity in chunks; -1 if memory runs out.
    if (
        resize(<void**>&p.order, room, sizeof(int32_t))
        or resize(<void**>&p.low, room, sizeof(int32_t))
        or resize(<void**>&p.high, room, sizeof(int32_t))
        or resize(<void**>&p.add, room, sizeof(int32_t))
        or resize(<void**>&p.spare, room, sizeof(int32_t))
        or resize(<void**>&p.first, room, sizeof(int64_t))
        or resize(<void**>&p.pool, room, sizeof(Chunk))
    ):
        return -1
    while p.pooled < room:
        p.spare[p.spares] = <int32_t>(p.pooled * (sizeof(Chunk) // sizeof(int64_t)))
        p.spares += 1
        p.pooled += 1
    p.room = room
    return 0


cdef inline void profile_free(Profile* p) noexcept nogil:
    free(p.pool)
    free(p.spare)
    free(p.order)
    free(p.first)
    free(p.low)
    free(p.high)
    free(p.add)


cdef inline Chunk* chunk_of(const Profile* p, int32_t c) noexcept nogil:
    return <Chunk*>(<int64_t*>p.pool + p.order[c])


cdef inline int profile_make(Profile* p, int32_t processors) noexcept nogil:
    # Make a plan with all processors free from 0 on; -1 if memory runs out.
    cdef Chunk* chunk
    if profile_grow(p, 16):
        return -1
    p.spares -= 1
    p.order[0] = p.spare[p.spares]
    p.head, p.end = 0, 1
    p.first[0], p.first[1] = 0, INT64_MAX
    p.low[0] = p.high[0] = processors
    p.add[0] = 0
    chunk = chunk_of(p, 0)
    chunk.size = 1
    chunk.free[0] = processors
    chunk.time[0], chunk.time[1] = 0, INT64_MAX
    return 0


cdef inline int profile_copy(Profile* p, const Profile* other) noexcept nogil:
    # Copy the used part to an empty plan; -1 if memory runs out.
    cdef int32_t count = other.end - other.head, room = 16, c
    while room < count + 2:
        room *= 2
    if profile_grow(p, room):
        return -1
    p.head, p.end, p.stale = 0, count, other.stale
    for c in range(count):
        p.spares -= 1
        p.order[c] = p.spare[p.spares]
        memcpy(chunk_of(p, c), chunk_of(other, other.head + c), sizeof(Chunk))
    memcpy(p.low, &other.low[other.head], count * sizeof(int32_t))
    memcpy(p.high, &other.high[other.head], count * sizeof(int32_t))
    memcpy(p.add, &other.add[other.head], count * sizeof(int32_t))
    memcpy(p.first, &other.first[other.head], (count + 1) * sizeof(int64_t))
    return 0


cdef inline int32_t chunk_at(const Profile* p, int64_t time, int32_t c) noexcept nogil:
    # Return the chunk that contains a time, from the c-th on; the time is not before that chunk.
    cdef int32_t left = p.end - c, half
    if p.first[c + 1] > time:
        return c
    while left > 1:
        half = left >> 1
        c = c + half if p.first[c + half] <= time else c
        left -= half
    return c


cdef inline int32_t step_at(const Chunk* chunk, int64_t time) noexcept nogil:
    # Return the step of a chunk that contains a time; the time is not before the chunk.
    cdef int32_t base = 0, left = chunk.size, half
    while left > 1:
        half = left >> 1
        base = base + half if chunk.time[base + half] <= time else base
        left -= half
    return base


cdef inline void chunk_bounds(Profile* p, int32_t c) noexcept nogil:
    # Compute the smallest and the largest number of free processors in a chunk.
    cdef const Chunk* chunk = chunk_of(p, c)
    cdef int32_t low = chunk.free[0], high = low, k, value
    for k in range(1, chunk.size):
        value = chunk.free[k]
        low = value if value < low else low
        high = value if value > high else high
    p.low[c], p.high[c] = low + p.add[c], high + p.add[c]


cdef inline void mind_head(Profile* p) noexcept nogil:
    # Recompute the bounds of the first chunk if necessary.
    if p.stale:
        chunk_bounds(p, p.head)
        p.stale = False


cdef inline void shift_chunks(Profile* p, int32_t c, int32_t by) noexcept nogil:
    # Move the chunks from the c-th on, and the end, by a number of places.
    cdef int32_t count = p.end - c
    memmove(&p.order[c + by], &p.order[c], count * sizeof(int32_t))
    memmove(&p.low[c + by], &p.low[c], count * sizeof(int32_t))
    memmove(&p.high[c + by], &p.high[c], count * sizeof(int32_t))
    memmove(&p.add[c + by], &p.add[c], count * sizeof(int32_t))
    memmove(&p.first[c + by], &p.first[c], (count + 1) * sizeof(int64_t))
    p.end += by


cdef inline void split_chunk(Profile* p, int32_t c) noexcept nogil:
    # Move the upper half of a chunk to a new one behind it.
    cdef int32_t half = chunk_of(p, c).size >> 1, rest = chunk_of(p, c).size - half
    cdef Chunk* lower
    cdef Chunk* upper
    p.spares -= 1
    shift_chunks(p, c + 1, 1)
    p.order[c + 1] = p.spare[p.spares]
    p.add[c + 1] = p.add[c]
    lower, upper = chunk_of(p, c), chunk_of(p, c + 1)
    memcpy(&upper.free[0], &lower.free[half], rest * sizeof(int32_t))
    memcpy(&upper.time[0], &lower.time[half], (rest + 1) * sizeof(int64_t))
    lower.size, upper.size = half, rest
    p.first[c + 1] = upper.time[0]
    chunk_bounds(p, c)
    chunk_bounds(p, c + 1)


cdef inline void merge_chunks(Profile* p, int32_t c) noexcept nogil:
    # Merge a chunk with the next one if both are small.
    cdef Chunk* lower = chunk_of(p, c)
    cdef Chunk* upper
    cdef int32_t k, more
    if c + 1 >= p.end:
        return
    upper = chunk_of(p, c + 1)
    if lower.size + upper.size > STEPS // 2:
        return
    more = p.add[c + 1] - p.add[c]
    for k in range(upper.size):
        lower.free[lower.size + k] = upper.free[k] + more
    memcpy(&lower.time[lower.size], &upper.time[0], (upper.size + 1) * sizeof(int64_t))
    lower.size += upper.size
    p.low[c] = min(p.low[c], p.low[c + 1])
    p.high[c] = max(p.high[c], p.high[c + 1])
    p.spare[p.spares] = p.order[c + 1]
    p.spares += 1
    shift_chunks(p, c + 2, -1)


cdef inline int32_t cut_chunk(Chunk* chunk, int64_t time) noexcept nogil:
    # Let a step begin at a time of the chunk, which has free capacity; return its place.
    cdef int32_t i, behind
    if chunk.time[0] == time:
        return 0
    i = step_at(chunk, time)
    if chunk.time[i] == time:
        return i
    i += 1
    behind = chunk.size - i
    memmove(&chunk.free[i + 1], &chunk.free[i], behind * sizeof(int32_t))
    memmove(&chunk.time[i + 1], &chunk.time[i], (behind + 1) * sizeof(int64_t))
    chunk.free[i], chunk.time[i] = chunk.free[i - 1], time
    chunk.size += 1
    return i


cdef inline void join_steps(Chunk* chunk, int32_t i) noexcept nogil:
    # Drop a step that equals the previous one in its chunk.
    cdef int32_t behind = chunk.size - i - 1
    if i == 0 or i >= chunk.size or chunk.free[i] != chunk.free[i - 1]:
        return
    memmove(&chunk.free[i], &chunk.free[i + 1], behind * sizeof(int32_t))
    memmove(&chunk.time[i], &chunk.time[i + 1], (behind + 1) * sizeof(int64_t))
    chunk.size -= 1


cdef inline void shift_steps(
    Chunk* chunk, int32_t begin, int32_t end, int32_t by, int32_t times
) noexcept nogil:
    # Move steps begin .. end - 1 and `times` of their times by a number of places.
    memmove(&chunk.free[begin + by], &chunk.free[begin], (end - begin) * sizeof(int32_t))
    memmove(&chunk.time[begin + by], &chunk.time[begin], times * sizeof(int64_t))
