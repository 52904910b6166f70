"""The order in which GNU libstdc++'s std::sort leaves equal elements.

Algorithm: quicksort with the median of the second, middle and last element as pivot, right parts
first, down to parts of 16; then insertion sort of the whole. std::sort switches to heapsort for a
part that is still large after 2 log2 n partitions; this function reports that case.

Invariant: order[first:last] holds the same places before and after each step. Cost: O(n log n).
"""

from libc.stdint cimport int64_t

cdef enum:
    SMALL = 16                          # longest part left to insertion sort


cdef int64_t median_of(
    const int64_t* key, const int64_t* order, int64_t x, int64_t y, int64_t z
) noexcept nogil:
    cdef int64_t a = key[order[x]], b = key[order[y]], c = key[order[z]]
    if a > b:
        return y if b > c else z if a > c else x
    return x if a > c else z if b > c else y


cdef int64_t partitioned(
    const int64_t* key, int64_t* order, int64_t first, int64_t last
) noexcept nogil:
    # Move the median to the front; return where the right part begins.
    cdef int64_t half = first + (last - first) // 2
    cdef int64_t median = median_of(key, order, first + 1, half, last - 1)
    cdef int64_t left = first + 1, right = last, pivot
    order[first], order[median] = order[median], order[first]
    pivot = key[order[first]]
    while True:
        while key[order[left]] > pivot:
            left += 1
        right -= 1
        while pivot > key[order[right]]:
            right -= 1
        if left >= right:
            return left
        order[left], order[right] = order[right], order[left]
        left += 1


cdef bint sort_roughly(
    const int64_t* key, int64_t* order, int64_t first, int64_t last, int64_t depth
) noexcept nogil:
    # Whether `depth` partitions sufficed everywhere to reach parts of `SMALL`.
    cdef int64_t cut
    while last - first > SMALL:
        if depth == 0:
            return False
        depth -= 1
        cut = partitioned(key, order, first, last)
        if not sort_roughly(key, order, cut, last, depth):
            return False
        last = cut
    return True


cdef void insert_all(const int64_t* key, int64_t* order, int64_t count) noexcept nogil:
    cdef int64_t i, at, moved
    for i in range(1, count):
        moved = order[i]
        at = i
        while at > 0 and key[moved] > key[order[at - 1]]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = moved


def sort_descending(const int64_t[::1] key, int64_t[::1] order):
    """Sort the places of `key` in the order of std::sort, largest first.

    Parameters
    ----------
    key : memoryview of int64, shape (n,)
        What to sort by.
    order : memoryview of int64, shape (n,)
        In and out: places in `key`, each once.

    Returns
    -------
    bool
                False if std::sort would switch to heapsort; `order` is then not sorted.
    """
    cdef int64_t count = order.shape[0], depth = 0, left
    cdef bint done
    if count < 2:
        return True
    with nogil:
        left = count >> 1
        while left:
            depth += 2
            left >>= 1
        done = sort_roughly(&key[0], &order[0], 0, count, depth)
        if done:
            insert_all(&key[0], &order[0], count)
    return done
