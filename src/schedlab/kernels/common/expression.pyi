"""Signatures of expression.pyx, which documents them."""

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

OPERATIONS: tuple[str, ...]
MAX_STACK: int

def evaluate(
    op: Places, constant: Floats, r: Floats, n: Floats, s: Floats, w: Floats
) -> tuple[Floats, int]: ...
