"""The metrics of the arena, each of what is counted in a window."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schedlab.metrics import bounded_slowdown

if TYPE_CHECKING:
    from schedlab.jobs import Jobs, Schedule

#: jobs of a user in a window below which nobody is called the worst served
FEWEST = 10


@dataclass(frozen=True)
class Metric:
    """What is measured.

    Parameters
    ----------
    name : str
        Column of results, item of tables and figures.
    label, unit : str
        As shown.
    meaning : str
        In a line.
    more : bool
        Whether more is better.
    """

    name: str
    label: str
    unit: str
    meaning: str
    more: bool = False


METRICS = {
    metric.name: metric
    for metric in (
        Metric("bsld", "mean bounded slowdown", "", "mean over jobs, of which none counts below 1"),
        Metric("wait", "mean wait", "s", "mean over jobs"),
        Metric(
            "response",
            "area-weighted response time",
            "s",
            "mean over jobs of submission to end, weighed by processors times run time",
        ),
        Metric(
            "utilisation",
            "utilisation",
            "",
            "share of the processors that is busy from the window's begin to its end",
            more=True,
        ),
        Metric("p95_wait", "95th percentile of the wait", "s", "between jobs, interpolated"),
        Metric(
            "worst_user",
            "worst user's bounded slowdown",
            "",
            f"the largest mean of a user with {FEWEST} jobs or more in the window",
        ),
    )
}


def measure(
    jobs: Jobs,
    users: np.ndarray,
    schedule: Schedule,
    processors: int,
    begin: int,
    end: int,
    tau: float,
) -> dict[str, float]:
    """Measure a schedule between two times.

    Parameters
    ----------
    jobs : Jobs
        n jobs.
    users : ndarray of int, shape (n,)
        Whose they are; negative: not known.
    schedule : Schedule
        Of the jobs.
    processors : int
        Size of the machine.
    begin, end : int
        Jobs submitted from `begin` on and before `end` are counted, all run.
    tau : float
        Bound of the bounded slowdown in seconds.

    Returns
    -------
    dict of str to float
        By name of `METRICS`; nan where nobody is counted.
    """
    counted = (jobs.submit >= begin) & (jobs.submit < end)
    busy = np.minimum(schedule.end, end) - np.maximum(schedule.start, begin)
    used = (np.maximum(busy, 0) * jobs.procs).sum() / (processors * (end - begin))
    if not counted.any():
        return dict.fromkeys(METRICS, np.nan) | {"utilisation": used}
    slowdown = bounded_slowdown(jobs, schedule, tau)[counted]
    wait = (schedule.start - jobs.submit)[counted]
    response = (schedule.end - jobs.submit)[counted]
    area = (jobs.procs * jobs.runtime)[counted]
    return {
        "bsld": slowdown.mean(),
        "wait": wait.mean(),
        "response": np.average(response, weights=area) if area.any() else np.nan,
        "utilisation": used,
        "p95_wait": np.percentile(wait, 95),
        "worst_user": _worst(users[counted], slowdown),
    }


def _worst(users: np.ndarray, slowdown: np.ndarray) -> float:
    """Largest mean of a known user with `FEWEST` jobs or more; nan if there is none."""
    known = users >= 0
    _, who = np.unique(users[known], return_inverse=True)
    jobs = np.bincount(who)
    means = np.bincount(who, slowdown[known]) / np.maximum(jobs, 1)
    return float(means[jobs >= FEWEST].max(initial=-np.inf)) if (jobs >= FEWEST).any() else np.nan
