"""The experiment sheet of souza2020: a row is a system, its background log and its workflows."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from schedlab.files.sheets import LogRow, on_models
from schedlab.waits.requests import OWN

PAPER = "souza2020"
#: columns that identify a series of submissions
SERIES = ["spacing", "workflow", "scale", "estimator"]
#: spacings of submissions: as in the paper, and over weeks
APART, SPREAD = "a minute apart", "over weeks"
#: estimator that uses true run times and later jobs, which no user knows
PERFECT = "perfect knowledge"
#: items: tables 1 and 2, other readings of table 1, and predictors scored on a log
RUNS, SUBMISSIONS, READINGS, WAITS = "table1", "table2", "readings", "waits"


@dataclass(frozen=True)
class WaitSettings:
    """All settings of a row that its results depend on, except its jobs and the configuration.

    Its columns are described in ``workflow/schemas/souza2020.schema.yaml``; here None is ``-``.
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
    """How many warm-up jobs of a geometry run, and seconds between them and between workflows."""

    warm_up: int
    every: int
    apart: int

    def lasting(self, count: int, apart: int) -> int:
        """Return the seconds from an instant to the last of `count` submissions.

        They follow each other by `apart` seconds, once all warm-up jobs have started.
        """
        return self.warm_up * self.every + (count - 1) * apart


@dataclass(frozen=True)
class WaitExperiment(LogRow, WaitSettings):
    """A row of the sheet."""

    settings_class: ClassVar[type] = WaitSettings
    limited_column: ClassVar[str] = "replicates"

    item: str
    system: str
    standin_load: float
    evidence: str

    @property
    def name(self) -> str:
        """Name in tables and figures: the label; of a row about a log, what replaces that log."""
        return super().name if self.item == WAITS else self.label

    def on_model(self) -> Self:
        """Return the experiment on its stand-in, with the load that was searched for it."""
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
    # all logs have the same stand-in model, so readings that differ only in background coincide
    first = {(row.system, row.request, row.accrue): row for row in reversed(rows)}
    return on_models([row for row in rows if row.item != READINGS or row in first.values()], config)


ROW = WaitExperiment
