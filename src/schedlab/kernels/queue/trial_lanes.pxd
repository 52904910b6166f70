# Trials of a tuple side by side: 16 permutations of Q at a time with AVX-512.
#
# With it, trials run 2.7 times as fast as one by one in bench/limit.c. Other processors run them
# one by one: eight at a time with AVX2 were only 1.3 times as fast (AMD EPYC without AVX-512).
#
# A lane is one permutation. Row i of `ends` has each lane's running task with the i-th latest
# completion: (completion << 6 | task), or -1 below a lane's last one. Tasks 0..31 are of Q. Tasks
# 32..47 are those of S that still run, 47 the one with the latest completion, so that entries with
# equal completions descend as well.
#
# A step starts every lane's next task: it walks up the rows from the earliest completions until no
# lane lacks processors, and sums what they free; then it inserts the new task, row by row the
# larger of (its entry, the smaller of (the entry above, the new one)).
#
# Invariant: in every lane, entries descend by row. Cost: two passes over the rows per step, few
# branches. Results are those of one trial at a time, bit for bit: the same integers, and the same
# sums in double precision in the same order.
#
# Which one runs is decided by the processor that runs it, so that one build serves all.

from libc.stdint cimport int32_t, uint8_t

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    typedef struct {
        int32_t need[64], runtime[32], submit[32];  /* need: of Q, then of S */
        int32_t end[16], running, now, free;        /* after S: completions, the latest first */
        double inverse[32];
    } schedlab_tuple;
    #if defined(__x86_64__) && defined(__GNUC__) && !defined(SCHEDLAB_PORTABLE)
    #include <immintrin.h>
    #define SCHEDLAB_ROWS 50
    static int schedlab_lanes(void) {
        return __builtin_cpu_supports("avx512f") ? 16 : 1;
    }
    /* The average bounded slowdown of each of 16 permutations. */
    __attribute__((target("avx512f"))) static void schedlab_sixteen(
        const schedlab_tuple *t, int32_t (*task)[16], double *slowdown
    ) {
        const __m512i none = _mm512_set1_epi32(-1), zero = _mm512_setzero_si512();
        const __m512i after_q = _mm512_set1_epi32(32);
        const __m512i need0 = _mm512_loadu_si512(t->need), need1 = _mm512_loadu_si512(t->need + 16);
        const __m512i need2 = _mm512_loadu_si512(t->need + 32);
        const __m512i run0 = _mm512_loadu_si512(t->runtime);
        const __m512i run1 = _mm512_loadu_si512(t->runtime + 16);
        const __m512i submit0 = _mm512_loadu_si512(t->submit);
        const __m512i submit1 = _mm512_loadu_si512(t->submit + 16);
        const __m512d one = _mm512_set1_pd(1.0);
        __m512i ends[SCHEDLAB_ROWS];
        __m512i now = _mm512_set1_epi32(t->now), unused = _mm512_set1_epi32(t->free);
        __m512d sum[2] = {_mm512_setzero_pd(), _mm512_setzero_pd()};
        int rows = t->running;
        for (int i = 0; i < rows; i++) ends[i] = _mm512_set1_epi32(t->end[i] << 6 | (47 - i));
        for (int k = 0; k < 32; k++) {
            __m512i q = _mm512_loadu_si512(task[k]);
            __m512i need = _mm512_permutex2var_epi32(need0, q, need1);
            __m512i runtime = _mm512_permutex2var_epi32(run0, q, run1);
            __m512i submit = _mm512_permutex2var_epi32(submit0, q, submit1);
            __m512i freed = unused;  /* if every row so far ended, also where a lane needs none */
            now = _mm512_max_epi32(now, submit);
            for (int i = rows; _mm512_cmplt_epi32_mask(freed, need);) {
                __m512i entry = ends[--i];
                __mmask16 runs = _mm512_cmpge_epi32_mask(entry, zero);
                __mmask16 ends_now = _mm512_mask_cmplt_epi32_mask(runs, freed, need);
                __m512i procs = _mm512_permutex2var_epi32(need0, entry, need1);
                procs = _mm512_mask_permutexvar_epi32(
                    procs, _mm512_test_epi32_mask(entry, after_q), entry, need2);
                now = _mm512_mask_max_epi32(now, ends_now, now, _mm512_srai_epi32(entry, 6));
                unused = _mm512_mask_add_epi32(unused, ends_now, unused, procs);
                freed = _mm512_mask_add_epi32(freed, runs, freed, procs);
                ends[i] = _mm512_mask_mov_epi32(entry, ends_now, none);
            }
            while (rows && !_mm512_cmpge_epi32_mask(ends[rows - 1], zero)) rows--;
            __m512i end = _mm512_add_epi32(now, runtime), below = none;
            __m512i entry = _mm512_or_si512(_mm512_slli_epi32(end, 6), q);
            unused = _mm512_sub_epi32(unused, need);
            for (int i = rows++; i > 0; i--) {
                __m512i above = ends[i - 1];
                ends[i] = _mm512_max_epi32(below, _mm512_min_epi32(above, entry));
                below = above;
            }
            ends[0] = _mm512_max_epi32(below, entry);
            __m512i response = _mm512_sub_epi32(end, submit);
            for (int half = 0; half < 2; half++) {
                __m256i seconds = half ? _mm512_extracti64x4_epi64(response, 1)
                                       : _mm512_castsi512_si256(response);
                __m256i places = half ? _mm512_extracti64x4_epi64(q, 1) : _mm512_castsi512_si256(q);
                __m512d ratio = _mm512_mul_pd(
                    _mm512_cvtepi32_pd(seconds), _mm512_i32gather_pd(places, t->inverse, 8));
                sum[half] = _mm512_add_pd(sum[half], _mm512_max_pd(ratio, one));
            }
        }
        for (int half = 0; half < 2; half++)
            _mm512_storeu_pd(
                slowdown + 8 * half, _mm512_mul_pd(sum[half], _mm512_set1_pd(1.0 / 32)));
    }
    #else
    static int schedlab_lanes(void) { return 1; }
    static void schedlab_sixteen(
        const schedlab_tuple *t, int32_t (*task)[16], double *slowdown
    ) { (void) t; (void) task; (void) slowdown; }
    #endif
    """
    ctypedef struct Tuple "schedlab_tuple":
        int32_t need[64]
        int32_t runtime[32]
        int32_t submit[32]
        int32_t end[16]
        int32_t running
        int32_t now
        int32_t free
        double inverse[32]
    # permutations at a time on this processor: 16 or 1
    int lanes_here "schedlab_lanes"() noexcept nogil
    # AVEbsld of the 16 permutations in the columns of `task`
    void side_by_side "schedlab_sixteen"(
        const Tuple* tasks, int32_t (*task)[16], double* slowdown
    ) noexcept nogil
