"""Toggles: rows of a sheet with one column changed."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")

#: what a paper's text states on a choice that is changed
NEW, NEITHER, OLD = "the new value", "neither", "the old value"
STANCES = {
    NEW: "the text says the new value",
    NEITHER: "the text says neither value",
    OLD: "the text says the value that reproduces its numbers",
}


@dataclass(frozen=True)
class Toggle:
    """Change of one choice; its name, used in files, is unique among a paper's toggles.

    `words` state the change. `column` is the sheet column that changes; `cells` has the value to
    try by present value, and rows with other values are not changed. `says` is what the paper's
    text states: one of `STANCES`. `of` are the columns of the published table that the choice
    affects; empty if it affects all. Raises ValueError if no value is changed, or `says` is
    unknown.
    """

    name: str
    words: str
    column: str
    cells: Mapping[Any, Any]
    says: str = NEITHER
    of: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if same := [cell for cell, value in self.cells.items() if cell == value]:
            raise ValueError(f"toggle {self.name}: {cell_text(same[0])} is changed to itself")
        if not self.cells:
            raise ValueError(f"toggle {self.name}: column '{self.column}': nothing is changed")
        if self.says not in STANCES:
            raise ValueError(f"toggle {self.name}: says must be one of {', '.join(STANCES)}")


def apply_toggle(row: Row, toggle: Toggle) -> Row | None:
    """Return a row with a toggle applied; None if the toggle does not change the row.

    Raises ValueError if the sheet has no such column.
    """
    if toggle.column not in {field.name for field in fields(row)}:
        raise ValueError(f"toggle {toggle.name}: the sheet has no column '{toggle.column}'")
    cell = getattr(row, toggle.column)
    if cell not in toggle.cells:
        return None
    return replace(row, **{toggle.column: toggle.cells[cell]})


def cell_text(cell: Any) -> str:
    """Format a value as the sheets do.

    >>> cell_text((0, 7)), cell_text(()), cell_text(None), cell_text(10.0), cell_text("easy")
    ('0,7', '-', 'none', '10', 'easy')
    """
    if isinstance(cell, tuple):
        return ",".join(map(cell_text, cell)) or "-"
    if cell is None:
        return "none"
    return f"{cell:g}" if isinstance(cell, float) else str(cell)
