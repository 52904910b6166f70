"""Choices made otherwise: rows of a sheet with one cell changed."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

Row = TypeVar("Row")

#: what a paper's text says of a choice that is made otherwise
NEW, NEITHER, OLD = "the new value", "neither", "the old value"
SAID = {
    NEW: "the text says the new value",
    NEITHER: "the text says neither value",
    OLD: "the text says the value that reproduces its numbers",
}


@dataclass(frozen=True)
class Toggle:
    """A choice made otherwise.

    Parameters
    ----------
    name : str
        What files call it, once among a paper's toggles.
    words : str
        What is otherwise, in a few words.
    column : str
        The column of the sheet.
    cells : mapping
        By what stands in it, what is tried; rows of other cells have nothing to try.
    says : str
        What the paper's text says: one of `SAID`.
    of : tuple of str
        The columns of the printed table that the cell is of; empty where it is of all.

    Raises
    ------
    ValueError
        No cell is changed, or `says` is unknown.
    """

    name: str
    words: str
    column: str
    cells: Mapping[Any, Any]
    says: str = NEITHER
    of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if same := [cell for cell, tried in self.cells.items() if cell == tried]:
            raise ValueError(f"toggle {self.name}: {cell_text(same[0])} is changed to itself")
        if not self.cells:
            raise ValueError(f"toggle {self.name}: column '{self.column}': nothing is changed")
        if self.says not in SAID:
            raise ValueError(f"toggle {self.name}: says must be one of {', '.join(SAID)}")


def derived(row: Row, toggle: Toggle) -> Row | None:
    """Return a row with the one cell of a toggle changed; None where it has nothing to try.

    Parameters
    ----------
    row : dataclass
        A row of an experiment sheet.
    toggle : Toggle
        The choice.

    Raises
    ------
    ValueError
        The sheet has no such column.
    """
    if toggle.column not in {field.name for field in fields(row)}:
        raise ValueError(f"toggle {toggle.name}: the sheet has no column '{toggle.column}'")
    cell = getattr(row, toggle.column)
    if cell not in toggle.cells:
        return None
    return replace(row, **{toggle.column: toggle.cells[cell]})


def cell_text(cell: Any) -> str:
    """Write a cell as the sheets do.

    Examples
    --------
    >>> cell_text((0, 7)), cell_text(()), cell_text(None), cell_text(10.0), cell_text("easy")
    ('0,7', '-', 'none', '10', 'easy')
    """
    if isinstance(cell, tuple):
        return ",".join(map(cell_text, cell)) or "-"
    if cell is None:
        return "none"
    return f"{cell:g}" if isinstance(cell, float) else str(cell)
