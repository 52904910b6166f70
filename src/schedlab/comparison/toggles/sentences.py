"""Sentences on the effects of toggles, and a small chart for the first page."""

from math import inf, log

import pandas as pd

from schedlab.comparison.toggles.rows import OLD
from schedlab.report.story import Bar, Discovery
from schedlab.report.words import number_of

SHOWN = 4  # bars of the first page


def open_choices(table: pd.DataFrame) -> pd.DataFrame:
    """Return the toggles whose value the text does not state; all of them if it states each.

    `table` is from `schedlab.comparison.toggles.effects.summary`.
    """
    chosen = table[table["says"] != OLD]
    return chosen if len(chosen) else table


def headline(table: pd.DataFrame, numbers: str) -> str:
    """Return a phrase on the choice with the largest effect; empty without toggles.

    `table` is from `schedlab.comparison.toggles.effects.summary`; `numbers` is the name of the
    numbers, such as ``Table 4``.
    """
    if table.empty:
        return ""
    first = open_choices(table).iloc[0]
    return (
        f"largest effect on {numbers}: {first['words']} (median factor of a number: "
        f"{_times(first['factor'])})"
    )


def answer(table: pd.DataFrame, numbers: str) -> str:
    """Return sentences on the effects of choices on the numbers; empty without toggles.

    They state the largest effect of the choices that the text leaves open or contradicts, the
    largest effect of the choices that it states, and the choices without effect. Parameters are as
    for `headline`.
    """
    if table.empty:
        return ""
    first = open_choices(table).iloc[0]
    sentences = [
        f"{number_of(len(open_choices(table)), 'choice')} that the text leaves open or "
        f"contradicts were changed, one at a time. The {headline(table, numbers)}.",
        f"The median change is {_percent(first['median_percent'])}, the largest, that of "
        f"{first['largest_at']}, {_percent(first['largest_percent'])}."
        if first["largest_at"]
        else "",
        _digits(first),
        f"The best policy changes in {first['winners']} of {first['orders']} rankings.",
    ]
    stated = table[table["says"] == OLD]
    if len(stated) and len(stated) < len(table):
        largest = stated.iloc[0]
        sentences.append(
            f"Among {number_of(len(stated), 'choice')} that the text states, the largest effect "
            f"has {largest['words']} (a factor of {_times(largest['factor'])})."
        )
    still = table[table["moved"] == 0]
    if len(still):
        sentences.append(f"No effect: {'; '.join(still['words'])}.")
    return " ".join(filter(None, sentences))


def discovery(
    table: pd.DataFrame | None, numbers: str, rule: str, models: bool
) -> Discovery | None:
    """Return the choices with the largest effects for the first page; None if nothing was tried.

    `table` is of str, as it was written; `numbers` is as for `headline`. `rule` is the Snakemake
    rule that ran them; `models` states whether models ran instead of the paper's data.
    """
    if table is None or table.empty:
        return None
    measured = ["median_percent", "largest_percent", "factor"]
    table = table.astype(dict.fromkeys(measured, float))
    chosen = open_choices(table)
    chosen = chosen[chosen["factor"] < inf].head(SHOWN)  # from 0 there is no factor
    return Discovery(
        headline=f"Why does it differ? {title(table, numbers)}",
        text=(
            f"{number_of(len(table), 'choice')} changed one at a time, from the settings closest "
            "to the published numbers. The bars are the factor by which a number changes in the "
            "median, up or down and on a logarithmic scale, for the "
            f"{len(chosen)} open or contradicted choices with the largest effects."
        ),
        bars=tuple(
            Bar(row.toggle.replace("_", " "), log(row.factor), f"× {_times(row.factor)}")
            for row in chosen.itertuples()
        ),
        rule=rule,
        csv="toggles.csv",
        section="toggles",
        models=models,
    )


def title(table: pd.DataFrame, numbers: str) -> str:
    """Return a title on which choice has the largest effect; empty without toggles."""
    text = headline(table, numbers)
    if len(open_choices(table)) < len(table):
        return f"Open or contradicted choice with the {text}"
    return text[:1].upper() + text[1:]


def _digits(row: pd.Series) -> str:
    """Return how many numbers keep their published digits; empty if none has them."""
    if not row["matching"]:
        return ""
    gained = f", and {row['gained']} others gain them" if row["gained"] else ""
    return f"{row['kept']} of {row['matching']} numbers keep their published digits{gained}."


def _percent(value: float) -> str:
    """Format a change in per cent."""
    if value == 0:
        return "0 %"
    if value < 0.05:
        return "less than 0.1 %"
    return f"{value:.1f} %" if value < 9.95 else f"{value:,.0f} %"


def _times(factor: float) -> str:
    """Format a factor of at least 1, such as 9.99, 10 or 1,234."""
    return f"{factor:.2f}" if factor < 9.995 else f"{factor:,.0f}"
