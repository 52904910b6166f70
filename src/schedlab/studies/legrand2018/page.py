"""Summary of legrand2018 for the first page: its tables, their sorted columns, and learners."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from schedlab.comparison.toggles.sentences import discovery
from schedlab.report.columns import OWNED, PRINTED
from schedlab.report.story import Bar, Discovery, Story, claims_of
from schedlab.report.verdicts import MATCH, NOT_AVAILABLE
from schedlab.report.words import joined
from schedlab.studies.legrand2018.online import LOWER
from schedlab.studies.legrand2018.toggles import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Mapping

THRESHOLDS = [f"table{number}" for number in range(3, 7)]


def story(tables: Mapping[str, pd.DataFrame], models: bool) -> Story:
    """Return the summary of the paper.

    `tables` has, every cell as text, table3_comparison to table6_comparison, conclusions, ranks,
    online, claims, and toggles if there is a sensitivity analysis. `models` states whether models
    replace the logs.
    """
    online = _online(tables["online"], models)
    choices = discovery(tables.get("toggles"), NUMBERS, "toggle_sums", models)
    return Story(
        finding=_sentence(tables),
        claims=claims_of(tables["claims"], of=["trace"]),
        discoveries=tuple(filter(None, [_sorted(tables["ranks"]), online, choices])),
        models=models,
    )


def context(tables: Mapping[str, pd.DataFrame]) -> dict:
    """Return the page's summary of rank correlations, from the item ranks with every cell as text.

    The key ordered is None, or a dict with kendall (the median over columns, with a sorted column's
    numbers assigned to their owners) and columns (number of columns).
    """
    ranks = tables["ranks"]
    ranks = ranks.assign(kendall=pd.to_numeric(ranks["kendall"])).dropna(subset="kendall")
    # a column's row by owner comes after its row as published
    columns = ranks.drop_duplicates(["table", "column"], keep="last")
    if columns.empty:
        return {"ordered": None}
    return {"ordered": {"kendall": columns["kendall"].median(), "columns": len(columns)}}


def _sentence(tables: Mapping[str, pd.DataFrame]) -> str:
    """Return how many numbers have the published digits, and how the text would change the best."""
    compared = pd.concat(
        tables[f"{item}_comparison"] for item in THRESHOLDS if f"{item}_comparison" in tables
    )
    known = compared[compared["verdict"] != NOT_AVAILABLE]
    text = tables["conclusions"]
    others = int((text["best"] != text["best_text"]).sum())
    turned = (
        f"followed as its text reads they would name another best policy in {others} of "
        f"{len(text)} columns"
    )
    if known.empty:
        return f"Tables 3 to 6 are not compared with the paper here; {turned}." if len(text) else ""
    equal = int((known["verdict"] == MATCH).sum())
    return (
        f"{equal} of {len(known)} numbers of Tables 3 to 6 have the printed digits, by rules that "
        f"the text does not give; {turned}."
    )


def _sorted(ranks: pd.DataFrame) -> Discovery | None:
    """Return which published columns were sorted without their names; None if none is compared."""
    known = ranks.assign(kendall=pd.to_numeric(ranks["kendall"])).dropna(subset="kendall")
    moved = known[known["printed"] == OWNED].set_index(["table", "column"])["kendall"]
    stood = known[known["printed"] == PRINTED].set_index(["table", "column"])["kendall"]
    if moved.empty:
        return None
    before, after = stood[moved.index].median(), moved.median()
    return Discovery(
        headline=(
            f"{len(moved)} printed columns were sorted without the names of their policies: τ = "
            f"{before:.2f} as printed, {after:.2f} with the names put right"
        ),
        text=(
            "Median Kendall’s τ of published and computed columns under a threshold. Every column "
            "of Tables 3 to 6 goes up from row to row, the names are those of the first. The "
            "numbers themselves are equal, found with τ = 60 s where the text says 10 s."
        ),
        bars=(
            Bar("as printed", max(before, 0.0), f"{before:.2f}"),
            Bar("by owner", after, f"{after:.2f}"),
        ),
        rule="rank_columns",
        csv="ranks.csv",
    )


def _online(online: pd.DataFrame, models: bool) -> Discovery | None:
    """Return on how many logs a learner that processes the weeks in order does better."""
    chosen = online[online["chosen"] == "True"]
    if chosen.empty:
        return None
    better = chosen[chosen["outcome"] == LOWER]
    where = f" ({joined(better['ran_on'])})" if 0 < len(better) < len(chosen) else ""
    bars = [
        Bar(row.ran_on, float(row.ratio), f"{float(row.ratio):.2f}{_interval(row)}")
        for row in chosen.itertuples()
    ]
    return Discovery(
        headline=(
            f"Learning online pays on {len(better) or 'none'} of {len(chosen)} logs{where}, "
            "against what was best before and stays fixed"
        ),
        text=(
            "The paper asks and leaves it open. Of each log the learner that the training weeks "
            "would have one take: its sum over the testing weeks, over that of the fixed choice "
            "of its kind; below 1 is better, with the 95 % interval over weeks."
        ),
        bars=tuple(bars),
        rule="learn_online",
        csv="online.csv",
        models=models,
    )


def _interval(row) -> str:
    """Return the interval of a ratio in brackets; empty if there is none."""
    if not row.low or not row.high:
        return ""
    return f" [{float(row.low):.2f}, {float(row.high):.2f}]"
