"""Signatures of lublin.pyx, which documents them."""

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

def draw_jobs(
    kinds: list[Any],
    weights: Floats,
    alone: bool,
    seed: int,
    submit: Ints,
    place: Ints,
    procs: Ints,
    runtime: Ints,
) -> None: ...
