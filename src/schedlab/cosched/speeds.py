"""What a matrix of speedups says of jobs that run and of nodes to choose from."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np


def checked(speedup: np.ndarray) -> np.ndarray:
    """Return a speedup matrix as float64.

    Parameters
    ----------
    speedup : array_like, shape (a, a)
        Row i, column j: how much faster application i runs beside j than on whole nodes; NaN where
        nobody measured it.

    Raises
    ------
    ValueError
        Not square, or a speedup that is not above 0; the message names row and column.
    """
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


def alone(speedup: np.ndarray) -> np.ndarray:
    """Speed of spread jobs without neighbours, which nobody measured: the largest of the row.

    1 where the whole row is unknown. Shape (a,).
    """
    row = np.where(np.isnan(speedup), -np.inf, speedup).max(axis=1)
    return np.where(np.isfinite(row), row, 1.0)


def beside(speedup: np.ndarray) -> np.ndarray:
    """Speed of each application beside each other one; unknown pairs are the mean of the row.

    1 where the whole row is unknown. Shape (a, a).
    """
    known = ~np.isnan(speedup)
    # exact sums: the same mean however the row is laid out
    mean = [
        math.fsum(row[of]) / of.sum() if of.any() else 1.0
        for row, of in zip(speedup, known, strict=True)
    ]
    return np.where(known, speedup, np.array(mean)[:, None])


def friends(speedup: np.ndarray, threshold: float) -> np.ndarray:
    """Pairs whose mean speedup is above the threshold; unknown ones are not. Shape (a, a)."""
    return (speedup + speedup.T) / 2 > threshold


Keys = tuple[np.ndarray, np.ndarray]


def _lowest(speedup: np.ndarray) -> Keys:
    return np.zeros(len(speedup)), np.zeros(speedup.shape)


def _occupied(speedup: np.ndarray) -> Keys:
    return np.zeros(len(speedup)), np.ones(speedup.shape)


def _idle(speedup: np.ndarray) -> Keys:
    return np.ones(len(speedup)), np.zeros(speedup.shape)


def _speed(speedup: np.ndarray) -> Keys:
    return alone(speedup), np.where(np.isnan(speedup), 1.0, speedup)


def _match(speedup: np.ndarray) -> Keys:
    mean = (speedup + speedup.T) / 2
    return np.ones(len(speedup)), np.where(np.isnan(mean), 1.0, mean)


#: in which order a job takes the nodes that suit it. From the speedups, keys of the idle nodes by
#: the job's application, shape (a,), and of the nodes that one job occupies by both applications,
#: shape (a, a); largest first, ties by node number.
NODE_ORDERS: dict[str, Callable[[np.ndarray], Keys]] = {
    "lowest": _lowest,  # first fit
    "occ": _occupied,  # occupied nodes first
    "idle": _idle,  # idle nodes first, as the thesis words it (5.2.1)
    "speed": _speed,  # where the job itself is fastest
    "match": _match,  # where job and occupant together are fastest; idle nodes break even, at 1
}
