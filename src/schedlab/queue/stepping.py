"""The kernel of strict order and EASY backfilling that is stepped, and what it asks of policies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.kernels.queue.stepped import Stepper
from schedlab.policies import Policy


def stepper(
    processors: int,
    policy: Policy,
    backfill: Policy | None,
    lifo: bool,
    head: int,
    patience: int,
    room: int,
    scorers: tuple[Callable | None, Callable | None] = (None, None),
    manual: bool = False,
) -> Stepper:
    """The kernel, empty.

    Parameters
    ----------
    processors : int
        Size of the machine.
    policy : Policy
        Primary order.
    backfill : Policy or None
        Order of backfilling; None: strict order.
    lifo : bool
        Whether the last of equal jobs comes first.
    head : int
        How many of the first jobs start in order of submission.
    patience : int
        How long a job may wait before it is in front of all others, in seconds.
    room : int
        How many jobs to make room for at first.
    scorers : tuple of callable or None
        Of either order, if it is a function of Python: it is given handles of waiting jobs, int32
        of shape (w,), and the present time, and returns their scores, float64 of shape (w,).
    manual : bool, default False
        Whether jobs start from outside alone, by `Stepper.begin_now`.
    """
    orders = (policy, backfill or policy)
    programs = [one.program if one.order == "general" else None for one in orders]
    return Stepper(
        processors,
        backfill is not None,
        backfill is None or backfill == policy,
        [one.order == "linear" for one in orders],
        [one.fresh == "divisor" for one in orders],
        [one.reverse for one in orders],
        [one.pace for one in orders],
        [one.pace_scale for one in orders],
        [
            scorer or (program and (program.op, program.constant))
            for scorer, program in zip(scorers, programs, strict=True)
        ],
        lifo,
        head,
        patience,
        room,
        manual,
    )


def places(
    policies: tuple[Policy, Policy], jobs: Jobs, head: int, waited: np.ndarray
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Where jobs stand in the primary order and in that of backfilling.

    Parameters
    ----------
    policies : tuple of Policy
        The two, which may be one.
    jobs : Jobs
        n jobs.
    head : int
        How many of the first of them come before all others.
    waited : ndarray of int64, shape (n,)
        How long they have waited by now, in seconds.

    Returns
    -------
    scores : list of ndarray of float64, shape (n,)
        Of each order; 0 where its scores move along lines.
    divisors : list of ndarray of int64, shape (n,)
        Of each order; 1 where its scores move along no lines.
    """
    found = []
    for policy in policies[: 1 if policies[0] == policies[1] else 2]:
        score, divisor = np.zeros(len(jobs)), np.ones(len(jobs), dtype=np.int64)
        if policy.order == "function":
            pass  # the kernel calls it
        elif policy.order != "linear":
            # where the wait is a term of its own the kernel adds it
            wait = waited[head:] if policy.order == "general" else 0.0
            score = policy.scores(jobs, head, wait)
        else:
            divisor = policy.divisors(jobs.procs)
        score[:head], divisor[:head] = -np.inf, 0
        found.append((score, divisor))
    return [score for score, _ in (found[0], found[-1])], [
        divisor for _, divisor in (found[0], found[-1])
    ]
