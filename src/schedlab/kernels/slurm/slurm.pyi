"""Signatures of slurm.pyx, which documents them."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

def run_slurm(
    submit: Ints,
    holds: Ints,
    limit: Ints,
    procs: Ints,
    processors: int,
    job: Places,
    rank: Places,
    easy: bool,
    reserved: int,
    interval: int,
    resolution: int,
    window: int,
    tested: int,
    close: int,
    phase: int,
) -> Ints: ...
