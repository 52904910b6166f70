"""The experiment sheet of klusacek2016: a row is a log, its users, a machine and how it plans."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import pandas as pd

from schedlab.files.config import ConfigError, nearest
from schedlab.files.sheets import LogRow, on_models
from schedlab.planning.settings import Planning, Search

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from schedlab.planning.settings import Scheduler

PAPER = "klusacek2016"
#: who submits jobs: the record, or users that react to what they wait for
REPLAY, REACT = "recorded", "reacting"
#: how Orig-BF orders jobs: by queue and fair share, by fair share in one queue, by arrival, or by
#: fair share in one queue whose blocked jobs mark nodes and reserve nothing ahead
BY_LIMITS, ONE_QUEUE, BY_ARRIVAL, MARKING = "limits", "one", "arrival", "marking"
#: seconds from an idle cycle to the next, and from one that started a job, of the production
#: schedulers of the time (CESNET/torque, CESNET/TorquePlanSched)
POLLING = {"orig-bf": (30, 2), "plan-rs": (5, 0)}
#: which waits say how contended an interval of a log is
RECORDED_WAITS = "recorded"
#: by simulated waits, and who then waits waits on
WITH_BACKLOG = "backlog"


@dataclass(frozen=True)
class PlanSettings:
    """What an experiment's schedules depend on, beside its jobs and its machine.

    Parameters
    ----------
    experiment : str
        Name, once in the sheet.
    source : str
        Log or model whose jobs run.
    intervals : str or None
        Busy intervals of the log by ``recorded`` waits, begun on an empty machine, or by
        ``simulated`` ones, begun with the jobs that then ran, or with these and the ``backlog`` of
        those that then waited; None: the whole log.
    piece : int or None
        Which of them, 1 being the most contended; of items periods and readings the last that is
        run.
    factor : int
        What all times of the jobs are divided by.
    memory : str or None
        What field 10 of the log counts, as of
        `schedlab.studies.klusacek2016.users.asked.requests_of`; None: memory is not counted.
    mode : str
        Whether capacity is planned by cluster or by node, as of `Planning`.
    users : str
        ``recorded`` or ``reacting``.
    midnight : int
        An instant on the log's clock at which it is midnight where its users are.
    queues : str
        ``limits``: as `schedlab.studies.klusacek2016.users.queues` has them, inside them by fair
        share; ``one``: fair share in one queue; ``arrival``: one queue in order of arrival, no
        policy of a site; ``marking``: fair share in one queue, without reservations ahead.
    cycle : str or None
        ``polling``: a scheduler acts at its cycles, every so many seconds as of `POLLING`; None: at
        once.
    schedulers : tuple of str
        As of `Planning`.
    seeds : int
        How often what draws random numbers is run.
    iterations, every : int
        Budget of a search, and seconds from one to the next.
    scope : str
        What an iteration tries, as of `Search`.
    fairness : float
        Weight of fairness among the criteria.
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
        """How a scheduler of this experiment plans."""
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
        """Scheduler and seed of each run; who draws no random numbers runs once."""
        return [
            (scheduler, seed)
            for scheduler in self.schedulers
            for seed in range(self.seeds if scheduler == "plan-rs" else 1)
        ]


@dataclass(frozen=True)
class PlanExperiment(LogRow, PlanSettings):
    """A log, or a piece of one, run under the schedulers of the paper.

    Parameters
    ----------
    item : str
        The table or figures that it belongs to.
    machine : str
        Name in ``config/machines.tsv``.
    """

    settings_class: ClassVar[type] = PlanSettings
    limited_column: ClassVar[str] = "seeds"

    item: str
    machine: str

    def on_model(self) -> Self:
        """Return the experiment on its stand-in, whose users ask for no memory."""
        return replace(super().on_model(), memory=None, midnight=0)

    def check(self, earlier: Sequence[Self]) -> None:
        """Refuse cells that do not go together.

        Raises
        ------
        ConfigError
            A piece without intervals, users that react on a piece, on divided times or to a
            scheduler that polls, one scheduler where both are compared, a log on two machines.
        """
        if problem := self._problem(earlier):
            raise ConfigError(f"column {problem}")

    def _problem(self, others: Iterable[Self]) -> str | None:
        """Say what does not go together in the row or with those in front of it; None: all does."""
        if (self.piece is None) != (self.intervals is None):
            return "'piece': one of the intervals where there are intervals, none of a whole log"
        if self.item in ("periods", "budgets") and self.intervals in (None, RECORDED_WAITS):
            return "'intervals': many intervals are those by simulated waits"
        if self.users == REACT and (self.piece, self.factor) != (None, 1):
            return "'users': who reacts needs a whole log, whose times are not divided"
        if self.users == REACT and self.cycle:
            return "'cycle': a scheduler that polls needs recorded users"
        alone = {"baselines": {"orig-bf"}, "budgets": {"plan-rs"}}
        wanted = alone.get(self.item, {"orig-bf", "plan-rs"})
        if self.item != "own" and set(self.schedulers) != wanted:
            return f"'schedulers': rows of '{self.item}' run {', '.join(sorted(wanted))}"
        machine = (self.machine, self.memory)
        for other in others:
            if other.source == self.source and (other.machine, other.memory) != machine:
                return (
                    f"'machine': '{other.experiment}' has {self.source} on another machine, or its "
                    "memory otherwise, and both share what is simulated of the whole log"
                )
        return None


def as_run(rows: Iterable[PlanExperiment], config: Mapping) -> list[PlanExperiment]:
    """Return the experiments as a configuration runs them."""
    return on_models([row.limited(config[PAPER]["seeds"]) for row in rows], config)


def clusters_of(row: PlanExperiment, machines: str | Path) -> list[dict[str, Any]]:
    """Return the clusters of the machine that a row names.

    Parameters
    ----------
    row : PlanExperiment
        An experiment.
    machines : path
        The sheet of machines, a row a cluster.

    Raises
    ------
    ConfigError
        The sheet has no such machine.
    """
    table = _read_machines(machines)
    own = table[table["machine"] == row.machine].drop(columns="machine")
    if own.empty:
        raise ConfigError(
            f"sheet of {PAPER}: experiment '{row.experiment}': column 'machine': "
            f"'{row.machine}' is not in {machines}" + nearest(row.machine, table["machine"])
        )
    return own.where(own.notna(), None).to_dict("records")


@functools.cache
def _read_machines(path: str | Path) -> pd.DataFrame:
    """Read the sheet of machines, which every row asks for."""
    return pd.read_csv(path, sep="\t", na_values="-").astype(object)


ROW = PlanExperiment
