# Memory of one run: everything allocated from an arena is freed with it, all at once.
#
# Invariant: `block` lists everything that was allocated and not yet freed; no other code frees any
# of it. An allocation costs a malloc; growing memory is reallocated each time its use has doubled.
# `resize` is for memory outside of arenas, which its owner frees.

from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport calloc, free, malloc, realloc

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    /* Ask for large pages inside a large block: places far apart then miss the page table less. */
    static inline void schedlab_large_pages(void *block, size_t size) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        const uintptr_t page = (uintptr_t)1 << 21;
        uintptr_t first = ((uintptr_t)block + page - 1) & ~(page - 1);
        uintptr_t last = ((uintptr_t)block + size) & ~(page - 1);
        if (block != NULL && last > first)
            (void)madvise((void *)first, last - first, MADV_HUGEPAGE);
    #else
        (void)block;
        (void)size;
    #endif
    }
    """
    void large_pages "schedlab_large_pages"(void* block, size_t size) noexcept nogil


cdef inline int resize(void** block, int64_t room, int64_t size) noexcept nogil:
    # Resize a block of memory to `room` items and one more; -1, and no change, if memory runs out.
    cdef void* p = realloc(block[0], (room + 1) * size)
    if p == NULL:
        return -1
    block[0] = p
    return 0


cdef struct Arena:
    void** block
    int32_t count
    int32_t room
    bint failed                         # memory has run out


cdef struct Growing:                    # contiguous bytes that may move when they grow
    char* at
    int64_t used
    int64_t room


cdef inline void* arena_keep(Arena* a, void* p) noexcept nogil:
    # Record an allocation, or its failure.
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
    # Allocate memory for `count` items and one more; NULL, and `failed`, if memory runs out.
    cdef void* p = malloc((count + 1) * size)
    large_pages(p, (count + 1) * size)
    return arena_keep(a, p)


cdef inline void* arena_zeros(Arena* a, int64_t count, size_t size) noexcept nogil:
    # The same, with all bytes 0.
    cdef void* p = calloc(count + 1, size)
    large_pages(p, (count + 1) * size)
    return arena_keep(a, p)


cdef inline char* arena_grow(Arena* a, Growing* g, int64_t bytes) noexcept nogil:
    # Use more bytes; return their beginning, or NULL, and `failed`, if memory runs out.
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
