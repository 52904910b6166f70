# Memory of one run: whatever is taken from an arena is freed with it, all at once.
#
# Invariant: `block` lists everything that was taken and not yet freed; nobody else frees any of it.
# Taking costs an allocation; growing one more each time that what is used has doubled.

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc, realloc


cdef struct Arena:
    void** block
    int32_t count
    int32_t room
    bint failed                         # memory was out once


cdef struct Growing:                    # bytes side by side that may move as they become more
    char* at
    int64_t used
    int64_t room


cdef inline void* arena_keep(Arena* a, void* p) noexcept nogil:
    # Note what was allocated, or that it could not be.
    cdef void* block
    if p != NULL and a.count == a.room:
        block = realloc(a.block, (2 * a.room + 32) * sizeof(void*))
        if block == NULL:
            free(p)
            p = NULL
        else:
            a.block = <void**>block
            a.room = 2 * a.room + 32
    if p == NULL:
        a.failed = True
        return NULL
    a.block[a.count] = p
    a.count += 1
    return p


cdef inline void* arena_take(Arena* a, int64_t count, size_t size) noexcept nogil:
    # Room for `count` things and one more; NULL, and `failed`, when memory is out.
    return arena_keep(a, malloc((count + 1) * size))


cdef inline void* arena_zeros(Arena* a, int64_t count, size_t size) noexcept nogil:
    # The same, all bytes 0.
    return arena_keep(a, calloc(count + 1, size))


cdef inline char* arena_grow(Arena* a, Growing* g, int64_t bytes) noexcept nogil:
    # So many more bytes in use, and where they begin; NULL, and `failed`, when memory is out.
    cdef int64_t room = 2 * (g.used + bytes), k = 0
    cdef void* p
    if g.at == NULL:
        g.at = <char*>arena_take(a, room, 1)
        if g.at == NULL:
            return NULL
        g.room = room
    elif g.used + bytes > g.room:
        while a.block[k] != g.at:
            k += 1
        p = realloc(g.at, room)
        if p == NULL:
            a.failed = True
            return NULL
        a.block[k] = p
        g.at, g.room = <char*>p, room
    g.used += bytes
    return g.at + (g.used - bytes)


cdef inline void arena_free(Arena* a) noexcept nogil:
    cdef int32_t k
    for k in range(a.count):
        free(a.block[k])
    free(a.block)
    a.block = NULL
    a.count = a.room = 0
