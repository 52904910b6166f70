"""Memory as it is handed out: zeros, where what stands in it would decide a result."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

# of glibc's malloc.h; what is handed out is filled with the complement of the byte that is set
M_PERTURB, FILL_WITH_ZEROS, AS_IT_IS = -6, 255, 0
# of what numpy keeps at hand of small arrays: so many of each size, below so many bytes
KEPT, SMALL = 8, 1024


@contextmanager
def zeros_in_new_memory() -> Iterator[None]:
    """Let memory that is allocated within the block be zeros, where the C library is glibc.

    MINPACK in scipy 1.17 reads work arrays before it has written them, so that a fit stops
    elsewhere whenever something else stood there. That is seen where data cannot tell the
    coefficients from each other.
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
    """Fill the small arrays that numpy keeps at hand with zeros, for the next ones to be so."""
    held = [np.zeros(size) for size in range(1, SMALL // 8 + 1) for _ in range(KEPT)]
    del held
