# Linear search for the first waiting job that fits, for short queues.
#
# Needs and estimates are contiguous, so that one step compares 8 jobs if the processor has AVX2:
# O(waiting) with a constant of a few bytes, which is less than a tree costs for short queues. The
# processor is asked while it runs, so that one build serves all.

from libc.stdint cimport int32_t

cdef extern from *:
    """
    #include <stdint.h>
    #define SCHEDLAB_FITS(need, estimate) \\
        ((need) <= free_procs && ((estimate) <= slack || (need) <= extra))
    #if defined(__x86_64__) && defined(__GNUC__) && !defined(SCHEDLAB_PORTABLE)
    #include <immintrin.h>
    __attribute__((target("avx2"))) static int32_t schedlab_fitting_8(
        const int32_t *need, const int32_t *estimate, int32_t i, int32_t n,
        int32_t free_procs, int32_t slack, int32_t extra
    ) {
        const __m256i most = _mm256_set1_epi32(free_procs), longest = _mm256_set1_epi32(slack);
        const __m256i spare = _mm256_set1_epi32(extra);
        for (; i + 8 <= n; i += 8) {
            __m256i procs = _mm256_loadu_si256((const __m256i *) (need + i));
            __m256i seconds = _mm256_loadu_si256((const __m256i *) (estimate + i));
            __m256i not_now = _mm256_or_si256(
                _mm256_cmpgt_epi32(procs, most),
                _mm256_and_si256(_mm256_cmpgt_epi32(seconds, longest),
                                 _mm256_cmpgt_epi32(procs, spare)));
            int mask = ~_mm256_movemask_ps(_mm256_castsi256_ps(not_now)) & 0xFF;
            if (mask) return i + __builtin_ctz((unsigned) mask);
        }
        for (; i < n; i++) if (SCHEDLAB_FITS(need[i], estimate[i])) return i;
        return n;
    }
    #define SCHEDLAB_WIDE_SCANS
    #endif
    /* The first place from i on with need <= free_procs and (estimate <= slack or need <= extra);
       n if there is none. lanes: at most so many jobs in a step. */
    static inline int32_t schedlab_fitting(
        const int32_t *need, const int32_t *estimate, int32_t i, int32_t n,
        int32_t free_procs, int32_t slack, int32_t extra, int lanes
    ) {
        #ifdef SCHEDLAB_WIDE_SCANS
        if (lanes >= 8 && __builtin_cpu_supports("avx2"))
            return schedlab_fitting_8(need, estimate, i, n, free_procs, slack, extra);
        #endif
        (void) lanes;
        for (; i < n; i++) if (SCHEDLAB_FITS(need[i], estimate[i])) return i;
        return n;
    }
    """
    int32_t fitting "schedlab_fitting"(
        const int32_t* need, const int32_t* estimate, int32_t i, int32_t n,
        int32_t free_procs, int32_t slack, int32_t extra, int lanes
    ) noexcept nogil

cdef enum:
    LANES = 8                           # jobs in a step where the processor can compare them
