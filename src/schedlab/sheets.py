"""What the experiment sheets of all papers share: reading rows, and a row that runs one queue."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Self

from schedlab.config import ConfigError, read_sheet

NO_CLEANING = "none"  # a model's workload needs none
#: the registries that a row may name entries of
REGISTRIES = ("traces", "pools", "models")


@dataclass(frozen=True)
class QueueExperiment:
    """A log or model, cut into pieces and run under several policies in one dialect.

    Parameters
    ----------
    experiment : str
        Its name, once in the sheet.
    label : str
        The row's text.
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

    experiment: str
    label: str
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
    tau: float
    head: int
    drawn: bool = field(default=False, kw_only=True)

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the pieces that are simulated: the first `pieces` that are not left out."""
        candidates = range(self.pieces + len(self.skip))
        return tuple(number for number in candidates if number not in self.skip)[: self.pieces]

    @property
    def is_model(self) -> bool:
        """Whether the source is a model, which needs no fetching and no cleaning."""
        return self.cleaning == NO_CLEANING

    @property
    def settings(self) -> dict[str, Any]:
        """The cells that schedules depend on, and the numbers of the pieces."""
        cells = ["processors", "decisions", "backfill", "policies", "dialect", "tau", "head"]
        return {cell: getattr(self, cell) for cell in cells} | {"pieces": self.numbers}

    def on_model(self) -> Self:
        """Return the experiment on its stand-in model: every piece, or those of the same jobs."""
        skip = self.skip if self.drawn else ()
        return replace(self, source=self.standin, cleaning=NO_CLEANING, skip=skip)

    def limited(self, pieces: int) -> Self:
        """Return the experiment with at most `pieces` pieces."""
        return replace(self, pieces=min(self.pieces, pieces))

    def needs(self) -> list[tuple[str, str]]:
        """Return what must be registered: pairs of a registry (of `REGISTRIES`) and a name."""
        return [("models" if self.is_model else "traces", self.source), ("models", self.standin)]


def read_rows(path: str | Path, schema_path: str | Path) -> list[dict]:
    """Return the rows of a sheet whose experiments have names of their own.

    Parameters
    ----------
    path : path
        The sheet, ``config/experiments/<paper>.tsv``.
    schema_path : path
        The schema of a row.

    Raises
    ------
    ConfigError
        A row breaks the schema (file, line and column are named) or a name stands there twice.
    """
    frame = read_sheet(path, schema_path)
    if (twice := frame["experiment"][frame["experiment"].duplicated()]).size:
        raise ConfigError(f"{path}: column 'experiment': '{twice.iloc[0]}' stands there twice")
    return frame.to_dict("records")


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
