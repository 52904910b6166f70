"""Signatures of trials.pyx, which documents them."""

from schedlab.kernels.arrays import Bytes, Floats, Ints

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
    orders: Bytes,
    lanes: int = ...,
) -> None: ...
