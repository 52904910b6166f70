"""Compute the metrics of a run: waits, slowdowns, utilization, fairness and complaints."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from schedlab.core.jobs import Schedule
from schedlab.core.metrics import slowdown_of, utilisation
from schedlab.studies.klusacek2016.users.dissatisfaction import acceptable_wait, complaints
from schedlab.studies.klusacek2016.users.fairness import normalized_waits, spread

ORIG, PLAN = "orig-bf", "plan-rs"
#: names of the schedulers in the paper
NAMES = {ORIG: "Orig-BF", PLAN: "Plan-RS"}
#: metrics of a run, in the order of its columns
METRICS = (
    *("jobs", "wait", "wait_sd", "slowdown", "slowdown_sd", "utilisation"),
    *("nuwt", "nuwt_sd", "complaints", "complaining", "size"),
)


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
        nuwt, nuwt_sd = spread(self.nuwt)
        complaints = self.complaints
        return {
            "jobs": len(self.jobs),
            "wait": float(self.wait.mean()),
            "wait_sd": float(self.wait.std()),
            "slowdown": float(self.slowdown.mean()),
            "slowdown_sd": float(self.slowdown.std()),
            "utilisation": self.utilisation,
            "nuwt": nuwt,
            "nuwt_sd": nuwt_sd,
            "complaints": len(complaints),
            "complaining": int(complaints["user"].nunique()),
            "size": float(complaints["size"].sum()),
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
