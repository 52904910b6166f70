"""When users complain: acceptable waits, complaints about longer ones, fairness among users."""

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


def normalized_waits(user: ArrayLike, wait: ArrayLike, usage: ArrayLike) -> pd.Series:
    """Return the normalized user wait time (NUWT) of each user.

    NUWT is the total wait of a user's jobs divided by their total usage, which counts as at least
    1. On a fair machine, equal users wait in proportion to their usage.

    >>> found = normalized_waits([1, 2, 1], [100, 30, 50], [200, 60, 100])
    >>> found.tolist()
    [0.5, 0.5]
    >>> spread(found)
    (0.5, 0.0)
    """
    columns = {"wait": np.asarray(wait), "usage": np.asarray(usage)}
    sums = pd.DataFrame(columns).groupby(np.asarray(user)).sum()
    ratios = sums["wait"] / sums["usage"].clip(lower=1)
    return ratios.rename_axis("user").rename("nuwt").astype("float64")


def spread(waits: pd.Series) -> tuple[float, float]:
    """Return mean and population standard deviation of the users' values."""
    return float(waits.mean()), float(waits.std(ddof=0))
