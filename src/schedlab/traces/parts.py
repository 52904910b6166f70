"""Logs in parts, so that a log need not fit into memory as a whole."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import pandas as pd


class Parts(Protocol):
    """Jobs of a log in parts; each iteration yields all of them, and at least one.

    Attributes
    ----------
    notes : tuple of str
        Unusual properties of the parts that are read, and how they were handled.
    in_order : bool
        Whether these, one after the other, are by submit time, then number.
    """

    @property
    def notes(self) -> tuple[str, ...]:
        """See above."""

    @property
    def in_order(self) -> bool:
        """See above."""

    def __iter__(self) -> Iterator[pd.DataFrame]: ...


@dataclass(frozen=True, eq=False)
class OnePart:
    """Log that is in memory as a whole."""

    jobs: pd.DataFrame
    notes: tuple[str, ...] = ()
    in_order: bool = True

    def __iter__(self) -> Iterator[pd.DataFrame]:
        yield self.jobs


def joined(parts: Parts) -> pd.DataFrame:
    """Return all jobs, by submit time, then number; a field that a part lacks is empty text."""
    frames = list(parts)
    if len(frames) == 1:
        return frames[0]
    jobs = pd.concat(frames, ignore_index=True)
    if any(len(frame.columns) < len(jobs.columns) for frame in frames):
        jobs = jobs.fillna("")
    return jobs if parts.in_order else jobs.sort_values(["submit", "number"], ignore_index=True)
