"""Signatures of censored.pyx, which documents them."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

def predictions(
    is_start: npt.NDArray[np.uint8],
    jobs: Ints,
    submit: Ints,
    waits: Floats,
    levels: Floats,
    telling: int,
    least: int,
) -> Floats: ...
