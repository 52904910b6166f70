"""Signatures of ranked.pyx, which documents them."""

from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

def run_ranked(
    submit: Ints,
    runtime: Ints,
    estimate: Ints,
    procs: Ints,
    processors: int,
    job: Places,
    rank: Places,
    backfill: Any,
    easy: bool,
    strict: int,
    threshold: int,
    lifo: bool,
) -> Ints: ...
