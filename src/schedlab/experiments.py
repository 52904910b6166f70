"""The experiment sheet: one row is one experiment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from schedlab.config import ConfigError, read_sheet

NO_CLEANING = "none"  # a model's workload needs none


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
    frame = read_sheet(path, schema_path)
    if (twice := frame["experiment"][frame["experiment"].duplicated()]).size:
        raise ConfigError(f"{path}: column 'experiment': '{twice.iloc[0]}' stands there twice")
    return [
        Experiment(
            **row
            | {
                "figure": row["figure"] or None,
                "skip": tuple(row["skip"]),
                "policies": tuple(row["policies"]),
            }
        )
        for row in frame.to_dict("records")
    ]
