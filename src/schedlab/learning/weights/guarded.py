"""Mixed policies that may be recommended: no preference for younger jobs, and a bounded wait."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.core.metrics import TAU, average_bounded_slowdown
from schedlab.core.splitting import DAY
from schedlab.files.progress import counted
from schedlab.files.threads import over_threads
from schedlab.learning.weights.mixed import evaluate, grid, scales_of
from schedlab.policies import Policy, get
from schedlab.policies.mixed import FEATURES, MixedPolicy, mixed_policy
from schedlab.queue.dialects import Dialect
from schedlab.queue.simulation import FULL, Run, simulate
from schedlab.queue.site_dialect import own_order
from schedlab.queue.slurm import default_reservations

#: number of weighted features: processors, estimate, submission
WEIGHED = 3
#: order of backfilling of mixed policies
BACKFILL = "spf"
#: weights of first come, first served
FIRST_COME = (0.0, 0.0, 1.0)
#: decimals of weights, few enough for output
DIGITS = 12
#: a longest wait up to this many seconds is always acceptable
SHORT = DAY


def too_long(longest: float, reference: float, times: float) -> bool:
    """Return whether a policy's longest wait is too long for a recommendation.

    Waits are in seconds; the reference is that of EASY, of which `times` is the allowed multiple.
    A wait of up to a day is always allowed.

    >>> too_long(3 * 90_000, 90_000, 3), too_long(3 * 90_000 + 1, 90_000, 3)
    (False, True)
    >>> too_long(86_400, 60, 3), too_long(86_401, 60, 3)
    (False, True)
    """
    return longest > max(times * reference, SHORT)


def weights_of(points: int, youth: bool = False) -> np.ndarray:
    """Return the weight vectors to search, first come first served first: float64, shape (W, 3)."""
    weights = grid(points)
    if not youth:
        weights = weights[weights[:, FEATURES.index("wait")] >= 0]
    return np.vstack([[FIRST_COME], weights])


def longest_wait(jobs: Jobs, processors: int, policy: str | Policy, **options) -> int:
    """Return the longest wait under EASY with the order `policy`, in seconds."""
    order = get(policy) if isinstance(policy, str) else policy
    schedule = simulate(Run(jobs, processors, order, **options))
    return int((schedule.start - jobs.submit).max())


@dataclass(frozen=True, eq=False)
class GuardedWeights:
    """Best of many weight vectors that may be recommended.

    The tested vectors (float64, shape (W, 3)) have first come first served first; `means` (W) are
    their mean bounded slowdowns. `best` is the place of the policy's vector. `refused` vectors have
    a smaller mean, but a too long longest wait.
    """

    policy: MixedPolicy
    weights: np.ndarray
    means: np.ndarray
    best: int
    refused: int


def search(
    jobs: Jobs,
    processors: int,
    weights: np.ndarray,
    scales: np.ndarray,
    longest: float,
    tau: float = TAU,
    threads: int = 1,
    threshold: int | None = None,
    dialect: Dialect = FULL,
) -> GuardedWeights:
    """Find the weights with the smallest mean bounded slowdown and an acceptable longest wait.

    With Slurm's dialect the queue order is also the order of backfilling. In a site's Slurm the
    longest wait is compared with that of its own order.
    """
    options = {
        "dialect": dialect,
        "backfill": None if dialect.is_slurm else get(BACKFILL),
        "reservations": default_reservations(dialect),
        "threshold": threshold,
    }
    means = _means(jobs, processors, weights, scales, tau, threads, dialect, options)
    usual = own_order(dialect)[0] if dialect.site else "fcfs"
    reference = longest_wait(jobs, processors, usual, **options | {"backfill": None})
    order = np.argsort(means, kind="stable")
    for refused, place in enumerate(order):
        policy = mixed_policy(np.round(weights[place], DIGITS).tolist(), scales.tolist(), "w_train")
        longest_own_wait = longest_wait(jobs, processors, policy, **options)
        if not too_long(longest_own_wait, reference, longest):
            return GuardedWeights(policy, weights, means, int(place), refused)
    # even first come first served waits too long with another order of backfilling
    return GuardedWeights(
        mixed_policy(FIRST_COME, scales.tolist(), "w_train"), weights, means, 0, len(order)
    )


def _means(
    jobs: Jobs,
    processors: int,
    weights: np.ndarray,
    scales: np.ndarray,
    tau: float,
    threads: int,
    dialect: Dialect,
    options: Mapping[str, Any],
) -> np.ndarray:
    """Return the mean bounded slowdown under each vector."""
    if dialect == FULL:
        return evaluate(jobs, processors, weights, scales, options["threshold"], threads, tau).mean
    runs = [
        Run(jobs, processors, mixed_policy(np.round(vector, DIGITS), scales), **options)
        for vector in weights
    ]
    with counted("weight vectors", len(runs)) as advance:
        means = over_threads(
            lambda run: average_bounded_slowdown(jobs, simulate(run), tau), runs, threads, advance
        )
    return np.array(means)


def learn_weights(
    jobs: Jobs,
    processors: int,
    points: int,
    tau: float,
    advice: Mapping[str, float],
    threads: int = 1,
    dialect: Dialect = FULL,
) -> MixedPolicy:
    """Return the recommendable mixed policy with the smallest mean bounded slowdown.

    `points` are per dimension of the grid. `advice` is the key of the configuration:
    ``longest_wait``, the largest accepted multiple of EASY's longest wait, and ``allow_youth``,
    whether a preference for younger jobs is allowed. Other parameters are as for `search`.
    """
    scales = scales_of([jobs], processors)[:WEIGHED]
    weights = weights_of(points, bool(advice["allow_youth"]))
    longest = advice["longest_wait"]
    optimum = search(*(jobs, processors, weights, scales, longest, tau, threads), dialect=dialect)
    return optimum.policy
