"""Arrays whose memory is zeros, also behind their end.

MINPACK in scipy 1.17 reads one number behind the end of the Jacobian while it recomputes norms, and
numpy's new arrays hold what stood in their memory. So a fit with undetermined coefficients depends
on what ran before it. NumPy lets a program choose the allocator of its arrays (NEP 49); this one
fills them with zeros and adds a margin of zeros.
"""

from contextlib import contextmanager

from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport strcpy

cdef extern from "numpy/arrayobject.h":
    ctypedef struct PyDataMemAllocator:
        void* ctx
        void* (*malloc)(void* ctx, size_t size) noexcept nogil
        void* (*calloc)(void* ctx, size_t count, size_t size) noexcept nogil
        void* (*realloc)(void* ctx, void* place, size_t size) noexcept nogil
        void (*free)(void* ctx, void* place, size_t size) noexcept nogil
    ctypedef struct PyDataMem_Handler:
        char name[127]
        uint8_t version
        PyDataMemAllocator allocator
    object PyDataMem_SetHandler(object handler)
    int _import_array() except -1

cdef extern from "Python.h":
    object PyCapsule_New(void* pointer, const char* name, void* destructor)

cdef size_t MARGIN = 64  # bytes of zeros behind an array; no size that NumPy asks for overflows


cdef void* take_bytes(void* ctx, size_t size) noexcept nogil:
    """Take zeros for an array and its margin; NULL if there is no memory."""
    return calloc(1, size + MARGIN)


cdef void* take_items(void* ctx, size_t count, size_t size) noexcept nogil:
    """Take zeros for `count` items of `size` bytes each."""
    return take_bytes(ctx, count * size)


cdef void* resize(void* ctx, void* place, size_t size) noexcept nogil:
    """Move an array to memory of another size; what is added is not filled."""
    return realloc(place, size + MARGIN)


cdef void give_back(void* ctx, void* place, size_t size) noexcept nogil:
    free(place)


cdef PyDataMem_Handler zeroing
strcpy(zeroing.name, b"schedlab_zeroed")
zeroing.version = 1
zeroing.allocator.ctx = NULL
zeroing.allocator.malloc = take_bytes
zeroing.allocator.calloc = take_items
zeroing.allocator.realloc = resize
zeroing.allocator.free = give_back
_import_array()


@contextmanager
def zeroed_arrays():
    """Fill the memory of arrays that are made in the block with zeros, and 64 bytes behind them."""
    previous = PyDataMem_SetHandler(PyCapsule_New(&zeroing, b"mem_handler", NULL))
    try:
        yield
    finally:
        PyDataMem_SetHandler(previous)
