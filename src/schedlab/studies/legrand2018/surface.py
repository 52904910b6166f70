"""Results of simulated periods: one number per policy and period."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np
import pandas as pd

from schedlab.files.io import read_parquet

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

AXES = ("q", "p", "wait")
PURE_COLUMNS = {"threshold": "Int64", "policy": "str", "piece": "int64", "jobs": "int64"}
PURE_COLUMNS |= {"avebsld": "float64"}


@dataclass(frozen=True, eq=False)
class Surface:
    """The average bounded slowdown of weight vectors, period by period.

    Parameters
    ----------
    weights : ndarray of float64, shape (w, 3)
        Weights of processors q, estimate p and wait.
    pieces : ndarray of int64, shape (p,)
        Numbers of the periods, ascending.
    values : ndarray of float64, shape (p, w)
        Average bounded slowdown.
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
        kept = (self.pieces >= first) & (self.pieces <= last)
        return Surface(self.weights, self.pieces[kept], self.values[kept])


def read_runs(paths: Iterable[str | os.PathLike[str]]) -> pd.DataFrame:
    """Read the results of policies on the same periods from several files, and concatenate them.

    Parameters
    ----------
    paths : iterable of path-like
        Files with the columns `PURE_COLUMNS`; at least one.
    """
    return pd.concat(map(read_parquet, paths), ignore_index=True)
