# Sets of nodes as bit words, and the choice of processors for a job: contiguous if possible.
#
# Invariant: bits beyond the last processor are 0 in a set to choose from. Cost: O(words), and
# O(words + stretches) per stretch taken.

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memset

from schedlab.kernels.common.portable cimport lowest, ones


cdef inline int32_t common(const uint64_t* a, const uint64_t* b, int32_t words) noexcept nogil:
    # How many nodes two sets have in common.
    cdef int32_t k, count = 0
    for k in range(words):
        count += ones(a[k] & b[k])
    return count


cdef inline int32_t size_of(const uint64_t* these, int32_t words) noexcept nogil:
    return common(these, these, words)


cdef inline void intersect(
    uint64_t* into, const uint64_t* sets, int32_t count, int32_t words
) noexcept nogil:
    # Leave in a set what is in each of some sets, four words at a time.
    cdef int32_t w = 0, k, _
    cdef uint64_t a, b, c, d
    cdef const uint64_t* these
    while w + 4 <= words:
        a, b, c, d = into[w], into[w + 1], into[w + 2], into[w + 3]
        these = sets + w
        for _ in range(count):
            a &= these[0]
            b &= these[1]
            c &= these[2]
            d &= these[3]
            these += words
        into[w], into[w + 1], into[w + 2], into[w + 3] = a, b, c, d
        w += 4
    for w in range(w, words):
        for k in range(count):
            into[w] &= sets[<int64_t>k * words + w]


cdef inline bint meet(const uint64_t* a, const uint64_t* b, int32_t words) noexcept nogil:
    cdef int32_t k
    for k in range(words):
        if a[k] & b[k]:
            return True
    return False


cdef inline int32_t next_place(
    const uint64_t* these, int32_t k, int32_t words, bint is_in
) noexcept nogil:
    # The first place from k on in a set, or not in it; 64 times `words` if there is none.
    cdef int32_t word = k >> 6
    cdef uint64_t flip = 0 if is_in else ~<uint64_t>0, bits
    if word >= words:
        return words << 6
    bits = (these[word] ^ flip) >> (k & 63)
    if bits:
        return k + lowest(bits)
    for word in range(word + 1, words):
        bits = these[word] ^ flip
        if bits:
            return (word << 6) | lowest(bits)
    return words << 6


cdef inline void choose(
    uint64_t* where, uint64_t* free, int32_t procs, int32_t words
) noexcept nogil:
    # Take the smallest sufficient contiguous stretch, else the longest one and then more. Chosen
    # processors move from `free` to `where`.
    cdef int32_t k, first, length, best, best_length, longest, longest_length
    cdef uint64_t one = 1, all_of_them = ~<uint64_t>0, these
    memset(where, 0, words * sizeof(uint64_t))
    while procs > 0:
        best = longest = -1
        best_length = longest_length = 0
        k = next_place(free, 0, words, True)
        while k < words << 6:
            first, k = k, next_place(free, k, words, False)
            length = k - first
            if length >= procs and (best < 0 or length < best_length):
                best, best_length = first, length
                if length == procs:
                    break
            if length > longest_length:
                longest, longest_length = first, length
            k = next_place(free, k, words, True)
        if best >= 0:
            longest, longest_length = best, procs
        procs -= longest_length
        k = longest
        while longest_length > 0:
            length = min(64 - (k & 63), longest_length)
            these = (all_of_them if length == 64 else (one << length) - 1) << (k & 63)
            where[k >> 6] |= these
            free[k >> 6] &= ~these
            k += length
            longest_length -= length
