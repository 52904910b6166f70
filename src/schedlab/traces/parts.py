"""Logs in parts, so that a log need not fit into memory as a whole."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd


class Parts(Protocol):
    """Jobs of a log in parts; each iteration yields all of them, and at least one."""

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


class Columns:
    """Columns that grow by parts; those of numbers are not in memory twice."""

    def __init__(self) -> None:
        self._numbers: dict[str, np.ndarray] = {}
        self._texts: dict[str, list[pd.Series]] = {}

    def add(self, part: Mapping[str, pd.Series | np.ndarray] | pd.DataFrame) -> None:
        """Add a part, which has the same columns as the others."""
        for name, column in part.items():
            if column.dtype.kind not in "bif":
                self._texts.setdefault(name, []).append(column)
                continue
            values = np.asarray(column)
            grown = self._numbers.get(name)
            if grown is None:
                self._numbers[name] = values.copy()
                continue
            kind = np.promote_types(grown.dtype, values.dtype)
            if kind != grown.dtype:
                grown = self._numbers[name] = grown.astype(kind)
            begin = len(grown)
            # large blocks of memory are moved, not copied
            grown.resize(begin + len(values), refcheck=False)
            grown[begin:] = values

    def taken(self) -> dict[str, np.ndarray | pd.Series]:
        """Return the columns, and keep none."""
        texts = {name: pd.concat(parts, ignore_index=True) for name, parts in self._texts.items()}
        found = self._numbers | texts
        self._numbers, self._texts = {}, {}
        return found


def narrow(values: np.ndarray) -> np.ndarray:
    """Return whole numbers in the narrowest type; others as they are."""
    if values.dtype.kind != "i":
        return values
    least, most = int(values.min(initial=0)), int(values.max(initial=0))
    types = (np.int8, np.int16, np.int32, np.int64)
    fits = (t for t in types if np.iinfo(t).min <= least and most <= np.iinfo(t).max)
    return values.astype(next(fits))
