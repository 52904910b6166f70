# Jobs by due time: a binary heap with the position of each job.
#
# Ties of time go to the smallest `tie`, then to the smallest `last`.
# Invariant: no entry comes before its parent, and place[entry[i].job] == i. add, sooner and drop
# cost O(log size); the owner allocates memory for all jobs. A job is in one heap at a time, so
# heaps may share `place`.

from libc.stdint cimport int32_t, int64_t


cdef struct Entry:
    int64_t time
    double tie
    int32_t last
    int32_t job


cdef struct Due:
    Entry* entry                        # the heap itself
    int32_t* place                      # of each job in its heap
    int32_t size


cdef inline bint is_due_before(const Entry* a, const Entry* b) noexcept nogil:
    if a.time != b.time:
        return a.time < b.time
    if a.tie != b.tie:
        return a.tie < b.tie
    return a.last < b.last


cdef inline void due_put(Due* h, int32_t i, const Entry* entry) noexcept nogil:
    h.entry[i] = entry[0]
    h.place[entry.job] = i


cdef inline void due_rise(Due* h, int32_t i, const Entry* entry) noexcept nogil:
    # Put an entry at a free place or, while it comes before its parent, at the parent's place.
    cdef int32_t parent
    while i > 0:
        parent = (i - 1) >> 1
        if not is_due_before(entry, &h.entry[parent]):
            break
        due_put(h, i, &h.entry[parent])
        i = parent
    due_put(h, i, entry)


cdef inline void due_add(
    Due* h, int32_t job, int64_t time, double tie, int32_t last
) noexcept nogil:
    cdef Entry entry
    entry.time, entry.tie, entry.last, entry.job = time, tie, last, job
    h.size += 1
    due_rise(h, h.size - 1, &entry)


cdef inline void due_sooner(Due* h, int32_t job, int64_t time) noexcept nogil:
    # Give a job of the heap an earlier due time.
    cdef Entry entry = h.entry[h.place[job]]
    entry.time = time
    due_rise(h, h.place[job], &entry)


cdef inline void due_drop(Due* h, int32_t job) noexcept nogil:
    cdef int32_t i = h.place[job], child
    cdef Entry last
    h.size -= 1
    if i == h.size:
        return
    last = h.entry[h.size]
    while True:
        child = 2 * i + 1
        if child >= h.size:
            break
        if child + 1 < h.size and is_due_before(&h.entry[child + 1], &h.entry[child]):
            child += 1
        if not is_due_before(&h.entry[child], &last):
            break
        due_put(h, i, &h.entry[child])
        i = child
    due_rise(h, i, &last)


cdef inline int32_t due_next(const Due* h, int64_t time) noexcept nogil:
    # Return the first due job if it is due at `time`, or -1.
    return h.entry[0].job if h.size and h.entry[0].time == time else -1
