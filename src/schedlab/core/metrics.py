"""Definitions of all metrics."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs, Schedule, submitted_in
from schedlab.core.splitting import DAY

TAU = 10  # seconds: the usual bound below which a job counts as short
LATE = DAY  # seconds: a job that waits longer is late, unless another bound is given
#: smallest number of jobs of a user that counts for the worst served user
FEWEST = 10


def bounded_slowdown(jobs: Jobs, schedule: Schedule, tau: float = TAU) -> np.ndarray:
    """Return the bounded slowdown of each job, ``max((wait + runtime) / max(runtime, tau), 1)``.

    Source: carastan2017, equation 1; Feitelson, Metrics for parallel job scheduling and their
    convergence.

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
    """
    return slowdown_of(schedule.start - jobs.submit, jobs.runtime, tau)


# These kernels compute it themselves, in their inner loops: trials (`queue/trials.pyx`, and side by
# side in `queue/trial_lanes.pxd`), mixed policies in fixed point (`mixed/mixed_machine.pxd`) and
# planned jobs by their estimates (`plan/plan_moves.pxd`). Episodes take its line from `slowdown_of`
# (`gym/episodes.py`). tests/kernels/test_bounded_slowdown.py holds each of them equal to this.
def slowdown_of(wait: np.ndarray, runtime: np.ndarray, tau: float = TAU) -> np.ndarray:
    """Return the bounded slowdown of jobs from their waits and run times in seconds."""
    slowdown: np.ndarray = np.maximum((wait + runtime) / np.maximum(runtime, tau), 1.0)
    return slowdown


def utilisation(
    schedule: Schedule, procs: np.ndarray, processors: int, begin: int, end: int
) -> float:
    """Return the utilization from `begin` to `end`; nan if the time is empty."""
    busy = np.minimum(schedule.end, end) - np.maximum(schedule.start, begin)
    area = (np.maximum(busy, 0) * procs).sum()
    return float(area / (processors * (end - begin))) if end > begin else float("nan")


def utilisation_of(jobs: Jobs, schedule: Schedule, processors: int, begin: int, end: int) -> float:
    """Return the `utilisation` that all jobs cause, from the few that can run in that time.

    Jobs submitted at `end` or later start later, and those before the first one that ends after
    `begin` have ended.
    """
    few = slice(
        np.searchsorted(schedule.latest_end, begin, side="right"),
        np.searchsorted(jobs.submit, end),
    )
    part = Schedule(schedule.start[few], schedule.end[few])
    return utilisation(part, jobs.procs[few], processors, begin, end)


def average_bounded_slowdown(
    jobs: Jobs, schedule: Schedule, tau: float = TAU, skip: int = 0
) -> float:
    """Return the mean bounded slowdown over all jobs but the first `skip`; nan if none is left.

    Equation 2 of carastan2017.
    """
    slowdown = bounded_slowdown(jobs, schedule, tau)[skip:]
    return float(slowdown.mean()) if slowdown.size else float("nan")


def makespan(jobs: Jobs, schedule: Schedule) -> float:
    """Return the seconds from the first submission to the last end; nan without jobs."""
    return float(schedule.end.max() - jobs.submit.min()) if len(jobs) else float("nan")


@dataclass(frozen=True)
class Counted:
    """Counted jobs of a schedule, and the utilization of the machine between two times.

    Parameters
    ----------
    jobs : Jobs
        n counted jobs.
    users : ndarray of int, shape (n,)
        The user of each job; negative if unknown.
    schedule : Schedule
        Schedule of these jobs.
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
        wait: np.ndarray = self.schedule.start - self.jobs.submit
        return wait

    @cached_property
    def slowdown(self) -> np.ndarray:
        """Bounded slowdown of each job."""
        return bounded_slowdown(self.jobs, self.schedule, self.tau)

    def response(self) -> float:
        """Return the mean time from submission to end, weighted by area; nan if all areas are 0."""
        area = self.jobs.procs * self.jobs.runtime
        if not area.any():
            return np.nan
        return float(np.average(self.schedule.end - self.jobs.submit, weights=area))

    def worst_user(self) -> float:
        """Return the largest mean slowdown of a known user with at least `FEWEST` jobs, or nan."""
        known = self.users >= 0
        user_index, _ = pd.factorize(self.users[known])
        jobs = np.bincount(user_index)
        means = np.bincount(user_index, self.slowdown[known]) / np.maximum(jobs, 1)
        enough = jobs >= FEWEST
        return float(means[enough].max()) if enough.any() else np.nan


#: where a metric is shown: in results by scheduler (arena, site, ``compare``, runs of the referee);
#: as a table on the pages of arena and site; in the summary of one schedule (``simulate``,
#: `schedlab.Result`); in the referee's comparison with a real Slurm
CONTEST, PAGE, SUMMARY, REFEREE = "contest", "page", "summary", "referee"


@dataclass(frozen=True)
class Metric:
    """Metric that a schedule is scored by.

    Parameters
    ----------
    name : str
        Column of results, item of tables and figures.
    label, unit : str
        Name and unit in tables and figures.
    meaning : str
        Description in one line.
    function : callable
        Computes a number from `Counted` with at least one job.
    more : bool
        Whether more is better.
    tail : bool
        Whether it depends on few jobs. Such a metric is computed once over all counted jobs and
        has no interval. The others are computed in each window and compared by their means over
        windows.
    of_machine : bool
        Whether it is of the whole machine: defined if no job is counted, and not for groups of
        jobs.
    digits : int
        Decimals in tables.
    short, form : str
        Name and format on the command line; by default `label` and `digits`.
    summary : str
        Name in the summary of one schedule; by default `name`.
    shown : tuple of str
        Of `CONTEST`, `PAGE`, `SUMMARY` and `REFEREE`.
    """

    name: str
    label: str
    unit: str
    meaning: str
    function: Callable[[Counted], float]
    more: bool = False
    tail: bool = False
    of_machine: bool = False
    digits: int = 0
    short: str = ""
    form: str = ""
    summary: str = ""
    shown: tuple[str, ...] = (CONTEST, PAGE, SUMMARY, REFEREE)

    @property
    def brief(self) -> str:
        """Name on the command line."""
        return self.short or self.label

    @property
    def heading(self) -> str:
        """Column heading on the command line."""
        return f"{self.brief}, {self.unit}" if self.unit == "s" else self.brief

    @property
    def title(self) -> str:
        """Title of its table on a page."""
        title = f"{self.label[0].upper()}{self.label[1:]}"
        return f"{title}, {self.unit}" if self.tail and self.unit == "s" else title

    @property
    def format(self) -> str:
        """Format specification of its values on the command line."""
        return self.form or f",.{self.digits}f"


def _percentile(name: str, percent: float, quantity: str, **more: Any) -> Metric:
    """Return the metric of an interpolated percentile between jobs."""
    label, unit = f"{percent:g}th percentile of the {quantity}", "s" if quantity == "wait" else ""
    short = f"{percent:g} % {quantity}"
    if percent == 50:
        label = short = f"median {quantity}"
    settings: dict[str, Any] = {"short": short} | more
    return Metric(
        *(name, label, unit, "between jobs, interpolated"),
        lambda counted: np.percentile(getattr(counted, quantity), percent),
        **settings,
    )


#: every metric by name, in the order of tables; add new metrics here
METRICS = {
    metric.name: metric
    for metric in (
        Metric(
            "bsld",
            "mean bounded slowdown",
            "",
            "mean over jobs, of which none counts below 1",
            lambda counted: counted.slowdown.mean(),
            digits=2,
            short="mean slowdown",
            summary="mean_slowdown",
            shown=(CONTEST, PAGE, SUMMARY),
        ),
        _percentile("median_slowdown", 50, "slowdown", digits=2, shown=(SUMMARY,)),
        _percentile("p95_slowdown", 95, "slowdown", digits=2, shown=(SUMMARY,)),
        Metric(
            "wait",
            "mean wait",
            "s",
            "mean over jobs",
            lambda counted: counted.wait.mean(),
            summary="mean_wait",
        ),
        _percentile("median_wait", 50, "wait", shown=(SUMMARY,)),
        Metric(
            "response",
            "area-weighted response time",
            "s",
            "mean over jobs of submission to end, weighed by processors times run time",
            Counted.response,
            shown=(CONTEST, PAGE),
        ),
        Metric(
            "utilisation",
            "utilization",
            "",
            "share of the processors that is busy from the window's begin to its end",
            lambda counted: counted.utilisation,
            more=True,
            of_machine=True,
            digits=4,
            short="in use",
            form=".1%",
            shown=(CONTEST, PAGE, SUMMARY),
        ),
        _percentile("p95_wait", 95, "wait", shown=(CONTEST, PAGE, SUMMARY)),
        Metric(
            "worst_user",
            "largest mean bounded slowdown of a user",
            "",
            f"the largest mean of a user with {FEWEST} jobs or more in the window",
            Counted.worst_user,
            digits=2,
            short="largest slowdown of a user",
            shown=(CONTEST, PAGE),
        ),
        _percentile("p999_wait", 99.9, "wait", tail=True, shown=(CONTEST, PAGE, SUMMARY)),
        Metric(
            "max_wait",
            "longest wait",
            "s",
            "of any job",
            lambda counted: counted.wait.max(),
            tail=True,
            shown=(CONTEST, PAGE, SUMMARY),
        ),
        Metric(
            "late",
            "jobs that wait too long",
            "jobs",
            "wait longer than a bound",
            lambda counted: int(np.count_nonzero(counted.wait > counted.late)),
            tail=True,
            short="jobs over 1 d",
            shown=(CONTEST, PAGE),
        ),
        Metric(
            "makespan",
            "makespan",
            "s",
            "from the first submission to the last end",
            lambda counted: makespan(counted.jobs, counted.schedule),
            tail=True,
            of_machine=True,
            shown=(CONTEST, SUMMARY, REFEREE),
        ),
    )
}


def shown_in(place: str) -> dict[str, Metric]:
    """Return the metrics that are shown in a place (`Metric.shown`), by name."""
    return {name: metric for name, metric in METRICS.items() if place in metric.shown}


def window_metrics(place: str = CONTEST) -> dict[str, Metric]:
    """Return the metrics that are compared over windows, by name."""
    return {name: metric for name, metric in shown_in(place).items() if not metric.tail}


def tail_metrics(place: str = CONTEST) -> dict[str, Metric]:
    """Return the metrics that are computed once over all counted jobs, by name."""
    return {name: metric for name, metric in shown_in(place).items() if metric.tail}


def summary_metrics(groups: bool = False) -> dict[str, Metric]:
    """Return the metrics of the summary of one schedule, by their names there.

    Times come first, those of the machine last, or not at all in a summary of groups of jobs.
    """
    metrics = shown_in(SUMMARY).values()
    of_jobs = [metric for metric in metrics if not metric.of_machine]
    ordered = sorted(of_jobs, key=lambda metric: metric.unit != "s")
    if not groups:
        ordered += [metric for metric in metrics if metric.of_machine]
    return {metric.summary or metric.name: metric for metric in ordered}


def compute_metrics(
    jobs: Jobs,
    users: np.ndarray,
    schedule: Schedule,
    processors: int,
    begin: int,
    end: int,
    tau: float = TAU,
    late: int = LATE,
) -> dict[str, float]:
    """Compute the metrics of a schedule between two times.

    Parameters
    ----------
    jobs : Jobs
        n jobs.
    users : ndarray of int, shape (n,)
        The user of each job; negative if unknown.
    schedule : Schedule
        Schedule of the jobs.
    processors : int
        Size of the machine.
    begin, end : int
        Jobs submitted from `begin` on and before `end` are counted; all jobs run.
    tau : float
        Bound of the bounded slowdown in seconds.
    late : int
        Seconds; the metric ``late`` counts jobs that wait longer.

    Returns
    -------
    dict of str to float
        By name, all that are shown in `CONTEST`; nan if no job is counted.
    """
    inside = submitted_in(jobs, begin, end)
    counted = Counted(
        jobs.take(inside),
        users[inside],
        Schedule(schedule.start[inside], schedule.end[inside]),
        utilisation_of(jobs, schedule, processors, begin, end),
        tau,
        late,
    )
    has_jobs = bool(len(counted.jobs))
    return {
        name: float(metric.function(counted)) if has_jobs or metric.of_machine else np.nan
        for name, metric in shown_in(CONTEST).items()
    }
