"""The arena's sheet: a row is a log, the days of its windows and the schedulers that run it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Self

from schedlab.arena.schedulers import REFERENCE, SCHEDULERS
from schedlab.arena.user_schedulers import check_user_schedulers as check
from schedlab.config import ConfigError, nearest
from schedlab.policies.user_files import is_place
from schedlab.sheets import NO_CLEANING, cells_of, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

ARENA = "arena"
__all__ = ["ARENA", "Contest", "ContestSettings", "as_run", "check", "read"]


@dataclass(frozen=True)
class ContestSettings:
    """What the results of a row depend on, beside its jobs and the configuration.

    Parameters
    ----------
    experiment : str
        Name, once in the sheet; keys the random streams.
    source : str
        Log or model.
    processors : int
        Size of its machine.
    days : int
        Days of a window.
    schedulers : tuple of str
        Names of `schedlab.arena.schedulers.SCHEDULERS`, or ``file.py:function``.
    tau : float
        Bound of the bounded slowdown in seconds.
    """

    experiment: str
    source: str
    processors: int
    days: int
    schedulers: tuple[str, ...]
    tau: float


@dataclass(frozen=True)
class Contest(ContestSettings):
    """A row of the sheet.

    Parameters
    ----------
    label : str
        What the log is called where it is shown.
    standin : str
        Model that runs in the log's place.
    standin_processors : int
        Size of the model's machine.
    cleaning : str
        Rule set that makes jobs of the log; ``none`` for a model.
    """

    label: str
    standin: str
    standin_processors: int
    cleaning: str

    @property
    def settings(self) -> dict[str, Any]:
        """The cells of `ContestSettings`, as jobs take them; a changed label reruns nothing."""
        return cells_of(self, {field.name for field in fields(ContestSettings)})

    @property
    def is_model(self) -> bool:
        """Whether the source is a model, which needs no fetching and no cleaning."""
        return self.cleaning == NO_CLEANING

    def on_model(self) -> Self:
        """Return the row on its stand-in."""
        return replace(
            self,
            source=self.standin,
            processors=self.standin_processors,
            cleaning=NO_CLEANING,
            label=f"{self.label} ({self.standin})",
        )

    def needs(self) -> list[tuple[str, str]]:
        """Return what must be registered, as `schedlab.sheets.QueueExperiment.needs` does."""
        return [("models" if self.is_model else "traces", self.source), ("models", self.standin)]


def as_run(rows: Iterable[Contest], config: Mapping) -> list[Contest]:
    """Return the rows as a configuration runs them."""
    rows = list(rows)[: config[ARENA]["logs"]]
    return [row.on_model() for row in rows] if config["source"] == "models" else rows


def read(path: str | Path, schema_path: str | Path) -> list[Contest]:
    """Read the sheet.

    Parameters
    ----------
    path, schema_path : path
        ``config/experiments/arena.tsv`` and the schema of a row.

    Raises
    ------
    ConfigError
        A row breaks the schema, a name stands there twice, a scheduler is not known or the
        reference is missing.
    """
    rows = []
    for cells in read_rows(path, schema_path):
        row = Contest(**cells | {"schedulers": tuple(cells["schedulers"])})
        for name in row.schedulers:
            if name not in SCHEDULERS and not is_place(name):
                raise ConfigError(
                    f"{path}: experiment '{row.experiment}': column 'schedulers': '{name}' is none"
                    + nearest(name, SCHEDULERS)
                )
        if REFERENCE not in row.schedulers:
            raise ConfigError(
                f"{path}: experiment '{row.experiment}': column 'schedulers' lacks {REFERENCE}, "
                "which the others are held against"
            )
        rows.append(row)
    return rows
