# A binary min-heap of items 0 .. n-1 by a time that may change while they are in it.
#
# Invariant: time of item[(i - 1) / 2] <= time of item[i] for every i > 0, and place[item[i]] == i;
# place is -1 for items outside the heap. put and drop cost O(log size).
# The owner allocates the three arrays once, n entries each, and sets `place` to -1.

from libc.stdint cimport int32_t


cdef struct TimedHeap:
    double* time                        # of each item
    int32_t* item                       # the heap itself
    int32_t* place                      # of each item in the heap
    int32_t size


cdef inline void timed_set(TimedHeap* heap, int32_t i, int32_t item) noexcept nogil:
    heap.item[i] = item
    heap.place[item] = i


cdef inline void timed_settle(TimedHeap* heap, int32_t i, int32_t item) noexcept nogil:
    # Move an item to its position, from the hole i on.
    cdef double time = heap.time[item]
    cdef int32_t child, parent
    while i > 0:
        parent = (i - 1) >> 1
        if heap.time[heap.item[parent]] <= time:
            break
        timed_set(heap, i, heap.item[parent])
        i = parent
    while True:
        child = 2 * i + 1
        if child >= heap.size:
            break
        if child + 1 < heap.size \
                and heap.time[heap.item[child + 1]] < heap.time[heap.item[child]]:
            child += 1
        if heap.time[heap.item[child]] >= time:
            break
        timed_set(heap, i, heap.item[child])
        i = child
    timed_set(heap, i, item)


cdef inline void timed_put(TimedHeap* heap, int32_t item, double time) noexcept nogil:
    # Add an item, or change its time.
    cdef int32_t i = heap.place[item]
    heap.time[item] = time
    if i < 0:
        i = heap.size
        heap.size += 1
    timed_settle(heap, i, item)


cdef inline void timed_drop(TimedHeap* heap, int32_t item) noexcept nogil:
    cdef int32_t i = heap.place[item]
    heap.place[item] = -1
    heap.size -= 1
    if i < heap.size:
        timed_settle(heap, i, heap.item[heap.size])
