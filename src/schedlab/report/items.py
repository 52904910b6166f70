"""What makers of items return, and how it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, Protocol

from schedlab.files.io import write_text
from schedlab.report import tables

if TYPE_CHECKING:
    import pandas as pd


class Part(Protocol):
    """A table or figure: it writes its files, whose paths go by ``<item>_<suffix>``."""

    def write(self, item: str, outputs: Mapping[str, str]) -> None:
        """Write the files."""


class Table(NamedTuple):
    """A table with its title, the note below it and digits after the point in its .md.

    The .md shows `readable` instead of the rows, where it is given.
    """

    rows: pd.DataFrame
    title: str
    note: str = ""
    decimals: Mapping[str, int] | int = 2
    readable: pd.DataFrame | None = None

    def write(self, item: str, outputs: Mapping[str, str]) -> None:
        """Write .csv and .md."""
        tables.write_csv(self.rows, outputs[f"{item}_csv"])
        shown = self.rows if self.readable is None else self.readable
        tables.write_markdown(shown, outputs[f"{item}_md"], self.title, self.note, self.decimals)


class Data(NamedTuple):
    """Rows that have a .csv and no more."""

    rows: pd.DataFrame

    def write(self, item: str, outputs: Mapping[str, str]) -> None:
        """Write the .csv."""
        tables.write_csv(self.rows, outputs[f"{item}_csv"])


def write_items(
    made: Mapping[str, Part | str | tuple[Part | str, ...]],
    outputs: Mapping[str, str],
    only: str | None = None,
) -> None:
    """Write each item's table, figure or text.

    Parameters
    ----------
    made : mapping
        By item: a part or a text, or several of different kinds.
    outputs : mapping
        Paths by ``<item>_<suffix>``.
    only : str, optional
        The item of a job of one, whose paths go by ``item_<suffix>``.
    """
    for name, parts in made.items():
        item = "item" if name == only else name
        for part in parts if type(parts) is tuple else (parts,):
            if isinstance(part, str):
                write_text(part, outputs[f"{item}_txt"])
            else:
                part.write(item, outputs)
