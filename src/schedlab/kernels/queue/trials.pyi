"""Signatures of trials.pyx, which documents them."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

TASKS_OF_STATE: int
TASKS_OF_QUEUE: int
MOST_PROCESSORS: int
LANES: int

def run_trials(
    runtime: Ints,
    procs: Ints,
    submit: Ints,
    processors: int,
    trials: int,
    seed: int,
    biased: bool,
    total: Floats,
    count: Ints,
    each: Floats,
    orders: npt.NDArray[np.uint8],
    lanes: int = ...,
) -> None: ...
