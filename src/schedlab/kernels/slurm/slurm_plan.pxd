# The plan of a backfill pass of Slurm: stretches of time with the unreserved processors in each,
# and when a job can start around the reservations.
#
# Invariant: stretches are contiguous and cover the window; a reservation adds at most two. Cost:
# O(r + m) words per attempt to place a job, with r reservations and m running jobs.

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memmove, memset

from schedlab.kernels.common.portable cimport ones
from schedlab.kernels.slurm.processor_sets cimport choose, meet, size_of
from schedlab.kernels.slurm.slurm_state cimport NEVER, Controller

cdef enum:
    HALF_MINUTE = 30
    FARTHEST = 40                       # no two ends are 2 to the 40 seconds apart


cdef inline int32_t next_of_use(Controller* c, int32_t place) noexcept nogil:
    # The next job by limit that has one of the usable processors.
    while place < c.running.size and not meet(
        c.sets + <int64_t>c.slot[c.by_limit[place]] * c.words, c.usable, c.words
    ):
        place += 1
    return place


cdef inline int64_t earliest(Controller* c, int32_t job) noexcept nogil:
    # When a job starts on the usable processors without further jobs; the processors are in
    # `where`.
    cdef int32_t k, place, last, procs = <int32_t>c.procs[job], count = 0
    cdef int64_t until, end, close = c.close
    cdef const uint64_t* own
    for k in range(c.words):
        c.found[k] = c.free[k] & c.usable[k]
        count += ones(c.found[k])
    if count >= procs:
        choose(c.where, c.found, procs, c.words)
        return c.now
    place = 0
    while True:
        place = next_of_use(c, place)
        if place == c.running.size:
            return NEVER
        end = until = c.expected[place]
        if c.close:
            until = end - end % HALF_MINUTE + HALF_MINUTE + close
        while True:
            last = place
            own = c.sets + <int64_t>c.slot[c.by_limit[place]] * c.words
            for k in range(c.words):
                c.found[k] |= own[k] & c.usable[k]
            place += 1
            if place == c.running.size or c.expected[place] > until:
                break
            # skip jobs that free no usable processors; the next one is taken whatever its end
            place = next_of_use(c, place)
            if place == c.running.size:
                break
        if size_of(c.found, c.words) >= procs:
            choose(c.where, c.found, procs, c.words)
            end = c.expected[last]
            return end if end > c.now else c.now + 1
        if close < <int64_t>1 << FARTHEST:
            close *= 2


cdef inline bint overlaps(Controller* c, int64_t start, int64_t end) noexcept nogil:
    # Whether one of the chosen processors is reserved between two times.
    cdef int32_t k, s
    cdef const uint64_t* left
    for s in range(c.stretches):
        if c.begins[s] >= end:
            return False
        if c.ends[s] <= start:
            continue
        left = c.unreserved + <int64_t>s * c.words
        for k in range(c.words):
            if c.where[k] & ~left[k]:
                return True
    return False


cdef inline int64_t plan(Controller* c, int32_t job) noexcept nogil:
    # When and where a job is to start around the reservations; NEVER: no start is known.
    cdef int64_t at = c.now, later, start, begins, ends
    cdef int32_t k, s
    cdef const uint64_t* left
    while True:
        later = NEVER
        memset(c.usable, 0xff, c.words * sizeof(uint64_t))
        for s in range(c.stretches):
            if c.ends[s] <= at:
                continue
            if later == NEVER and s < c.stretches - 1:
                later = c.ends[s]
            if c.begins[s] > at + c.limit[job]:
                break
            left = c.unreserved + <int64_t>s * c.words
            for k in range(c.words):
                c.usable[k] &= left[k]
        start = earliest(c, job)
        if start != NEVER and start < at:
            start = at
        if start == NEVER or (later != NEVER and start > later):
            if later == NEVER:
                return NEVER
            at = later
            continue
        begins = start // c.resolution * c.resolution
        ends = (start + c.limit[job]) // c.resolution * c.resolution
        if start > at and overlaps(c, begins, ends):
            at = start
            continue
        return start


cdef inline void cut(Controller* c, int64_t time) noexcept nogil:
    # Split a stretch of the plan at a time within it.
    cdef int32_t s
    cdef int64_t bytes = c.words * sizeof(uint64_t)
    for s in range(c.stretches):
        if c.begins[s] < time < c.ends[s]:
            memmove(c.begins + s + 1, c.begins + s, (c.stretches - s) * sizeof(int64_t))
            memmove(c.ends + s + 1, c.ends + s, (c.stretches - s) * sizeof(int64_t))
            memmove(
                c.unreserved + <int64_t>(s + 1) * c.words, c.unreserved + <int64_t>s * c.words,
                (c.stretches - s) * bytes,
            )
            c.ends[s] = c.begins[s + 1] = time
            c.stretches += 1
            return


cdef inline void reserve(Controller* c, int64_t start, int64_t end) noexcept nogil:
    # Remove the chosen processors from the plan between two times.
    cdef int32_t k, s
    cdef uint64_t* left
    cut(c, start)
    cut(c, end)
    for s in range(c.stretches):
        if c.begins[s] < end and c.ends[s] > start:
            left = c.unreserved + <int64_t>s * c.words
            for k in range(c.words):
                left[k] &= ~c.where[k]
