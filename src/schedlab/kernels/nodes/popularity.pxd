# Ranks: the number of other waiting jobs with which a job makes a beneficial pair.
#
# Applications with the same beneficial partners have one type. Invariant: friends[t] counts the
# waiting jobs that make such a pair with a job of type t, including that job itself if its
# application benefits from itself. An arrival or a departure costs O(types).

from libc.stdint cimport int32_t, int64_t, uint8_t

from schedlab.kernels.common.region cimport Arena, arena_zeros


cdef struct Popularity:
    int32_t apps
    int32_t types                       # 0 if ranks are not needed
    const int32_t* type_of              # of each application
    const uint8_t* likes                # type by application
    const uint8_t* likes_itself         # of each type
    int64_t* friends                    # of each type
    int64_t* rank                       # the same at the beginning of this pass, without itself
    int32_t* seen                       # jobs of each type that the order sees
    int32_t* seen_before                # the same at the beginning of this pass


cdef inline void popularity_make(Popularity* p, Arena* arena) noexcept nogil:
    p.friends = <int64_t*>arena_zeros(arena, p.types, sizeof(int64_t))
    p.rank = <int64_t*>arena_zeros(arena, p.types, sizeof(int64_t))
    p.seen = <int32_t*>arena_zeros(arena, p.types, sizeof(int32_t))
    p.seen_before = <int32_t*>arena_zeros(arena, p.types, sizeof(int32_t))


cdef inline void popularity_change(Popularity* p, int32_t app, int32_t jobs) noexcept nogil:
    # Add waiting jobs of an application.
    cdef int32_t t
    for t in range(p.types):
        p.friends[t] += jobs * p.likes[t * p.apps + app]


cdef inline void popularity_see(Popularity* p, int32_t app, int32_t jobs) noexcept nogil:
    # Add visible jobs of an application.
    if p.types:
        p.seen[p.type_of[app]] += jobs


cdef inline void popularity_begin_pass(Popularity* p) noexcept nogil:
    cdef int32_t t
    for t in range(p.types):
        p.rank[t] = p.friends[t] - p.likes_itself[t]
        p.seen_before[t] = p.seen[t]


cdef inline int64_t rank_of(const Popularity* p, int32_t app) noexcept nogil:
    return p.rank[p.type_of[app]]
