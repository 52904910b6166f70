"""The experiment sheets: one row is one experiment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from schedlab.config import ConfigError, read_sheet

NO_CLEANING = "none"  # a model's workload needs none
HELD_AGAINST = ("saf", "fcfs")  # what figures and claims on weeks and months compare with


@dataclass(frozen=True)
class Experiment:
    """A log or model, cut into pieces and run under several policies in one dialect.

    Parameters
    ----------
    experiment : str
        Its name, once in the sheet.
    item : str
        The table that it is a row of.
    label : str
        The row's text.
    figure : str or None
        Figure and panel that draw it, such as ``fig4a``.
    source : str
        A log of the trace registry or a model of the model sheet.
    standin : str
        The model that runs in the log's place.
    processors : int
        Size of the machine.
    cleaning : str
        Rule set that makes jobs of the log; ``none`` for a model.
    split : str
        How the jobs are cut into pieces.
    pieces : int
        Number of pieces simulated.
    skip : tuple of int
        Pieces left out, counted from 0.
    decisions : {"actual", "estimate"}
        What the scheduler sees of a run time.
    backfill : {"none", "easy"}
        Backfilling.
    policies : tuple of str
        Policies in the paper's order.
    dialect : {"artefact", "full"}
        Semantics of the scheduler.
    metric : {"avebsld"}
        Metric of a piece.
    tau : float
        Bound of the bounded slowdown, in seconds.
    head : int
        First jobs of a piece that start strictly in order and are not counted.
    seeds : int
        Workloads drawn per row.
    """

    experiment: str
    item: str
    label: str
    figure: str | None
    source: str
    standin: str
    processors: int
    cleaning: str
    split: str
    pieces: int
    skip: tuple[int, ...]
    decisions: str
    backfill: str
    policies: tuple[str, ...]
    dialect: str
    metric: str
    tau: float
    head: int
    seeds: int

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the pieces that are simulated: the first `pieces` that are not left out."""
        candidates = range(self.pieces + len(self.skip))
        return tuple(number for number in candidates if number not in self.skip)[: self.pieces]

    @property
    def is_model(self) -> bool:
        """Whether the source is a model, which needs no fetching and no cleaning."""
        return self.cleaning == NO_CLEANING

    def on_model(self) -> Self:
        """Return the experiment on its stand-in model, with every piece of it."""
        return replace(self, source=self.standin, cleaning=NO_CLEANING, skip=())

    def limited(self, pieces: int) -> Self:
        """Return the experiment with at most `pieces` pieces."""
        return replace(self, pieces=min(self.pieces, pieces))


@dataclass(frozen=True)
class PeriodExperiment:
    """A log cut into weeks or months, run under pure policies and searched for mixed ones.

    Parameters
    ----------
    experiment : str
        Its name, once in the sheet.
    label : str
        The trace, as the paper calls it.
    source, standin, processors, cleaning, split, tau
        As for `Experiment`.
    pieces : int
        Number of periods: 1, 2, … of the split.
    train, test : tuple of int
        First and last period that weights are learned from, and tested on.
    threshold : int
        Wait in seconds past which a job goes to the head of the queue.
    thresholds : tuple of (int or None)
        Those that the pure policies run with; None for no threshold.
    policies : tuple of str
        Pure policies.
    thresholds_item, best_item, mixed_item, space_item, search_item, months_item : str or None
        Table or figure that shows the pure policies by threshold, SAF beside the best pure
        policies, the mixed policies, the space of weights, what xNES finds, the months.
    space : tuple of int or None
        First and last period whose space of weights is drawn.
    sensitivity : bool
        Whether scaling and the settings of xNES are varied.
    """

    experiment: str
    label: str
    source: str
    standin: str
    processors: int
    cleaning: str
    split: str
    pieces: int
    train: tuple[int, int]
    test: tuple[int, int]
    threshold: int
    thresholds: tuple[int | None, ...]
    policies: tuple[str, ...]
    tau: float
    thresholds_item: str | None
    best_item: str | None
    mixed_item: str | None
    space: tuple[int, int] | None
    space_item: str | None
    search_item: str | None
    months_item: str | None
    sensitivity: bool

    def __post_init__(self) -> None:
        for name in ("train", "test", "space"):
            given = getattr(self, name)
            if given and not 1 <= given[0] <= given[1] <= self.pieces:
                raise ConfigError(
                    f"experiment '{self.experiment}': column '{name}': {given[0]}-{given[1]} does "
                    f"not lie within its {self.pieces} {self.split}"
                )
        if self.test[0] <= self.train[1] and self.train[0] <= self.test[1]:
            raise ConfigError(
                f"experiment '{self.experiment}': column 'test': {self.test[0]}-{self.test[1]} and "
                f"the training {self.split} {self.train[0]}-{self.train[1]} overlap"
            )
        if missing := [name for name in HELD_AGAINST if name not in self.policies]:
            raise ConfigError(
                f"experiment '{self.experiment}': column 'policies' lacks {missing[0]}, which "
                "the others are held against"
            )
        if self.threshold not in self.thresholds:
            raise ConfigError(
                f"experiment '{self.experiment}': column 'thresholds' lacks {self.threshold}, the "
                "threshold that weights are searched with"
            )

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the periods."""
        return tuple(range(1, self.pieces + 1))

    @property
    def is_model(self) -> bool:
        """Whether the source is a model, which needs no fetching and no cleaning."""
        return self.cleaning == NO_CLEANING

    def on_model(self) -> Self:
        """Return the experiment on its stand-in model."""
        return replace(self, source=self.standin, cleaning=NO_CLEANING)

    def limited(self, pieces: int) -> Self:
        """Return the experiment with at most `pieces` periods.

        If there are fewer than the sheet says, the first half of them is learned from, the others
        are tested on, and the last four are drawn.
        """
        if pieces >= self.pieces:
            return self
        half = pieces // 2
        return replace(
            self,
            pieces=pieces,
            train=(1, half),
            test=(half + 1, pieces),
            space=self.space and (max(1, pieces - 3), pieces),
        )


def read_experiments(path: str | Path, schema_path: str | Path) -> list[Experiment]:
    """Read an experiment sheet.

    Parameters
    ----------
    path : path
        The sheet, ``config/experiments/<paper>.tsv``.
    schema_path : path
        The schema of a row.

    Returns
    -------
    list of Experiment
        In the sheet's order.

    Raises
    ------
    ConfigError
        A row breaks the schema (file, line and column are named) or a name stands there twice.
    """
    return [
        Experiment(
            **row
            | {
                "figure": row["figure"] or None,
                "skip": tuple(row["skip"]),
                "policies": tuple(row["policies"]),
            }
        )
        for row in _rows(path, schema_path)
    ]


def read_period_experiments(path: str | Path, schema_path: str | Path) -> list[PeriodExperiment]:
    """Read a sheet of experiments on weeks and months.

    Parameters, results and errors are those of `read_experiments`; so are cells that do not go
    together, such as a range that lies outside the experiment's periods, and two rows of one trace
    by the same split.
    """
    rows = _rows(path, schema_path)
    try:
        experiments = [_period_experiment(row) for row in rows]
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    seen = set()
    for row in experiments:
        if (row.label, row.split) in seen:
            raise ConfigError(f"{path}: column 'label': two rows are of {row.label} by {row.split}")
        seen.add((row.label, row.split))
    return experiments


def _period_experiment(row: dict) -> PeriodExperiment:
    """Make an experiment of a row's cells."""
    return PeriodExperiment(
        **row
        | {name: _range(row[name]) for name in ("train", "test", "space")}
        | {
            "thresholds": tuple(
                None if text == "none" else int(text) for text in row["thresholds"]
            ),
            "policies": tuple(row["policies"]),
        }
        | {name: row[name] or None for name in row if name.endswith("_item")}
    )


def _range(text: str | None) -> tuple[int, int] | None:
    """Return first and last of a range such as ``28-64``."""
    if not text:
        return None
    first, last = text.split("-")
    return int(first), int(last)


def _rows(path: str | Path, schema_path: str | Path) -> list[dict]:
    """Return the rows of a sheet whose experiments have names of their own."""
    frame = read_sheet(path, schema_path)
    if (twice := frame["experiment"][frame["experiment"].duplicated()]).size:
        raise ConfigError(f"{path}: column 'experiment': '{twice.iloc[0]}' stands there twice")
    return frame.to_dict("records")
