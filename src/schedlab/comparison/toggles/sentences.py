"""Facts that fill the words on the effects of toggles, and a small chart for the first page."""

from math import inf, log
from pathlib import Path
from typing import Any

import pandas as pd

from schedlab.comparison.toggles.rows import OLD
from schedlab.files.config import read_yaml
from schedlab.report.story import Bar, Discovery
from schedlab.report.words import filled

SHOWN = 4  # bars of the first page
WORDS = read_yaml(Path(__file__).with_name("words.yaml"))


def open_choices(table: pd.DataFrame) -> pd.DataFrame:
    """Return the toggles whose value the text does not state; all of them if it states each."""
    chosen = table[table["says"] != OLD]
    return chosen if len(chosen) else table


def facts_of(table: pd.DataFrame, numbers: str) -> dict[str, Any]:
    """Return the rows of all choices, of the open and of the stated ones, and their title.

    Without toggles there is no row, and no title. If the text states every choice, all are open.
    """
    forms = {"factor": _times, "median_percent": _percent, "largest_percent": _percent}
    table = table.assign(**{name: table[name].map(form) for name, form in forms.items()})
    opened = open_choices(table)
    groups = {"rows": table, "opened": opened, "stated": table.drop(index=opened.index)}
    facts = {name: group.to_dict("records") for name, group in groups.items()}
    facts |= {"numbers": numbers}
    facts |= {"effect": filled(WORDS["effect"], facts)}
    return facts | {"title": filled(WORDS["title"], facts)}


def discovery(
    table: pd.DataFrame | None, numbers: str, rule: str, models: bool
) -> Discovery | None:
    """Return the choices with the largest effects for the first page; None if nothing was tried.

    `table` is of str, as it was written. `rule` is the Snakemake rule that ran them; `models`
    states whether models ran instead of the paper's data.
    """
    if table is None or table.empty:
        return None
    measured = ["median_percent", "largest_percent", "factor"]
    table = table.astype(dict.fromkeys(measured, float))
    chosen = open_choices(table)
    chosen = chosen[chosen["factor"] < inf].head(SHOWN)  # from 0 there is no factor
    facts = facts_of(table, numbers) | {"shown": len(chosen)}
    headline, text = (filled(WORDS[name], facts) for name in ("headline", "text"))
    bars = tuple(
        Bar(row.toggle.replace("_", " "), log(row.factor), f"× {_times(row.factor)}")
        for row in chosen.itertuples()
    )
    return Discovery(headline, text, bars, rule, "toggles.csv", "toggles", models)


def _percent(value: float) -> str:
    if value == 0:
        return "0 %"
    if value < 0.05:
        return "less than 0.1 %"
    return f"{value:.1f} %" if value < 9.95 else f"{value:,.0f} %"


def _times(factor: float) -> str:
    """Format a factor of at least 1, such as 9.99, 10 or 1,234."""
    return f"{factor:.2f}" if factor < 9.995 else f"{factor:,.0f}"
