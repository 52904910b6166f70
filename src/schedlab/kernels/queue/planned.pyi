"""Signatures of planned.pyx, which documents them."""

from typing import Any

from schedlab.kernels.arrays import Floats, Ints, Places
from schedlab.kernels.queue.driven import Driven

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
    def planned_start(self, handle: int) -> int: ...
