"""Rows of the experiment sheets: columns common to all studies, and rows that run one queue."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

import pandas as pd

from schedlab.files.config import LINES, ConfigError, read_sheet

NO_CLEANING = "none"  # a model's workload needs none
#: the registries whose entries a row may name
REGISTRIES = ("traces", "pools", "models")

AnyRow = TypeVar("AnyRow", bound="Row")
AnyLogRow = TypeVar("AnyLogRow", bound="LogRow")


@dataclass(frozen=True)
class Row:
    """Experiment of a study; its name, unique in the sheet, is a key of the random streams.

    `settings_class` has the settings that the results depend on, besides the jobs; None for every
    column. `limited_column` is a column of counts that a configuration may limit.
    """

    settings_class: ClassVar[type | None] = None
    limited_column: ClassVar[str] = ""

    experiment: str
    label: str

    @classmethod
    def of_cells(cls, cells: Mapping[str, Any]) -> Self:
        """Return the row for a sheet's values, in which lists are tuples."""
        return cls(**cells)

    @property
    def settings(self) -> dict[str, Any]:
        """Values that results depend on, for jobs; a changed label does not cause a rerun."""
        kind = self.settings_class or type(self)
        return cells_of(self, {column.name for column in fields(kind)})

    def needs(self) -> list[tuple[str, str]]:
        """Return the required entries: pairs of a registry (of `REGISTRIES`) and a name."""
        return []

    def limited(self, limit: int | None) -> Self:
        """Return the row with at most `limit` in the limited column; None for no limit."""
        if not limit:
            return self
        return replace(
            self, **{self.limited_column: min(getattr(self, self.limited_column), limit)}
        )

    def check(self, earlier: Sequence[Self]) -> None:
        """Raise ConfigError, beginning with the column, if values contradict others."""


@dataclass(frozen=True)
class LogRow(Row):
    """Row with the jobs of a log, or of a model instead.

    `standin` is the model that can run instead of the log; `stand_in`, no column of the sheet, is
    the name of a model that does (`schedlab.files.stand_ins`), and empty on the log itself.
    """

    source: str
    standin: str
    cleaning: str
    stand_in: str = field(default="", kw_only=True)

    @property
    def name(self) -> str:
        """Name in tables and figures: the label, or that of the model that replaces the log."""
        return self.stand_in or self.label

    @property
    def workload(self) -> str:
        """Name of what runs: the log or model, or the name of a model that replaces the log."""
        return self.stand_in or self.source

    @property
    def is_model(self) -> bool:
        """Whether the source is a model, which needs neither fetching nor cleaning."""
        return self.cleaning == NO_CLEANING

    def on_model(self) -> Self:
        """Return the row with its stand-in model as source."""
        return replace(self, source=self.standin, cleaning=NO_CLEANING)

    def needs(self) -> list[tuple[str, str]]:
        """Return the log or model, and the stand-in."""
        return [("models" if self.is_model else "traces", self.source), ("models", self.standin)]


@dataclass(frozen=True)
class QueueExperiment(LogRow):
    """Log or model, cut into pieces and run under several policies in one dialect.

    `split` is the name of the split into pieces, `pieces` the number of simulated ones, `skip`
    those to skip, counted from 0. `decisions` is the run time that the scheduler uses: actual or
    estimate. `backfill` is which jobs have a reservation: none, fit, easy (the queue head), a
    number, or conservative (every job). Policies are in the paper's order. The dialect is of
    `schedlab.queue.dialect_cells.dialect_of`; `tau`, in seconds, is the bound of the bounded
    slowdown. `head` is how many first jobs of a piece start strictly in order and are not counted.
    `drawn`, no column of the sheet, is whether the stand-in draws the log's own jobs: `with_drawn`.
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
        """Numbers of the simulated pieces: the first `pieces` that are not skipped."""
        candidates = range(self.pieces + len(self.skip))
        return tuple(number for number in candidates if number not in self.skip)[: self.pieces]

    @property
    def settings(self) -> dict[str, Any]:
        """Values that schedules depend on, and the numbers of the pieces."""
        cells = ["processors", "decisions", "backfill", "policies", "dialect", "tau", "head"]
        return {cell: getattr(self, cell) for cell in cells} | {"pieces": self.numbers}

    def on_model(self) -> Self:
        """Return the experiment on its stand-in model: every piece, or those of the same jobs."""
        return replace(super().on_model(), skip=self.skip if self.drawn else ())


def read(kind: type[AnyRow], path: str | Path, schema_path: str | Path) -> list[AnyRow]:
    """Return the rows of a sheet, of the class `kind`; ConfigError names file, line and column."""
    frame = read_sheet(path, schema_path)
    if (twice := frame["experiment"][frame["experiment"].duplicated()]).size:
        raise ConfigError(f"{path}: column 'experiment': '{twice.iloc[0]}' appears twice")
    rows: list[AnyRow] = []
    for line, cells in zip(frame.attrs[LINES], frame.to_dict("records"), strict=True):
        try:
            row = kind.of_cells({name: _cell(value) for name, value in cells.items()})
            row.check(rows)
        except ConfigError as error:
            where = f"{path}: experiment '{cells['experiment']}'"
            raise ConfigError(f"{where}: {error} (line {line})") from None
        rows.append(row)
    return rows


def on_models(rows: Iterable[AnyLogRow], config: Mapping) -> list[AnyLogRow]:
    """Return the rows with the sources that a configuration selects: logs, or their stand-ins."""
    return [row.on_model() for row in rows] if config["source"] == "models" else list(rows)


def with_drawn(rows: Iterable[Any], models: Mapping[str, str | None]) -> list[Any]:
    """Return the rows with `drawn` set if their stand-in in `models` draws the log's jobs."""
    return [
        replace(row, drawn=models.get(row.source) == row.standin)
        if isinstance(row, QueueExperiment)
        else row
        for row in rows
    ]


def cells_of(row: Any, names: set[str] | None = None) -> dict[str, Any]:
    """Return a row's values by column name, or only those of `names`, for a job."""
    columns = {field.name for field in fields(row)} if names is None else names
    return {name: value for name, value in asdict(row).items() if name in columns}


def _cell(value: Any) -> Any:
    """Return a value in the form of a row: lists as tuples, missing values as None."""
    if isinstance(value, list):
        return tuple(value)
    return None if pd.isna(value) else value
