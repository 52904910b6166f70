"""Build the first page's text on kellari2025: gains by sharing nodes, arrivals and charges."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from schedlab.report.story import Bar, Discovery, Story, Teller, claims_of
from schedlab.report.verdicts import CONSISTENT, MATCH, is_compared
from schedlab.studies.kellari2025.published import BY_DEFINITION

MAKESPAN = "makespan speedup"
# The upper end of the interval of a change of mean slowdown, compared with EASY.
HIGHEST = "slowdown_high_against_EASY"
# The tariff that charges a job only for its nodes and its time.
PLAIN = "plain"


def story(tables: Mapping[str, pd.DataFrame], models: bool, say: Teller) -> Story:
    """Summarize the thesis for the first page."""
    compared = tables["table6_comparison"]
    rows = compared[is_compared(compared)]
    return Story(
        finding=_summarize_means(compared, rows, say),
        claims=claims_of(tables["claims"], "computed"),
        discoveries=(
            _describe_pricing(tables["beyond_pricing"], rows.empty, say),
            *_describe_arrivals(tables["beyond_arrivals"], rows.empty, say),
        ),
        models=rows.empty,
    )


def _summarize_means(compared: pd.DataFrame, rows: pd.DataFrame, say: Teller) -> str:
    columns = ["computed", "low", "high"]
    spans = compared[compared["metric"] == MAKESPAN].set_index("scheduler")[columns].astype(float)
    rows = rows[rows["reason"] != BY_DEFINITION]
    return say.finding(
        spans=len(spans),
        shorter=(spans["low"] > 1).sum(),
        longer=(spans["high"] < 1).sum(),
        best=spans.loc[spans["computed"].idxmax()],
        worst=spans.loc[spans["computed"].idxmin()],
        means=len(rows),
        agree=int(rows["verdict"].isin([MATCH, CONSISTENT]).sum()),
    )


def _describe_pricing(pricing: pd.DataFrame, models: bool, say: Teller) -> Discovery:
    """Return the share of jobs that pay more than alone under each tariff, in the worst case."""
    more = pricing.assign(more=pd.to_numeric(pricing["more"]))
    worst = more.groupby("tariff", sort=False)["more"].max()
    fair = [tariff for tariff, share in worst.items() if share == 0]
    bars = (Bar(tariff, share, f"{share:.1f} %") for tariff, share in worst.items())
    return say.discovery("pricing", bars, models, plain=worst.get(PLAIN), fair=fair)


def _describe_arrivals(arrivals: pd.DataFrame, models: bool, say: Teller) -> list[Discovery]:
    """Return which schedulers most often have a lower slowdown than EASY; nothing if none ran."""
    highest = pd.to_numeric(arrivals[HIGHEST])
    compared = arrivals.assign(is_lower=highest < 0)[np.isfinite(highest)]
    if compared.empty:
        return []
    lower = compared.groupby("scheduler", sort=False)["is_lower"].sum()
    most, settings = int(lower.max()), compared["setting"].nunique()
    names = list(lower.index[lower == most]) if most else []
    bars = (Bar(name, int(count), f"{count} of {settings}") for name, count in lower.items())
    return [say.discovery("arrivals", bars, models, names=names, most=most, settings=settings)]
