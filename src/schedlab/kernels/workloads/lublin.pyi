"""Signatures of lublin.pyx, which documents them."""

from typing import Any

from schedlab.kernels.arrays import Floats, Ints

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
