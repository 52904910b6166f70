"""Who has a reservation in a run: nobody, the head of the queue, or every job.

The three are called none, head and every wherever a run is described. They are strict order, EASY
(aggressive) backfilling and conservative backfilling of Mu'alem and Feitelson, "Utilization,
predictability, workloads, and user runtime estimates in scheduling the IBM SP2 with backfilling",
IEEE TPDS 12(6), 2001. Runs that do not say it are read by their order of backfilling: with one
the head has a reservation, without nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from schedlab.kernels.queue.planned import EACH, NEVER, ONCE, Planner

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedlab.core.jobs import Jobs
    from schedlab.policies import Policy
    from schedlab.queue.dialects import Dialect

Reservations = Literal["none", "head", "every"]
Compression = Literal["none", "completion", "instant"]

_COMPRESSIONS = {"none": NEVER, "completion": EACH, "instant": ONCE}


@dataclass(frozen=True)
class Settled:
    """What a run says of reservations, without anything left open.

    Parameters
    ----------
    reservations : {"none", "head", "every"}
        Who has one.
    backfill : Policy or None
        Order of backfilling, where the head alone has one.
    compression : {"none", "completion", "instant"} or None
        When waiting jobs are planned anew, where every job has one.
    """

    reservations: Reservations
    backfill: Policy | None
    compression: Compression | None


def settle(
    reservations: str | None, compression: str | None, policy: Policy, backfill: Policy | None
) -> Settled:
    """Settle what a run leaves open.

    Parameters
    ----------
    reservations : {"none", "head", "every"}, optional
        As the order of backfilling has it by default.
    compression : {"none", "completion", "instant"}, optional
        After each completion by default, where every job has a reservation.
    policy : Policy
        Primary order; jobs are backfilled in it where the head has a reservation and nothing else
        is said.
    backfill : Policy, optional
        Order of backfilling.

    Raises
    ------
    ValueError
        A value is not known, or the values contradict each other.
    """
    said = reservations
    reservations = reservations or ("head" if backfill else "none")
    for name, value, known in (
        ("reservations", reservations, get_args(Reservations)),
        ("compression", compression or "none", get_args(Compression)),
    ):
        if value not in known:
            raise ValueError(f"{name} is '{value}', must be one of {', '.join(known)}")
    if backfill and reservations != "head":
        raise ValueError(
            f"reservations is {said}: there is no order of backfilling, '{backfill.name}' was given"
        )
    if compression and reservations != "every":
        raise ValueError(
            f"compression is {compression}, but reservations is {reservations}: only with every "
            "is there a plan to compress"
        )
    if reservations == "head":
        return Settled("head", backfill or policy, None)
    return Settled(
        reservations, None, (compression or "completion") if reservations == "every" else None
    )


def accepts_every(dialect: Dialect, head: int, threshold: int | None) -> str | None:
    """Return why a run cannot have a reservation for every job; None: it can.

    The dialect is not a plain one, jobs are to start in order, or there is a threshold.
    """
    if not dialect.plain:
        return f"dialect {dialect.name} knows no reservations of every job"
    if head:
        return f"head is {head}, but with reservations of every job none starts in order"
    if threshold is not None:
        return f"threshold is {threshold} s, but nobody starves who has a reservation: leave it out"
    return None


def check_estimates(jobs: Jobs) -> None:
    """See that reservations by the jobs' estimates hold until they end.

    Raises
    ------
    ValueError
        An estimate is 0 s or below the run time; the message names the job.
    """
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
    compression: Compression,
    dialect: Dialect,
    room: int,
    scorer: Callable | None = None,
) -> Planner:
    """The kernel that plans every job, empty.

    Parameters
    ----------
    processors : int
        Size of the machine.
    policy : Policy
        The order in which jobs that arrive at one instant are planned, and waiting jobs anew. If it
        moves, it is that of the present time each time.
    compression : {"none", "completion", "instant"}
        Whether waiting jobs are planned anew when one has ended before its estimate: never, after
        each completion, one at a time, or once an instant after all its completions.
    dialect : Dialect
        A plain one, for its ties.
    room : int
        How many jobs to make room for at first.
    scorer : callable, optional
        Of a policy that is a function of Python: it is given handles of waiting jobs, int32 of
        shape (w,), and the present time, and returns their scores, float64 of shape (w,).
    """
    program = None if scorer else policy.program
    return Planner(
        processors,
        _COMPRESSIONS[compression],
        scorer or (program.op, program.constant),
        policy.order != "static",
        dialect.ties == "lifo",
        room,
    )
