# A set of places 0 .. n-1 as a hierarchy of bit words: bit i of a word is set if the i-th word
# below is not empty. add, drop, first and next cost O(log64 n), two or three words in practice.

from libc.stdint cimport int32_t, int64_t, uint64_t

from schedlab.kernels.common.region cimport Arena, arena_zeros
from schedlab.kernels.common.portable cimport lowest

cdef enum:
    LEVELS = 6                          # 64^6 places, more than the jobs of any log


cdef struct Bitset:
    int32_t levels                      # levels in use; the top one is a single word
    int32_t words[LEVELS]               # words per level
    uint64_t* word[LEVELS]              # level 0 contains the places themselves


cdef inline int bitset_make(Bitset* s, Arena* arena, int64_t n) noexcept nogil:
    # Make an empty set of n places; -1 if memory runs out.
    cdef int64_t words = n
    s.levels = 0
    while True:
        words = (words + 63) >> 6
        if words == 0:
            words = 1
        s.words[s.levels] = <int32_t>words
        s.word[s.levels] = <uint64_t*>arena_zeros(arena, words, sizeof(uint64_t))
        s.levels += 1
        if s.word[s.levels - 1] == NULL:
            return -1
        if words == 1:
            return 0


cdef inline void bitset_add(Bitset* s, int32_t place) noexcept nogil:
    cdef int32_t level
    cdef uint64_t* word
    cdef uint64_t before
    for level in range(s.levels):
        word = &s.word[level][place >> 6]
        before = word[0]
        word[0] = before | (<uint64_t>1 << (place & 63))
        if before:
            return
        place >>= 6


cdef inline void bitset_drop(Bitset* s, int32_t place) noexcept nogil:
    cdef int32_t level
    cdef uint64_t* word
    for level in range(s.levels):
        word = &s.word[level][place >> 6]
        word[0] &= ~(<uint64_t>1 << (place & 63))
        if word[0]:
            return
        place >>= 6


cdef inline int32_t bitset_first(const Bitset* s) noexcept nogil:
    # Return the smallest place in the set, or -1.
    cdef int32_t level = s.levels - 1, place
    if s.word[level][0] == 0:
        return -1
    place = lowest(s.word[level][0])
    while level > 0:
        level -= 1
        place = (place << 6) | lowest(s.word[level][place])
    return place


cdef inline int32_t bitset_next(const Bitset* s, int32_t level, int32_t place) noexcept nogil:
    # Return the smallest place >= `place` of a level that is in the set, or -1.
    cdef int32_t up = level, word
    cdef uint64_t bits
    while up < s.levels:
        word = place >> 6
        if word < s.words[up]:
            bits = s.word[up][word] >> (place & 63)
            if bits:
                place += lowest(bits)
                while up > level:
                    up -= 1
                    place = (place << 6) | lowest(s.word[up][place])
                return place
        place = word + 1
        up += 1
    return -1
