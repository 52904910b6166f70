"""Signatures of general.pyx, which documents them."""

from typing import Any

from schedlab.kernels.arrays import Floats, Ints

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
