"""Collect the runs of an experiment for tables, figures and claims."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from schedlab.core import metrics
from schedlab.core.intervals import mean_interval
from schedlab.core.jobs import Schedule
from schedlab.core.metrics import slowdown_of, utilisation
from schedlab.core.streams import generator
from schedlab.files.io import read_parquet
from schedlab.studies.klusacek2016.sheet import PAPER
from schedlab.studies.klusacek2016.users.dissatisfaction import (
    acceptable_wait,
    complaints,
    normalized_waits,
    spread,
)

ORIG, PLAN = "orig-bf", "plan-rs"
#: names of the schedulers in the paper
NAMES = {ORIG: "Orig-BF", PLAN: "Plan-RS"}


@dataclass(frozen=True, eq=False)
class SchedulerRun:
    """One run of one scheduler.

    `jobs` that have started and count have the columns `runs.OF_JOBS`, submit and start (s).
    """

    jobs: pd.DataFrame
    processors: int

    @cached_property
    def wait(self) -> np.ndarray:
        """Return the wait of each job: seconds from submission to start."""
        return (self.jobs["start"] - self.jobs["submit"]).to_numpy()

    @cached_property
    def slowdown(self) -> np.ndarray:
        """Return the bounded slowdown of each job."""
        return slowdown_of(self.wait, self.jobs["runtime"].to_numpy())

    @cached_property
    def nuwt(self) -> pd.Series:
        """Return the normalized user wait time (NUWT) of each user."""
        return normalized_waits(self.jobs["user"], self.wait, self.jobs["usage"])

    @cached_property
    def complaints(self) -> pd.DataFrame:
        """Return the complaints of the users, from `users.dissatisfaction.complaints`."""
        tolerance = acceptable_wait(self.jobs["procs"], self.jobs["requested"])
        return complaints(self.jobs["user"], self.jobs["submit"], self.jobs["start"], tolerance)

    @property
    def utilisation(self) -> float:
        """Return the share of busy processors from the first to the last recorded submission.

        The period is the same for every scheduler. Later work is left out because it only shows
        when the last job arrived. The value is nan if all jobs were submitted at the same time.
        """
        start, runtime, procs = (
            self.jobs[name].to_numpy() for name in ("start", "runtime", "procs")
        )
        first, last = self.jobs["recorded"].min(), self.jobs["recorded"].max()
        return utilisation(Schedule(start, start + runtime), procs, self.processors, first, last)

    def metrics(self) -> dict[str, float]:
        """Return all metrics of the run, by name, as `METRICS` lists them."""
        return {name: function(self) for name, function in METRICS.items()}


def _common(name: str) -> Callable[[SchedulerRun], float]:
    """Return the function of a metric that every study has."""
    return lambda run: float(metrics.METRICS[name].function(run))


#: metrics of a run, in the order of its columns: of jobs, of users, of complaints
METRICS: dict[str, Callable[[SchedulerRun], float]] = {
    "jobs": lambda run: len(run.jobs),
    "wait": _common("wait"),
    "wait_sd": lambda run: float(run.wait.std()),
    "slowdown": _common("bsld"),
    "slowdown_sd": lambda run: float(run.slowdown.std()),
    "utilisation": _common("utilisation"),
    "nuwt": lambda run: spread(run.nuwt)[0],
    "nuwt_sd": lambda run: spread(run.nuwt)[1],
    "complaints": lambda run: len(run.complaints),
    "complaining": lambda run: int(run.complaints["user"].nunique()),
    "size": lambda run: float(run.complaints["size"].sum()),
}


def runs_of(jobs: pd.DataFrame, starts: pd.DataFrame, processors: int) -> Iterator[tuple]:
    """Yield scheduler, seed and `SchedulerRun` of each run, in their order; tables from `runs`."""
    for (scheduler, seed), run_starts in starts.groupby(["scheduler", "seed"], sort=False):
        rows = jobs.assign(
            submit=run_starts["submit"].to_numpy(), start=run_starts["start"].to_numpy()
        )
        counted = rows[(rows["start"] >= 0) & rows["counted"]]
        yield scheduler, seed, SchedulerRun(counted.reset_index(drop=True), processors)


def compute_metrics(jobs: pd.DataFrame, starts: pd.DataFrame, processors: int) -> pd.DataFrame:
    """Compute the metrics of every run, one row per run."""
    rows = [
        {"scheduler": scheduler, "seed": seed, **ran.metrics()}
        for scheduler, seed, ran in runs_of(jobs, starts, processors)
    ]
    return pd.DataFrame(rows, columns=["scheduler", "seed", *METRICS])


@dataclass(frozen=True, eq=False)
class Evidence:
    """All runs of an experiment.

    `row` has experiment, label, source, their names in tables and figures (name, workload), users,
    mode, is_model and the number of processors of the machine. `jobs` and `starts` are tables from
    `runs`, without rows if the log is not available.
    """

    row: Mapping
    jobs: pd.DataFrame
    starts: pd.DataFrame

    def __len__(self) -> int:
        """Return how many jobs count."""
        return int(self.jobs["counted"].sum())

    @property
    def on_log(self) -> bool:
        """Whether the experiment ran on a log, not on a model in its place."""
        return bool(len(self)) and not self.row["is_model"]

    @cached_property
    def metrics(self) -> pd.DataFrame:
        """Return one row per run, from `schedlab.studies.klusacek2016.evidence.compute_metrics`."""
        return compute_metrics(self.jobs, self.starts, self.row["processors"])

    @cached_property
    def runs(self) -> dict[str, list[SchedulerRun]]:
        """Return the runs of each scheduler, in the order of the seeds."""
        by_scheduler: dict[str, list[SchedulerRun]] = {ORIG: [], PLAN: []}
        for scheduler, _, ran in runs_of(self.jobs, self.starts, self.row["processors"]):
            by_scheduler[scheduler].append(ran)
        return by_scheduler

    def mean(self, scheduler: str, measure: str) -> float:
        """Return the mean of a metric over the seeds."""
        return float(self.of(scheduler, measure).mean())

    def of(self, scheduler: str, measure: str) -> pd.Series:
        """Return a metric of each run of a scheduler."""
        return self.metrics.loc[self.metrics["scheduler"] == scheduler, measure]

    def share(self, scheduler: str, of: Callable[[SchedulerRun], ArrayLike]) -> float:
        """Return the percentage of jobs or users that meet a condition, averaged over seeds."""
        return 100 * float(np.mean([np.mean(of(ran)) for ran in self.runs[scheduler]]))

    def change(self, measure: str) -> tuple[float, float, float]:
        """Return the change of a metric from Orig-BF to Plan-RS in percent, as `mean_change`."""
        after = self.of(PLAN, measure).to_numpy()
        return mean_change(self.mean(ORIG, measure), after, self.row["experiment"], measure)


def mean_change(before: float, after: np.ndarray, *key: str | int) -> tuple[float, float, float]:
    """Return the mean relative change in percent over the seeds, and its 95 % interval.

    If `before`, the value under Orig-BF, is 0, all three are nan.
    """
    if not before:
        return (float("nan"),) * 3
    changes = 100 * (after / before - 1)
    return float(changes.mean()), *mean_interval(changes, generator(PAPER, "change", *key))


def read_evidence(
    rows: Iterable[Mapping], jobs: Sequence[str], starts: Sequence[str]
) -> list[Evidence]:
    """Read the runs of experiments, from files in the order of their rows."""
    return [
        Evidence(row, read_parquet(job), read_parquet(start))
        for row, job, start in zip(rows, jobs, starts, strict=True)
    ]
