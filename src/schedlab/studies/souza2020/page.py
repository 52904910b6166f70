"""What the first page tells of souza2020: what follows from its print, and what a model shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.report.comparison import unexplained
from schedlab.report.story import Bar, Discovery, Story, claims_of
from schedlab.report.verdicts import MATCH, NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

ABOVE = "makespan above Big Job (%)"


def story(tables: Mapping[str, pd.DataFrame], models: bool) -> Story:
    """Tell the paper in a sentence.

    Parameters
    ----------
    tables : mapping of item to DataFrame
        Every cell the text that stands in the .csv: arithmetic_comparison, text, claims.
    models : bool
        Not asked for: what is told here follows from print, and its queues are always modelled.
    """
    return Story(
        finding=_sentence(tables["arithmetic_comparison"], tables["text"].set_index("row")),
        claims=claims_of(tables["claims"]),
        discoveries=(_arithmetic(tables["arithmetic_comparison"]),),
    )


def _sentence(followed: pd.DataFrame, text: pd.DataFrame) -> str:
    """Say what follows from print, and how far the claim of the abstract goes on a model."""
    held = followed[followed["verdict"] != NOT_AT_HAND]
    equal = int((held["verdict"] == MATCH).sum())
    said = (
        f"{equal} of {len(held)} printed percentages and averages follow from the paper’s own "
        "Table 1"
    )
    if ABOVE not in text.index or not text.at[ABOVE, "ours"]:
        return f"{said}."
    return (
        f"{said}; on a model of its private queues ASA’s makespan is "
        f"{float(text.at[ABOVE, 'ours']):.1f} % above Big Job’s, where it prints "
        f"{text.at[ABOVE, 'published']} %."
    )


def _arithmetic(followed: pd.DataFrame) -> Discovery:
    """Tell how much of what is printed as a percentage follows from the printed numbers."""
    held = followed[followed["verdict"] != NOT_AT_HAND]
    counts = {
        item: (int((own["verdict"] == MATCH).sum()), len(own))
        for item, own in held.groupby("item", sort=False)
    }
    odd, unknown = len(held) - sum(equal for equal, _ in counts.values()), unexplained(held).sum()
    return Discovery(
        headline=(
            f"{odd} of {len(held)} printed percentages and averages do not follow from Table 1"
        ),
        text=(
            "Recomputed from the printed seconds and core-hours. The bars are the share that "
            f"follows; for {odd - unknown} of the others the reason is known and stands in the "
            f"table, for {unknown} none is."
        ),
        bars=tuple(
            Bar(item, 100 * equal / all_, f"{equal} of {all_}")
            for item, (equal, all_) in counts.items()
        ),
        rule="make_run_tables",
        csv="arithmetic_comparison.csv",
    )
