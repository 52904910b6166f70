"""Results of simulated periods: one number per policy and period."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from schedlab.files.io import read_parquet

AXES = ("q", "p", "wait")
PURE_COLUMNS = {"threshold": "Int64", "policy": "str", "piece": "int64", "jobs": "int64"}
PURE_COLUMNS |= {"avebsld": "float64"}


@dataclass(frozen=True, eq=False)
class Surface:
    """The average bounded slowdown of w weight vectors, in each of p periods.

    `weights`, of shape (w, 3), are those of processors q, estimate p and wait. `pieces` are the
    numbers of the periods, ascending. `values` has shape (p, w).
    """

    weights: np.ndarray
    pieces: np.ndarray
    values: np.ndarray

    def __len__(self) -> int:
        return len(self.pieces)

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Self:
        """Make a surface from a frame of `to_frame`."""
        pieces = [name for name in frame if name not in AXES]
        return cls(
            frame[list(AXES)].to_numpy(dtype=float),
            np.array(pieces, dtype=np.int64),
            np.ascontiguousarray(frame[pieces].to_numpy(dtype=float).T).reshape(
                len(pieces), len(frame)
            ),
        )

    def to_frame(self) -> pd.DataFrame:
        """Return a row per weight vector: q, p, wait, and one numbered column per period."""
        frame = pd.DataFrame(self.weights, columns=list(AXES))
        values = pd.DataFrame(self.values.T, columns=[str(piece) for piece in self.pieces])
        return pd.concat([frame, values], axis=1)

    def between(self, first: int, last: int) -> Surface:
        """Return the periods from `first` to `last`, both included."""
        inside = (self.pieces >= first) & (self.pieces <= last)
        return Surface(self.weights, self.pieces[inside], self.values[inside])


def read_surface(path: str | os.PathLike[str]) -> Surface:
    """Read a surface from a file of `Surface.to_frame`."""
    return Surface.from_frame(read_parquet(path))


def read_runs(paths: Iterable[str | os.PathLike[str]]) -> pd.DataFrame:
    """Read and concatenate results on the same periods, columns `PURE_COLUMNS`."""
    return pd.concat(map(read_parquet, paths), ignore_index=True)
