"""Signatures of planned.pyx, which documents them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from schedlab.kernels.queue.driven import Driven

Ints = npt.NDArray[np.int64]
Places = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

NEVER: int
EACH: int
ONCE: int

class Planner(Driven):
    def __init__(
        self, processors: int, compression: int, program: Any, moves: bool, lifo: bool, room: int
    ) -> None: ...
    def submit(
        self, submit: Ints, runtime: Ints, estimate: Ints, procs: Ints, score: Floats
    ) -> Places: ...
    def occupy(self, first: int, started: Ints) -> None: ...
    def cancel(self, handle: int) -> bool: ...
    def advance(self, until: int = ..., on_end: bool = False) -> int: ...
    def planned_start(self, handle: int) -> int: ...
