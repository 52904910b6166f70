"""Memory as it is handed out: zeros, where what stands in it would decide a result."""

from __future__ import annotations

import ctypes
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# of glibc's malloc.h; what is handed out is filled with the complement of the byte that is set
M_PERTURB, FILL_WITH_ZEROS, AS_IT_IS = -6, 255, 0


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
