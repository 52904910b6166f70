"""Reservations in a run: for no job, for the first jobs that do not fit, or for every job.

Wherever a run is described, they are one of these words:

- none: strict order. Nothing overtakes the queue head.
- fit: first fit. Every job that fits starts, and no job has a reservation.
- head: EASY (aggressive) backfilling. The queue head has a reservation.
- a number of jobs, such as 3: so many first jobs that do not fit have one. 0 is fit and 1 is head.
- every: conservative backfilling. Every job has one from its arrival on.

EASY and conservative backfilling are those of Mu'alem and Feitelson, "Utilization, predictability,
workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling", IEEE TPDS 12(6),
2001. By default, the head has a reservation if the run has an order of backfilling, and no job has
one otherwise. The rule for numbers is in `schedlab.kernels.queue.backfilling`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from schedlab.files.known_words import nearest
from schedlab.kernels.queue.planned import EACH, NEVER, ONCE, Planner

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedlab.core.jobs import Jobs
    from schedlab.policies import Policy
    from schedlab.queue.dialects import Dialect

#: one of `WORDS`, or a number of jobs
Reservations = str
Compression = Literal["none", "completion", "instant"]

_COMPRESSIONS: dict[Compression, int] = {"none": NEVER, "completion": EACH, "instant": ONCE}

#: which jobs have a reservation, besides numbers of jobs, and how many that are
WORDS = {"none": -1, "fit": 0, "head": 1, "every": None}


def read_reservations(value: str | int) -> Reservations:
    """Return which jobs have a reservation as a word, or a number from 2 on, as text.

    Raises ValueError if it is neither a word nor a number of jobs.
    """
    text = {"0": "fit", "1": "head"}.get(str(value), str(value))
    if text not in WORDS and not re.fullmatch("[1-9][0-9]{0,8}", text):
        raise ValueError(
            f"unknown reservations '{value}'{nearest(value, WORDS)}; one of {', '.join(WORDS)}, or "
            "a number of jobs"
        )
    return text


def depth_of(reservations: Reservations | None) -> int:
    """Return how many jobs have one, as settled; -1 if nothing overtakes the queue head.

    Raises ValueError for a kind of reservation that has no depth.
    """
    assert reservations is not None
    depth = WORDS.get(reservations)
    if depth is None and not reservations.isdecimal():
        raise ValueError(f"reservations {reservations} have no depth")
    return int(reservations) if depth is None else depth


def settle(
    reservations: Reservations | int | None,
    compression: Compression | None,
    policy: Policy,
    backfill: Policy | None,
) -> tuple[Reservations, Policy | None, Compression | None]:
    """Resolve the defaults of a run's reservation settings.

    By default the head has a reservation if there is an order of backfilling, else no job has. If
    the head has one, the default order of backfilling is the policy. If every job has one,
    `compression` is by default after each completion.
    """
    usual = "head" if backfill else "none"
    reservations = usual if reservations is None else read_reservations(reservations)
    if (compression or "none") not in (choices := get_args(Compression)):
        raise ValueError(f"compression is '{compression}', must be one of {', '.join(choices)}")
    if backfill and reservations in ("none", "every"):
        raise ValueError(
            f"reservations is {reservations}: there is no order of backfilling, "
            f"'{backfill.name}' was given"
        )
    if compression and reservations != "every":
        raise ValueError(
            f"compression is {compression}, but reservations is {reservations}: only with every "
            "is there a plan to compress"
        )
    if reservations == "every":
        return "every", None, compression or "completion"
    return reservations, None if reservations == "none" else backfill or policy, None


def accepts_every(dialect: Dialect, head: int, threshold: int | None) -> str | None:
    """Return why a run cannot have a reservation for every job; None if it can.

    The dialect is not plain, jobs must start in order, or there is a threshold.
    """
    if not dialect.plain:
        return f"dialect {dialect.name} knows no reservations of every job"
    if head:
        return f"head is {head}, but with reservations of every job none starts in order"
    if threshold is not None:
        return f"threshold is {threshold} s, but no job with a reservation starves: leave it out"
    return None


def check_estimates(jobs: Jobs) -> None:
    """Check that the jobs' estimates are valid for reservations until the jobs end."""
    for bad, why in (
        (jobs.estimate < 1, "a reservation needs at least 1 s"),
        (jobs.estimate < jobs.runtime, "and it runs longer: raise the estimate to the run time"),
    ):
        if bad.any():
            job = np.flatnonzero(bad)[0]
            raise ValueError(f"job {jobs.number[job]}: estimate is {jobs.estimate[job]} s, {why}")


def planner(
    processors: int,
    policy: Policy,
    compression: Compression | None,
    dialect: Dialect,
    room: int,
    scorer: Callable[..., np.ndarray] | None = None,
) -> Planner:
    """Return an empty kernel that plans every job.

    The policy is the order in which jobs that arrive at one instant are planned, and waiting jobs
    replanned. `compression` is as from `settle`: when a job ended before its estimate, waiting
    jobs are replanned never ("none"), after each single completion, or once per "instant" after
    all its completions. `scorer` is for a policy that is a Python function: it takes handles of
    waiting jobs, int32 of shape (w,), and the present time, and returns their scores, float64 of
    shape (w,).
    """
    assert compression is not None  # `settle` leaves it out only without a plan
    return Planner(
        processors,
        _COMPRESSIONS[compression],
        scorer or (policy.program.op, policy.program.constant),
        policy.order != "static",
        dialect.ties == "lifo",
        room,
    )
