"""Signatures of stepped.pyx, which documents them."""

from typing import Any

from schedlab.kernels.arrays import Ints, Places
from schedlab.kernels.queue.driven import Driven

class Stepper(Driven):
    def __init__(
        self,
        processors: int,
        depth: int,
        same: bool,
        lines: Any,
        fresh: Any,
        reverse: Any,
        programs: Any,
        lifo: bool,
        strict: int,
        threshold: int,
        room: int,
        manual: bool = False,
    ) -> None: ...
    def submit(
        self, submit: Ints, runtime: Ints, estimate: Ints, procs: Ints, scores: Any, divisors: Any
    ) -> Places: ...
    def occupy(self, first: int, started: Ints) -> None: ...
    def cancel(self, handle: int) -> bool: ...
    def begin_now(self, handle: int) -> None: ...
    def advance(
        self, until: int = ..., on_end: bool = False, most_scores: int = ..., watched: int = ...
    ) -> int: ...
    def head(self) -> int: ...
    def shadow(self, handle: int) -> tuple[int, int]: ...
    def was_backfilled(self, handle: int) -> bool: ...
