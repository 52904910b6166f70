"""Speeds of running jobs and orders of nodes, from a matrix of speedups."""

import math
from collections.abc import Callable

import numpy as np


def check_speedups(speedup: np.ndarray) -> np.ndarray:
    """Return a speedup matrix, as of `schedlab.cosched.simulation.simulate`, as float64."""
    matrix = np.ascontiguousarray(speedup, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise ValueError(f"speedups: shape is {matrix.shape}, must be (a, a)")
    bad = np.argwhere(~(np.isnan(matrix) | ((matrix > 0) & np.isfinite(matrix))))
    if len(bad):
        row, column = bad[0]
        raise ValueError(
            f"speedups: row {row}, column {column} is {matrix[row, column]}, must be above 0 or NaN"
        )
    return matrix


def speed_alone(speedup: np.ndarray) -> np.ndarray:
    """Return the assumed speed of spread jobs without neighbors: the largest speedup of the row.

    1 if the whole row is unknown. Shape (a,).
    """
    row = np.where(np.isnan(speedup), -np.inf, speedup).max(axis=1)
    return np.where(np.isfinite(row), row, 1.0)


def pair_speedups(speedup: np.ndarray) -> np.ndarray:
    """Return the speed of each application paired with each other one; row mean if unknown.

    1 if the whole row is unknown. Shape (a, a).
    """
    known = ~np.isnan(speedup)
    # exact sums, so that the mean does not depend on the order of the row
    mean = [
        math.fsum(row[of]) / of.sum() if of.any() else 1.0
        for row, of in zip(speedup, known, strict=True)
    ]
    return np.where(known, speedup, np.array(mean)[:, None])


def friends(speedup: np.ndarray, threshold: float) -> np.ndarray:
    """Return which pairs have a mean speedup above the threshold; unknown ones do not."""
    return (speedup + speedup.T) / 2 > threshold


Keys = tuple[np.ndarray, np.ndarray]


def _known(speedup: np.ndarray) -> np.ndarray:
    """Return speedups, 1 if unknown."""
    return np.where(np.isnan(speedup), 1.0, speedup)


#: Orders in which a job takes suitable nodes. They compute keys from the speedups: for idle nodes
#: by the job's application, shape (a,), and for nodes with one job by both applications, shape (a,
#: a). Largest first, ties by node number.
NODE_ORDERS: dict[str, Callable[[np.ndarray], Keys]] = {
    # first fit
    "lowest": lambda speedup: (np.zeros(len(speedup)), np.zeros(speedup.shape)),
    # occupied nodes first
    "occ": lambda speedup: (np.zeros(len(speedup)), np.ones(speedup.shape)),
    # idle nodes first, as the text of the thesis states (5.2.1)
    "idle": lambda speedup: (np.ones(len(speedup)), np.zeros(speedup.shape)),
    # where the job itself is fastest
    "speed": lambda speedup: (speed_alone(speedup), _known(speedup)),
    # where job and occupant together are fastest; idle nodes count as 1
    "match": lambda speedup: (np.ones(len(speedup)), _known((speedup + speedup.T) / 2)),
}
