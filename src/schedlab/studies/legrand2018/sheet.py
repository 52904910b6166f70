"""The experiment sheet of legrand2018: a row is a trace cut into weeks or months."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from schedlab.comparison.settings import check_cell
from schedlab.core.splitting import WEEK
from schedlab.files.config import ConfigError
from schedlab.files.sheets import LogRow, on_models

PAPER = "legrand2018"
# How the paper numbers its tables and figures; items with other names are yours.
NUMBERED = re.compile(r"(?:table|fig)\d+[a-d]?(?:_text)?")
PANEL = re.compile(r"fig15([a-d])")
# Items of all traces together, and endings of further files of an item.
TAKEN, ENDINGS = ("fig1", "fig15", "fig_online"), ("_own", "_comparison")
BY_LOG = "log_"  # what splits by the clock of the log begin with
MIXED_DIALECT = "ocs"  # that the kernel of mixed policies knows
REFERENCES = ("saf", "fcfs")  # what figures and claims on weeks and months compare with


@dataclass(frozen=True)
class PeriodExperiment(LogRow):
    """A log cut into weeks or months, run under pure policies and searched for mixed ones.

    Its columns are described in ``workflow/schemas/legrand2018.schema.yaml``; here None is ``-``.
    """

    processors: int
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

    @classmethod
    def of_cells(cls, cells: Mapping[str, Any]) -> Self:
        """Make a row from a sheet's values: ranges such as ``28-64``, thresholds in seconds."""
        ranges = {name: _range(cells[name]) for name in ("train", "test", "space")}
        thresholds = [None if text == "none" else int(text) for text in cells["thresholds"]]
        return cls(**{**cells, **ranges, "thresholds": tuple(thresholds)})

    def __post_init__(self) -> None:
        for problem in self._problems():
            raise ConfigError(f"column {problem}")

    def _problems(self) -> Iterator[str]:
        (first, last), (begin, end) = self.train, self.test
        for name in ("train", "test", "space"):
            span = getattr(self, name)
            if span and not 1 <= span[0] <= span[1] <= self.pieces:
                within = f"within its {self.pieces} {self.unit}"
                yield f"'{name}': {span[0]}-{span[1]} does not lie {within}"
        if begin <= last and first <= end:
            yield f"'test': {begin}-{end} and the training {self.unit} {first}-{last} overlap"
        for name in REFERENCES:
            if name not in self.policies:
                yield f"'policies' lacks {name}, with which the others are compared"
        for column, item in self.items.items():
            if item in TAKEN or item.endswith(ENDINGS):
                taken = "is the name of what else is made; give yours another name"
                yield f"'{column}': '{item}' {taken}"
        searched = {*self.items} - {"thresholds_item", "best_item"}
        if self.dialect != MIXED_DIALECT and searched:
            alone = f"weights are searched in the dialect {MIXED_DIALECT} alone"
            yield f"'{min(searched)}': {alone}, the row has {self.dialect}"
        if self.space_item and not self.space:
            yield f"'space': {self.space_item} needs the first and last period that it draws"
        if self.threshold not in self.thresholds:
            lacking = f"{self.threshold}, the threshold that weights are searched with"
            yield f"'thresholds' lacks {lacking}"
        if {None, WEEK} <= {*self.thresholds}:
            both = f"none and {WEEK} would stand in one row, 'No threshold'"
            yield f"'thresholds': {both}: leave one of them out"

    @property
    def numbers(self) -> tuple[int, ...]:
        """Return the numbers of the periods."""
        return tuple(range(1, self.pieces + 1))

    @property
    def unit(self) -> str:
        """Return the kind of the periods: weeks or months."""
        return self.split.removeprefix(BY_LOG)

    @property
    def items(self) -> dict[str, str]:
        """Return the tables and figures of the row, by column."""
        columns = ("thresholds", "best", "mixed", "space", "search", "months")
        cells = {f"{column}_item": getattr(self, f"{column}_item") for column in columns}
        return {column: item for column, item in cells.items() if item}

    @property
    def is_own(self) -> bool:
        """Return whether the row is yours: none of its items has one of the paper's numbers."""
        return not any(NUMBERED.fullmatch(item) for item in self.items.values())

    @property
    def months_figure(self) -> str | None:
        """Return the row's figure by months: figure 15 with its panels, or your figure."""
        return self.months_item.removesuffix(self.panel) if self.months_item else None

    @property
    def panel(self) -> str:
        """Return the letter of the row's panel in figure 15; empty if it has none."""
        match = PANEL.fullmatch(self.months_item or "")
        return match[1] if match else ""

    def on_model(self) -> Self:
        """Return the experiment on its stand-in model, which has no weeks of a log's clock."""
        return replace(super().on_model(), split=self.unit)

    def limited(self, limit: int | None) -> Self:
        """Return the experiment with at most `limit` periods.

        If this is fewer than in the sheet, the first half of them is for training, the others are
        for testing, and the last four are drawn.
        """
        if not limit or limit >= self.pieces:
            return self
        half = limit // 2
        return replace(
            self,
            pieces=limit,
            train=(1, half),
            test=(half + 1, limit),
            space=self.space and (max(1, limit - 3), limit),
        )

    def check(self, earlier: Sequence[Self]) -> None:
        """Reject an unknown dialect, an item of another row, and a trace's second row by one split.

        Raises ConfigError.
        """
        check_cell(self.dialect)
        earlier_items = {item for row in earlier for item in row.items.values()}
        for column, item in self.items.items():
            if item in earlier_items or [*self.items.values()].count(item) > 1:
                raise ConfigError(f"column '{column}': '{item}' is in the sheet twice")
        if (self.label, self.split) in {(row.label, row.split) for row in earlier}:
            raise ConfigError(f"column 'label': two rows are of {self.label} by {self.split}")


def as_run(rows: Iterable[PeriodExperiment], config: Mapping) -> list[PeriodExperiment]:
    """Return the experiments as a configuration runs them."""
    limits = config[PAPER]
    return [row.limited(limits[row.unit]) for row in on_models(rows, config)]


def by_weeks(rows: Iterable[PeriodExperiment]) -> list[PeriodExperiment]:
    """Return the paper's traces by weeks in the paper's dialect, in the sheet's order."""
    return [
        row
        for row in rows
        if (row.unit, row.dialect) == ("weeks", MIXED_DIALECT) and not row.is_own
    ]


def drawn_trace(rows: Iterable[PeriodExperiment]) -> PeriodExperiment:
    """Return the trace whose space of weights is drawn: that of Tables 2 and 7."""
    return next(row for row in by_weeks(rows) if row.space_item)


def check(rows: Iterable[PeriodExperiment], path: str | Path, config: Mapping) -> None:
    """Check that exactly one of the paper's traces is drawn and one is varied; else ConfigError.

    They determine figure 4, Tables 2 and 7 and the sensitivity. Your rows may be drawn as well.
    """
    for cell in ("space_item", "sensitivity"):
        chosen = [row for row in rows if getattr(row, cell)]
        if cell == "space_item":
            chosen = [row for row in chosen if not row.is_own]
        if len(chosen) != 1 or chosen[0].unit != "weeks":
            raise ConfigError(
                f"{path}: column '{cell}': one trace by weeks must have it, {len(chosen)} rows have"
            )


def _range(text: str | None) -> tuple[int, int] | None:
    """Return first and last of a range such as ``28-64``."""
    if not text:
        return None
    first, last = text.split("-")
    return int(first), int(last)


ROW = PeriodExperiment
