"""Signatures of mixed.pyx, which documents them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from schedlab.kernels.arrays import Floats, Ints, Places

MOST_JOBS: int

def run_mixed(
    submit: Ints,
    runtime: Ints,
    estimate: Ints,
    procs: Ints,
    bound: Floats,
    processors: int,
    job: Places,
    level: Places,
    features: Floats,
    weights: Floats,
    pace: Floats,
    pace_scale: float,
    threshold: int,
    step: int,
) -> tuple[Floats, npt.NDArray[np.uint64], int]: ...
def run_one_pass(
    submit: Ints,
    runtime: Ints,
    estimate: Ints,
    procs: Ints,
    processors: int,
    job: Places,
    level: Places,
    program: Any,
    fixed: Floats,
    easy: bool,
    threshold: int,
    walk: Any,
) -> tuple[Ints, int, int]: ...
