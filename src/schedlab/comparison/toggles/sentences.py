"""What toggles came to, in words, and as a small chart for the first page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.comparison.toggles.rows import OLD
from schedlab.report.story import Bar, Discovery

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 4  # bars of the first page


def open_choices(table: pd.DataFrame) -> pd.DataFrame:
    """Return the toggles of which the text does not say the value that reproduces its numbers.

    Parameters
    ----------
    table : DataFrame
        From `schedlab.comparison.toggles.movement.summary`. All of them where the text says each.
    """
    chosen = table[table["says"] != OLD]
    return chosen if len(chosen) else table


def headline(table: pd.DataFrame, numbers: str) -> str:
    """Say in half a sentence which choice moves the numbers farthest; empty without toggles.

    Parameters
    ----------
    table : DataFrame
        From `schedlab.comparison.toggles.movement.summary`.
    numbers : str
        What the numbers are, such as ``Table 4``.
    """
    if table.empty:
        return ""
    first = open_choices(table).iloc[0]
    return (
        f"the numbers of {numbers} move farthest with {first['words']}: by "
        f"{_percent(first['median_percent'])} in the median, by "
        f"{_percent(first['largest_percent'])} at most"
    )


def answer(table: pd.DataFrame, numbers: str) -> str:
    """Say in three sentences which choice moves the numbers how far.

    Parameters
    ----------
    table, numbers
        As for `headline`.

    Returns
    -------
    str
        Of the choices that the text leaves open, or says otherwise, the one that moves the numbers
        farthest; the farthest of those that the text states; those that move nothing. Empty
        without toggles.
    """
    if table.empty:
        return ""
    first = open_choices(table).iloc[0]
    said = [
        f"Of {len(open_choices(table))} choices that the text leaves open or says otherwise, each "
        f"made otherwise alone, {headline(table, numbers)} ({first['largest_at']}); "
        f"{_digits(first)}the best policy is another one in {first['winners']} of "
        f"{first['orders']} rankings."
    ]
    stated = table[table["says"] == OLD]
    if len(stated) and len(stated) < len(table):
        known = stated.iloc[0]
        said.append(
            f"Of {len(stated)} that the text states, they would move farthest with "
            f"{known['words']}: by {_percent(known['median_percent'])} in the median."
        )
    still = table[table["moved"] == 0]
    if len(still):
        said.append(f"No number moves with: {'; '.join(still['words'])}.")
    return " ".join(said)


def discovery(
    table: pd.DataFrame | None, numbers: str, rule: str, models: bool
) -> Discovery | None:
    """Tell the first page which choices move the numbers most; None where nothing was tried.

    Parameters
    ----------
    table : DataFrame of str or None
        As it was written.
    numbers : str
        As for `headline`.
    rule : str
        The rule that ran them.
    models : bool
        Whether models ran in the place of the paper's data.
    """
    if table is None or table.empty:
        return None
    measured = ["median_percent", "largest_percent", "factor"]
    table = table.astype(dict.fromkeys(measured, float))
    chosen = open_choices(table).head(SHOWN)
    return Discovery(
        headline=f"Why does it differ? {title(table, numbers)}",
        text=(
            f"{len(table)} choices, each one cell of the experiment sheet changed from the reading "
            "that comes nearest to print: the median change of a number. Shown are the "
            f"{len(chosen)} that move most of those that the text leaves open or says otherwise."
        ),
        bars=tuple(
            Bar(row.toggle.replace("_", " "), row.median_percent, _percent(row.median_percent))
            for row in chosen.itertuples()
        ),
        rule=rule,
        csv="toggles.csv",
        models=models,
    )


def title(table: pd.DataFrame, numbers: str) -> str:
    """Say as a title which choice moves the numbers farthest; empty without toggles."""
    words = headline(table, numbers)
    if len(open_choices(table)) < len(table):
        return f"Of what the text leaves open or says otherwise, {words}"
    return words[:1].upper() + words[1:]


def _digits(row: pd.Series) -> str:
    """Say how many numbers keep their printed digits; nothing where none has them."""
    if not row["held"]:
        return ""
    gained = f" and {row['gained']} others come to have them" if row["gained"] else ""
    return f"{row['kept']} of {row['held']} numbers keep their printed digits{gained}; "


def _percent(value: float) -> str:
    """Write a change in per cent.

    Examples
    --------
    >>> _percent(0.0), _percent(0.04), _percent(0.06), _percent(9.96), _percent(1234.5)
    ('0 %', 'less than 0.1 %', '0.1 %', '10 %', '1,234 %')
    """
    if value == 0:
        return "0 %"
    if value < 0.05:
        return "less than 0.1 %"
    return f"{value:.1f} %" if value < 9.95 else f"{value:,.0f} %"
