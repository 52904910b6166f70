"""Summary of souza2020 for the first page: arithmetic of its tables, and results on a model."""

from collections.abc import Mapping

import pandas as pd

from schedlab.report.comparison import unexplained
from schedlab.report.story import Bar, Discovery, Story, claims_of
from schedlab.report.verdicts import MATCH, NOT_AVAILABLE

ABOVE = "makespan above Big Job (%)"


def story(tables: Mapping[str, pd.DataFrame], models: bool) -> Story:
    """Return the summary of the paper.

    `tables` has arithmetic_comparison, text and claims, every cell as text. `models` is ignored:
    the summary uses the published numbers, and the queues are always modeled.
    """
    return Story(
        finding=_summarize_table1(tables["arithmetic_comparison"], tables["text"].set_index("row")),
        claims=claims_of(tables["claims"]),
        discoveries=(_describe_arithmetic(tables["arithmetic_comparison"]),),
    )


def _summarize_table1(followed: pd.DataFrame, text: pd.DataFrame) -> str:
    """Return what follows from the published Table 1, and the abstract's claim on a model."""
    rows = followed[followed["verdict"] != NOT_AVAILABLE]
    equal = int((rows["verdict"] == MATCH).sum())
    followed_text = (
        f"{equal} of {len(rows)} published percentages and averages follow from the paper’s own "
        "Table 1"
    )
    if ABOVE not in text.index or not text.at[ABOVE, "computed"]:
        return f"{followed_text}."
    by = round(float(text.at[ABOVE, "computed"]), 1)
    side = "above" if by >= 0 else "below"
    return (
        f"{followed_text}. On a model of its private queues, ASA’s makespan is {abs(by):.1f} % "
        f"{side} Big Job’s. The paper reports {text.at[ABOVE, 'published']} % above."
    )


def _describe_arithmetic(followed: pd.DataFrame) -> Discovery:
    """Return how many published percentages and averages follow from the published Table 1."""
    rows = followed[followed["verdict"] != NOT_AVAILABLE]
    counts = {
        item: (int((own["verdict"] == MATCH).sum()), len(own))
        for item, own in rows.groupby("item", sort=False)
    }
    odd = len(rows) - sum(equal for equal, _ in counts.values())
    unknown = unexplained(rows).sum()
    return Discovery(
        headline=(
            f"{odd} of {len(rows)} published percentages and averages do not follow from Table 1"
        ),
        text=(
            "Recomputed from the published seconds and core-hours. The bars are the shares that "
            f"follow. For {odd - unknown} of the others the table gives the reason; {unknown} are "
            "unexplained."
        ),
        bars=tuple(
            Bar(item, 100 * equal / all_, f"{equal} of {all_}")
            for item, (equal, all_) in counts.items()
        ),
        rule="make_run_tables",
        csv="arithmetic_comparison.csv",
        section="percentages",
    )
