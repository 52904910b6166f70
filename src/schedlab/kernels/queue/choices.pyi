"""Signatures of choices.pyx, which documents them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from schedlab.kernels.arrays import Bytes, Floats, Ints, Places

Singles = NDArray[np.float32]
Layers = Sequence[tuple[Singles, Singles]]

MACHINE: tuple[str, ...]
MOVING: tuple[str, ...]
MOST_SEEN: int
MOST_LAYERS: int
MOST_WIDE: int

class Episodes:
    def __init__(
        self,
        submit: Ints,
        runtime: Ints,
        estimate: Ints,
        procs: Ints,
        processors: int,
        rule: int,
        lifo: bool,
        scores: Floats,
        costs: Floats,
        table: Singles,
        moving: Sequence[int],
        rows: Singles,
        allowed: Bytes,
        machine: Singles,
        reward: Floats,
        over: Bytes,
    ) -> None: ...
    def begin(self, place: int, first: int, end: int) -> None: ...
    def find_faulty(self, actions: Ints) -> int: ...
    def step(self, actions: Ints, first: int, last: int) -> int: ...
    def starts(self, place: int) -> Ints: ...
    def waiting(self, place: int) -> Places: ...
    def now(self, place: int) -> int: ...

def run_choices(
    submit: Ints,
    runtime: Ints,
    estimate: Ints,
    procs: Ints,
    processors: int,
    rule: int,
    overtaking: bool,
    lifo: bool,
    scores: Floats,
    program: tuple[Places, Floats] | None,
    network: Layers | None,
    table: Singles,
    moving: Sequence[int],
    seen: int,
    seed: int | None,
) -> tuple[Ints, int, int]: ...
