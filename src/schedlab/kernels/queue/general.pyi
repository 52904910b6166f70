"""Signatures of queue.pyx, which documents them."""

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

TIES: dict[str, int]

def run_general(
    submit: Ints,
    runtime: Ints,
    estimate: Ints,
    procs: Ints,
    processors: int,
    primary: Any,
    backfill: Any,
    easy: bool,
    head: int,
    window: int,
    latency: float,
    ties: int,
    merged: bool,
    extra: bool,
    first_alone: bool,
    threshold: int,
) -> tuple[Floats, int, float]: ...
