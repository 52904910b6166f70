"""What the first page tells of kellari2025: who gains by sharing nodes, and who pays for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from schedlab.report.story import Bar, Discovery, Story, claims_of
from schedlab.report.verdicts import CONSISTENT, MATCH, NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Mapping

MAKESPAN = "makespan speedup"
# The tariff that asks nothing else of a job than its nodes and its time.
PLAIN = "plain"


def story(tables: Mapping[str, pd.DataFrame], models: bool) -> Story:
    """Tell the thesis in a sentence.

    Parameters
    ----------
    tables : mapping of item to DataFrame
        Every cell the text that stands in the .csv: table6_comparison, beyond_pricing, claims.
    models : bool
        Not asked for: whether the author's measurements are at hand stands in the comparison.
    """
    compared = tables["table6_comparison"]
    held = compared[compared["verdict"] != NOT_AT_HAND]
    return Story(
        finding=_sentence(compared, held),
        claims=claims_of(tables["claims"], "ours"),
        discoveries=(_pricing(tables["beyond_pricing"], models=held.empty),),
        models=held.empty,
    )


def _sentence(compared: pd.DataFrame, held: pd.DataFrame) -> str:
    """Say which scheduler gains most makespan, which loses most, and how many means agree."""
    spans = compared[compared["metric"] == MAKESPAN].set_index("scheduler")["ours"].astype(float)
    most, least = spans.idxmax(), spans.idxmin()
    loses = "loses most" if spans[least] < 1 else "gains least"
    said = (
        f"Makespan gains most under {most} (× {spans[most]:.2f}) and {loses} under {least} "
        f"(× {spans[least]:.2f})"
    )
    if held.empty:
        return f"{said}."
    agree = int(held["verdict"].isin([MATCH, CONSISTENT]).sum())
    return (
        f"{said}; {agree} of {len(held)} printed means have their digits on workloads drawn anew, "
        "or are consistent with such workloads, by themselves and together."
    )


def _pricing(pricing: pd.DataFrame, models: bool) -> Discovery:
    """Tell how many jobs pay for sharing nodes under each tariff, at worst."""
    more = pricing.assign(more=pd.to_numeric(pricing["more"]))
    worst = more.groupby("tariff", sort=False)["more"].max()
    fair = [tariff for tariff, share in worst.items() if share == 0]
    plain = (
        f"up to {worst[PLAIN]:.0f} % of the jobs pay more than alone" if worst.get(PLAIN) else ""
    )
    cure = f"none does under {' and '.join(fair)}" if fair else "no tariff spares all"
    return Discovery(
        headline=f"Charged by nodes and time, {plain or 'no job pays more than alone'}; {cure}",
        text=(
            "The thesis leaves open what a job is charged that shares its nodes. Jobs that pay "
            "more than they would alone, in per cent of all, of the scheduler where they are most."
        ),
        bars=tuple(Bar(tariff, share, f"{share:.1f} %") for tariff, share in worst.items()),
        rule="show_pricing",
        csv="beyond_pricing.csv",
        models=models,
    )
