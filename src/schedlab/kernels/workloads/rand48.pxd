# The generator of POSIX's drand48 and lrand48, reimplemented because not all C libraries have it.
#
# x <- 0x5DEECE66D * x + 0xB mod 2**48; seeded, x is the seed's low 32 bits above 0x330E.

from libc.stdint cimport uint64_t


cdef inline uint64_t rand48_seeded(uint64_t seed) noexcept nogil:
    return (seed & 0xFFFFFFFFULL) << 16 | 0x330E


cdef inline double rand48_uniform(uint64_t* x) noexcept nogil:
    # A number of [0, 1); 48 bits are exact in a double.
    x[0] = (x[0] * 0x5DEECE66DULL + 0xB) & 0xFFFFFFFFFFFFULL
    return <double>x[0] / 281474976710656.0
