# Processors that are free from now on, by running jobs' estimates and by reservations: a plan.
#
# A step function whose steps stand in chunks of at most STEPS. Beside the chunks lie their first
# times, the least and the most that is free in each, and what was added to a chunk as a whole, so
# that a search leaves out chunks where nothing fits and those where everything does, and adding
# over a range touches steps of its two ends only. Of every BLOCK places of chunks the bounds are
# kept too, found anew when they are asked for after a change: a search in a long plan leaves out
# blocks.
#
# Invariant: times ascend strictly within and across chunks, free[i] + add holds from time[i] until
# time[i + 1], where time[size] is the first time of the next chunk, or INT64_MAX behind the last
# one; low and high are the least and the most of free + add in a chunk, those of the first chunk,
# which changes most and is asked for least, once `mind_head` has seen to them; no chunk is empty. A
# step may equal the one before it only as the first of its chunk.
# earliest costs O(STEPS + BLOCK + blocks), add O(STEPS) and a little for each chunk in its range, a
# split a move of the places behind it; finding the chunk of a time costs O(log chunks).

from libc.stdint cimport INT64_MAX, int32_t, int64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memmove, memset

cdef enum:
    STEPS = 32                          # most steps of a chunk
    BLOCK_BITS = 6
    BLOCK = 1 << BLOCK_BITS             # places of chunks


cdef struct Chunk:
    int32_t size
    int32_t free[STEPS]                 # less what was added to the chunk as a whole
    int64_t time[STEPS + 1]


cdef struct Profile:
    Chunk* pool                         # all chunks ever made
    int32_t pooled                      # how many of them exist
    int32_t* spare                      # chunks that nobody uses
    int32_t spares
    int32_t* order                      # chunks in ascending order, from `head` on
    int64_t* first                      # their first times, INT64_MAX behind the last one
    int32_t* low                        # the least that is free in each,
    int32_t* high                       # the most,
    int32_t* add                        # and what was added to it as a whole
    int32_t head
    int32_t end                         # behind the last chunk
    int32_t room                        # places of the five arrays
    int32_t* block_low                  # the least and the most that is free in a block,
    int32_t* block_high
    char* changed                       # if nothing has changed in it since
    bint stale                          # whether the bounds of the first chunk are yet to be found


cdef inline int profile_grow(Profile* p, int32_t room) noexcept nogil:
    # Make room for so many chunks; -1 when memory is out.
    cdef int32_t k
    cdef void* moved
    cdef void** column[7]
    column[0], column[1] = <void**>&p.order, <void**>&p.low
    column[2], column[3] = <void**>&p.high, <void**>&p.add
    column[4], column[5] = <void**>&p.spare, <void**>&p.block_low
    column[6] = <void**>&p.block_high
    for k in range(7):
        moved = realloc(column[k][0], (room + 1) * sizeof(int32_t))
        if moved == NULL:
            return -1
        column[k][0] = moved
    moved = realloc(p.first, (room + 1) * sizeof(int64_t))
    if moved == NULL:
        return -1
    p.first = <int64_t*>moved
    moved = realloc(p.changed, (room >> BLOCK_BITS) + 1)
    if moved == NULL:
        return -1
    p.changed = <char*>moved
    memset(p.changed, 1, (room >> BLOCK_BITS) + 1)
    moved = realloc(p.pool, room * sizeof(Chunk))
    if moved == NULL:
        return -1
    p.pool = <Chunk*>moved
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
    free(p.block_low)
    free(p.block_high)
    free(p.changed)


cdef inline Chunk* chunk_of(const Profile* p, int32_t c) noexcept nogil:
    return <Chunk*>(<int64_t*>p.pool + p.order[c])


cdef inline int profile_make(Profile* p, int32_t processors) noexcept nogil:
    # All processors free from 0 on; -1 when memory is out.
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
    # Copy what is in use to where there is nothing; -1 when memory is out.
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
    # The chunk in which a time lies, from the c-th on, where it does not lie before that.
    cdef int32_t left = p.end - c, half
    if p.first[c + 1] > time:
        return c
    while left > 1:
        half = left >> 1
        c = c + half if p.first[c + half] <= time else c
        left -= half
    return c


cdef inline int32_t step_at(const Chunk* chunk, int64_t time) noexcept nogil:
    # The step of the chunk in which a time lies that is not before the chunk.
    cdef int32_t base = 0, left = chunk.size, half
    while left > 1:
        half = left >> 1
        base = base + half if chunk.time[base + half] <= time else base
        left -= half
    return base


cdef inline void chunk_bounds(Profile* p, int32_t c) noexcept nogil:
    # Find the least and the most that is free in a chunk.
    cdef const Chunk* chunk = chunk_of(p, c)
    cdef int32_t low = chunk.free[0], high = low, k, value
    for k in range(1, chunk.size):
        value = chunk.free[k]
        low = value if value < low else low
        high = value if value > high else high
    p.low[c], p.high[c] = low + p.add[c], high + p.add[c]


cdef inline void mind_head(Profile* p) noexcept nogil:
    # See to it that the bounds of the first chunk are as they should be.
    if p.stale:
        chunk_bounds(p, p.head)
        p.stale = False


cdef inline void change_blocks(Profile* p, int32_t c, int32_t last) noexcept nogil:
    # The bounds of the blocks of the chunks from c to last may have changed.
    cdef int32_t block = c >> BLOCK_BITS
    p.changed[block] = 1
    if last >> BLOCK_BITS != block:
        memset(&p.changed[block + 1], 1, (last >> BLOCK_BITS) - block)


cdef inline void block_bounds(Profile* p, int32_t block) noexcept nogil:
    # Find the least and the most that is free in a block, all of whose places have chunks.
    cdef int32_t c = block << BLOCK_BITS, low = p.low[c], high = p.high[c], k
    for k in range(c + 1, c + BLOCK):
        low = p.low[k] if p.low[k] < low else low
        high = p.high[k] if p.high[k] > high else high
    p.block_low[block], p.block_high[block] = low, high
    p.changed[block] = 0


cdef inline void shift_chunks(Profile* p, int32_t c, int32_t by) noexcept nogil:
    # Move the chunks from the c-th on by so many places, and the end with them.
    cdef int32_t count = p.end - c
    memmove(&p.order[c + by], &p.order[c], count * sizeof(int32_t))
    memmove(&p.low[c + by], &p.low[c], count * sizeof(int32_t))
    memmove(&p.high[c + by], &p.high[c], count * sizeof(int32_t))
    memmove(&p.add[c + by], &p.add[c], count * sizeof(int32_t))
    memmove(&p.first[c + by], &p.first[c], (count + 1) * sizeof(int64_t))
    p.end += by
    change_blocks(p, min(c, c + by), p.end)


cdef inline void split_chunk(Profile* p, int32_t c) noexcept nogil:
    # Put the upper half of a chunk into a new one behind it.
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
    # Put a chunk and the one behind it into one if they are small.
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
    # Let a step begin at a time of the chunk, which has room; its place.
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
    # Drop a step that equals the one before it in its chunk.
    cdef int32_t behind = chunk.size - i - 1
    if i == 0 or i >= chunk.size or chunk.free[i] != chunk.free[i - 1]:
        return
    memmove(&chunk.free[i], &chunk.free[i + 1], behind * sizeof(int32_t))
    memmove(&chunk.time[i], &chunk.time[i + 1], (behind + 1) * sizeof(int64_t))
    chunk.size -= 1


cdef inline void mind_bounds(
    Profile* p, int32_t c, int32_t low, int32_t high, int32_t procs
) noexcept nogil:
    # Of a chunk in which so many were added to steps that have from `low` to `high` now: one bound
    # follows from these steps, the other one stays if another step has it.
    if c == p.head:
        p.stale = True
        return
    low += p.add[c]
    high += p.add[c]
    if procs < 0:
        p.low[c] = min(p.low[c], low)
        if high - procs == p.high[c]:
            chunk_bounds(p, c)
    else:
        p.high[c] = max(p.high[c], high)
        if low - procs == p.low[c]:
            chunk_bounds(p, c)


cdef inline int32_t add_steps(
    Profile* p, int32_t c, int32_t begin, int32_t end, int32_t procs
) noexcept nogil:
    # Add to steps of one chunk, at least one; the most that is free among them then.
    cdef Chunk* chunk = chunk_of(p, c)
    cdef int32_t low = chunk.free[begin] + procs, high = low, k, value
    for k in range(begin, end):
        value = chunk.free[k] + procs
        chunk.free[k] = value
        low = value if value < low else low
        high = value if value > high else high
    mind_bounds(p, c, low, high, procs)
    return high + p.add[c]


cdef inline void shift_steps(
    Chunk* chunk, int32_t begin, int32_t end, int32_t by, int32_t times
) noexcept nogil:
    # Move steps begin .. end - 1 and so many of their times by so many places.
    memmove(&chunk.free[begin + by], &chunk.free[begin], (end - begin) * sizeof(int32_t))
    memmove(&chunk.time[begin + by], &chunk.time[begin], times * sizeof(int64_t))


cdef inline int32_t add_within(
    Profile* p, int32_t c, int64_t begin, int64_t end, int32_t procs
) noexcept nogil:
    # Add between two times of one chunk, which has room for two steps; the most that is free among
    # them then. Steps are cut, joined and moved at once: most ranges of a plan are short.
    cdef Chunk* chunk = chunk_of(p, c)
    cdef int32_t i = step_at(chunk, begin), j = i, k, value, low, high, first, behind
    cdef int32_t inner, tail, by, by_tail       # steps i + 1 .. inner - 1 change, tail .. do not
    cdef bint cut_begin = chunk.time[i] != begin, cut_end
    while chunk.time[j + 1] <= end:             # the last time is that of the next chunk
        j += 1
    cut_end = chunk.time[j] != end
    behind = chunk.free[j]                      # from `end` on
    low = high = chunk.free[i] + procs
    inner = tail = j + cut_end
    by = cut_begin - (not cut_begin and i > 0 and chunk.free[i - 1] == low)
    by_tail = by + cut_end
    if not cut_end and chunk.free[j - 1] + procs == behind:
        tail += 1
        by_tail -= 1
    if not cut_begin:
        chunk.free[i] = low
    first = low
    for k in range(i + 1, inner):
        value = chunk.free[k] + procs
        chunk.free[k] = value
        low = value if value < low else low
        high = value if value > high else high
    value = chunk.size - tail
    chunk.size += by_tail
    if by_tail > 0:
        shift_steps(chunk, tail, tail + value, by_tail, value + 1)
    if by and inner > i + 1:
        shift_steps(chunk, i + 1, inner, by, inner - i - 1)
    if by_tail < 0:
        shift_steps(chunk, tail, tail + value, by_tail, value + 1)
    if cut_begin:
        chunk.free[i + 1], chunk.time[i + 1] = first, begin
    if cut_end:
        chunk.free[inner + by], chunk.time[inner + by] = behind, end
    mind_bounds(p, c, low, high, procs)
    return high + p.add[c]


cdef inline int profile_room(Profile* p) noexcept nogil:
    # Make room for two more chunks; -1 when memory is out.
    cdef int32_t head = p.head
    if p.end + 2 <= p.room:
        return 0
    if head * 2 > p.room:
        p.head = 0
        shift_chunks(p, head, -head)
        return 0
    return profile_grow(p, 2 * p.room)


cdef inline int32_t add_across(
    Profile* p, int64_t begin, int64_t end, int32_t procs
) noexcept nogil:
    # As `profile_add`, where two chunks or more change or one of them is full.
    cdef int32_t c, last, i, j, k, most
    if profile_room(p):
        return -1
    c = chunk_at(p, begin, p.head)
    if chunk_of(p, c).size > STEPS - 2:
        split_chunk(p, c)
        c += p.first[c + 1] <= begin
    last = chunk_at(p, end, c)
    if last != c and chunk_of(p, last).size == STEPS:
        split_chunk(p, last)
        last += p.first[last + 1] <= end
    change_blocks(p, c, last)
    if c == last:
        most = add_within(p, c, begin, end, procs)
    else:
        i = cut_chunk(chunk_of(p, c), begin)
        j = cut_chunk(chunk_of(p, last), end)
        most = add_steps(p, c, i, chunk_of(p, c).size, procs)
        for k in range(c + 1, last):
            p.add[k] += procs
            p.low[k] += procs
            p.high[k] += procs
            most = max(most, p.high[k])
        if j:
            most = max(most, add_steps(p, last, 0, j, procs))
            join_steps(chunk_of(p, last), j)
        join_steps(chunk_of(p, c), i)
        if chunk_of(p, last).size < STEPS // 4:
            merge_chunks(p, last)
    if chunk_of(p, c).size < STEPS // 4:
        merge_chunks(p, c)
    return most


cdef inline int32_t profile_add(
    Profile* p, int64_t begin, int64_t end, int32_t procs
) noexcept nogil:
    # So many processors more (fewer, if negative) from `begin`, which is not past, until `end`.
    # The most that is free in between then; -1 when memory is out.
    cdef const Chunk* chunk
    cdef int32_t c, most
    if begin >= end:
        return 0
    c = chunk_at(p, begin, p.head)
    chunk = chunk_of(p, c)
    if end >= p.first[c + 1] or chunk.size > STEPS - 2:
        return add_across(p, begin, end, procs)
    change_blocks(p, c, c)
    most = add_within(p, c, begin, end, procs)
    if chunk.size < STEPS // 4:
        merge_chunks(p, c)
    return most


cdef inline void profile_advance(Profile* p, int64_t now) noexcept nogil:
    # Forget what is past.
    cdef Chunk* chunk
    cdef int32_t i
    while p.first[p.head + 1] <= now:
        p.spare[p.spares] = p.order[p.head]
        p.spares += 1
        p.head += 1
    chunk = chunk_of(p, p.head)
    i = step_at(chunk, now)
    if i:
        chunk.size -= i
        memmove(&chunk.free[0], &chunk.free[i], chunk.size * sizeof(int32_t))
        memmove(&chunk.time[0], &chunk.time[i], (chunk.size + 1) * sizeof(int64_t))
        p.stale = True
        change_blocks(p, p.head, p.head)
    chunk.time[0] = p.first[p.head] = now


cdef inline bint is_beyond(const Profile* p, int64_t time) noexcept nogil:
    # Whether a time lies beyond the first chunk: to look at all that comes before it takes long.
    return time > p.first[p.head + 1]


cdef inline int64_t profile_soon(
    const Profile* p, int32_t procs, int64_t length, int64_t limit
) noexcept nogil:
    # As `profile_earliest` from now on, with a limit that is not beyond the first chunk. There lie
    # few steps before it as a rule, so that the fewest instructions count.
    cdef const Chunk* chunk = chunk_of(p, p.head)
    cdef int64_t begin = chunk.time[0], time = begin, following, blocked
    cdef int32_t need = procs - p.add[p.head], k = 0
    while time < limit:
        following = chunk.time[k + 1]
        blocked = following & -<int64_t>(chunk.free[k] < need)
        begin = blocked if blocked > begin else begin
        if following - begin >= length:
            break
        time = following
        k += 1
    return begin


cdef inline int64_t profile_gap(Profile* p, int32_t procs, int64_t time) noexcept nogil:
    # Since when so many processors are free that are free at `time`; `time` if they are not.
    cdef const Chunk* chunk
    cdef int32_t c, k, need
    if time <= p.first[p.head]:
        return p.first[p.head]
    mind_head(p)
    c = chunk_at(p, time, p.head)
    chunk = chunk_of(p, c)
    k = step_at(chunk, time)
    while True:
        need = procs - p.add[c]
        if k == chunk.size - 1 and p.low[c] >= procs:
            time, k = p.first[c], -1
        while k >= 0 and chunk.free[k] >= need:
            time = chunk.time[k]
            k -= 1
        if k >= 0 or c == p.head:
            return time
        c -= 1
        chunk = chunk_of(p, c)
        k = chunk.size - 1


cdef inline int64_t free_behind(
    const Profile* p, int32_t c, int32_t procs, int32_t first, int64_t begin
) noexcept nogil:
    # Since when so many processors are free at the end of a chunk, as its steps from `first` on
    # say; if all of them have as many, since `begin`.
    cdef const Chunk* chunk = chunk_of(p, c)
    cdef int32_t k = chunk.size - 1, need = procs - p.add[c]
    while k >= first and chunk.free[k] >= need:
        k -= 1
    return chunk.time[k + 1] if k >= first else begin


cdef inline int64_t profile_earliest(
    Profile* p, int32_t procs, int64_t length, int64_t begin, int64_t limit
) noexcept nogil:
    # When, from `begin` on, so many processors are first free for so long or until `limit`.
    # If that is not before the limit: when there are so many again from the limit on, or the limit.
    # `begin` is where the gap begins that reaches as far as has been looked.
    cdef const Chunk* chunk
    cdef int64_t following, blocked
    cdef int32_t c = p.head, first = 0, k, need, block
    cdef bint ends_here
    mind_head(p)
    if begin > p.first[c]:
        c = chunk_at(p, begin, c)
        first = step_at(chunk_of(p, c), begin)
    while c < p.end and p.first[c] < limit:
        if c & (BLOCK - 1) == 0 and first == 0 and c + BLOCK <= p.end:
            block = c >> BLOCK_BITS
            if p.changed[block]:
                block_bounds(p, block)
            if p.block_high[block] < procs:
                c += BLOCK
                begin = p.first[c]
                continue
            if p.block_low[block] >= procs:
                if p.first[c + BLOCK] - begin >= length:
                    return begin
                c += BLOCK
                continue
            if p.first[c + BLOCK] <= limit and p.first[c + BLOCK] - begin < length:
                c += BLOCK                      # no gap that begins so far can be long enough yet
                k = c - 1
                while p.low[k] >= procs:
                    k -= 1
                begin = free_behind(p, k, procs, 0, begin)
                continue
        if p.high[c] < procs:
            begin = p.first[c + 1]
        elif p.low[c] >= procs:
            if p.first[c + 1] - begin >= length:
                return begin
        elif p.first[c + 1] <= limit and p.first[c + 1] - begin < length:
            begin = free_behind(p, c, procs, first, begin)
        else:
            chunk = chunk_of(p, c)
            need = procs - p.add[c]
            ends_here = p.first[c + 1] > limit
            for k in range(first, chunk.size):
                if ends_here and chunk.time[k] >= limit:
                    break
                following = chunk.time[k + 1]
                # without a branch: what is blocked has no pattern that a processor could foresee
                blocked = following & -<int64_t>(chunk.free[k] < need)
                begin = blocked if blocked > begin else begin
                if following - begin >= length:
                    return begin
        first = 0
        c += 1
    return begin
