"""When users complain: how long they put up with waiting, and what they do when it takes longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

HOUR = 3600
#: up to which limit (excluded) by what the limit is divided, and what is put up with at least
PATIENCE = (
    (3 * HOUR, 1, 0.0),
    (7 * HOUR, 2, 3.0 * HOUR),
    (24 * HOUR, 3, 3.5 * HOUR),
    (7 * 24 * HOUR, 4, 8.0 * HOUR),
    (np.inf, 5, 42.0 * HOUR),
)
SUBMISSION, START = 0, 1
COLUMNS = {
    "user": "int64",
    "job": "int64",
    "time": "int64",
    "at": "str",
    "wait": "int64",
    "acceptable": "float64",
    "size": "float64",
}


def acceptable_wait(procs: ArrayLike, limit: ArrayLike) -> np.ndarray:
    """Return how long a user puts up with waiting for a job.

    It grows with the logarithm of its processors and, more slowly the longer it is, with the limit
    of its run time.

    Parameters
    ----------
    procs : array_like of int, shape (n,)
        Processors, at least 1.
    limit : array_like of int, shape (n,)
        Run time asked for in seconds, at least 1.

    Returns
    -------
    ndarray of float64, shape (n,)
        Seconds.

    Raises
    ------
    ValueError
        A number is below 1: of such a job nobody would wait for anything.

    Notes
    -----
    The text divides the limit by 1 to 5, which lets patience fall where the divisor grows (at three
    hours from 3 h to 1.5 h); its simulator puts a floor under each. The floors are taken, as the
    paper's figure is drawn by the simulator.

    References
    ----------
    klusacek2016, section 4.3, footnote 7 and figure 8 (left).

    Examples
    --------
    >>> (acceptable_wait([1, 1, 1], [3600, 8 * 3600, 48 * 3600]) / 3600).tolist()
    [1.0, 3.5, 12.0]
    """
    procs, limit = np.asarray(procs), np.asarray(limit)
    for name, column in (("procs", procs), ("limit", limit)):
        if (bad := np.flatnonzero(column < 1)).size:
            raise ValueError(
                f"the job at place {bad[0]}: {name} is {column[bad[0]]}, must be at least 1"
            )
    bounds, divisors, floors = (np.array(column) for column in zip(*PATIENCE, strict=True))
    which = np.searchsorted(bounds, limit, side="right")
    return (np.log(procs) + 1) * np.maximum(limit / divisors[which], floors[which])


def complaints(
    user: ArrayLike, submit: ArrayLike, start: ArrayLike, acceptable: ArrayLike
) -> pd.DataFrame:
    """Return when users complained, about what, and how much.

    Each user has a budget of patience, which grows by a job's acceptable wait when the job is
    submitted. When the next job is submitted, what has passed since the last submission is taken
    off the budget; if that is more than the budget and jobs of the user wait, the user complains,
    and the budget starts anew. It also starts anew where no job of the user waits. When a job
    starts, what has passed since the last submission is compared in the same way; then nothing is
    taken off.

    Parameters
    ----------
    user : array_like of int, shape (n,)
        Whose each job is.
    submit, start : array_like of int, shape (n,)
        When it was submitted and started, in seconds; -1: it was not.
    acceptable : array_like of float, shape (n,)
        From `acceptable_wait`.

    Returns
    -------
    pandas.DataFrame
        A row for each complaint in order of time: ``user``; ``job``, the place of the job that was
        submitted last; ``time``; ``at`` ("submission" of the next job or "start" of one); ``wait``
        since the last submission; ``acceptable``, what the budget had; and their ratio ``size``.

    Notes
    -----
    Linear in jobs but for sorting them. Decisions, each as the paper's simulator does it, since its
    figure 8 is drawn by it: wait counts from the user's latest submission, not from that of the job
    that starts (with what was taken off before, this is the sum over jobs that the text speaks of);
    "other jobs in the system" are those that wait, so that a user whose jobs all run does not
    complain of the queue. At one instant submissions come before starts, and jobs in their order.

    References
    ----------
    klusacek2016, section 4.3, and the class AgentDynamicWithSatisfactionModel of Alea.

    Examples
    --------
    A job that may wait 100 s, and another one 60 s later; the first starts after 170 s, when the
    budget of 100 - 60 + 50 s counts from 60 on:

    >>> complaints([1, 1], [0, 60], [170, 180], [100, 50])[["time", "at", "wait", "acceptable"]]
       time     at  wait  acceptable
    0   170  start   110        90.0
    1   180  start   120        90.0
    """
    user, submit, start = (np.asarray(column, dtype=np.int64) for column in (user, submit, start))
    patience = np.asarray(acceptable, dtype=np.float64).tolist()
    times = np.concatenate((submit, start))
    kinds = np.repeat((SUBMISSION, START), len(user))
    jobs = np.tile(np.arange(len(user)), 2)
    order = np.lexsort((jobs, kinds, times))
    order = order[times[order] >= 0]
    whose = np.unique(user, return_inverse=True)[1]
    agents = [_Patience() for _ in range(whose.max(initial=-1) + 1)]
    agent_of, rows = whose.tolist(), []
    for time, kind, job in zip(
        times[order].tolist(), kinds[order].tolist(), jobs[order].tolist(), strict=True
    ):
        agent = agents[agent_of[job]]
        said = agent.starts(time) if kind == START else agent.submits(time, job, patience[job])
        if said is not None:
            last, wait, budget = said
            at = "start" if kind == START else "submission"
            rows.append((user[job], last, time, at, wait, budget, wait / budget))
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


class _Patience:
    """What a user puts up with: the budget, and since when it counts."""

    __slots__ = ("budget", "job", "since", "waiting")

    def __init__(self) -> None:
        self.budget, self.since, self.waiting = 0.0, 0, 0
        self.job = -1  # the last one submitted

    def submits(self, time: int, job: int, patience: float) -> tuple[int, int, float] | None:
        """Submit a job; return what is complained of: last job, wait and budget."""
        said = None
        wait = time - self.since
        if not self.waiting:
            self.budget = 0.0
        elif wait <= self.budget:
            self.budget -= wait
        else:
            said = (self.job, wait, self.budget)
            self.budget = 0.0
        self.budget += patience
        self.since, self.job = time, job
        self.waiting += 1
        return said

    def starts(self, time: int) -> tuple[int, int, float] | None:
        """Let a job start; return what is complained of."""
        self.waiting -= 1
        wait = time - self.since
        return None if wait <= self.budget else (self.job, wait, self.budget)
