"""Signatures of introsort.pyx, which documents them."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]

def sort_descending(key: Ints, order: Ints) -> bool: ...
