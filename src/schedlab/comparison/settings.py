"""Settings of a comparison: the schedulers that run on a log, and the length of its windows."""

from __future__ import annotations

from dataclasses import dataclass

#: key of the arena's random streams
ARENA = "arena"


@dataclass(frozen=True)
class ContestSettings:
    """Settings that the results of a row depend on, besides its jobs and the configuration.

    Parameters
    ----------
    experiment : str
        Name, unique in the sheet; a key of the random streams.
    source : str
        Log or model.
    processors : int
        Size of its machine.
    days : int
        Length of a window in days.
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
