"""One definition of every metric."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.splitting import DAY

TAU = 10  # seconds: the field's usual bound on what counts as a short job
LATE = DAY  # seconds: a job that waits longer is late, unless another bound is given
#: jobs of a user below which the user is not called the worst served
FEWEST = 10


def bounded_slowdown(jobs: Jobs, schedule: Schedule, tau: float = TAU) -> np.ndarray:
    """Bounded slowdown of each job, ``max((wait + runtime) / max(runtime, tau), 1)``.

    Parameters
    ----------
    jobs : Jobs
        n jobs.
    schedule : Schedule
        Their start and end times.
    tau : float, default 10
        Bound in seconds that keeps very short jobs from having enormous slowdowns.

    Returns
    -------
    ndarray of float64, shape (n,)

    References
    ----------
    carastan2017, equation 1; Feitelson, Metrics for parallel job scheduling and their convergence.
    """
    return slowdown_of(schedule.start - jobs.submit, jobs.runtime, tau)


def slowdown_of(wait: np.ndarray, runtime: np.ndarray, tau: float = TAU) -> np.ndarray:
    """Return the bounded slowdown of jobs by their waits and run times in seconds."""
    return np.maximum((wait + runtime) / np.maximum(runtime, tau), 1.0)


def utilisation(
    schedule: Schedule, procs: np.ndarray, processors: int, begin: int, end: int
) -> float:
    """Return the share of the processors that jobs use from `begin` to `end`; nan if no time."""
    busy = np.minimum(schedule.end, end) - np.maximum(schedule.start, begin)
    area = (np.maximum(busy, 0) * procs).sum()
    return float(area / (processors * (end - begin))) if end > begin else float("nan")


def average_bounded_slowdown(
    jobs: Jobs, schedule: Schedule, tau: float = TAU, skip: int = 0
) -> float:
    """Mean bounded slowdown over all jobs but the first `skip`; nan when none is left.

    References
    ----------
    carastan2017, equation 2.
    """
    slowdown = bounded_slowdown(jobs, schedule, tau)[skip:]
    return float(slowdown.mean()) if slowdown.size else float("nan")


@dataclass(frozen=True)
class Metric:
    """What a schedule is scored by.

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
    tail : bool
        Whether it is a matter of few jobs: then it is taken over all counted jobs at once and has
        no interval. The others are taken in each window, and compared by their means over windows.
    """

    name: str
    label: str
    unit: str
    meaning: str
    more: bool = False
    tail: bool = False


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
        Metric(
            "p999_wait",
            "99.9th percentile of the wait",
            "s",
            "between jobs, interpolated",
            tail=True,
        ),
        Metric("max_wait", "longest wait", "s", "of any job", tail=True),
        Metric("late", "jobs that wait too long", "jobs", "wait longer than a bound", tail=True),
    )
}
#: metrics that are compared over windows, and those that are taken over all counted jobs
COMPARED = {name: metric for name, metric in METRICS.items() if not metric.tail}
TAILS = {name: metric for name, metric in METRICS.items() if metric.tail}


def measure(
    jobs: Jobs,
    users: np.ndarray,
    schedule: Schedule,
    processors: int,
    begin: int,
    end: int,
    tau: float = TAU,
    late: int = LATE,
) -> dict[str, float]:
    """Measure a schedule between two times.

    Parameters
    ----------
    jobs : Jobs
        n jobs.
    users : ndarray of int, shape (n,)
        The user of each job; negative: not known.
    schedule : Schedule
        Of the jobs.
    processors : int
        Size of the machine.
    begin, end : int
        Jobs submitted from `begin` on and before `end` are counted, all run.
    tau : float
        Bound of the bounded slowdown in seconds.
    late : int
        Seconds; a job that waits longer is counted by the metric ``late``.

    Returns
    -------
    dict of str to float
        By name of `METRICS`; nan where no job is counted.
    """
    counted = (jobs.submit >= begin) & (jobs.submit < end)
    used = utilisation(schedule, jobs.procs, processors, begin, end)
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
        "p999_wait": np.percentile(wait, 99.9),
        "max_wait": float(wait.max()),
        "late": float(np.count_nonzero(wait > late)),
    }


def _worst(users: np.ndarray, slowdown: np.ndarray) -> float:
    """Largest mean of a known user with `FEWEST` jobs or more; nan if there is none."""
    known = users >= 0
    _, who = np.unique(users[known], return_inverse=True)
    jobs = np.bincount(who)
    means = np.bincount(who, slowdown[known]) / np.maximum(jobs, 1)
    return float(means[jobs >= FEWEST].max(initial=-np.inf)) if (jobs >= FEWEST).any() else np.nan
