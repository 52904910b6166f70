"""Signatures of predicted.pyx, which documents them."""

from schedlab.kernels.arrays import Ints, Places

def run_predicted(
    submit: Ints,
    runtime: Ints,
    estimate: Ints,
    procs: Ints,
    user: Places,
    users: int,
    processors: int,
    steps: Ints,
    planted: bool = ...,
) -> Ints: ...
