"""Tables of zhang2020: means compared with published ones, changed choices, phantom jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import numpy as np
import pandas as pd

from schedlab.core.markers import NOT_AVAILABLE
from schedlab.report.comparison import (
    ANY,
    compare_number,
    not_compared,
    published_of,
    reasons_of,
)
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.items import Item, item
from schedlab.report.parts import Table
from schedlab.report.verdicts import in_interval
from schedlab.report.words import filled
from schedlab.studies.zhang2020.figures import LABELS, draw_choices
from schedlab.studies.zhang2020.inputs import SMALL, Rows, Runs, by_window, interval_of, resamples
from schedlab.studies.zhang2020.runs import BASE, HEURISTICS, RL, VARIANTS
from schedlab.studies.zhang2020.sheet import PolicyTrial

POLICIES = (*HEURISTICS, RL)
#: what the network is compared with
BASES = ("SJF", "F1")
#: windows that decide a mean
DECISIVE = 3
#: windows of a published mean: the paper's number is unknown, an independent replay had so many
PUBLISHED = 40


@item("means", section="Tables", **SMALL)
def compare_means(
    rows: Rows,
    runs: Runs,
    published: Annotated[pd.DataFrame, published_of("means")],
    reasons: Annotated[pd.DataFrame, reasons_of("means")],
) -> Table:
    """Return the mean bounded slowdown of each log and policy, with the published one."""
    entries = []
    for row, table in zip(rows, runs, strict=True):
        means = table.loc[table["variant"] == BASE].pivot(
            index="window", columns="policy", values="slowdown"
        )
        for policy in POLICIES:
            entries.append(_mean(row, policy, means, published, reasons))
    return Table(pd.DataFrame(entries), {"mean": 1, "ci_low": 1, "ci_high": 1, "ratio": 2})


def _mean(
    row: PolicyTrial,
    policy: str,
    means: pd.DataFrame,
    published: pd.DataFrame,
    reasons: pd.DataFrame,
) -> dict[str, Any]:
    """Return a mean with its interval, and its comparison if a value is published."""
    values = means[policy].to_numpy() if policy in means else np.array([])
    mean, low, high = np.nan, np.nan, np.nan
    if len(values):
        mean = values.mean()
        low, high = interval_of(values[resamples(row, len(values))].mean(axis=1), len(values))
    entry = {
        "log": row.name, "policy": policy, "windows": len(values), "mean": mean, "ci_low": low,
        "ci_high": high, "published": "", "ratio": np.nan, "verdict": "", "reason": "",
    }  # fmt: skip
    known = row.label in published.index and policy in published.columns
    if known and isinstance(printed := published.at[row.label, policy], str):
        entry["published"] = printed
        if row.stand_in or not len(values):
            entry |= not_compared()
        else:
            few = values[resamples(row, len(values), PUBLISHED)].mean(axis=1)
            inside = in_interval(printed, *interval_of(few, len(values)))
            place = (ANY, row.label, policy)
            entry |= compare_number(printed, mean, reasons, place, inside=inside)
    elif not len(values):
        entry["verdict"] = NOT_AVAILABLE
    return entry


@item("choices", Item("fig_choices", "figure"), section="Tables", **SMALL)
def change_choices(
    rows: Rows, runs: Runs, words: Mapping[str, Mapping[str, str]]
) -> dict[str, Table | Picture]:
    """Return the means with one choice changed at a time, and RL's ratios to SJF and F1."""
    table = choices_of(rows, runs)
    known = table.dropna(subset=["to_F1"])
    if known.empty:
        figure = log_not_available("the published policies")
    else:
        better = known[known["F1_high"] < 1]
        facts = {
            "cases": len(known),
            "better": len(better),
            "in_simulator": int((better["variant"] == BASE).sum()),
            "logs": known["log"].nunique(),
        }
        figure = draw_choices(known, filled(words["choices"]["sentence"], facts))
    digits = dict.fromkeys(POLICIES, 1)
    return {"choices": Table(table, digits), "fig_choices": Picture(figure, table)}


def choices_of(rows: list[PolicyTrial], runs: list[pd.DataFrame]) -> pd.DataFrame:
    """Return a row per log and variant: means by policy, ratios of RL with intervals."""
    entries = []
    for row, table in zip(rows, runs, strict=True):
        values = by_window(table)
        for variant in VARIANTS:
            if variant.name not in values:
                continue
            means = values[variant.name]
            entry = {"log": row.name, "variant": variant.name, "choice": LABELS[variant.name]}
            entry |= {policy: means[policy].mean() for policy in POLICIES if policy in means}
            places = resamples(row, len(means))
            for base in BASES:
                ratio, low, high = np.nan, np.nan, np.nan
                if RL in means:
                    ratio = means[RL].mean() / means[base].mean()
                    drawn = [means[name].to_numpy()[places].mean(axis=1) for name in (RL, base)]
                    low, high = interval_of(drawn[0] / drawn[1], len(means))
                entry |= {f"to_{base}": ratio, f"{base}_low": low, f"{base}_high": high}
            entries.append(entry)
    ratios = [part for base in BASES for part in (f"to_{base}", f"{base}_low", f"{base}_high")]
    return pd.DataFrame(entries, columns=["log", "variant", "choice", *POLICIES, *ratios])


@item("phantoms", section="Tables", **SMALL)
def weigh_phantoms(rows: Rows, runs: Runs) -> Table:
    """Return the share of jobs that never ran in the sum, and that of the largest windows."""
    entries = []
    for row, table in zip(rows, runs, strict=True):
        base = table[table["variant"] == BASE]
        for policy, windows in base.groupby("policy", sort=False):
            total = windows["slowdown"] * windows["jobs"]
            phantom = windows["phantom_share"] * total
            largest = total.nlargest(DECISIVE).index
            entries.append(
                {
                    "log": row.name,
                    "policy": policy,
                    "jobs_share": windows["phantoms"].sum() / windows["jobs"].sum(),
                    "mean": windows["slowdown"].mean(),
                    "ran_mean": windows["ran_slowdown"].mean(),
                    "phantom_share": phantom.sum() / total.sum(),
                    "largest_share": total[largest].sum() / total.sum(),
                    "phantoms_in_largest": phantom[largest].sum() / total[largest].sum(),
                    "windows": len(windows),
                }
            )
    return Table(pd.DataFrame(entries), {"mean": 1, "ran_mean": 1})
