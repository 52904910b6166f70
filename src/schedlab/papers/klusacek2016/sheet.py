"""The experiment sheet of klusacek2016: a row is a log, its users, a machine and how it plans."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pandas as pd

from schedlab.config import ConfigError, nearest
from schedlab.planning.settings import Planning, Search
from schedlab.sheets import NO_CLEANING, cells_of, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
        What field 10 of the log counts, as of `schedlab.users.asked.requests_of`; None: memory is
        not counted.
    mode : str
        Whether capacity is planned by cluster or by node, as of `Planning`.
    users : str
        ``recorded`` or ``reacting``.
    midnight : int
        An instant on the log's clock at which it is midnight where its users are.
    queues : str
        ``limits``: as `schedlab.users.queues` has them, inside them by fair share; ``one``: fair
        share in one queue; ``arrival``: one queue in order of arrival, no policy of a site;
        ``marking``: fair share in one queue, without reservations ahead.
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
class PlanExperiment(PlanSettings):
    """A log, or a piece of one, run under the schedulers of the paper.

    Parameters
    ----------
    item, label : str
        The table or figures that it belongs to, and what it is called there.
    standin : str
        The model that runs in the log's place.
    cleaning : str
        Rule set that makes jobs of the log; ``none`` for a model.
    machine : str
        Name in ``config/machines.tsv``.
    """

    item: str
    label: str
    standin: str
    cleaning: str
    machine: str

    @property
    def settings(self) -> dict[str, Any]:
        """The cells of `PlanSettings`, as jobs take them; a changed label reruns nothing."""
        return cells_of(self, {field.name for field in fields(PlanSettings)})

    @property
    def is_model(self) -> bool:
        """Whether the source is a model, which needs no fetching and no cleaning."""
        return self.cleaning == NO_CLEANING

    def on_model(self) -> Self:
        """Return the experiment on its stand-in, whose users ask for no memory."""
        return replace(self, source=self.standin, cleaning=NO_CLEANING, memory=None, midnight=0)

    def limited(self, seeds: int) -> Self:
        """Return the experiment with at most `seeds` seeds."""
        return replace(self, seeds=min(self.seeds, seeds))

    def needs(self) -> list[tuple[str, str]]:
        """Return what must be registered, as `schedlab.sheets.QueueExperiment.needs` does."""
        return [("models" if self.is_model else "traces", self.source), ("models", self.standin)]


def as_run(rows: Iterable[PlanExperiment], config: Mapping) -> list[PlanExperiment]:
    """Return the experiments as a configuration runs them."""
    seeds = config[PAPER]["seeds"]
    rows = [row.limited(seeds) for row in rows] if seeds else list(rows)
    return [row.on_model() for row in rows] if config["source"] == "models" else rows


def read(path: str | Path, schema_path: str | Path) -> list[PlanExperiment]:
    """Read the sheet.

    Parameters
    ----------
    path, schema_path : path
        ``config/experiments/klusacek2016.tsv`` and the schema of a row.

    Returns
    -------
    list of PlanExperiment
        In the sheet's order.

    Raises
    ------
    ConfigError
        A row breaks the schema, a name stands there twice, or cells do not go together: a piece
        without intervals, users that react on a piece, on divided times or to a scheduler that
        polls, one scheduler where both are compared, a log on two machines.
    """
    rows = []
    for cells in read_rows(path, schema_path):
        known = {
            key: None if not isinstance(value, list) and pd.isna(value) else value
            for key, value in cells.items()
        }
        row = PlanExperiment(**known | {"schedulers": tuple(known["schedulers"])})
        if problem := _problem(row, rows):
            raise ConfigError(f"{path}: experiment '{row.experiment}': column {problem}")
        rows.append(row)
    return rows


def _problem(row: PlanExperiment, others: Iterable[PlanExperiment]) -> str | None:
    """Say what does not go together in a row, or with the rows in front of it; None: all does."""
    if (row.piece is None) != (row.intervals is None):
        return "'piece': one of the intervals where there are intervals, none of a whole log"
    if row.item in ("periods", "budgets") and row.intervals in (None, RECORDED_WAITS):
        return "'intervals': many intervals are those by simulated waits"
    if row.users == REACT and (row.piece, row.factor) != (None, 1):
        return "'users': who reacts needs a whole log, whose times are not divided"
    if row.users == REACT and row.cycle:
        return "'cycle': a scheduler that polls needs recorded users"
    alone = {"baselines": {"orig-bf"}, "budgets": {"plan-rs"}}
    wanted = alone.get(row.item, {"orig-bf", "plan-rs"})
    if row.item != "own" and set(row.schedulers) != wanted:
        return f"'schedulers': rows of '{row.item}' run {', '.join(sorted(wanted))}"
    machine = (row.machine, row.memory)
    for other in others:
        if other.source == row.source and (other.machine, other.memory) != machine:
            return (
                f"'machine': '{other.experiment}' has {row.source} on another machine, or its "
                "memory otherwise, and both share what is simulated of the whole log"
            )
    return None


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
    table = pd.read_csv(machines, sep="\t", na_values="-").astype(object)
    own = table[table["machine"] == row.machine].drop(columns="machine")
    if own.empty:
        raise ConfigError(
            f"sheet of {PAPER}: experiment '{row.experiment}': column 'machine': "
            f"'{row.machine}' is not in {machines}" + nearest(row.machine, table["machine"])
        )
    return own.where(own.notna(), None).to_dict("records")
