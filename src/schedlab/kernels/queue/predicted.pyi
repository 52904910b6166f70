"""Signatures of predicted.pyx, which documents them."""

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]

def run_predicted(
    submit: Ints,
    runtime: Ints,
    estimate: Ints,
    procs: Ints,
    user: Places,
    users: int,
    processors: int,
    steps: Ints,
) -> Ints: ...
