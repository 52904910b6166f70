"""Rows of a sheet and the rows derived from them, run in one call: number beside number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pandas as pd

from schedlab.comparison.toggles.rows import cell_text, derived
from schedlab.files.threads import over_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schedlab.comparison.toggles.rows import Toggle

#: which number it is: of an experiment, in a column of the printed table, under a policy
KEYS = ["experiment", "column", "policy"]
MOVED = [
    *("toggle", "words", "cell", "from", "to", "says"),
    *KEYS,
    *("printed", "base", "value"),
]


def run_toggles(
    rows: Sequence[Any],
    toggles: Sequence[Toggle],
    numbers_of: Callable[[Any], pd.DataFrame],
    printed: pd.Series,
    threads: int = 1,
) -> pd.DataFrame:
    """Run rows as they stand and with every toggle that they have something to try of.

    Parameters
    ----------
    rows : sequence
        Rows of a sheet, those that reproduce the printed numbers.
    toggles : sequence of Toggle
        Their names differ.
    numbers_of : callable
        ``numbers_of(row)`` gives the row's numbers: columns column, policy and value; no rows where
        its log is not at hand. It is called from several threads.
    printed : Series of str
        The printed numbers, index `KEYS`; those that stand nowhere, or are of other data than was
        run, are not held against anything.
    threads : int
        How many rows at a time; the result does not depend on it.

    Returns
    -------
    DataFrame
        Columns `MOVED`: a row per toggle and number, in the order of both; printed is empty
        where there is nothing to hold against.

    Raises
    ------
    ValueError
        Two toggles have one name, or a derived row has other numbers than the one that it is
        derived from.
    """
    names = [toggle.name for toggle in toggles]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"two toggles are called '{twice[0]}'")
    plan = [(None, row, row) for row in rows]
    for toggle in toggles:
        tried = [(row, derived(row, toggle)) for row in rows]
        plan += [(toggle, row, other) for row, other in tried if other is not None]
    found = over_threads(numbers_of, [other for _, _, other in plan], threads)
    base = {
        row.experiment: numbers
        for (toggle, row, _), numbers in zip(plan, found, strict=True)
        if toggle is None
    }
    frames = [
        _beside(toggle, row, other, base[row.experiment], numbers)
        for (toggle, row, other), numbers in zip(plan, found, strict=True)
        if toggle is not None and len(numbers)
    ]
    if not frames:
        return pd.DataFrame(columns=MOVED)
    moved = pd.concat(frames, ignore_index=True)
    held = printed.reindex(pd.MultiIndex.from_frame(moved[KEYS])).fillna("")
    return moved.assign(printed=held.to_numpy(dtype=object))[MOVED]


def _beside(
    toggle: Toggle, row: Any, other: Any, base: pd.DataFrame, numbers: pd.DataFrame
) -> pd.DataFrame:
    """Lay the numbers of a derived row beside those of its row, as far as its cell is of them."""
    keys = KEYS[1:]
    if not base[keys].reset_index(drop=True).equals(numbers[keys].reset_index(drop=True)):
        raise ValueError(f"toggle {toggle.name}: {row.experiment} has other numbers than before")
    beside = base.rename(columns={"value": "base"}).assign(value=numbers["value"].to_numpy())
    if toggle.of:
        beside = beside[beside["column"].isin(toggle.of)]
    return beside.assign(
        toggle=toggle.name,
        words=toggle.words,
        cell=toggle.column,
        **{
            "from": cell_text(getattr(row, toggle.column)),
            "to": cell_text(getattr(other, toggle.column)),
        },
        says=toggle.says,
        experiment=row.experiment,
    )
