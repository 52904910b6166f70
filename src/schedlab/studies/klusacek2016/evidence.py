"""Collect the runs of an experiment for tables, figures and claims."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from schedlab.core.intervals import mean_interval
from schedlab.core.streams import generator
from schedlab.files.io import read_parquet
from schedlab.studies.klusacek2016.metrics import ORIG, PLAN, SchedulerRun, compute_metrics, runs_of
from schedlab.studies.klusacek2016.sheet import PAPER


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
        """Return one row per run, from `schedlab.studies.klusacek2016.metrics.compute_metrics`."""
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
