# Kinds of jobs with equal processors and estimates, and the time before which a plan has no gap
# for them.
#
# Invariant: after kind_bound, every interval of the plan that begins before `bound` and is as long
# as the kind's jobs has too few processors free at some time before `seen`. Removing processors
# from the plan keeps that true. If processors are freed, which `Frees` records with the largest
# number of free ones there, only an interval that reaches there may have become a gap. So a bound
# is updated on request, from the last LOGGED records; with more records it restarts.
# Without bounds of kinds, FCFS takes 205 s instead of 27 on RICC and 4.2 s instead of 2.4 on
# CEA-Curie (AVX2); model jobs take as long as with them.
# Finding the kind of a job costs a table lookup, a bound as many steps as there are new records.

from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint64_t
from libc.stdlib cimport calloc, free

from schedlab.kernels.common.portable cimport log2_floor
from schedlab.kernels.common.region cimport resize

cdef enum:
    LOGGED = 128                        # a power of two
    SIZES = 31                          # 1, 2 to 3, 4 to 7 processors and so on


cdef struct Kind:
    int64_t estimate
    int64_t bound                       # no gap begins before this,
    int64_t seen                        # by the plan before this time,
    int64_t noted                       # and by this number of records
    int32_t procs
    int32_t waiting                     # number of waiting jobs


cdef struct Kinds:
    Kind* kind
    int32_t count
    int32_t* table                      # kinds by hash, from 1; 0 for none
    int32_t places                      # of the table, a power of two


cdef struct Frees:
    int64_t begin[LOGGED]
    int32_t most[LOGGED]
    int64_t noted
    int32_t sizes                       # number of possible sizes of this machine's jobs
    int64_t recent[SIZES]               # by size of job the first begin that may be new,
    int64_t moved[SIZES]                # and the first one recorded in this pass


cdef inline void kinds_free(Kinds* s) noexcept nogil:
    free(s.kind)
    free(s.table)


cdef inline int32_t kind_place(const Kinds* s, int64_t estimate, int32_t procs) noexcept nogil:
    # Return the place of a kind in the table, or its free place.
    cdef uint64_t mixed = <uint64_t>estimate << 32 ^ <uint64_t>procs
    cdef int32_t place, k
    mixed *= <uint64_t>0x9E3779B97F4A7C15               # the golden ratio's bits, odd
    place = <int32_t>(mixed >> 33) & (s.places - 1)
    while s.table[place]:
        k = s.table[place] - 1
        if s.kind[k].estimate == estimate and s.kind[k].procs == procs:
            break
        place = (place + 1) & (s.places - 1)
    return place


cdef inline int kinds_room(Kinds* s, int32_t places) noexcept nogil:
    # Allocate a table of `places` places and half as many kinds; -1 if memory runs out.
    cdef int32_t k
    if resize(<void**>&s.kind, places // 2, sizeof(Kind)):
        return -1
    free(s.table)
    s.table = <int32_t*>calloc(places, sizeof(int32_t))
    s.places = places
    if s.table == NULL:
        return -1
    for k in range(s.count):
        s.table[kind_place(s, s.kind[k].estimate, s.kind[k].procs)] = k + 1
    return 0


cdef inline int32_t kind_of(Kinds* s, int64_t estimate, int32_t procs) noexcept nogil:
    # Return the kind of a job, a new one if necessary; -1 if memory runs out.
    cdef int32_t place
    cdef Kind* kind
    if 2 * s.count >= s.places and kinds_room(s, max(2 * s.places, 64)):
        return -1
    place = kind_place(s, estimate, procs)
    if s.table[place] == 0:
        kind = &s.kind[s.count]
        kind.estimate, kind.procs = estimate, procs
        kind.bound = kind.seen = kind.noted = kind.waiting = 0
        s.count += 1
        s.table[place] = s.count
    return s.table[place] - 1


cdef inline int kinds_copy(
    Kinds* s, int32_t* kinds, const Kinds* other, const int32_t* others, const int32_t* jobs,
    int32_t count
) noexcept nogil:
    # Copy the kinds of some jobs of `others` to an empty table, and store in `kinds` the kinds of
    # the copies; -1 if memory runs out.
    cdef int32_t* fresh = <int32_t*>calloc(other.count + 1, sizeof(int32_t))
    cdef int32_t places = 64, k, old
    while places <= 2 * count:
        places *= 2
    if fresh == NULL or kinds_room(s, places):
        free(fresh)
        return -1
    for k in range(count):
        old = others[jobs[k]]
        if fresh[old] == 0:
            s.kind[s.count] = other.kind[old]
            s.count += 1
            fresh[old] = s.count
            s.table[kind_place(s, other.kind[old].estimate, other.kind[old].procs)] = s.count
        kinds[k] = fresh[old] - 1
    free(fresh)
    return 0


cdef inline void frees_none(Frees* f, int32_t processors) noexcept nogil:
    cdef int32_t size
    f.sizes = log2_floor(processors) + 1
    for size in range(f.sizes):
        f.recent[size] = f.moved[size] = INT64_MAX


cdef inline void frees_pass(Frees* f) noexcept nogil:
    # End a pass: its records may be new to jobs that were processed before them.
    cdef int32_t size
    for size in range(f.sizes):
        f.recent[size] = f.moved[size]
        f.moved[size] = INT64_MAX


cdef inline void note_first(int64_t* first, int64_t begin, int32_t most) noexcept nogil:
    # Store the first begin by size of job; larger jobs have no earlier one than smaller jobs.
    cdef int32_t size
    if most > 0:
        for size in range(log2_floor(most), -1, -1):
            if first[size] <= begin:
                break
            first[size] = begin


cdef inline void note_free(Frees* f, int64_t begin, int32_t most) noexcept nogil:
    f.begin[f.noted & (LOGGED - 1)] = begin
    f.most[f.noted & (LOGGED - 1)] = most
    f.noted += 1
    note_first(f.recent, begin, most)


cdef inline void note_move(Frees* f, int64_t begin, int32_t most) noexcept nogil:
    # Record what a pass itself frees, which the next pass sees as well.
    note_free(f, begin, most)
    note_first(f.moved, begin, most)


cdef inline int64_t kind_bound(
    Kind* kind, const Frees* f, int64_t now, int64_t limit
) noexcept nogil:
    # Return the time before which no gap begins that is long enough or reaches until `limit`.
    cdef int64_t first = INT64_MAX, begin, k, i
    if limit < kind.seen or f.noted - kind.noted > LOGGED:
        return now
    for k in range(kind.noted, f.noted):
        i = k & (LOGGED - 1)
        # without a branch: the largest number if fewer processors are free than the kind needs
        begin = f.begin[i] | (-<int64_t>(f.most[i] < kind.procs) & INT64_MAX)
        first = begin if begin < first else first
    if first != INT64_MAX:
        kind.bound = min(kind.bound, first - kind.estimate + 1)
    kind.noted = f.noted
    kind.bound = max(kind.bound, now)
    return kind.bound


cdef inline void kind_learn(
    Kind* kind, const Frees* f, int64_t bound, int64_t limit
) noexcept nogil:
    # Record that no gap begins before `bound`, by the plan before both times.
    kind.bound, kind.noted = bound, f.noted
    kind.seen = min(bound, limit)
