"""Mixed policies that may be advised: none prefers the young, none lets a job wait without end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from schedlab.policies import get
from schedlab.policies.mixed import FEATURES, mixed
from schedlab.queue.simulation import Run, simulate
from schedlab.traces.splitting import DAY
from schedlab.tuning.mixed import evaluate, grid, scales_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.jobs import Jobs
    from schedlab.policies.mixed import MixedPolicy

#: features that are weighed: processors, estimate, submission
WEIGHED = 3
#: order of backfilling of mixed policies
BACKFILL = "spf"
#: weights of first come, first served
FIRST_COME = (0.0, 0.0, 1.0)
#: a longest wait up to this many seconds is never too long
SHORT = DAY


def too_long(longest: float, reference: float, times: float) -> bool:
    """Return whether a longest wait forbids to advise a policy.

    Parameters
    ----------
    longest, reference : float
        Longest wait under the policy and under EASY, in seconds.
    times : float
        How many times the reference is allowed; a wait of up to a day always is.

    Examples
    --------
    >>> too_long(3 * 90_000, 90_000, 3), too_long(3 * 90_000 + 1, 90_000, 3)
    (False, True)
    >>> too_long(86_400, 60, 3), too_long(86_401, 60, 3)
    (False, True)
    """
    return longest > max(times * reference, SHORT)


def weights_of(points: int, youth: bool = False) -> np.ndarray:
    """Return the weight vectors that are searched, first come first served in front.

    Parameters
    ----------
    points : int
        Values of a dimension, see `schedlab.tuning.mixed.grid`.
    youth : bool
        Whether vectors that put younger jobs first are among them.

    Returns
    -------
    ndarray of float64, shape (W, 3)
    """
    weights = grid(points)
    if not youth:
        weights = weights[weights[:, FEATURES.index("wait")] >= 0]
    return np.vstack([[FIRST_COME], weights])


def longest_wait(jobs: Jobs, processors: int, policy: str | MixedPolicy, **options) -> int:
    """Return the longest wait under EASY with an order, in seconds.

    Parameters
    ----------
    jobs : Jobs
        At least one.
    processors : int
        Size of the machine.
    policy : str or Policy
        The order of the queue.
    **options
        Of `schedlab.queue.simulation.Run`.
    """
    order = get(policy) if isinstance(policy, str) else policy
    schedule = simulate(Run(jobs, processors, order, **options))
    return int((schedule.start - jobs.submit).max())


def learn_weights(
    jobs: Jobs,
    processors: int,
    points: int,
    tau: float,
    advice: Mapping[str, float],
    threads: int = 1,
) -> MixedPolicy:
    """Return the mixed policy of the least mean bounded slowdown that may be advised.

    Parameters
    ----------
    jobs : Jobs
        What it is learned from, in one run from an empty machine; submit times from 0 on.
    processors : int
        Size of the machine.
    points : int
        Values of a weight.
    tau : float
        Bound of the bounded slowdown in seconds.
    advice : mapping
        The key ``advice`` of the configuration: a longest wait of more than ``longest_wait`` times
        EASY's is not allowed, and a preference for younger jobs only with ``allow_youth``.
    threads : int
        How many blocks of vectors at a time; the result does not depend on it.
    """
    scales = scales_of([jobs], processors)[:WEIGHED]
    weights = weights_of(points, bool(advice["allow_youth"]))
    means = evaluate(jobs, processors, weights, scales, None, threads, tau).mean
    reference = longest_wait(jobs, processors, "fcfs", reservations="head")
    for place in np.argsort(means, kind="stable"):
        policy = mixed(weights[place].tolist(), scales.tolist(), "w_train")
        longest = longest_wait(jobs, processors, policy, backfill=get(BACKFILL))
        if not too_long(longest, reference, advice["longest_wait"]):
            return policy
    # first come, first served itself waits too long with another order of backfilling
    return mixed(FIRST_COME, scales.tolist(), "w_train")
