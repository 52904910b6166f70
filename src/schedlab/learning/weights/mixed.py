"""Evaluation of many weight vectors of mixed policies on a piece of a log.

References
----------
legrand2018, sections 4.3 and 7.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import TAU, average_bounded_slowdown
from schedlab.core.splitting import WEEK
from schedlab.files.threads import over_threads
from schedlab.policies import Policy, get
from schedlab.policies.mixed import FEATURES, check_weights
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.mixed import MixedQueue
from schedlab.queue.simulation import Run, simulate

__all__ = [
    "FEATURES",
    "Evaluation",
    "evaluate",
    "evaluate_pure",
    "grid",
    "maxima_of",
    "queue_of",
    "scales_of",
]

#: vectors share states, so the order of simultaneous arrivals cannot depend on running jobs
SHARED = DIALECTS["ocs_in_order"]
#: vectors simulated together; work is split into blocks so that results do not depend on threads
BLOCK = 5000


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Results of simulations of many weight vectors."""

    mean: np.ndarray  # mean bounded slowdown under each vector
    distinct: int  # upper bound on the number of different schedules
    simulated: int  # jobs in total; at most vectors times jobs


def grid(points: int = 100) -> np.ndarray:
    """Return a grid over three-feature policies: both halves of the octahedron ``|w| = 1``.

    The weights of p and wait take `points` equidistant values from -1 to 1 within ``|p| + |wait| <=
    1`` (0 is one of them only if their number is odd). The weight of q is the rest to 1, with
    either sign. Source: legrand2018, sections 7.1 and 8.1.2 (100 points uniformly over [-1, 1] in
    each dimension).

    Parameters
    ----------
    points : int, default 100
        Grid points per dimension, at least 3: 100 points give 9,800 vectors.

    Returns
    -------
    ndarray of float64, shape (W, 3)
        Weights of `FEATURES[:3]`; q <= 0 in the first half, q >= 0 in the second, both in the
        order of p, then of wait. A vector with q = 0 appears once, in the second half.
    """
    if points < 3:
        raise ValueError(f"a grid of {points} points a dimension: at least 3 are needed")
    steps = 2 * np.arange(points) - (points - 1)  # whole numbers, so that borders are exact
    p, wait = (axis.ravel() for axis in np.meshgrid(steps, steps, indexing="ij"))
    q = (points - 1) - np.abs(p) - np.abs(wait)
    p, wait, q = p[q >= 0], wait[q >= 0], q[q >= 0]
    negative = q > 0
    halves = [(-q[negative], p[negative], wait[negative]), (q, p, wait)]
    return np.vstack([np.column_stack(half) for half in halves]) / (points - 1)


def evaluate(
    jobs: Jobs,
    processors: int,
    weights: np.ndarray,
    scales: np.ndarray,
    threshold: int | None,
    threads: int = 1,
    tau: float = TAU,
) -> Evaluation:
    """Return the mean bounded slowdown of a piece under many mixed policies, backfilled with SPF.

    Parameters
    ----------
    jobs : Jobs
        n jobs, submit times from 0 on, estimates at least 1 s.
    processors : int
        Size of the machine.
    weights : array_like of float, shape (W, F)
        Weight vectors, see `schedlab.policies.mixed.mixed_policy`.
    scales : array_like of float, shape (F,)
        Divisor of each feature.
    threshold : int or None
        Starvation threshold in seconds.
    threads : int
        Number of blocks of vectors at a time; the result does not depend on it.
    tau : float, default 10
        Bound of the bounded slowdown in seconds.

    Raises
    ------
    ValueError
        There are no jobs, a job does not fit the machine or has no estimate, or weights or scales
        are out of range.
    """
    rows, scales = check_weights(weights, scales)
    queue = queue_of(jobs, processors, scales, threshold, tau)
    blocks = [rows[first : first + BLOCK] for first in range(0, len(rows), BLOCK)]
    parts = over_threads(queue.totals, blocks, threads)
    totals, marks, simulated = zip(*parts, strict=True)
    return Evaluation(
        np.concatenate(totals) / len(jobs), len(np.unique(np.concatenate(marks))), sum(simulated)
    )


def queue_of(
    jobs: Jobs, processors: int, scales: np.ndarray, threshold: int | None, tau: float
) -> MixedQueue:
    """Return a piece for mixed policies, backfilled shortest first."""
    if not len(jobs):
        raise ValueError("a piece without jobs has no mean bounded slowdown")
    run = Run(jobs, processors, get("fcfs"), get("spf"), SHARED, threshold=threshold)
    return MixedQueue(run, scales, tau)


def _schedule(
    jobs: Jobs, processors: int, policy: Policy, threshold: int | None, dialect: str = "ocs"
) -> Schedule:
    run = Run(jobs, processors, policy, get("spf"), dialect_of(dialect), threshold=threshold)
    return simulate(run)


def evaluate_pure(
    jobs: Jobs,
    processors: int,
    names: Sequence[str],
    threshold: int | None,
    tau: float = TAU,
    dialect: str = "ocs",
) -> np.ndarray:
    """Return the mean bounded slowdown of a piece under pure policies, backfilled shortest first.

    Parameters
    ----------
    jobs, processors, threshold, tau
        As for `evaluate`.
    names : sequence of str
        P registered policies, or expressions.
    dialect : str
        Description of a dialect, see `schedlab.queue.dialect_cells`.

    Returns
    -------
    ndarray of float64, shape (P,)
    """
    schedules = (_schedule(jobs, processors, get(name), threshold, dialect) for name in names)
    return np.array([average_bounded_slowdown(jobs, schedule, tau) for schedule in schedules])


def scales_of(weeks: Sequence[Jobs], processors: int) -> np.ndarray:
    """Return the standard deviation of each feature over the jobs of all weeks of a log.

    Waiting time and expansion factor are those of EASY-FCFS, backfilled shortest first, week by
    week and without a threshold. A feature that is equal for all jobs has scale 1.
    """
    values = [_features(jobs, processors) for jobs in weeks]
    scales = np.concatenate(values, axis=1).std(axis=1)
    return np.where(scales > 0, scales, 1.0)


def maxima_of(weeks: Sequence[Jobs], processors: int) -> np.ndarray:
    """Return the largest value of each feature over the jobs of all weeks of a log.

    The largest wait is a week; the expansion factor is that under EASY-FCFS.
    """
    largest = np.max([_features(jobs, processors).max(axis=1) for jobs in weeks], axis=0)
    largest[FEATURES.index("wait")] = WEEK
    return largest


def _features(jobs: Jobs, processors: int) -> np.ndarray:
    """Return the features of each job at its start under EASY-FCFS, shape (6, n)."""
    wait = _schedule(jobs, processors, get("fcfs"), None).start - jobs.submit
    q, p = jobs.procs.astype(np.float64), jobs.estimate.astype(np.float64)
    return np.vstack([q, p, wait, p / q, (wait + p) / p, p * q])
