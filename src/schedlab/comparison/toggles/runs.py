"""Runs of a sheet's rows and of the rows derived from them, with their numbers compared."""

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from schedlab.comparison.toggles.rows import Toggle, apply_toggle, cell_text
from schedlab.files.threads import over_threads

#: columns about a toggle, before its number
ABOUT = ["toggle", "words", "cell", "from", "to", "says"]
#: keys of a number: experiment, column of the published table, policy
KEYS = ["experiment", "column", "policy"]
MOVED = [*ABOUT, *KEYS, "printed", "base", "value"]


def run_toggles(
    rows: Sequence[Any],
    toggles: Sequence[Toggle],
    numbers_of: Callable[[Any], pd.DataFrame],
    printed: pd.Series,
    threads: int = 1,
) -> pd.DataFrame:
    """Run rows unchanged and with every toggle that changes them.

    Rows are those of a sheet that reproduce the published numbers; toggles have different names.
    ``numbers_of(row)`` returns the row's numbers: columns column, policy and value; no rows if its
    log is not available. It is called from several threads, `threads` rows at a time; the result
    does not depend on it. `printed` has the published numbers as text, index `KEYS`. Numbers that
    are missing there are not compared: they are not published, or come from other data than was
    run.

    Columns of the result are `MOVED`: a row per toggle and number, in the order of both; printed is
    empty if there is no published number to compare with. Raises ValueError if two toggles have the
    same name, or a derived row has other numbers than its original.
    """
    names = [toggle.name for toggle in toggles]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"two toggles are called '{twice[0]}'")
    plan: list[tuple[Toggle | None, Any, Any]] = [(None, row, row) for row in rows]
    for toggle in toggles:
        pairs = [(row, apply_toggle(row, toggle)) for row in rows]
        plan += [
            (toggle, row, derived_row) for row, derived_row in pairs if derived_row is not None
        ]
    results = over_threads(numbers_of, [derived_row for _, _, derived_row in plan], threads)
    base = {
        row.experiment: numbers
        for (toggle, row, _), numbers in zip(plan, results, strict=True)
        if toggle is None
    }
    frames = [
        _join_numbers(toggle, row, derived_row, base[row.experiment], numbers)
        for (toggle, row, derived_row), numbers in zip(plan, results, strict=True)
        if toggle is not None and len(numbers)
    ]
    if not frames:
        return pd.DataFrame(columns=MOVED)
    changes = pd.concat(frames, ignore_index=True)
    published = printed.reindex(pd.MultiIndex.from_frame(changes[KEYS])).fillna("")
    return changes.assign(printed=published.to_numpy(dtype=object))[MOVED]


def _join_numbers(
    toggle: Toggle, row: Any, derived_row: Any, base: pd.DataFrame, numbers: pd.DataFrame
) -> pd.DataFrame:
    """Join the numbers of a derived row to those of its original, for affected columns."""
    keys = KEYS[1:]
    if not base[keys].reset_index(drop=True).equals(numbers[keys].reset_index(drop=True)):
        raise ValueError(f"toggle {toggle.name}: {row.experiment} has other numbers than before")
    pairs = base.rename(columns={"value": "base"}).assign(value=numbers["value"].to_numpy())
    if toggle.of:
        pairs = pairs[pairs["column"].isin(toggle.of)]
    return pairs.assign(
        toggle=toggle.name,
        words=toggle.words,
        cell=toggle.column,
        **{
            "from": cell_text(getattr(row, toggle.column)),
            "to": cell_text(getattr(derived_row, toggle.column)),
        },
        says=toggle.says,
        experiment=row.experiment,
    )
