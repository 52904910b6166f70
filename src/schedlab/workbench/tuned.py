"""A mixed policy tuned on the first half of a log, and whether it pays on the second."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from schedlab.jobs import Jobs
from schedlab.metrics import average_bounded_slowdown
from schedlab.policies import get
from schedlab.policies.mixed import FEATURES, MixedPolicy, mixed
from schedlab.progress import counted
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.dialects import Dialect
from schedlab.queue.simulation import Run, simulate_many
from schedlab.queue.slurm import default_reservations, refusal
from schedlab.traces.splitting import middle
from schedlab.tuning.mixed import evaluate, grid, scales_of
from schedlab.workbench.comparing import Comparison, compare, windows_of
from schedlab.workbench.log import Log

#: pure policies that a tuned one is held to, the first one chosen beforehand
PURE = ("fcfs", "spt", "saf", "wfp3")
#: weights of pure policies
CORNERS = {"FCFS": [0, 0, 1], "SPT": [0, 1, 0], "SQF": [1, 0, 0]}
BACKFILL = "spt"
POINTS = 21
DAYS = 7
TUNED = "tuned"
SCALED = 4  # digits of scales, and of weights: more would say what a few weeks cannot


@dataclass(frozen=True, eq=False)
class Tuned:
    """What tuning found.

    Parameters
    ----------
    policy : MixedPolicy
        Of the smallest mean over the training windows.
    weights : dict of str to float
        By feature (`schedlab.policies.mixed.FEATURES`): smallest first where positive, longest wait
        first for ``wait``.
    training : dict of str to float
        Mean bounded slowdown over the training windows, of the tuned policy and of the vectors that
        are pure: FCFS, SPT and smallest processors first.
    windows : int
        Training windows.
    tried : int
        Weight vectors.
    test : Comparison or None
        FCFS, others and the tuned policy on windows of the second half; None where it has none.
    backfill : str or None
        Order of backfilling that was simulated; None: that of the queue.
    """

    policy: MixedPolicy
    weights: dict[str, float]
    training: dict[str, float]
    windows: int
    tried: int
    test: Comparison | None
    backfill: str | None = BACKFILL

    def __repr__(self) -> str:
        return f"{self.policy.expression}\n{self.test!r}"


def tune(
    log: Log,
    days: int = DAYS,
    points: int = POINTS,
    threshold: int | None = None,
    threads: int = 1,
    seed: int = 0,
    dialect: str = "full",
) -> Tuned:
    """Search a grid of mixed policies on the first half of a log and test the best on the second.

    Jobs are backfilled shortest first (EASY), the order of the queue is what is tuned: a weighted
    sum of processors, estimate and submission.

    Parameters
    ----------
    log : Log
        From `schedlab.load_log`.
    days : int
        Length of a window.
    points : int
        Points of a dimension of the grid, at least 3; 21 are 402 vectors.
    threshold : int, optional
        Starvation threshold in seconds.
    threads : int
        Vectors, then windows, at a time; the result does not depend on it.
    seed : int
        Another number resamples other windows in the test.
    dialect : str
        As for `schedlab.simulate`. In Slurm's the order of the queue is that of backfilling too,
        and policies that it cannot run are left out of the test.

    Returns
    -------
    Tuned

    Raises
    ------
    ValueError
        The first half of the log has no whole window.

    References
    ----------
    legrand2018, sections 4.3 and 7.
    """
    base = dialect_of(dialect)
    backfill = None if base.slurm else BACKFILL
    early, rest = halves(log)
    pieces = [early.jobs.take(place).rebased() for place in windows_of(early, days)]
    scales = np.array([float(f"{one:.{SCALED}g}") for one in scales_of(pieces, log.processors)[:3]])
    # a grid of an even number of points has not the pure ones
    weights = np.vstack([*CORNERS.values(), grid(points)])
    values = np.empty((len(pieces), len(weights)))
    with counted("training windows", len(pieces)) as advance:
        for row, jobs in zip(values, pieces, strict=True):
            if dialect == "full":
                row[:] = evaluate(jobs, log.processors, weights, scales, threshold, threads).mean
            else:
                row[:] = _simulated(
                    jobs, log.processors, weights, scales, threshold, threads, base, backfill
                )
            advance()
    means = values.mean(axis=0)
    best = int(np.argmin(means))
    policy = mixed(np.round(weights[best], 9), scales)
    try:
        windows_of(rest, days)
    except ValueError:  # the second half is too short for a window
        test = None
    else:
        test = compare(
            rest,
            [
                *(name for name in PURE if not (base.slurm and refusal(get(name)))),
                replace(policy, label=TUNED),
            ],
            backfill=backfill,
            threshold=threshold,
            days=days,
            threads=threads,
            seed=seed,
            dialect=dialect,
        )
    training = {TUNED: float(means[best])}
    training |= dict(zip(CORNERS, means[: len(CORNERS)].tolist(), strict=True))
    return Tuned(
        policy,
        dict(zip(FEATURES, weights[best].tolist(), strict=False)),
        training,
        len(pieces),
        len(np.unique(weights, axis=0)),
        test,
        backfill,
    )


def _simulated(
    jobs: Jobs,
    processors: int,
    weights: np.ndarray,
    scales: np.ndarray,
    threshold: int | None,
    threads: int,
    dialect: Dialect,
    backfill: str | None,
) -> list[float]:
    """Mean bounded slowdown under each vector, each simulated by itself in a dialect."""
    second = None if backfill is None else get(backfill)
    runs = [
        Run(
            jobs,
            processors,
            mixed(np.round(vector, 9), scales),
            second,
            dialect,
            threshold=threshold,
            reservations=default_reservations(dialect),
        )
        for vector in weights
    ]
    return [average_bounded_slowdown(jobs, one) for one in simulate_many(runs, threads)]


def halves(log: Log) -> tuple[Log, Log]:
    """Return what comes before the middle of a log's time, and the rest, each from its first job.

    What is learned from the one may be tried on the other.
    """
    late = log.jobs.submit >= middle(log.jobs.submit)
    parts = (log.take(np.flatnonzero(places)) for places in (~late, late))
    early, rest = (replace(part, jobs=part.jobs.rebased()) for part in parts)
    return early, rest
