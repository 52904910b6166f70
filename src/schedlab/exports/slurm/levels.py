"""Scores as Slurm's whole numbers: the order is kept, and scores that are too close are tied."""

from dataclasses import dataclass, replace

import numpy as np

from schedlab.kernels.common.expression import OPERATIONS
from schedlab.policies.expression import compile_expression

#: the largest site factor is 2**31 - 3; a priority of 0 would hold the job
TOP = 2**31 - 4
MINUTE = 60
#: grid points of each variable in the grid of jobs
POINTS = {"r": 41, "n": 41, "s": 13}


@dataclass(frozen=True)
class Levels:
    """Conversion of scores to whole numbers, the smallest score to the largest number.

    Scores are transformed to ``sign(x) * log(1 + abs(x) / unit)``; `unit` 0 means no
    transformation. The transformed scores `low` and `high` become `TOP` and 1; values beyond are
    clipped. A grid of jobs has `jobs` different scores; `tied` is the share of adjacent ones that
    become the same number.
    """

    low: float
    high: float
    unit: float
    tied: float = 0.0
    jobs: int = 0

    @property
    def step(self) -> float:
        """Smallest difference of transformed scores that are never tied."""
        return (self.high - self.low) / (TOP - 1)

    def bent(self, scores: np.ndarray) -> np.ndarray:
        """Return the transformed scores."""
        if not self.unit:
            return scores
        return np.sign(scores) * np.log(1 + np.abs(scores) / self.unit)

    def place(self, scores: np.ndarray) -> np.ndarray:
        """Return the whole number of each score, int64 from 1 to `TOP`; 1 for nan."""
        share = (self.high - self.bent(np.asarray(scores, np.float64))) / (self.high - self.low)
        whole = np.floor(np.clip(share, 0, 1) * (TOP - 1)) + 1
        return np.where(np.isnan(whole), 1, whole).astype(np.int64)

    @property
    def says(self) -> str:
        """Description of which scores may be tied."""
        if not self.unit:
            apart = f"by less than {self.step:.2g}"
        else:
            apart = (
                f"by less than {self.step:.1g} of themselves (near 0: {self.step * self.unit:.1g})"
            )
        share = f"{self.tied:.2%}" if self.tied else "none"
        return (
            f"Scores become whole numbers from 1 to {TOP}. Two jobs whose scores differ {apart} "
            "may get one number and then start in the order of submission; of the "
            f"{self.jobs:,} scores of a grid of time limits, widths and days, {share} do."
        )


def levels_of(expression: str, processors: int, longest: int, horizon: int) -> Levels:
    """Return the conversion of a static policy's scores to whole numbers.

    It is linear if that ties fewest scores of a grid of jobs, else logarithmic, which
    distinguishes small scores. Jobs request from 1 to all processors, and a minute, as in Slurm,
    to `longest` seconds.
    """
    r = np.unique(np.geomspace(MINUTE, longest, POINTS["r"]) // MINUTE * MINUTE)
    n = np.unique(np.rint(np.geomspace(1, processors, POINTS["n"])))
    s = np.rint(np.linspace(1, horizon, POINTS["s"]))  # submissions are evenly spaced
    used = {name for name in POINTS if uses(expression, name)}
    axes = [axis if name in used else axis[:1] for name, axis in zip("rns", (r, n, s), strict=True)]
    columns = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
    scores, _ = compile_expression(expression).checked(*columns)
    scores = np.unique(scores[np.isfinite(scores)])
    if scores.size < 2:
        raise ValueError(f"'{expression}' orders nothing: it scores all jobs alike, or none")
    unit = np.abs(scores[scores != 0]).min()
    # overflows in the logarithm or the difference make a conversion unusable
    candidates = [_fit_levels(scores, candidate) for candidate in (0.0, float(unit))]
    candidates = [
        candidate for candidate in candidates if np.isfinite(candidate.step) and candidate.step > 0
    ]
    if not candidates:
        raise ValueError(f"'{expression}': its scores, up to {scores[-1]:g}, are too far apart")
    return min(candidates, key=lambda each: each.tied)


def uses(expression: str, name: str) -> bool:
    """Return whether a variable occurs in an expression."""
    return OPERATIONS.index(name) in compile_expression(expression).op


def _fit_levels(scores: np.ndarray, unit: float) -> Levels:
    """Return a conversion for the range of the sorted scores."""
    loose = Levels(0.0, 1.0, unit)
    with np.errstate(over="ignore", invalid="ignore"):
        low, high = loose.bent(scores[[0, -1]])
        levels = Levels(float(low), float(high), unit)
        tied = float(np.mean(np.diff(levels.place(scores)) == 0))
    return replace(levels, tied=tied, jobs=scores.size)
