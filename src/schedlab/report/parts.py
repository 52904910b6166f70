"""Parts of an item: what functions that make items return, and how it is written."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import pandas as pd

from schedlab.files.io import write_text
from schedlab.report import tables, verdicts
from schedlab.report.words import filled, in_lines

#: title and note of a table, or a text, as templates; those of a group's items, with sentences
Phrases = Mapping[str, str]
Words = Mapping[str, Phrases]


class Part(Protocol):
    """Table or figure that writes its files, with paths named ``<item>_<suffix>``."""

    def write(self, item: str, outputs: Mapping[str, str], words: Phrases) -> None:
        """Write the files."""


class Table(NamedTuple):
    """Table with the digits after the point in its .md, and what its words tell of the run.

    `facts` fill title and note, which are in the study's words.yaml; `more` is below the note. If
    `readable` is given, the .md shows it instead of the rows.
    """

    rows: pd.DataFrame
    decimals: Mapping[str, int] | int = 2
    facts: Mapping[str, Any] = MappingProxyType({})
    more: str = ""
    readable: pd.DataFrame | None = None

    def write(self, item: str, outputs: Mapping[str, str], words: Phrases) -> None:
        """Write .csv and .md."""
        tables.write_csv(self.rows, outputs[f"{item}_csv"])
        table = self.rows if self.readable is None else self.readable
        known = {"verdicts": verdicts.explanation()} | self.facts
        title, note = (filled(words.get(name, ""), known) for name in ("title", "note"))
        note = "\n\n".join(filter(None, (note, self.more)))
        tables.write_markdown(table, outputs[f"{item}_md"], title, note, self.decimals)


class Data(NamedTuple):
    """Rows that are written as .csv only."""

    rows: pd.DataFrame

    def write(self, item: str, outputs: Mapping[str, str], words: Phrases) -> None:
        """Write the .csv."""
        tables.write_csv(self.rows, outputs[f"{item}_csv"])


class Text(NamedTuple):
    """Text in the study's words.yaml that facts fill."""

    facts: Mapping[str, Any]

    def write(self, item: str, outputs: Mapping[str, str], words: Phrases) -> None:
        """Write the .txt."""
        write_text(in_lines(filled(words["text"], self.facts)), outputs[f"{item}_txt"])


def write_items(
    parts_by_item: Mapping[str, Part | str | tuple[Part | str, ...]],
    outputs: Mapping[str, str],
    only: str | None = None,
    words: Words = MappingProxyType({}),
) -> None:
    """Write the parts of each item: tables, figures and texts.

    `outputs` are paths by ``<item>_<suffix>``. `only` is the item of a job that makes one item; its
    paths are named ``item_<suffix>``. `words` are those of tables and texts by item.
    """
    for name, parts in parts_by_item.items():
        item = "item" if name == only else name
        for part in parts if type(parts) is tuple else (parts,):
            if isinstance(part, str):
                write_text(part, outputs[f"{item}_txt"])
            else:
                part.write(item, outputs, words.get(name, {}))
