"""Step-by-step kernel of strict order and EASY backfilling, and the data it needs from policies."""

from collections.abc import Callable, Sequence

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.kernels.queue.stepped import Stepper
from schedlab.policies import Policy


def stepper(
    processors: int,
    policy: Policy,
    backfill: Policy | None,
    depth: int,
    lifo: bool,
    head: int,
    threshold_s: int,
    room: int,
    scorers: Sequence[Callable[..., np.ndarray] | None] = (None, None),
    manual: bool = False,
) -> Stepper:
    """Return an empty kernel.

    `depth` is the number of reservations; -1 for strict order. If `lifo`, the last of equal jobs
    comes first. The first `head` jobs start in order of submission. A job that waited `threshold_s`
    seconds goes in front of all others. If `manual`, jobs start only by `Stepper.begin_now`. The
    two `scorers` are for either order, if it is a Python function: they take handles of waiting
    jobs, int32 of shape (w,), and the present time, and return their scores, float64 (w,).
    """
    orders = (policy, backfill or policy)
    programs = [order.program if order.order in ("general", "mixed") else None for order in orders]
    return Stepper(
        processors,
        depth,
        backfill is None or backfill == policy,
        [order.order == "linear" for order in orders],
        [order.fresh == "divisor" for order in orders],
        [order.reverse for order in orders],
        [
            scorer or (program and (program.op, program.constant))
            for scorer, program in zip(scorers, programs, strict=True)
        ],
        lifo,
        head,
        threshold_s,
        room,
        manual,
    )


def places(
    policies: tuple[Policy, Policy], jobs: Jobs, head: int, waited: np.ndarray
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the scores and divisors of jobs in the primary order and in that of backfilling.

    For each order, scores (float64) are 0 if they are linear in time, divisors (int64) are 1 if
    they are not; all arrays have shape (n,).
    """
    orders = []
    for policy in policies[: 1 if policies[0] == policies[1] else 2]:
        score, divisor = np.zeros(len(jobs)), np.ones(len(jobs), dtype=np.int64)
        if policy.order == "function":
            pass  # the kernel calls it
        elif policy.order != "linear":
            score = policy.scores(jobs, head, waited[head:])
        else:
            divisor = policy.divisors(jobs.procs)
        orders.append((score, divisor))
    scores, divisors = zip(orders[0], orders[-1], strict=True)
    return list(scores), list(divisors)
