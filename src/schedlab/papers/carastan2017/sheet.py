"""The experiment sheet of carastan2017: one row is one experiment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from schedlab.sheets import QueueExperiment, read_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

PAPER = "carastan2017"
GENERATED = ("generated", "generated_full")


@dataclass(frozen=True)
class Experiment(QueueExperiment):
    """A row of Table 4 or of a table like it.

    Parameters
    ----------
    item : str
        The table that it is a row of.
    figure : str or None
        Figure and panel that draw it, such as ``fig4a``.
    """

    item: str
    figure: str | None


def read(path: str | Path, schema_path: str | Path) -> list[Experiment]:
    """Read the sheet; errors and parameters are those of `schedlab.sheets.read_rows`."""
    return [
        Experiment(
            **row
            | {
                "figure": row["figure"] or None,
                "skip": tuple(row["skip"]),
                "policies": tuple(row["policies"]),
            }
        )
        for row in read_rows(path, schema_path)
    ]


def as_run(rows: Iterable[Experiment], config: Mapping) -> list[Experiment]:
    """Return the experiments as a configuration runs them.

    On models those whose model draws the paper's own workload are the published experiments, and
    run whole.
    """
    rows = [row for row in rows if config["generated"] or row.item not in GENERATED]
    on_models, limit = config["source"] == "models", config["pieces_limit"]
    if on_models:
        rows = [row.on_model() for row in rows]
    if limit:
        rows = [row if on_models and row.drawn else row.limited(limit) for row in rows]
    return rows
