"""Simulate pure policies and the whole space of weights on every period of a trace.

The space takes long; an interrupted run resumes period by period.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs, jobs_by_piece
from schedlab.core.metrics import TAU
from schedlab.files.io import read_parquet
from schedlab.files.resume import compute_missing_parts, digest_of
from schedlab.learning.weights.mixed import evaluate, evaluate_pure, grid

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


def read_periods(path: str | os.PathLike[str], numbers: Sequence[int]) -> dict[int, Jobs]:
    """Read the jobs of periods, each from time 0; empty if the log is not available.

    The file has pieces, from `schedlab.core.splitting.split`. Raises ValueError if there are jobs,
    but none in one of the periods; the message names the raw log.
    """
    # files of pieces are named SOURCE.CLEANING.SPLIT.parquet
    source = Path(path).name.rsplit(".", 3)[0]
    where = f"{path}, cut from resources/raw/{source}.swf"
    return periods_of(read_parquet(path), numbers, where)


def periods_of(frame: pd.DataFrame, numbers: Sequence[int], where: str) -> dict[int, Jobs]:
    """Return the jobs of periods as `read_periods`; errors name their origin `where`."""
    jobs_of_piece = jobs_by_piece(frame[frame["piece"].isin(list(numbers))])
    if len(frame) and (absent := set(numbers) - set(jobs_of_piece)):
        last = frame["piece"].max()
        raise ValueError(
            f"{where}: there are no jobs in piece {min(absent)}, the last piece is {last}; see "
            "whether the raw log is whole, or ask for fewer pieces"
        )
    return jobs_of_piece


def simulate_pure(
    periods: Mapping[int, Jobs],
    processors: int,
    policies: Mapping[str, str],
    thresholds: Sequence[int | None],
    tau: float = TAU,
    dialect: str = "ocs",
) -> pd.DataFrame:
    """Run pure policies under several starvation thresholds (s) on every period."""
    frames = [
        pd.DataFrame(
            {
                "threshold": pd.NA if threshold is None else threshold,
                "policy": list(policies),
                "piece": piece,
                "jobs": len(jobs),
                "avebsld": evaluate_pure(
                    *(jobs, processors, [*policies.values()], threshold, tau, dialect)
                ),
            }
        ).astype(PURE_COLUMNS)
        for threshold in thresholds
        for piece, jobs in periods.items()
    ]
    empty = pd.DataFrame(columns=list(PURE_COLUMNS)).astype(PURE_COLUMNS)
    return pd.concat(frames, ignore_index=True) if frames else empty


def cover_space(
    periods: Mapping[int, Jobs],
    processors: int,
    scales: np.ndarray,
    threshold: int | None,
    points: int,
    part: str | os.PathLike[str],
    code: str,
    threads: int = 1,
    tau: float = TAU,
) -> Surface:
    """Simulate every period under every vector of the grid."""
    weights = grid(points)
    facts = [processors, np.asarray(scales).tolist(), threshold, tau, points]
    jobs = list(periods.values())

    def compute(places: list[int]) -> Iterator[tuple]:
        for place in places:
            evaluation = evaluate(jobs[place], processors, weights, scales, threshold, threads, tau)
            yield (evaluation.mean,)

    digests = [period_digest(each, facts) for each in jobs]
    label = f"{len(weights):,} weight vectors"
    fields = [("value", "f8", len(weights))]
    done = compute_missing_parts(part, fields, digests, compute, 1, label, code=code)
    values = np.array([each["value"] for each in done]).reshape(len(done), len(weights))
    return Surface(weights, np.array(list(periods), dtype=np.int64), values)


def period_digest(jobs: Jobs, facts: list) -> bytes:
    """Return the digest of everything that a period's numbers depend on."""
    columns = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
    return digest_of([[column.tolist() for column in columns], facts])
