"""Build the first page's text on kellari2025: gains by sharing nodes, arrivals and charges."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from schedlab.report.story import Bar, Discovery, Story, claims_of
from schedlab.report.verdicts import CONSISTENT, MATCH, is_compared
from schedlab.report.words import joined
from schedlab.studies.kellari2025.published import BY_DEFINITION

MAKESPAN = "makespan speedup"
# The upper end of the interval of a change of mean slowdown, compared with EASY.
HIGHEST = "slowdown_high_against_EASY"
# The tariff that charges a job only for its nodes and its time.
PLAIN = "plain"


def story(tables: Mapping[str, pd.DataFrame], models: bool) -> Story:
    """Summarize the thesis for the first page.

    `tables` has table6_comparison, beyond_pricing, beyond_arrivals and claims, every cell as text.
    """
    compared = tables["table6_comparison"]
    rows = compared[is_compared(compared)]
    return Story(
        finding=_summarize_means(compared, rows),
        claims=claims_of(tables["claims"], "computed"),
        discoveries=(
            _describe_pricing(tables["beyond_pricing"], models=rows.empty),
            *_describe_arrivals(tables["beyond_arrivals"], models=rows.empty),
        ),
        models=rows.empty,
    )


def _summarize_means(compared: pd.DataFrame, rows: pd.DataFrame) -> str:
    columns = ["computed", "low", "high"]
    spans = compared[compared["metric"] == MAKESPAN].set_index("scheduler")[columns].astype(float)
    extremes = (
        f"{(spans['low'] > 1).sum()} of {len(spans)} schedulers shorten the makespan (95 % "
        f"interval of the speedup above 1), {(spans['high'] < 1).sum()} lengthen it. The largest "
        f"speedup is {_speedup(spans, spans['computed'].idxmax())}, the smallest "
        f"{_speedup(spans, spans['computed'].idxmin())}."
    )
    rows = rows[rows["reason"] != BY_DEFINITION]
    if rows.empty:
        return extremes
    agree = int(rows["verdict"].isin([MATCH, CONSISTENT]).sum())
    return (
        f"{extremes} {agree} of {len(rows)} published means match or are consistent with newly "
        "drawn workloads, alone and jointly."
    )


def _speedup(spans: pd.DataFrame, scheduler: str) -> str:
    row = spans.loc[scheduler]
    return f"{row['computed']:.2f} under {scheduler} ({row['low']:.2f}–{row['high']:.2f})"


def _describe_pricing(pricing: pd.DataFrame, models: bool) -> Discovery:
    """Return the share of jobs that pay more than alone under each tariff, in the worst case."""
    more = pricing.assign(more=pd.to_numeric(pricing["more"]))
    worst = more.groupby("tariff", sort=False)["more"].max()
    fair = [tariff for tariff, share in worst.items() if share == 0]
    plain = (
        f"up to {worst[PLAIN]:.0f} % of the jobs pay more than alone" if worst.get(PLAIN) else ""
    )
    cure = f"none does under {' and '.join(fair)}" if fair else "some do under every tariff"
    return Discovery(
        headline=f"Under node-hour billing, {plain or 'no job pays more than alone'}; {cure}",
        text=(
            "The thesis leaves open how to charge jobs that share nodes. The bars are the share of "
            "jobs that pay more than alone, for the scheduler with the largest share."
        ),
        bars=tuple(Bar(tariff, share, f"{share:.1f} %") for tariff, share in worst.items()),
        rule="show_pricing",
        csv="beyond_pricing.csv",
        section="beyond_pricing",
        models=models,
    )


def _describe_arrivals(arrivals: pd.DataFrame, models: bool) -> list[Discovery]:
    """Return which schedulers most often have a lower slowdown than EASY; nothing if none ran."""
    highest = pd.to_numeric(arrivals[HIGHEST])
    compared = arrivals.assign(is_lower=highest < 0)[np.isfinite(highest)]
    if compared.empty:
        return []
    lower = compared.groupby("scheduler", sort=False)["is_lower"].sum()
    most, settings = int(lower.max()), compared["setting"].nunique()
    names = list(lower.index[lower == most]) if most else ["No scheduler"]
    verb = "has" if len(names) == 1 else "have"
    where = f"{most} of {settings}" if most else f"any of {settings}"
    return [
        Discovery(
            headline=(
                f"{joined(names)} {verb} a lower mean slowdown than EASY in {where} settings of "
                "arrivals"
            ),
            text=(
                "In the thesis all jobs arrive at the start. Other settings spread the arrivals "
                "over time. The bars count the settings in which the 95 % interval of the change "
                "is below 0."
            ),
            bars=tuple(
                Bar(name, int(count), f"{count} of {settings}") for name, count in lower.items()
            ),
            rule="show_settings",
            csv="beyond_arrivals.csv",
            section="arrivals",
            models=models,
        )
    ]
