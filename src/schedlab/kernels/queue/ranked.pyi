"""Signatures of ranked.pyx, which documents them."""

from typing import Any

from schedlab.kernels.arrays import Ints, Places

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
    planted: bool = ...,
    lanes: int = ...,
) -> Ints: ...
