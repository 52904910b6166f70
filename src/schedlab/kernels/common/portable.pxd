# Operations with compiler intrinsics but without C syntax: bits of a word, products of 128 bits.
#
# Other compilers, and -DSCHEDLAB_PORTABLE, use plain C with the same results: six steps for a bit,
# a step for each bit that is counted, and four products for one.

from libc.stdint cimport int32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(__GNUC__) && !defined(SCHEDLAB_PORTABLE)
    #define schedlab_lowest(word) ((int) __builtin_ctzll(word))
    #define schedlab_log2(number) (31 - __builtin_clz((unsigned) (number)))
    #if defined(__POPCNT__) || defined(__aarch64__)
    #define schedlab_ones(word) __builtin_popcountll(word)
    #else
    /* faster than the builtin without an instruction for it */
    static inline int schedlab_ones(uint64_t word) {
        word -= word >> 1 & 0x5555555555555555;
        word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
        word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
        return (int) (word * 0x0101010101010101 >> 56);
    }
    #endif
    #else
    static inline int schedlab_lowest(uint64_t word) {
        int place = 0;
        for (int half = 32; half; half >>= 1)
            if (!(word & (((uint64_t) 1 << half) - 1))) { word >>= half; place += half; }
        return place;
    }
    static inline int schedlab_log2(uint32_t number) {
        int place = 0;
        for (int half = 16; half; half >>= 1)
            if (number >> half) { number >>= half; place += half; }
        return place;
    }
    static inline int schedlab_ones(uint64_t word) {
        int ones = 0;
        for (; word; word &= word - 1) ones++;
        return ones;
    }
    #endif
    #if defined(__SIZEOF_INT128__) && !defined(SCHEDLAB_PORTABLE)
    typedef unsigned __int128 schedlab_wide;
    static inline schedlab_wide schedlab_product(uint64_t a, uint64_t b) {
        return (schedlab_wide) a * b;
    }
    static inline int schedlab_less(schedlab_wide a, schedlab_wide b) { return a < b; }
    #else
    typedef struct { uint64_t high, low; } schedlab_wide;
    static inline schedlab_wide schedlab_product(uint64_t a, uint64_t b) {
        uint64_t a0 = (uint32_t) a, a1 = a >> 32, b0 = (uint32_t) b, b1 = b >> 32;
        uint64_t low = a0 * b0, middle = a1 * b0 + (low >> 32), other = a0 * b1 + (uint32_t) middle;
        schedlab_wide product = {a1 * b1 + (middle >> 32) + (other >> 32),
                                 other << 32 | (uint32_t) low};
        return product;
    }
    static inline int schedlab_less(schedlab_wide a, schedlab_wide b) {
        return a.high < b.high || (a.high == b.high && a.low < b.low);
    }
    #endif
    """
    int lowest "schedlab_lowest"(uint64_t word) noexcept nogil
    int log2_floor "schedlab_log2"(int32_t number) noexcept nogil
    int ones "schedlab_ones"(uint64_t word) noexcept nogil
    ctypedef struct Wide "schedlab_wide":
        pass
    Wide product "schedlab_product"(uint64_t a, uint64_t b) noexcept nogil
    bint less "schedlab_less"(Wide a, Wide b) noexcept nogil
