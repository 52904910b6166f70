"""A mixed policy tuned on the first half of a log, and tested on the second half."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from schedlab.comparison.comparing import LONGEST_WAIT, Comparison, compare, counted_windows
from schedlab.core.splitting import middle
from schedlab.learning.weights.guarded import BACKFILL, search, weights_of
from schedlab.learning.weights.mixed import scales_of
from schedlab.policies import Policy, get
from schedlab.policies.mixed import FEATURES, MixedPolicy
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.dialects import Dialect
from schedlab.queue.site_dialect import own_order
from schedlab.queue.slurm import refusal
from schedlab.workbench.log import Log

#: pure policies that a tuned one is compared with; the first one is the default reference
PURE = ("fcfs", "spt", "saf", "wfp3")
#: weights of pure policies
CORNERS = {"FCFS": [0, 0, 1], "SPT": [0, 1, 0], "SQF": [1, 0, 0]}
POINTS = 21
DAYS = 7
TUNED = "tuned"
SCALED = 4  # digits of scales and weights: a few weeks do not determine more


@dataclass(frozen=True, eq=False)
class Tuned:
    """Result of tuning.

    Parameters
    ----------
    policy : MixedPolicy
        The policy with the smallest mean over the first half, with an acceptable longest wait.
    weights : dict of str to float
        By feature (`schedlab.policies.mixed.FEATURES`): a positive weight puts the smallest first,
        for ``wait`` the longest wait.
    training : dict of str to float
        Mean bounded slowdown over the jobs of the first half, for the tuned policy and the pure
        weight vectors: FCFS, SPT and smallest processors first.
    jobs : int
        Number of jobs of the first half.
    tried, refused : int
        Number of weight vectors, and of those with a smaller mean that let a job wait too long.
    test : Comparison or None
        FCFS, others and the tuned policy on windows of the second half; None without a window.
    backfill : str or None
        Order of backfilling that was simulated; None for the queue order.
    """

    policy: MixedPolicy
    weights: dict[str, float]
    training: dict[str, float]
    jobs: int
    tried: int
    refused: int
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
    youth: bool = False,
    longest_wait: float = LONGEST_WAIT,
    dialect: str | Dialect = "full",
) -> Tuned:
    """Tune a mixed policy on the first half of a log by grid search, and test it on the second.

    Jobs are backfilled shortest first (EASY). The queue order is tuned: a weighted sum of
    processors, estimate and submission. The first half is one run from an empty machine. The test
    is one run over the whole log, with the windows of the second half counted. Source: legrand2018,
    sections 4.3 and 7.

    Parameters
    ----------
    log : Log
        From `schedlab.load_log`.
    days : int
        Length of a window.
    points : int
        Grid points per dimension, at least 3; 21 points give 402 vectors.
    threshold : int, optional
        Starvation threshold in seconds.
    threads : int
        Number of blocks of vectors, then of runs, at a time; the result does not depend on it.
    seed : int
        Seed of the resampling of windows in the test.
    youth : bool
        Whether weights that put younger jobs first are tried as well.
    longest_wait : float
        Largest accepted multiple of EASY's longest wait, see
        `schedlab.learning.weights.guarded.too_long`.
    dialect : str
        As for `schedlab.simulate`. In Slurm's dialect the queue order is also the order of
        backfilling, and the test leaves out policies that it cannot run.

    Raises
    ------
    ValueError
        The first half of the log has no job.
    """
    base = dialect_of(dialect)
    backfill = None if base.is_slurm else BACKFILL
    early, _ = halves(log)
    if not len(early):
        raise ValueError(f"{log.path}: no job is submitted in the first half of its time")
    scales = np.array(
        [float(f"{scale:.{SCALED}g}") for scale in scales_of([early.jobs], log.processors)[:3]]
    )
    # a grid with an even number of points does not contain the pure vectors
    weights = np.vstack([*CORNERS.values(), weights_of(points, youth)])
    optimum = search(
        *(early.jobs, log.processors, weights, scales, longest_wait),
        threads=threads,
        threshold=threshold,
        dialect=base,
    )
    test = compare_later(
        *(log, PURE, [replace(optimum.policy, label=TUNED)], days, dialect),
        backfill=backfill,
        threshold=threshold,
        threads=threads,
        seed=seed,
    )
    training = {TUNED: float(optimum.means[optimum.best])}
    training |= dict(zip(CORNERS, optimum.means[: len(CORNERS)].tolist(), strict=True))
    return Tuned(
        optimum.policy,
        dict(zip(FEATURES, weights[optimum.best].tolist(), strict=False)),
        training,
        len(early),
        len(np.unique(weights, axis=0)),
        optimum.refused,
        test,
        backfill,
    )


def compare_later(
    log: Log,
    pure: Sequence[str],
    made: Sequence[Policy],
    days: int,
    dialect: str | Dialect,
    **options: Any,
) -> Comparison | None:
    """Compare policies over windows of the second half of a log; None if it has no whole window.

    The policies are those of `pure` that the dialect can run, then those that were `made` on the
    first half. In a site's Slurm its own order comes first. `options` are further arguments of
    `schedlab.comparison.comparing.compare`.
    """
    base, begin = dialect_of(dialect), int(middle(log.jobs.submit))
    try:
        counted_windows(log, days, begin)
    except ValueError:
        return None
    runnable = [name for name in pure if not (base.slurm and refusal(get(name)))]
    policies: list[str | Policy] = [*own_order(base), *runnable, *made]
    return compare(log, policies, days=days, dialect=dialect, begin=begin, **options)


def halves(log: Log) -> tuple[Log, Log]:
    """Return the jobs before the middle of a log's time, and the rest, each from its first job."""
    late = log.jobs.submit >= middle(log.jobs.submit)
    parts = (log.take(np.flatnonzero(places)) for places in (~late, late))
    early, later = (replace(part, jobs=part.jobs.rebased()) for part in parts)
    return early, later
