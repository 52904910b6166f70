"""Signatures of whole.pyx, which documents them."""

from typing import Any

from schedlab.kernels.arrays import Floats, Ints, Places

def run_static(
    submit: Ints,
    runtime: Ints,
    estimate: Ints,
    procs: Ints,
    processors: int,
    score: Floats,
    backfill: Any,
    depth: int,
    strict: int,
    threshold: int,
    lifo: bool,
    lanes: int = ...,
) -> Ints: ...
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
