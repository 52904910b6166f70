"""Signatures of planning.pyx, which documents them."""

from typing import Any

import numpy as np
import numpy.typing as npt

from schedlab.kernels.arrays import Floats, Ints, Places

HELD: int
PENDING: int
WAITING: int
RUNNING: int
ENDED: int
RULES: tuple[str, ...]

class Planner:
    may_search: bool
    def __init__(
        self,
        cpus: Places,
        long_most: Places,
        long_beyond: int,
        user_most: int,
        weights: Floats,
        tau: float,
        iterations: int,
        every: int,
        timed: bool,
        key: int,
        half_life: int,
        room: int,
        nodes: Any = None,
        rule: str = "first",
        choose: str = "uniform",
        by_cluster: bool = False,
        marking: bool = False,
        idle: int = 0,
        active: int = 0,
    ) -> None: ...
    def submit(
        self,
        submit: Ints,
        runtime: Ints,
        estimate: Ints,
        need: Places,
        user: Places,
        rate: Floats,
        allowed: npt.NDArray[np.uint64],
        rank: Places,
        spread: Ints | None = None,
        held: bool = False,
    ) -> Places: ...
    def release(self, job: int, at: int) -> bool: ...
    def advance(self, until: int, on_end: bool) -> None: ...
    def next_event(self) -> int | None: ...
    def read(self) -> tuple[Places, Places]: ...
    def copied(self, name: str, begin: int, end: int) -> Places: ...
    def state(self, job: int) -> int: ...
    def start(self, job: int) -> int: ...
    def cluster(self, job: int) -> int: ...
    def order(self, cluster: int) -> Places: ...
    def measure(self) -> tuple[float, ...]: ...
    @property
    def submitted(self) -> int: ...
    @property
    def now(self) -> int: ...
    def columns(self) -> tuple[Ints, Ints, Places]: ...
    def moves(self) -> np.ndarray: ...
    def counts(self) -> dict[str, int]: ...
