"""One definition of every metric."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

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
class Counted:
    """The jobs of a schedule that metrics are taken over, and the machine between two times.

    Parameters
    ----------
    jobs : Jobs
        n jobs that are counted.
    users : ndarray of int, shape (n,)
        The user of each; negative: not known.
    schedule : Schedule
        Of these jobs.
    utilisation : float
        Share of the processors that all jobs of the log use between the two times.
    tau : float
        Bound of the bounded slowdown in seconds.
    late : int
        Seconds; a job that waits longer is late.
    """

    jobs: Jobs
    users: np.ndarray
    schedule: Schedule
    utilisation: float
    tau: float = TAU
    late: int = LATE

    @cached_property
    def wait(self) -> np.ndarray:
        """Wait of each job in seconds."""
        return self.schedule.start - self.jobs.submit

    @cached_property
    def slowdown(self) -> np.ndarray:
        """Bounded slowdown of each job."""
        return bounded_slowdown(self.jobs, self.schedule, self.tau)

    def response(self) -> float:
        """Mean time from submission to end, weighed by area; nan where no job has any."""
        area = self.jobs.procs * self.jobs.runtime
        if not area.any():
            return np.nan
        return np.average(self.schedule.end - self.jobs.submit, weights=area)

    def worst_user(self) -> float:
        """Largest mean slowdown of a known user with `FEWEST` jobs or more; nan: there is none."""
        known = self.users >= 0
        _, who = np.unique(self.users[known], return_inverse=True)
        jobs = np.bincount(who)
        means = np.bincount(who, self.slowdown[known]) / np.maximum(jobs, 1)
        enough = jobs >= FEWEST
        return float(means[enough].max()) if enough.any() else np.nan


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
    function : callable
        From `Counted`, of one job or more, to a number.
    more : bool
        Whether more is better.
    tail : bool
        Whether it is a matter of few jobs: then it is taken over all counted jobs at once and has
        no interval. The others are taken in each window, and compared by their means over windows.
    of_machine : bool
        Whether it is known where no job is counted.
    """

    name: str
    label: str
    unit: str
    meaning: str
    function: Callable[[Counted], float]
    more: bool = False
    tail: bool = False
    of_machine: bool = False


#: every metric by name, in the order of tables; one more is an entry here
METRICS = {
    metric.name: metric
    for metric in (
        Metric(
            "bsld",
            "mean bounded slowdown",
            "",
            "mean over jobs, of which none counts below 1",
            lambda counted: counted.slowdown.mean(),
        ),
        Metric("wait", "mean wait", "s", "mean over jobs", lambda counted: counted.wait.mean()),
        Metric(
            "response",
            "area-weighted response time",
            "s",
            "mean over jobs of submission to end, weighed by processors times run time",
            Counted.response,
        ),
        Metric(
            "utilisation",
            "utilisation",
            "",
            "share of the processors that is busy from the window's begin to its end",
            lambda counted: counted.utilisation,
            more=True,
            of_machine=True,
        ),
        Metric(
            "p95_wait",
            "95th percentile of the wait",
            "s",
            "between jobs, interpolated",
            lambda counted: np.percentile(counted.wait, 95),
        ),
        Metric(
            "worst_user",
            "worst user's bounded slowdown",
            "",
            f"the largest mean of a user with {FEWEST} jobs or more in the window",
            Counted.worst_user,
        ),
        Metric(
            "p999_wait",
            "99.9th percentile of the wait",
            "s",
            "between jobs, interpolated",
            lambda counted: np.percentile(counted.wait, 99.9),
            tail=True,
        ),
        Metric(
            "max_wait",
            "longest wait",
            "s",
            "of any job",
            lambda counted: counted.wait.max(),
            tail=True,
        ),
        Metric(
            "late",
            "jobs that wait too long",
            "jobs",
            "wait longer than a bound",
            lambda counted: np.count_nonzero(counted.wait > counted.late),
            tail=True,
        ),
    )
}


def window_metrics() -> dict[str, Metric]:
    """Return the metrics that are compared over windows, by name."""
    return {name: metric for name, metric in METRICS.items() if not metric.tail}


def tail_metrics() -> dict[str, Metric]:
    """Return the metrics that are taken over all counted jobs at once, by name."""
    return {name: metric for name, metric in METRICS.items() if metric.tail}


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
    inside = (jobs.submit >= begin) & (jobs.submit < end)
    counted = Counted(
        jobs.take(inside),
        users[inside],
        Schedule(schedule.start[inside], schedule.end[inside]),
        utilisation(schedule, jobs.procs, processors, begin, end),
        tau,
        late,
    )
    some = inside.any()
    return {
        name: float(metric.function(counted)) if some or metric.of_machine else np.nan
        for name, metric in METRICS.items()
    }
