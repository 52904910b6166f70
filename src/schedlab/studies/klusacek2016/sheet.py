"""Read the experiment sheet of klusacek2016: each row has a log, users, machine and settings."""

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import pandas as pd

from schedlab.files.config import ConfigError
from schedlab.files.known_words import nearest
from schedlab.files.sheets import LogRow, on_models
from schedlab.planning.settings import Planning, Scheduler, Search

PAPER = "klusacek2016"
#: the computed set of Table 1 that is shown for each published set whose log is not available
SHOWN_FOR = {f"Zewura set {number}": f"wagap set {number}" for number in range(1, 5)}
#: who submits jobs: users as recorded, or users that react to their waits
REPLAY, REACT = "recorded", "reacting"
#: how Orig-BF orders jobs: by queue and fair share, by fair share in one queue, by arrival, or by
#: fair share in one queue whose blocked jobs mark nodes without reservations ahead
BY_LIMITS, ONE_QUEUE, BY_ARRIVAL, MARKING = "limits", "one", "arrival", "marking"
#: seconds to the next cycle, after an idle cycle and after one that started a job, of the
#: production schedulers of the time (CESNET/torque, CESNET/TorquePlanSched)
POLLING = {"orig-bf": (30, 2), "plan-rs": (5, 0)}
#: intervals of a log are ranked by recorded waits
RECORDED_WAITS = "recorded"
#: intervals are ranked by simulated waits, and begin with the jobs that then wait
WITH_BACKLOG = "backlog"


@dataclass(frozen=True)
class PlanSettings:
    """All settings that an experiment's schedules depend on, except its jobs and its machine.

    Its columns are described in ``workflow/schemas/klusacek2016.schema.yaml``; here None is ``-``.
    """

    experiment: str
    source: str
    intervals: str | None
    piece: int | None
    factor: int
    memory: str | None
    mode: str
    users: str
    midnight: int
    queues: str
    cycle: str | None
    schedulers: tuple[str, ...]
    seeds: int
    iterations: int
    every: int
    scope: str
    fairness: float

    def planning(self, scheduler: Scheduler) -> Planning:
        """Return the planning settings of a scheduler in this experiment."""
        search = Search(self.iterations, self.every, fairness=self.fairness, scope=self.scope)
        return Planning(
            scheduler,
            self.mode,
            search,
            reservations="marking" if self.queues == MARKING else "every",
            cycle=POLLING[scheduler] if self.cycle else None,
        )

    @property
    def runs(self) -> list[tuple[str, int]]:
        """Return scheduler and seed of each run; a deterministic scheduler runs once."""
        return [
            (scheduler, seed)
            for scheduler in self.schedulers
            for seed in range(self.seeds if scheduler == "plan-rs" else 1)
        ]


@dataclass(frozen=True)
class PlanExperiment(LogRow, PlanSettings):
    """A log, or an interval of one, run under the schedulers of the paper.

    `item` is the table or figures of the experiment, `machine` a name in ``config/machines.tsv``.
    """

    settings_class: ClassVar[type] = PlanSettings
    limited_column: ClassVar[str] = "seeds"

    item: str
    machine: str

    @property
    def name(self) -> str:
        """Name in tables and figures: the label, with that of a model in place of its log's."""
        if not self.stand_in or self.piece is None:
            return self.label
        _, _, part = self.label.partition(" ")
        return self.stand_in if part in ("", "set") else f"{self.stand_in}, {part}"

    def on_model(self) -> Self:
        """Return the experiment on its model, whose users request no memory."""
        return replace(super().on_model(), memory=None, midnight=0)

    def check(self, earlier: Sequence[Self]) -> None:
        """Reject combinations of cells that are not supported with a ConfigError."""
        if problem := self._problem(earlier):
            raise ConfigError(f"column {problem}")

    def _problem(self, rows: Iterable[Self]) -> str | None:
        if (self.piece is None) != (self.intervals is None):
            return "'piece': one of the intervals where there are intervals, none of a whole log"
        if self.item in ("periods", "budgets") and self.intervals in (None, RECORDED_WAITS):
            return "'intervals': many intervals are those by simulated waits"
        if self.users == REACT and (self.piece, self.factor) != (None, 1):
            return "'users': who reacts needs a whole log, whose times are not divided"
        if self.users == REACT and self.cycle:
            return "'cycle': a scheduler that polls needs recorded users"
        alone = {"baselines": {"orig-bf"}, "budgets": {"plan-rs"}}
        expected = alone.get(self.item, {"orig-bf", "plan-rs"})
        if self.item != "own" and set(self.schedulers) != expected:
            return f"'schedulers': rows of '{self.item}' run {', '.join(sorted(expected))}"
        machine = (self.machine, self.memory)
        for row in rows:
            if row.source == self.source and (row.machine, row.memory) != machine:
                return (
                    f"'machine': '{row.experiment}' has {self.source} on another machine, or its "
                    "memory otherwise, and both share what is simulated of the whole log"
                )
        return None


def as_run(rows: Iterable[PlanExperiment], config: Mapping) -> list[PlanExperiment]:
    """Return the experiments as the configuration runs them."""
    return on_models([row.limited(config[PAPER]["seeds"]) for row in rows], config)


def clusters_of(row: PlanExperiment, machines: str | Path) -> list[dict[str, Any]]:
    """Return the clusters of the machine that a row names; ConfigError if the sheet has none."""
    known_machines = _read_machines(machines)
    if row.machine not in known_machines:
        raise ConfigError(
            f"sheet of {PAPER}: experiment '{row.experiment}': column 'machine': "
            f"'{row.machine}' is not in {machines}" + nearest(row.machine, known_machines)
        )
    return [dict(cluster) for cluster in known_machines[row.machine]]


@functools.cache
def _read_machines(path: str | Path) -> dict[str, list[dict[str, Any]]]:
    """Read the clusters of each machine once for all rows."""
    table = pd.read_csv(path, sep="\t", na_values="-").astype(object)
    table = table.where(table.notna(), None)
    return {
        name: clusters.drop(columns="machine").to_dict("records")
        for name, clusters in table.groupby("machine", sort=False)
    }


ROW = PlanExperiment
