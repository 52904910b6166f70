"""What was run of an experiment, as tables, figures and claims take it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.intervals import mean_interval
from schedlab.core.streams import generator
from schedlab.files.io import read_parquet
from schedlab.studies.klusacek2016.measures import ORIG, PLAN, Ran, measures, runs_of
from schedlab.studies.klusacek2016.sheet import PAPER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike


@dataclass(frozen=True, eq=False)
class Evidence:
    """All runs of an experiment.

    Parameters
    ----------
    row : mapping
        experiment, label, source, users and mode of its row, is_model, and the processors of its
        machine.
    jobs, starts : DataFrame
        From `schedlab.studies.klusacek2016.runs`; no rows where the log is not at hand.
    """

    row: Mapping
    jobs: pd.DataFrame
    starts: pd.DataFrame

    def __len__(self) -> int:
        """How many jobs count."""
        return int(self.jobs["counted"].sum())

    @property
    def held(self) -> bool:
        """Whether it ran, and on a log."""
        return bool(len(self)) and not self.row["is_model"]

    @cached_property
    def measures(self) -> pd.DataFrame:
        """A row per run, from `schedlab.studies.klusacek2016.measures.measures`."""
        return measures(self.jobs, self.starts, self.row["processors"])

    @cached_property
    def runs(self) -> dict[str, list[Ran]]:
        """The runs of each scheduler, by seed."""
        found: dict[str, list[Ran]] = {ORIG: [], PLAN: []}
        for scheduler, _, ran in runs_of(self.jobs, self.starts, self.row["processors"]):
            found[scheduler].append(ran)
        return found

    def mean(self, scheduler: str, measure: str) -> float:
        """Mean of a measure over the seeds."""
        return float(self.of(scheduler, measure).mean())

    def of(self, scheduler: str, measure: str) -> pd.Series:
        """A measure of each run of a scheduler."""
        return self.measures.loc[self.measures["scheduler"] == scheduler, measure]

    def share(self, scheduler: str, of: Callable[[Ran], ArrayLike]) -> float:
        """Per cent of a run's jobs or users of which something is true, the mean over the seeds."""
        return 100 * float(np.mean([np.mean(of(ran)) for ran in self.runs[scheduler]]))

    def change(self, measure: str) -> tuple[float, float, float]:
        """By how many per cent Plan-RS changes a measure of Orig-BF, and the 95 % interval.

        The interval is that of the mean over the seeds of Plan-RS, resampled. All three are nan
        where Orig-BF has 0.
        """
        after = self.of(PLAN, measure).to_numpy()
        return changed(self.mean(ORIG, measure), after, self.row["experiment"], measure)


def changed(before: float, after: np.ndarray, *key: str | int) -> tuple[float, float, float]:
    """By how many per cent values of all seeds lie above one, in the mean, with a 95 % interval.

    Parameters
    ----------
    before : float
        Under Orig-BF; where it is 0 all three are nan.
    after : ndarray of float64, shape (n,)
        Of each seed of Plan-RS.
    *key : str or int
        Of the random numbers that resample the seeds.
    """
    if not before:
        return (float("nan"),) * 3
    changes = 100 * (after / before - 1)
    return float(changes.mean()), *mean_interval(changes, generator(PAPER, "change", *key))


def read_evidence(
    rows: Iterable[Mapping], jobs: Sequence[str], starts: Sequence[str]
) -> list[Evidence]:
    """Read what was run of experiments, from files in the order of their rows."""
    return [
        Evidence(row, read_parquet(job), read_parquet(start))
        for row, job, start in zip(rows, jobs, starts, strict=True)
    ]
