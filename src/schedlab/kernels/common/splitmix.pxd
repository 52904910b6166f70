# SplitMix64 (Steele, Lea and Flood 2014): a stream of random words, and its finalizer as a hash.

from libc.stdint cimport uint64_t


cdef inline uint64_t mix(uint64_t z) noexcept nogil:
    # The finalizer: every bit of the word affects every other one.
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL
    return z ^ (z >> 31)


cdef inline uint64_t draw(uint64_t* state) noexcept nogil:
    # Return the next 64 random bits.
    state[0] += 0x9E3779B97F4A7C15ULL
    return mix(state[0])
