"""What if the queue as it is now were gone through in another order: starts, waits, use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from schedlab.policies import Policy, ScoreError
from schedlab.policies.listed import listed
from schedlab.queue.forecast import Way, forecasts
from schedlab.queue.reservations import Reservations
from schedlab.workbench.present import Present
from schedlab.workbench.results import policy_of

HOUR = 3600
#: what the site's own order is called
AS_IT_STANDS = "as it stands"
COLUMNS = ("mean_wait", "median_wait", "p95_wait", "started", "utilisation")


@dataclass(frozen=True, eq=False)
class WhatIf:
    """When those who wait start, under each of several policies; made by `what_if`.

    Parameters
    ----------
    present : Present
        The queue.
    starts : pandas.DataFrame, shape (w, ways)
        When each waiting job starts, in seconds on the queue's clock; by id, a column a way.
    table : pandas.DataFrame
        A row a way: `COLUMNS`; waits in seconds since submission, over all jobs that can start,
        those that start within the hours, and the share of the processors in use during these.
    hours : float
        How far ahead.
    """

    present: Present
    starts: pd.DataFrame
    table: pd.DataFrame
    hours: float

    def __repr__(self) -> str:
        waiting, stuck = len(self.starts), len(self.present.stuck)
        return f"<WhatIf {waiting} jobs that wait, {stuck} that cannot start\n{self.table}>"


def what_if(
    present: Present,
    policies: Sequence[str | Policy],
    reservations: Sequence[Reservations] = ("head",),
    hours: float = 24,
    threads: int = 1,
) -> WhatIf:
    """Go through a queue under several policies, if nobody else comes and all limits are used up.

    The site's own order, by priority, is the first row where it is known. Scores count submit
    times from the first submission or start of a job that waits or runs.

    Parameters
    ----------
    present : Present
        From `schedlab.workbench.present.load_queue`.
    policies : sequence of str or Policy
        Names of the registry, expressions, or policies.
    reservations : sequence of {"none", "head", "every"}
        Who has one; every policy is taken with each.
    hours : float
        How far ahead starts and use are counted.
    threads : int
        How many at a time.

    Returns
    -------
    WhatIf

    Raises
    ------
    ValueError
        Nobody waits who could start, the hours are less than a second or endless, a policy or
        reservations come twice, or a policy's score orders nothing; the message names the job.

    Examples
    --------
    >>> from schedlab.workbench.present import load_queue
    >>> present = load_queue("squeue.txt", "sinfo.txt")  # doctest: +SKIP
    >>> what_if(present, ["fcfs", "r * n"]).table["mean_wait"]  # doctest: +SKIP
    """
    if not 1 <= hours * HOUR < np.inf:
        raise ValueError(
            f"hours is {hours:g}, must be at least a second (1/{HOUR}), and not endless"
        )
    if not len(present.jobs):
        raise ValueError(
            f"{present.source.path}: none of the {len(present.stuck)} jobs that wait can start as "
            "things are"
        )
    chosen = [policy_of(policy) for policy in policies]
    if present.has_priorities:
        chosen.insert(0, _as_it_stands(present))
    for name, given in (
        ("policy", [policy.label for policy in chosen]),
        ("reservations", list(reservations)),
    ):
        if twice := [each for each in given if given.count(each) > 1]:
            raise ValueError(f"{name} {twice[0]} is given twice")
    ways = {
        _label(policy, each, reservations): Way(policy, each)
        for policy in chosen
        for each in reservations
    }
    try:
        found = forecasts(present.standing, list(ways.values()), threads)
    except ScoreError as error:
        raise ScoreError(_named(str(error), present)) from error
    starts = dict(zip(ways, found, strict=True))
    table = pd.DataFrame([_row(present, each, hours) for each in found], index=list(ways))
    clock = pd.DataFrame(starts, index=present.jobs["id"]) + present.origin
    return WhatIf(present, clock, table.rename_axis("policy"), hours)


def _label(policy: Policy, reservations: str, all_of_them: Sequence[str]) -> str:
    return policy.label if len(all_of_them) == 1 else f"{policy.label}, {reservations}"


def _as_it_stands(present: Present) -> Policy:
    """The site's own order: the highest priority first."""
    first = len(present.standing.running)
    priorities = present.jobs["priority"].tolist()
    return listed(AS_IT_STANDS, {first + job: -each for job, each in enumerate(priorities)})


def _named(words: str, present: Present) -> str:
    """Let a message name a job by its id rather than its place."""
    first = len(present.standing.running)

    def named(match: re.Match[str]) -> str:
        return f"score of job {present.jobs['id'].iloc[int(match[1]) - first]} is"

    return re.sub(r"score of job (\d+) is", named, words, count=1)


def _row(present: Present, start: np.ndarray, hours: float) -> dict[str, float]:
    standing = present.standing
    ahead = round(hours * HOUR)
    wait = start - standing.waiting.submit
    left = np.maximum(standing.started + standing.running.estimate - standing.now, 1)
    used = (standing.running.procs * np.minimum(left, ahead)).sum()
    room = np.clip(standing.now + ahead - start, 0, standing.waiting.estimate)
    used += (standing.waiting.procs * room).sum()
    numbers = [float(number) for number in (wait.mean(), *np.quantile(wait, [0.5, 0.95]))]
    started = int((start < standing.now + ahead).sum())
    return dict(
        zip(COLUMNS, (*numbers, started, used / (standing.processors * ahead)), strict=True)
    )
