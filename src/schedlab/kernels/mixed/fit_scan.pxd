# Linear search for the first waiting job that fits, for short queues.
#
# Needs and estimates are contiguous, so that compilers test whole blocks without a branch:
# O(waiting) with a constant of a few bytes, which is less than a tree costs for short queues.

from libc.stdint cimport int32_t

cdef extern from *:
    """
    #include <stdint.h>
    /* The first place from i on with need <= free_procs and (estimate <= slack or need <= extra);
       n if there is none. Whole blocks are looked at without branches. */
    static inline int32_t schedlab_fitting(const int32_t *restrict need,
                                           const int32_t *restrict estimate, int32_t i, int32_t n,
                                           int32_t free_procs, int32_t slack, int32_t extra) {
        for (; i + 16 <= n; i += 16) {
            int any = 0;
            for (int k = 0; k < 16; k++)
                any |= (need[i + k] <= free_procs)
                    & ((estimate[i + k] <= slack) | (need[i + k] <= extra));
            if (any) break;
        }
        for (; i < n; i++)
            if (need[i] <= free_procs && (estimate[i] <= slack || need[i] <= extra)) return i;
        return n;
    }
    static inline int schedlab_any(const int32_t *restrict need, int32_t n, int32_t free_procs) {
        int32_t i = 0;
        for (; i + 16 <= n; i += 16) {
            int any = 0;
            for (int k = 0; k < 16; k++) any |= need[i + k] <= free_procs;
            if (any) return 1;
        }
        for (; i < n; i++) if (need[i] <= free_procs) return 1;
        return 0;
    }
    """
    int32_t fitting "schedlab_fitting"(
        const int32_t* need, const int32_t* estimate, int32_t i, int32_t n,
        int32_t free_procs, int32_t slack, int32_t extra
    ) noexcept nogil
    bint any_fits "schedlab_any"(const int32_t* need, int32_t n, int32_t free_procs) noexcept nogil
