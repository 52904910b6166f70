"""Rows of the experiment sheets: what those of all studies share, and a row that runs one queue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import pandas as pd

from schedlab.files.config import ConfigError, read_sheet

NO_CLEANING = "none"  # a model's workload needs none
#: the registries that a row may name entries of
REGISTRIES = ("traces", "pools", "models")

AnyRow = TypeVar("AnyRow", bound="Row")
AnyLogRow = TypeVar("AnyLogRow", bound="LogRow")


@dataclass(frozen=True)
class Row:
    """One experiment of a study; a study adds columns of its own.

    Parameters
    ----------
    experiment : str
        Its name, once in the sheet; keys the random streams.
    label : str
        What it is called where it is shown.

    Attributes
    ----------
    settings_class : type or None
        The part of the row that its results depend on, beside its jobs; None: every column.
    limited_column : str
        The column of counts that a configuration may limit.
    """

    settings_class: ClassVar[type | None] = None
    limited_column: ClassVar[str] = ""

    experiment: str
    label: str

    @classmethod
    def of_cells(cls, cells: Mapping[str, Any]) -> Self:
        """Make a row of a sheet's cells, whose lists are tuples."""
        return cls(**cells)

    @property
    def settings(self) -> dict[str, Any]:
        """The cells that results depend on, as jobs take them; a changed label reruns nothing."""
        kind = self.settings_class or type(self)
        return cells_of(self, {column.name for column in fields(kind)})

    def needs(self) -> list[tuple[str, str]]:
        """Return what must be registered: pairs of a registry (of `REGISTRIES`) and a name."""
        return []

    def limited(self, limit: int | None) -> Self:
        """Return the row with at most `limit` in the column that is limited; None: no limit."""
        if not limit:
            return self
        return replace(
            self, **{self.limited_column: min(getattr(self, self.limited_column), limit)}
        )

    def check(self, earlier: Sequence[Self]) -> None:
        """Hold the row's cells against each other, and against the rows in front of it.

        Raises
        ------
        ConfigError
            They do not go together; the message begins with the column.
        """


@dataclass(frozen=True)
class LogRow(Row):
    """A row whose jobs are those of a log, or of a model in its place.

    Parameters
    ----------
    source : str
        A log of the trace registry or a model of the model sheet.
    standin : str
        The model that runs in the log's place.
    cleaning : str
        Rule set that makes jobs of the log; ``none`` for a model.
    """

    source: str
    standin: str
    cleaning: str

    @property
    def is_model(self) -> bool:
        """Whether the source is a model, which needs no fetching and no cleaning."""
        return self.cleaning == NO_CLEANING

    def on_model(self) -> Self:
        """Return the row on its stand-in model."""
        return replace(self, source=self.standin, cleaning=NO_CLEANING)

    def needs(self) -> list[tuple[str, str]]:
        """Return the log or model, and the stand-in."""
        return [("models" if self.is_model else "traces", self.source), ("models", self.standin)]


@dataclass(frozen=True)
class QueueExperiment(LogRow):
    """A log or model, cut into pieces and run under several policies in one dialect.

    Parameters
    ----------
    processors : int
        Size of the machine.
    split : str
        How the jobs are cut into pieces.
    pieces : int
        Number of pieces simulated.
    skip : tuple of int
        Pieces left out, counted from 0.
    decisions : {"actual", "estimate"}
        What the scheduler sees of a run time.
    backfill : {"none", "easy", "conservative"}
        Backfilling: reservations of nobody, of the head of the queue, of every job.
    policies : tuple of str
        Policies in the paper's order.
    dialect : {"artefact", "full"}
        Semantics of the scheduler.
    tau : float
        Bound of the bounded slowdown, in seconds.
    head : int
        First jobs of a piece that start strictly in order and are not counted.
    drawn : bool, default False
        Whether the stand-in draws the log's very jobs, see `with_drawn`; no column of the sheet.
    """

    limited_column: ClassVar[str] = "pieces"

    processors: int
    split: str
    pieces: int
    skip: tuple[int, ...]
    decisions: str
    backfill: str
    policies: tuple[str, ...]
    dialect: str
    tau: float
    head: int
    drawn: bool = field(default=False, kw_only=True)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the pieces that are simulated: the first `pieces` that are not left out."""
        candidates = range(self.pieces + len(self.skip))
        return tuple(number for number in candidates if number not in self.skip)[: self.pieces]

    @property
    def settings(self) -> dict[str, Any]:
        """The cells that schedules depend on, and the numbers of the pieces."""
        cells = ["processors", "decisions", "backfill", "policies", "dialect", "tau", "head"]
        return {cell: getattr(self, cell) for cell in cells} | {"pieces": self.numbers}

    def on_model(self) -> Self:
        """Return the experiment on its stand-in model: every piece, or those of the same jobs."""
        return replace(super().on_model(), skip=self.skip if self.drawn else ())


def read(kind: type[AnyRow], path: str | Path, schema_path: str | Path) -> list[AnyRow]:
    """Return the rows of a sheet, in its order.

    Parameters
    ----------
    kind : type
        What a row is: `Row` or what a study makes of it.
    path : path
        The sheet, ``config/experiments/<study>.tsv``.
    schema_path : path
        The schema of a row.

    Raises
    ------
    ConfigError
        A row breaks the schema (file, line and column are named), a name stands there twice, or
        cells do not go together.
    """
    frame = read_sheet(path, schema_path)
    if (twice := frame["experiment"][frame["experiment"].duplicated()]).size:
        raise ConfigError(f"{path}: column 'experiment': '{twice.iloc[0]}' stands there twice")
    rows: list[AnyRow] = []
    for cells in frame.to_dict("records"):
        try:
            row = kind.of_cells({name: _cell(value) for name, value in cells.items()})
            row.check(rows)
        except ConfigError as error:
            raise ConfigError(f"{path}: experiment '{cells['experiment']}': {error}") from None
        rows.append(row)
    return rows


def on_models(rows: Iterable[AnyLogRow], config: Mapping) -> list[AnyLogRow]:
    """Return the rows on the sources that a configuration names: logs, or their stand-ins."""
    return [row.on_model() for row in rows] if config["source"] == "models" else list(rows)


def with_drawn(rows: Iterable[Any], models: Mapping[str, str | None]) -> list[Any]:
    """Return rows that say whether their stand-in is no other workload than their log.

    Parameters
    ----------
    rows : iterable
        Rows of a sheet; those that are no `QueueExperiment` stay as they are.
    models : mapping of str to str or None
        By log, the model that draws its every job.
    """
    return [
        replace(row, drawn=models.get(row.source) == row.standin)
        if isinstance(row, QueueExperiment)
        else row
        for row in rows
    ]


def cells_of(row: Any, names: set[str] | None = None) -> dict[str, Any]:
    """Return a row as a job takes it: its cells by name, or those of `names` alone."""
    kept = {field.name for field in fields(row)} if names is None else names
    return {name: value for name, value in asdict(row).items() if name in kept}


def _cell(value: Any) -> Any:
    """Return a cell as a row has it: lists as tuples, nothing as None."""
    if isinstance(value, list):
        return tuple(value)
    return None if pd.isna(value) else value
