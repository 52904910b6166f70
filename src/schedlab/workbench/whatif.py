"""What-if analysis of a present queue under other orders: starts, waits and utilization."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from schedlab.policies import Policy, ScoreError
from schedlab.policies.listed import policy_of_scores
from schedlab.queue.forecast import Way, forecasts
from schedlab.queue.reservations import Reservations
from schedlab.workbench.queue_state import QueueNow
from schedlab.workbench.results import policy_of

HOUR = 3600
#: name of the site's own order
AS_IT_STANDS = "as it stands"
#: how many jobs a message names
NAMED = 5
#: what a prediction does not simulate
LEFT_OUT = (
    "limits of QOS, accounts, users and arrays",
    "memory, GPUs, licenses and features of nodes",
    "the placement of jobs on nodes",
    "advance reservations",
    "preemption",
    "changes of priority, as by age and fair share",
    "new jobs",
    "jobs that end before their limits",
)
COLUMNS = ("mean_wait", "median_wait", "p95_wait", "started", "utilisation")


@dataclass(frozen=True, eq=False)
class WhatIf:
    """Start times of waiting jobs under each of several policies; made by `what_if`.

    Parameters
    ----------
    present : QueueNow
        The queue.
    starts : pandas.DataFrame, shape (w, ways)
        Start of each waiting job, in seconds on the queue's clock; index id, a column per method.
    table : pandas.DataFrame
        A row per method: `COLUMNS`. Waits are in seconds since submission, over all jobs that can
        start; then the number of jobs that start within the hours, and the utilization during
        these.
    hours : float
        Length of the prediction in hours.
    """

    present: QueueNow
    starts: pd.DataFrame
    table: pd.DataFrame
    hours: float

    def __repr__(self) -> str:
        waiting, stuck = len(self.starts), len(self.present.stuck)
        return f"<WhatIf {waiting} jobs that wait, {stuck} that cannot start\n{self.table}>"


def what_if(
    present: QueueNow,
    policies: Sequence[str | Policy],
    reservations: Sequence[Reservations] = ("head",),
    hours: float = 24,
    threads: int = 1,
) -> WhatIf:
    """Simulate a queue under several policies, without further arrivals.

    All jobs run as long as their limits. The first row is the site's own order, by priority, if it
    is known. Scores use submit times relative to the first submission or start of a waiting or
    running job.

    Parameters
    ----------
    present : QueueNow
        From `schedlab.workbench.queue_state.load_queue`.
    policies : sequence of str or Policy
        Registered names, expressions, or policies.
    reservations : sequence of str
        Which jobs have a reservation; every policy is combined with each value.
    hours : float
        Length in hours of the period in which starts and utilization are counted.
    threads : int
        Number of simulations at a time.

    Raises
    ------
    ValueError
        No waiting job can start, the hours are less than a second or infinite, a policy or
        reservations appear twice, or a policy's score has no order; the message names the job.

    Examples
    --------
    >>> from schedlab.workbench.queue_state import load_queue
    >>> present = load_queue("squeue.txt", "sinfo.txt")  # doctest: +SKIP
    >>> what_if(present, ["fcfs", "r * n"]).table["mean_wait"]  # doctest: +SKIP
    """
    if not 1 <= hours * HOUR < np.inf:
        raise ValueError(
            f"hours is {hours:g}, must be at least a second (1/{HOUR}), and not endless"
        )
    if not len(present.jobs):
        stuck = present.stuck
        reasons = "; ".join(f"job {job}: {why}" for job, why in stuck.head(NAMED).to_numpy())
        raise ValueError(
            f"{present.source.path}: none of the {len(stuck)} jobs that wait can start as things "
            f"are{': ' * bool(reasons)}{reasons}"
        )
    chosen = [policy_of(policy) for policy in policies]
    # jobs are numbered over the running and then the waiting jobs
    first = len(present.standing.running)
    if present.has_priorities:
        scores = {job: -priority for job, priority in enumerate(present.jobs["priority"], first)}
        chosen.insert(0, policy_of_scores(AS_IT_STANDS, scores))
    for name, values in (
        ("policy", [policy.label for policy in chosen]),
        ("reservations", list(reservations)),
    ):
        if twice := [value for value in values if values.count(value) > 1]:
            raise ValueError(f"{name} {twice[0]} is given twice")
    ways = {
        policy.label if len(reservations) == 1 else f"{policy.label}, {value}": Way(policy, value)
        for policy in chosen
        for value in reservations
    }
    try:
        start_times = forecasts(present.standing, list(ways.values()), threads)
    except ScoreError as error:
        ids = present.jobs["id"]
        message = re.sub(
            r"(?<=score of job )(\d+)(?= is)",
            lambda match: ids.iloc[int(match[1]) - first],
            str(error),
            count=1,
        )
        raise ScoreError(message) from error
    starts = dict(zip(ways, start_times, strict=True))
    table = pd.DataFrame([_row(present, value, hours) for value in start_times], index=list(ways))
    clock = pd.DataFrame(starts, index=present.jobs["id"]) + present.origin
    return WhatIf(present, clock, table.rename_axis("policy"), hours)


def _row(present: QueueNow, start: np.ndarray, hours: float) -> dict[str, float]:
    standing = present.standing
    ahead = round(hours * HOUR)
    wait = start - standing.waiting.submit
    remaining = np.maximum(standing.started + standing.running.estimate - standing.now, 1)
    used = (standing.running.procs * np.minimum(remaining, ahead)).sum()
    room = np.clip(standing.now + ahead - start, 0, standing.waiting.estimate)
    used += (standing.waiting.procs * room).sum()
    numbers = [float(number) for number in (wait.mean(), *np.quantile(wait, [0.5, 0.95]))]
    started = int((start < standing.now + ahead).sum())
    return dict(
        zip(COLUMNS, (*numbers, started, used / (standing.processors * ahead)), strict=True)
    )
