"""Summary of legrand2018 for the first page: its tables, their sorted columns, and learners."""

from collections.abc import Mapping

import pandas as pd

from schedlab.comparison.toggles.sentences import discovery
from schedlab.files.stand_ins import kind_of, short_name
from schedlab.report.columns import OWNED, PRINTED
from schedlab.report.story import Bar, Discovery, Story, claims_of
from schedlab.report.verdicts import MATCH, is_compared
from schedlab.report.words import joined_workloads, number_of
from schedlab.studies.legrand2018.online import LOWER, UNDECIDED
from schedlab.studies.legrand2018.toggles import NUMBERS

THRESHOLDS = [f"table{number}" for number in range(3, 7)]


def story(tables: Mapping[str, pd.DataFrame], models: bool) -> Story:
    """Return the summary of the paper."""
    online = _describe_learners(tables["online"], models)
    choices = discovery(tables.get("toggles"), NUMBERS, "toggle_sums", models)
    return Story(
        finding=_summarize_tables(tables),
        claims=claims_of(tables["claims"], of=["trace"]),
        discoveries=tuple(
            filter(None, [_describe_sorted_columns(tables["ranks"]), online, choices])
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


def _summarize_tables(tables: Mapping[str, pd.DataFrame]) -> str:
    compared = pd.concat(
        tables[f"{item}_comparison"] for item in THRESHOLDS if f"{item}_comparison" in tables
    )
    rows = compared[is_compared(compared)]
    text = tables["conclusions"]
    changed = int((text["best"] != text["best_text"]).sum())
    by_text = (
        f"With the rules that the text states, the best policy changes in {changed} of "
        f"{len(text)} columns."
    )
    if rows.empty:
        return f"Tables 3 to 6 are not compared with the paper here. {by_text}" if len(text) else ""
    equal = int((rows["verdict"] == MATCH).sum())
    return (
        f"{equal} of {len(rows)} numbers of Tables 3 to 6 match to the last digit, with rules "
        f"that the text does not state. {by_text}"
    )


def _describe_sorted_columns(ranks: pd.DataFrame) -> Discovery | None:
    available = ranks.assign(kendall=pd.to_numeric(ranks["kendall"])).dropna(subset="kendall")
    corrected = available[available["printed"] == OWNED].set_index(["table", "column"])["kendall"]
    published = available[available["printed"] == PRINTED].set_index(["table", "column"])["kendall"]
    if corrected.empty:
        return None
    before, after = published[corrected.index].median(), corrected.median()
    return Discovery(
        headline=(
            f"{number_of(len(corrected), 'published column')} sorted without the policies’ names: "
            f"τ = {before:.2f} as published, {after:.2f} corrected"
        ),
        text=(
            "Median Kendall’s τ between published and computed columns under a threshold. In every "
            "column of Tables 3 to 6 the numbers increase from row to row; the row names are those "
            "of the first column. The numbers themselves are equal with τ = 60 s; the text states "
            "10 s."
        ),
        bars=(
            Bar("as published", max(before, 0.0), f"{before:.2f}"),
            Bar("corrected", after, f"{after:.2f}"),
        ),
        rule="rank_columns",
        csv="ranks.csv",
        section="comparison",
    )


def _describe_learners(online: pd.DataFrame, models: bool) -> Discovery | None:
    chosen = online[online["chosen"] == "True"]
    decided = chosen[~chosen["outcome"].isin(["", UNDECIDED])]
    if decided.empty:
        return None
    better = chosen[chosen["outcome"] == LOWER]
    kind = kind_of(chosen["ran_on"])
    some = 0 < len(better) < len(chosen)
    where = f" ({joined_workloads(better['ran_on'])})" if some else ""
    undecided = len(chosen) - len(decided)
    and_undecided = f"; {undecided} {'is' if undecided == 1 else 'are'} undecided" * (undecided > 0)
    bars = [
        Bar(short_name(row.ran_on), float(row.ratio), f"{float(row.ratio):.2f}{_interval(row)}")
        for row in chosen.itertuples()
    ]
    return Discovery(
        headline=(
            f"Online learning beats the best fixed choice on {len(better) or 'none'} of "
            f"{len(chosen)} {kind}{where}{and_undecided}"
        ),
        text=(
            "The paper leaves this question open. Learner and fixed choice are those with the "
            "lowest sum over the training weeks. The bars are the ratio of their sums over the "
            "testing weeks, with the 95 % interval over weeks. Below 1 the learner is better."
        ),
        bars=tuple(bars),
        rule="learn_online",
        csv="online.csv",
        section="online",
        models=models,
    )


def _interval(row) -> str:
    if not row.low or not row.high:
        return ""
    return f" [{float(row.low):.2f}, {float(row.high):.2f}]"
