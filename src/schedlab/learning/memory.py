"""Initialization of new memory with zeros, for results that depend on uninitialized memory."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

# from glibc's malloc.h; new memory is filled with the complement of the byte
M_PERTURB, FILL_WITH_ZEROS, AS_IT_IS = -6, 255, 0
# numpy's cache of small arrays: this many of each size, below this many bytes
KEPT, SMALL = 8, 1024


@contextmanager
def zeros_in_new_memory() -> Iterator[None]:
    """Fill memory allocated in the block with zeros, if the C library is glibc.

    MINPACK in scipy 1.17 reads work arrays before it writes them, so a fit depends on their
    previous content. This is visible if data do not determine all coefficients.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is None:
        yield
        return
    mallopt(M_PERTURB, FILL_WITH_ZEROS)
    try:
        yield
    finally:
        mallopt(M_PERTURB, AS_IT_IS)


def clear_kept_arrays() -> None:
    """Fill numpy's cache of small arrays with zeros, so that the next arrays are zero."""
    arrays = [np.zeros(size) for size in range(1, SMALL // 8 + 1) for _ in range(KEPT)]
    del arrays
