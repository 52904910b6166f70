"""A contest: which schedulers run a log, and the days of the windows that they are compared on."""

from __future__ import annotations

from dataclasses import dataclass

#: keys the random streams of contests
ARENA = "arena"


@dataclass(frozen=True)
class ContestSettings:
    """What the results of a row depend on, beside its jobs and the configuration.

    Parameters
    ----------
    experiment : str
        Name, once in the sheet; keys the random streams.
    source : str
        Log or model.
    processors : int
        Size of its machine.
    days : int
        Days of a window.
    schedulers : tuple of str
        Names of `schedlab.comparison.schedulers.SCHEDULERS`, or ``file.py:function``.
    tau : float
        Bound of the bounded slowdown in seconds.
    """

    experiment: str
    source: str
    processors: int
    days: int
    schedulers: tuple[str, ...]
    tau: float
