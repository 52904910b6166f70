# A binary min-heap of (time, job): the running jobs by actual end.
#
# Invariant: entry[(i - 1) / 2].time <= entry[i].time for every i > 0. push and pop cost O(log
# size).
# The owner allocates `entry` once, for the largest number of jobs that can run at a time.

from libc.stdint cimport int32_t, int64_t


cdef struct Event:
    int64_t time                        # end of the job
    int32_t job                         # its place in submit order


cdef struct Heap:
    Event* entry                        # the heap itself
    int32_t size                        # entries in use


cdef inline void heap_push(Heap* heap, int64_t time, int32_t job) noexcept nogil:
    cdef int32_t i = heap.size, parent
    heap.size += 1
    while i > 0:
        parent = (i - 1) >> 1
        if heap.entry[parent].time <= time:
            break
        heap.entry[i] = heap.entry[parent]
        i = parent
    heap.entry[i].time = time
    heap.entry[i].job = job


cdef inline int32_t heap_pop(Heap* heap) noexcept nogil:
    # Remove the earliest entry and return its job.
    cdef int32_t job = heap.entry[0].job, i = 0, child
    cdef Event last
    heap.size -= 1
    last = heap.entry[heap.size]
    while True:
        child = 2 * i + 1
        if child >= heap.size:
            break
        if child + 1 < heap.size and heap.entry[child + 1].time < heap.entry[child].time:
            child += 1
        if heap.entry[child].time >= last.time:
            break
        heap.entry[i] = heap.entry[child]
        i = child
    heap.entry[i] = last
    return job
