"""Tables as .csv and .md.

Numbers keep six decimals in the .csv files; the .md files show them rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.files.io import whole


def markdown(table: pd.DataFrame, decimals: Mapping[str, int] | int = 2) -> str:
    """Render `table` as a Markdown table, numbers rounded to `decimals` and aligned right.

    Only floats are rounded; texts and other numbers are shown unchanged.
    """
    text_table = pd.DataFrame(index=table.index)
    sides = []
    for column in table:
        digits = decimals if isinstance(decimals, int) else decimals.get(column, 2)
        text_table[column] = [show(cell, digits) for cell in table[column]]
        is_numeric = any(isinstance(cell, int | float | np.number) for cell in table[column])
        sides.append("right" if is_numeric else "left")
    text = text_table.to_markdown(index=False, disable_numparse=True, colalign=sides)
    return f"{text}\n"


def show(cell: object, decimals: int = 2) -> str:
    """Return a cell as text: floats rounded to `decimals`, nan as empty text, the rest as is."""
    if isinstance(cell, float | np.floating):
        return "" if np.isnan(cell) else f"{cell:.{decimals}f}"
    return str(cell)


def write_csv(table: pd.DataFrame, path: str | Path) -> None:
    """Write `table` as .csv with six decimals, atomically."""
    with whole(path) as draft:
        # cell by cell, because columns may also contain texts
        table.map(_six).to_csv(draft, index=False, lineterminator="\n")


def _six(cell: object) -> object:
    """Format a float with six decimals; return any other cell unchanged."""
    return show(cell, 6) if isinstance(cell, float | np.floating) else cell


def write_markdown(
    table: pd.DataFrame,
    path: str | Path,
    title: str,
    note: str = "",
    decimals: Mapping[str, int] | int = 2,
) -> None:
    """Write a title, `table` and a `note` below it as .md, atomically."""
    text = f"# {title}\n\n{markdown(table, decimals)}"
    with whole(path) as draft:
        draft.write_text(text + (f"\n{note}\n" if note else ""), encoding="utf-8")
