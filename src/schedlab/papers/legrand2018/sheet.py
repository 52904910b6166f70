"""The experiment sheet of legrand2018: a row is a trace by weeks or by months."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from schedlab.config import ConfigError
from schedlab.sheets import NO_CLEANING, read_rows
from schedlab.traces.splitting import WEEK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

PAPER = "legrand2018"
# How the paper numbers its tables and figures; items of other names are a reader's own.
NUMBERED = re.compile(r"(?:table|fig)\d+[a-d]?(?:_text)?")
PANEL = re.compile(r"fig15([a-d])")
# What is made of all traces together, and how further files of an item end.
TAKEN, ENDINGS = ("fig1", "fig15", "fig_online"), ("_own", "_comparison")
BY_LOG = "log_"  # what splits by the clock of the log begin with
MIXED_DIALECT = "ocs"  # that the kernel of mixed policies knows
HELD_AGAINST = ("saf", "fcfs")  # what figures and claims on weeks and months compare with


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
    dialect : str
        What the simulator does where the text leaves it open.
    thresholds_item, best_item, mixed_item, space_item, search_item, months_item : str or None
        Table or figure that shows the pure policies by threshold, SAF beside the best pure
        policies, the mixed policies, the space of weights, what xNES finds, the months. A row
        none of which is numbered as the paper's is a reader's own.
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
    dialect: str
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
                    f"not lie within its {self.pieces} {self.unit}"
                )
        if self.test[0] <= self.train[1] and self.train[0] <= self.test[1]:
            raise ConfigError(
                f"experiment '{self.experiment}': column 'test': {self.test[0]}-{self.test[1]} and "
                f"the training {self.unit} {self.train[0]}-{self.train[1]} overlap"
            )
        if missing := [name for name in HELD_AGAINST if name not in self.policies]:
            raise ConfigError(
                f"experiment '{self.experiment}': column 'policies' lacks {missing[0]}, which "
                "the others are held against"
            )
        for column, item in self.items.items():
            if item in TAKEN or item.endswith(ENDINGS):
                raise ConfigError(
                    f"experiment '{self.experiment}': column '{column}': '{item}' is the name of "
                    "what else is made; give yours another name"
                )
        if self.dialect != MIXED_DIALECT and {*self.items} - {"thresholds_item", "best_item"}:
            column = min({*self.items} - {"thresholds_item", "best_item"})
            raise ConfigError(
                f"experiment '{self.experiment}': column '{column}': weights are searched in the "
                f"dialect {MIXED_DIALECT} alone, the row has {self.dialect}"
            )
        if self.space_item and not self.space:
            raise ConfigError(
                f"experiment '{self.experiment}': column 'space': {self.space_item} needs the "
                "first and last period that it draws"
            )
        if self.threshold not in self.thresholds:
            raise ConfigError(
                f"experiment '{self.experiment}': column 'thresholds' lacks {self.threshold}, the "
                "threshold that weights are searched with"
            )
        if {None, WEEK} <= {*self.thresholds}:
            raise ConfigError(
                f"experiment '{self.experiment}': column 'thresholds': none and {WEEK} would stand "
                "in one row, 'No threshold': leave one of them out"
            )

    @property
    def numbers(self) -> tuple[int, ...]:
        """Numbers of the periods."""
        return tuple(range(1, self.pieces + 1))

    @property
    def unit(self) -> str:
        """What the periods are: weeks or months."""
        return self.split.removeprefix(BY_LOG)

    @property
    def items(self) -> dict[str, str]:
        """Tables and figures that the row has, by column."""
        columns = ("thresholds", "best", "mixed", "space", "search", "months")
        cells = {f"{column}_item": getattr(self, f"{column}_item") for column in columns}
        return {column: item for column, item in cells.items() if item}

    @property
    def is_own(self) -> bool:
        """Whether the row is a reader's: none of its items is numbered as the paper's."""
        return not any(NUMBERED.fullmatch(item) for item in self.items.values())

    @property
    def months_figure(self) -> str | None:
        """Figure by months that the row is drawn in: a panel of figure 15, or one of its own."""
        return self.months_item.removesuffix(self.panel) if self.months_item else None

    @property
    def panel(self) -> str:
        """Letter of the row's panel in figure 15; empty where it has none."""
        found = PANEL.fullmatch(self.months_item or "")
        return found[1] if found else ""

    @property
    def is_model(self) -> bool:
        """Whether the source is a model, which needs no fetching and no cleaning."""
        return self.cleaning == NO_CLEANING

    def needs(self) -> list[tuple[str, str]]:
        """Return what must be registered, as `schedlab.sheets.QueueExperiment.needs` does."""
        return [("models" if self.is_model else "traces", self.source), ("models", self.standin)]

    def on_model(self) -> Self:
        """Return the experiment on its stand-in model, which no clock of a log cuts short."""
        return replace(self, source=self.standin, cleaning=NO_CLEANING, split=self.unit)

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


def read(path: str | Path, schema_path: str | Path) -> list[PeriodExperiment]:
    """Read a sheet of experiments on weeks and months.

    Parameters, results and errors are those of `schedlab.sheets.read_rows`; errors are also cells
    that do not go together, such as a range that lies outside the experiment's periods, two rows of
    one trace by the same split, and an item that stands in the sheet twice.
    """
    rows = read_rows(path, schema_path)
    try:
        experiments = [_period_experiment(row) for row in rows]
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    seen, named = set(), set()
    for row in experiments:
        for column, item in row.items.items():
            if item in named:
                raise ConfigError(f"{path}: column '{column}': '{item}' stands in the sheet twice")
            named.add(item)
        if (row.label, row.split) in seen:
            raise ConfigError(f"{path}: column 'label': two rows are of {row.label} by {row.split}")
        seen.add((row.label, row.split))
    return experiments


def as_run(rows: Iterable[PeriodExperiment], config: Mapping) -> list[PeriodExperiment]:
    """Return the experiments as a configuration runs them."""
    if config["source"] == "models":
        rows = [row.on_model() for row in rows]
    limits = config["legrand2018"]
    return [row.limited(limits[row.unit] or row.pieces) for row in rows]


def check(rows: Iterable[PeriodExperiment], path: str | Path, config: Mapping) -> None:
    """See that one trace is drawn and varied: its figure, Tables 2 and 7 and the sensitivity.

    Rows of a reader's own may be drawn as well.

    Raises
    ------
    ConfigError
        None or several are.
    """
    for cell in ("space_item", "sensitivity"):
        chosen = [row for row in rows if getattr(row, cell)]
        if cell == "space_item":
            chosen = [row for row in chosen if not row.is_own]
        if len(chosen) != 1 or chosen[0].unit != "weeks":
            raise ConfigError(
                f"{path}: column '{cell}': one trace by weeks must have it, {len(chosen)} rows have"
            )


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
