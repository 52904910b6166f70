# A plan: free processors from now on, by running jobs' estimates and by reservations.
#
# A step function in chunks (`chunks.pxd`). A search skips chunks in which nothing fits or
# everything fits. An addition over a range changes only the steps at its two ends.
# Most changes are in the first chunk or within another one, and have special functions here.
# Without `profile_soon`, `profile_take` and `profile_gap`, 10,000 jobs on 1,400 processors take
# 60 ms instead of 49, more than bench/limit.c with its 52 (AVX2).
#
# earliest and add cost O(STEPS), and a little for each chunk in their range.

from libc.stdint cimport int32_t, int64_t
from libc.string cimport memmove

from schedlab.kernels.common.chunks cimport (
    STEPS,
    Chunk,
    Profile,
    chunk_at,
    chunk_bounds,
    chunk_of,
    cut_chunk,
    join_steps,
    merge_chunks,
    mind_head,
    profile_grow,
    shift_chunks,
    shift_steps,
    split_chunk,
    step_at,
)


cdef inline void mind_bounds(
    Profile* p, int32_t c, int32_t low, int32_t high, int32_t procs
) noexcept nogil:
    # Update the bounds of a chunk after an addition to steps that now have from `low` to `high`:
    # one bound follows from these steps, the other one stays if another step has it.
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
    # Add to at least one step of a chunk; return the largest number of free processors among them.
    cdef Chunk* chunk = chunk_of(p, c)
    cdef int32_t low = chunk.free[begin] + procs, high = low, k, value
    for k in range(begin, end):
        value = chunk.free[k] + procs
        chunk.free[k] = value
        low = value if value < low else low
        high = value if value > high else high
    mind_bounds(p, c, low, high, procs)
    return high + p.add[c]


cdef inline int32_t add_within(
    Profile* p, int32_t c, int64_t begin, int64_t end, int32_t procs
) noexcept nogil:
    # Add between two times of one chunk, which has capacity for two steps; return the largest
    # number of free processors among them. Steps are cut, joined and moved at once, because most
    # ranges of a plan are short.
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
    # Ensure capacity for two more chunks; -1 if memory runs out.
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
    # As `profile_add`, for two or more chunks, or if one of them is full.
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
    return max(most, 0)


cdef inline int32_t profile_add(
    Profile* p, int64_t begin, int64_t end, int32_t procs
) noexcept nogil:
    # Add processors (a negative number removes them) from `begin`, which is not past, until `end`.
    # Return the largest number of free processors in between, at least 0; -1 if memory runs out.
    cdef const Chunk* chunk
    cdef int32_t c, most
    if begin >= end:
        return 0
    c = chunk_at(p, begin, p.head)
    chunk = chunk_of(p, c)
    if end >= p.first[c + 1] or chunk.size > STEPS - 2:
        return add_across(p, begin, end, procs)
    most = add_within(p, c, begin, end, procs)
    if chunk.size < STEPS // 4:
        merge_chunks(p, c)
    return max(most, 0)


cdef inline void profile_advance(Profile* p, int64_t now) noexcept nogil:
    # Drop the past.
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
    chunk.time[0] = p.first[p.head] = now


cdef inline bint is_beyond(const Profile* p, int64_t time) noexcept nogil:
    # Return whether a time lies beyond the first chunk: a search until then takes long.
    return time > p.first[p.head + 1]


cdef inline int32_t profile_soon(
    const Profile* p, int32_t procs, int64_t length, int64_t limit
) noexcept nogil:
    # As `profile_earliest` from now on, with a limit in the first chunk. Return the first chunk's
    # step that begins at that time, or the first one that is not before the limit. Usually few
    # steps are before it, so that the number of instructions counts.
    cdef const Chunk* chunk = chunk_of(p, p.head)
    cdef int64_t begin = chunk.time[0], time = begin
    cdef int32_t need = procs - p.add[p.head], k = 0, first = 0
    while time < limit:
        time = chunk.time[k + 1]
        if chunk.free[k] < need:
            begin, first = time, k + 1
        elif time - begin >= length:
            break
        k += 1
    return first


cdef inline int64_t profile_time(const Profile* p, int32_t i) noexcept nogil:
    # Return the beginning of the i-th step of the first chunk, or of the next chunk.
    return chunk_of(p, p.head).time[i]


cdef inline int profile_take(Profile* p, int32_t i, int64_t end, int32_t procs) noexcept nogil:
    # Remove processors from the i-th step of the first chunk until `end`, which is not beyond it;
    # -1 if memory runs out.
    cdef Chunk* chunk = chunk_of(p, p.head)
    cdef int32_t k = i
    if chunk.size > STEPS - 2:
        return -(profile_add(p, chunk.time[i], end, -procs) < 0)
    while k < chunk.size and chunk.time[k + 1] <= end:
        chunk.free[k] -= procs
        k += 1
    if chunk.time[k] < end:
        chunk.size += 1
        shift_steps(chunk, k, chunk.size - 1, 1, chunk.size - k)
        chunk.time[k + 1] = end
        chunk.free[k] -= procs
        k += 1
    join_steps(chunk, k)
    join_steps(chunk, i)
    p.stale = True
    if chunk.size < STEPS // 4:
        merge_chunks(p, p.head)
    return 0


cdef inline int64_t profile_gap(Profile* p, int32_t procs, int64_t time) noexcept nogil:
    # Return since when a number of processors is free that is free at `time`; `time` if it is not.
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
    # Return since when a number of processors is free at the end of a chunk, by its steps from
    # `first` on; `begin` if it is free in all of them.
    cdef const Chunk* chunk = chunk_of(p, c)
    cdef int32_t k = chunk.size - 1, need = procs - p.add[c]
    while k >= first and chunk.free[k] >= need:
        k -= 1
    return chunk.time[k + 1] if k >= first else begin


cdef inline int64_t profile_earliest(
    Profile* p, int32_t procs, int64_t length, int64_t begin, int64_t limit
) noexcept nogil:
    # Return the first time from `begin` on at which a number of processors is free for `length` or
    # until `limit`. If that is not before the limit: the time from which they are free at the
    # limit, or the limit. `begin` is the beginning of the gap that reaches to the searched time.
    cdef const Chunk* chunk
    cdef int64_t following, blocked
    cdef int32_t c = p.head, first = 0, k, need
    cdef bint ends_here
    mind_head(p)
    if begin > p.first[c]:
        c = chunk_at(p, begin, c)
        first = step_at(chunk_of(p, c), begin)
    while c < p.end and p.first[c] < limit:
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
                # without a branch, because processors cannot predict blocked steps
                blocked = following & -<int64_t>(chunk.free[k] < need)
                begin = blocked if blocked > begin else begin
                if following - begin >= length:
                    return begin
        first = 0
        c += 1
    return begin
