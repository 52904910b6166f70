"""The experiment sheet of souza2020: a row is a system, the log behind it and what is submitted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Self

from schedlab.files.sheets import LogRow, on_models
from schedlab.waits.requests import OWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PAPER = "souza2020"
#: what tells series of submissions apart
SERIES = ["spacing", "workflow", "scale", "estimator"]
#: from one submission to the next, as in the paper, and over weeks
APART, SPREAD = "a minute apart", "over weeks"
#: what estimates waits from true run times and later jobs, which no user knows
PERFECT = "perfect knowledge"
#: what a row is of: tables 1 and 2, other readings of table 1, and predictors scored on a log
RUNS, SUBMISSIONS, READINGS, WAITS = "table1", "table2", "readings", "waits"


@dataclass(frozen=True)
class WaitSettings:
    """What the results of a row depend on, beside its jobs and the configuration.

    Parameters
    ----------
    experiment : str
        Name, once in the sheet; keys the random streams.
    source : str
        Log or model whose jobs are the background, or are predicted.
    processors : int
        Size of the machine they run on.
    cores : tuple of int
        Scales of the workflows that are submitted; none: the jobs themselves are predicted.
    load : float
        How many times as fast the jobs come as in the log.
    replicates : int
        Instants at which workflows are submitted; of submissions, how often the series is.
    request : str
        How long own jobs ask to run, as `schedlab.waits.requests.request_of` takes it.
    accrue : bool
        Whether a job that must wait for others grows old in the queue meanwhile, as with Slurm's
        PriorityFlags=ACCRUE_ALWAYS.
    """

    experiment: str
    source: str
    processors: int
    cores: tuple[int, ...]
    load: float
    replicates: int
    request: str = field(default=OWN, kw_only=True)
    accrue: bool = field(default=True, kw_only=True)


@dataclass(frozen=True)
class Practice:
    """How replicates are run.

    Parameters
    ----------
    warm_up : int
        Jobs of each geometry that are submitted before.
    every : int
        Seconds from one of them to the next.
    apart : int
        Seconds from one workflow to the next.
    """

    warm_up: int
    every: int
    apart: int

    def lasting(self, count: int, apart: int) -> int:
        """Return the seconds from an instant to the last submission.

        Parameters
        ----------
        count : int
            Workflows that are submitted one after the other when all the jobs before have started.
        apart : int
            Seconds from one of them to the next.
        """
        return self.warm_up * self.every + (count - 1) * apart


@dataclass(frozen=True)
class WaitExperiment(LogRow, WaitSettings):
    """A row of the sheet.

    Parameters
    ----------
    item : str
        Table that it belongs to.
    system : str
        Name of the machine, as in geometries.
    standin_load : float
        How many times as fast the stand-in's jobs come.
    evidence : str
        What the search of the load found, as `schedlab.studies.souza2020.calibration.told` says it;
        ``-`` where none was searched.
    """

    settings_class: ClassVar[type] = WaitSettings
    limited_column: ClassVar[str] = "replicates"

    item: str
    system: str
    standin_load: float
    evidence: str

    def on_model(self) -> Self:
        """Return the experiment on its stand-in, with the load found for that."""
        return replace(super().on_model(), load=self.standin_load)


def as_run(rows: Iterable[WaitExperiment], config: Mapping) -> list[WaitExperiment]:
    """Return the experiments as a configuration runs them."""
    replicates, logs = config[PAPER]["replicates"], config[PAPER]["waits"]["logs"]
    rows = list(rows)
    predicted = [row for row in rows if row.item == WAITS][:logs]
    rows = [row for row in rows if row.item != WAITS or row in predicted]
    rows = [row.limited(replicates) for row in rows]
    if config["source"] != "models":
        return rows
    # on the model that stands in for every log, readings of another background are the same
    first = {(row.system, row.request, row.accrue): row for row in reversed(rows)}
    return on_models([row for row in rows if row.item != READINGS or row in first.values()], config)


ROW = WaitExperiment
