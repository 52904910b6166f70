"""Summary of legrand2018 for the first page: its tables, their sorted columns, and learners."""

from collections.abc import Mapping

import pandas as pd

from schedlab.comparison.toggles.sentences import discovery
from schedlab.files.stand_ins import kind_of, short_name
from schedlab.report.columns import OWNED, PRINTED
from schedlab.report.story import Bar, Discovery, Story, Teller, claims_of
from schedlab.report.verdicts import MATCH, is_compared
from schedlab.report.words import joined_workloads
from schedlab.studies.legrand2018.online import LOWER, UNDECIDED
from schedlab.studies.legrand2018.toggles import NUMBERS

THRESHOLDS = [f"table{number}" for number in range(3, 7)]


def story(tables: Mapping[str, pd.DataFrame], models: bool, say: Teller) -> Story:
    """Return the summary of the paper."""
    online = _describe_learners(tables["online"], models, say)
    choices = discovery(tables.get("toggles"), NUMBERS, "toggle_sums", models)
    return Story(
        finding=_summarize_tables(tables, say),
        claims=claims_of(tables["claims"], of=["trace"]),
        discoveries=tuple(
            filter(None, [_describe_sorted_columns(tables["ranks"], say), online, choices])
        ),
        models=models,
    )


def context(tables: Mapping[str, pd.DataFrame]) -> dict:
    """Return the median rank correlation over columns, a sorted column by its owners; or None."""
    ranks = tables["ranks"]
    ranks = ranks.assign(kendall=pd.to_numeric(ranks["kendall"])).dropna(subset="kendall")
    # a column's row by owner comes after its row as published
    columns = ranks.drop_duplicates(["table", "column"], keep="last")
    if columns.empty:
        return {"ordered": None}
    return {"ordered": {"kendall": columns["kendall"].median(), "columns": len(columns)}}


def _summarize_tables(tables: Mapping[str, pd.DataFrame], say: Teller) -> str:
    compared = pd.concat(
        tables[f"{item}_comparison"] for item in THRESHOLDS if f"{item}_comparison" in tables
    )
    rows, text = compared[is_compared(compared)], tables["conclusions"]
    return say.finding(
        count=len(rows),
        equal=int((rows["verdict"] == MATCH).sum()),
        columns=len(text),
        changed=int((text["best"] != text["best_text"]).sum()),
    )


def _describe_sorted_columns(ranks: pd.DataFrame, say: Teller) -> Discovery | None:
    available = ranks.assign(kendall=pd.to_numeric(ranks["kendall"])).dropna(subset="kendall")
    corrected = available[available["printed"] == OWNED].set_index(["table", "column"])["kendall"]
    published = available[available["printed"] == PRINTED].set_index(["table", "column"])["kendall"]
    if corrected.empty:
        return None
    before, after = published[corrected.index].median(), corrected.median()
    bars = (
        Bar("as published", max(before, 0.0), f"{before:.2f}"),
        Bar("corrected", after, f"{after:.2f}"),
    )
    return say.discovery("sorted", bars, count=len(corrected), before=before, after=after)


def _describe_learners(online: pd.DataFrame, models: bool, say: Teller) -> Discovery | None:
    chosen = online[online["chosen"] == "True"]
    decided = chosen[~chosen["outcome"].isin(["", UNDECIDED])]
    if decided.empty:
        return None
    better = chosen[chosen["outcome"] == LOWER]
    some = 0 < len(better) < len(chosen)
    bars = [
        Bar(short_name(row.ran_on), float(row.ratio), f"{float(row.ratio):.2f}{_interval(row)}")
        for row in chosen.itertuples()
    ]
    return say.discovery(
        "online",
        bars,
        models,
        better=len(better),
        count=len(chosen),
        kind=kind_of(chosen["ran_on"]),
        where=joined_workloads(better["ran_on"]) if some else "",
        undecided=len(chosen) - len(decided),
    )


def _interval(row) -> str:
    if not row.low or not row.high:
        return ""
    return f" [{float(row.low):.2f}, {float(row.high):.2f}]"
