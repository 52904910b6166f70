"""Summary of souza2020 for the first page: arithmetic of its tables, and results on a model."""

from collections.abc import Mapping

import pandas as pd

from schedlab.report.claims import Outcome
from schedlab.report.comparison import unexplained
from schedlab.report.story import Bar, Discovery, Story, claims_of
from schedlab.report.verdicts import MATCH
from schedlab.studies.souza2020.tables.runs import BLANKS


def story(tables: Mapping[str, pd.DataFrame], models: bool) -> Story:
    """Return the summary of the paper.

    `tables` has arithmetic_comparison and claims, every cell as text.
    """
    return Story(
        finding=_summarize_table1(tables["arithmetic_comparison"], tables["claims"]),
        claims=claims_of(tables["claims"]),
        discoveries=(_describe_arithmetic(tables["arithmetic_comparison"]),),
    )


def _summarize_table1(followed: pd.DataFrame, claims: pd.DataFrame) -> str:
    rows = followed[followed["item"] != BLANKS]
    equal = int((rows["verdict"] == MATCH).sum())
    followed_text = (
        f"{equal} of {len(rows)} published percentages and averages follow from the paper’s own "
        "Table 1."
    )
    first = claims[:1]
    for claim in first[first["result"].isin([Outcome.HOLDS, Outcome.FAILS])].itertuples():
        followed_text += (
            " On a log in the place of its private queues, ASA’s makespan compared with Big Job’s "
            f"is {claim.found} (95 % CI). The paper reports at most 2 % above."
        )
    return followed_text


def _describe_arithmetic(followed: pd.DataFrame) -> Discovery:
    rows = followed[followed["item"] != BLANKS]
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
