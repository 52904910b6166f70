"""Compute when users complain: acceptable waits of jobs, and complaints about longer waits."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

HOUR = 3600
#: exclusive upper bound of the limit (s), its divisor, and the minimum acceptable wait (s)
TOLERANCES = (
    (3 * HOUR, 1, 0.0),
    (7 * HOUR, 2, 3.0 * HOUR),
    (24 * HOUR, 3, 3.5 * HOUR),
    (7 * 24 * HOUR, 4, 8.0 * HOUR),
    (np.inf, 5, 42.0 * HOUR),
)
SUBMISSION, START = 0, 1
COLUMNS = {"user": "int64", "job": "int64", "time": "int64", "at": "str", "wait": "int64"}
COLUMNS |= dict.fromkeys(["acceptable", "size"], "float64")


def acceptable_wait(procs: ArrayLike, limit: ArrayLike) -> np.ndarray:
    """Return the acceptable wait of each job.

    It grows with the logarithm of the job's processors. It also grows with the limit of the run
    time, more slowly for longer limits.

    Parameters
    ----------
    procs : array_like of int, shape (n,)
        Processors, at least 1.
    limit : array_like of int, shape (n,)
        Requested run time in seconds, at least 1.

    Returns
    -------
    ndarray of float64, shape (n,)
        Acceptable waits in seconds.

    Raises
    ------
    ValueError
        A number is below 1: the acceptable wait of such a job would not be positive.

    Notes
    -----
    The text divides the limit by 1 to 5, so the acceptable wait falls where the divisor grows (at
    three hours from 3 h to 1.5 h). The paper's simulator sets a minimum for each divisor. schedlab
    uses these minimums, because the simulator produced the paper's figure.

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
    bounds, divisors, floors = (np.array(column) for column in zip(*TOLERANCES, strict=True))
    which = np.searchsorted(bounds, limit, side="right")
    return (np.log(procs) + 1) * np.maximum(limit / divisors[which], floors[which])


def complaints(
    user: ArrayLike, submit: ArrayLike, start: ArrayLike, acceptable: ArrayLike
) -> pd.DataFrame:
    """Return when users complain, about which job, and how much.

    Each user has a budget of tolerance. It grows by a job's acceptable wait when the job is
    submitted. At the next submission, the time since the last submission is subtracted. If that
    time exceeds the budget and jobs of the user wait, the user complains and the budget is reset.
    The budget is also reset if no job of the user waits. When a job starts, the time since the last
    submission is compared with the budget in the same way, but not subtracted.

    Parameters
    ----------
    user : array_like of int, shape (n,)
        The user of each job.
    submit, start : array_like of int, shape (n,)
        Submit and start times of the jobs in seconds; -1 if it did not happen.
    acceptable : array_like of float, shape (n,)
        From `acceptable_wait`.

    Returns
    -------
    pandas.DataFrame
        One row per complaint in order of time: ``user``; ``job``, the place of the last submitted
        job; ``time``; ``at`` ("submission" of the next job or "start" of one); ``wait`` since the
        last submission; ``acceptable``, the budget at that time; and ``size``, their ratio.

    Notes
    -----
    Linear in the number of jobs, except for sorting them. Where the text is unclear, schedlab
    follows the paper's simulator, which produced figure 8:

    - The wait counts from the user's latest submission, not from that of the job that starts.
      Together with the earlier subtractions, this is the sum over jobs that the text describes.
    - "Other jobs in the system" are jobs that wait. A user whose jobs all run does not complain.
    - At one instant, submissions come before starts, and jobs follow their order.

    References
    ----------
    klusacek2016, section 4.3, and the class AgentDynamicWithSatisfactionModel of Alea.

    Examples
    --------
    One job may wait 100 s, and another one comes 60 s later. The first starts after 170 s; its
    budget of 100 - 60 + 50 s counts from 60 s on:

    >>> complaints([1, 1], [0, 60], [170, 180], [100, 50])[["time", "at", "wait", "acceptable"]]
       time     at  wait  acceptable
    0   170  start   110        90.0
    1   180  start   120        90.0
    """
    user, submit, start = (np.asarray(column, dtype=np.int64) for column in (user, submit, start))
    tolerance = np.asarray(acceptable, dtype=np.float64).tolist()
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
        complaint = (
            agent.starts(time) if kind == START else agent.submits(time, job, tolerance[job])
        )
        if complaint is not None:
            last, wait, budget = complaint
            at = "start" if kind == START else "submission"
            rows.append((user[job], last, time, at, wait, budget, wait / budget))
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


class _Patience:
    """Tolerance of a user: the budget, and the time from which it counts."""

    __slots__ = ("budget", "job", "since", "waiting")

    def __init__(self) -> None:
        self.budget, self.since, self.waiting = 0.0, 0, 0
        self.job = -1  # the last one submitted

    def submits(self, time: int, job: int, tolerance: float) -> tuple[int, int, float] | None:
        """Submit a job; return last job, wait and budget of the complaint, or None."""
        complaint = None
        wait = time - self.since
        if not self.waiting:
            self.budget = 0.0
        elif wait <= self.budget:
            self.budget -= wait
        else:
            complaint = (self.job, wait, self.budget)
            self.budget = 0.0
        self.budget += tolerance
        self.since, self.job = time, job
        self.waiting += 1
        return complaint

    def starts(self, time: int) -> tuple[int, int, float] | None:
        """Start a job; return last job, wait and budget of the complaint, or None."""
        self.waiting -= 1
        wait = time - self.since
        return None if wait <= self.budget else (self.job, wait, self.budget)
