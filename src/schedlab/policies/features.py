"""Inputs of policies that are learned: what they see of each waiting job, by name.

The first eight are those of RLScheduler (Zhang et al., SC'20), scaled as there: to at most 1 -
1e-5, and 1 where a log does not have the value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np

from schedlab.files.known_words import nearest
from schedlab.kernels.queue.choices import MOVING

if TYPE_CHECKING:
    import pandas as pd

    from schedlab.core.jobs import Jobs

#: largest value of a scaled input
CAP = 1 - 1e-5
#: seconds and processors that count as 1 in logarithmic inputs
_MONTH, _MILLION = 30 * 86_400, 1_000_000
#: what describes a job besides its size, with the columns of a log that may have it
OWNERS = {
    "memory": ("memory", "requested_memory"),
    "user": ("user",),
    "group": ("group",),
    "executable": ("executable",),
}


@dataclass(frozen=True)
class KnownJobs:
    """The jobs of a run with what is known of them.

    Parameters
    ----------
    jobs : Jobs
        n jobs.
    processors : int
        Size of the machine.
    owners : DataFrame, optional
        ``number`` and any of `OWNERS`, a row per job; negative values are unknown.
    largest : mapping of str to float
        Largest value of the estimate and of each of `OWNERS`; by default that of these jobs.
    """

    jobs: Jobs
    processors: int
    owners: pd.DataFrame | None = None
    largest: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of_frame(cls, jobs: Jobs, processors: int, frame: pd.DataFrame) -> Self:
        """Return jobs with what a log has of them; see `known_of`."""
        return cls(jobs, processors, *known_of(frame))

    def share(self, name: str, column: np.ndarray) -> np.ndarray:
        """Return a column as shares of its largest value; 1 where it is unknown."""
        most = self.largest.get(name, column.max(initial=0)) or 1
        return np.where(column < 0, 1.0, np.minimum(column / most, CAP))

    def owner(self, name: str) -> np.ndarray:
        """Return the share of a column of `owners`."""
        column = np.full(len(self.jobs), -1)
        if self.owners is not None and name in self.owners:
            known = self.owners.drop_duplicates("number").set_index("number")[name]
            column = known.reindex(self.jobs.number, fill_value=-1).to_numpy()
        return self.share(name, column)


def known_of(frame: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, float]]:
    """Return the owners of a log's jobs and the largest values, as `KnownJobs` has them.

    `frame` has ``number``, ``runtime`` and any of `OWNERS`, a row per job; a missing column is
    unknown. As in RLScheduler, estimates are divided by the largest run time.
    """
    owners = frame[["number"]].copy()
    for name, columns in OWNERS.items():
        column = next((column for column in columns if column in frame), None)
        owners[name] = -1 if column is None else frame[column].to_numpy()
    largest = {name: max(float(owners[name].max()), 1.0) for name in OWNERS if len(frame)}
    largest["estimate"] = max(float(frame["runtime"].max()), 1.0) if len(frame) else 1.0
    return owners, largest


def _logarithm(column: np.ndarray, most: float) -> np.ndarray:
    return np.minimum(np.log1p(column) / np.log1p(most), 1)


_FIXED: dict[str, Callable[[KnownJobs], np.ndarray]] = {
    "estimate": lambda known: known.share("estimate", known.jobs.estimate),
    "procs": lambda known: np.minimum(known.jobs.procs / known.processors, CAP),
    **{name: lambda known, name=name: known.owner(name) for name in OWNERS},
    "log_estimate": lambda known: _logarithm(known.jobs.estimate, _MONTH),
    "log_procs": lambda known: _logarithm(known.jobs.procs, known.processors),
    "log_area": lambda known: _logarithm(known.jobs.estimate * known.jobs.procs, _MONTH * _MILLION),
}
#: each input in one line
FEATURES = {
    "wait": "the time waited, as a share of 12 h",
    "estimate": "the estimate, as a share of the largest of the log",
    "procs": "the processors, as a share of the machine",
    "memory": "the requested memory, as a share of the largest of the log",
    "user": "the user's number, as a share of the largest of the log",
    "group": "the group's number, as a share of the largest of the log",
    "executable": "the executable's number, as a share of the largest of the log",
    "fits": "1 - 1e-5 if it fits into the free processors, else 1e-5",
    "stretch": "the estimate divided by the estimate and the time waited",
    "log_estimate": "the logarithm of the estimate in seconds, 1 for 30 days",
    "log_procs": "the logarithm of the processors, 1 for the whole machine",
    "log_area": "the logarithm of estimate times processors, 1 for 30 days of a million",
}


def check_features(names: Sequence[str]) -> None:
    """Raise ValueError if an input is unknown or comes twice, or there is none."""
    if not names:
        raise ValueError(f"there is no feature; choose some of {', '.join(FEATURES)}")
    for place, name in enumerate(names):
        if name not in FEATURES:
            hint = nearest(name, FEATURES)
            raise ValueError(f"unknown feature '{name}'{hint}; one of {', '.join(FEATURES)}")
        if name in names[:place]:
            raise ValueError(f"feature '{name}' comes twice")


def table_of(known: KnownJobs, names: Sequence[str]) -> tuple[np.ndarray, list[int]]:
    """Return the inputs of each job, and the places of those that change with time.

    Parameters
    ----------
    known : KnownJobs
        n jobs.
    names : sequence of str
        f of `FEATURES`.

    Returns
    -------
    table : ndarray of float32, shape (n, f)
        0 for inputs that change with time, which the kernel writes.
    moving : list of int
        Place of each of `schedlab.kernels.queue.choices.MOVING`, or -1.
    """
    check_features(names)
    table = np.zeros((len(known.jobs), len(names)), dtype=np.float32)
    for place, name in enumerate(names):
        if name in _FIXED:
            table[:, place] = _FIXED[name](known)
    return table, [names.index(name) if name in names else -1 for name in MOVING]
