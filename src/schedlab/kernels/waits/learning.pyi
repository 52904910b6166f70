"""Signatures of learning.pyx, which documents them."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

def play(
    chance: Floats,
    loss: Floats,
    last: Floats,
    rounds: int,
    alternatives: Floats,
    rate: float,
    power: float,
    draws: int,
    redraws: int,
    is_start: npt.NDArray[np.uint8],
    jobs: Ints,
    waits: Floats,
    uniform: Floats,
    chosen: Places,
) -> int: ...
