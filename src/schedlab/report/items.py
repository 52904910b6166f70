"""What makers of items return, and how it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from schedlab.files.io import write_text
from schedlab.report import tables
from schedlab.report.figures.style import save

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


class Table(NamedTuple):
    """A table with its title, the note below it and digits after the point in its .md.

    The .md shows `readable` instead of the rows, where it is given.
    """

    rows: pd.DataFrame
    title: str
    note: str = ""
    decimals: Mapping[str, int] | int = 2
    readable: pd.DataFrame | None = None


class Picture(NamedTuple):
    """A figure, and what is drawn in it; without, a table of its name says it."""

    figure: Figure
    drawn: pd.DataFrame | None = None


class Data(NamedTuple):
    """Rows that have a .csv and no more."""

    rows: pd.DataFrame


Part = Table | Picture | Data | str


def write_items(
    made: Mapping[str, Part | tuple[Part, ...]], outputs: Mapping[str, str], only: str | None = None
) -> None:
    """Write each item's table, figure or text.

    Parameters
    ----------
    made : mapping
        By item: a part, or several of different kinds.
    outputs : mapping
        Paths by ``<item>_<suffix>``.
    only : str, optional
        The item of a job of one, whose paths go by ``item_<suffix>``.
    """
    for name, parts in made.items():
        key = "item" if name == only else name
        for part in (parts,) if isinstance(parts, Part) else parts:
            _write(part, key, outputs)


def _write(part: Part, key: str, outputs: Mapping[str, str]) -> None:
    """Write one part to the paths of its kind."""
    if isinstance(part, Table):
        tables.write_csv(part.rows, outputs[f"{key}_csv"])
        shown = part.rows if part.readable is None else part.readable
        told = (part.title, part.note, part.decimals)
        tables.write_markdown(shown, outputs[f"{key}_md"], *told)
    elif isinstance(part, Picture):
        save(part.figure, outputs[f"{key}_pdf"], outputs[f"{key}_png"])
        if part.drawn is not None:
            tables.write_csv(part.drawn, outputs[f"{key}_csv"])
    elif isinstance(part, Data):
        tables.write_csv(part.rows, outputs[f"{key}_csv"])
    else:
        write_text(part, outputs[f"{key}_txt"])
