"""Text of the report pages, from the tables of carastan2017."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from schedlab.comparison.toggles.sentences import discovery
from schedlab.report.claims import outcomes
from schedlab.report.story import Bar, Discovery, Story, Teller, claims_of
from schedlab.report.verdicts import MATCH, is_compared
from schedlab.studies.carastan2017.names import (
    AD_HOC,
    DIALECT_WORDS,
    LEARNED,
    LEARNED_COLUMNS,
    POLICY_COLUMNS,
    REGIMES,
)
from schedlab.studies.carastan2017.toggles import NUMBERS

# The window explains most of a ratio's excess over 1 if it removes more than this share of it.
MOST = 0.5


def context(tables: Mapping[str, pd.DataFrame]) -> dict:
    """Return the variables with which the page shows Table 4, from tables of text."""
    texts = tables["table4_comparison"]
    compared = texts.assign(
        computed=pd.to_numeric(texts["computed"]), ratio=pd.to_numeric(texts["ratio"])
    )
    was_compared = (texts["dialect"] == "artefact") & is_compared(texts)
    unequal = was_compared & (texts["verdict"] != MATCH)
    everyone = [*POLICY_COLUMNS.values(), *LEARNED_COLUMNS]
    labels = labels_of_rows(tables["table4"], compared)
    ranks = tables["table4_learned_ranks"]
    over_rows = ranks["best_F"] == ""
    return {
        "policies": list(POLICY_COLUMNS.values()),
        "all_policies": everyone,
        "rank_columns": {name: name for name in [*everyone, "ratio"]},
        "any_compared": bool(was_compared.any()),
        "claims_sentence": claims_sentence(tables["claims"]),
        "not_equal": texts[unequal].to_dict("records"),
        "table4": table4_rows(tables["table4"], compared, "artefact"),
        "table4_full": table4_rows(tables["table4_full"], compared, "full"),
        "learned": learned_rows(tables["table4_learned"]),
        "learned_full": learned_rows(tables["table4_learned_full"]),
        "advantage": advantage(compared, labels),
        "ranks": _rank_rows(tables["table4_ranks"], labels),
        "learned_ranks": ranks[~over_rows].to_dict("records"),
        "learned_medians": ranks[over_rows].to_dict("records"),
    }


def labels_of_rows(table: pd.DataFrame, compared: pd.DataFrame) -> dict[str, str]:
    """Return the label of every row of Table 4, by the paper's row text."""
    rows = compared.loc[compared["dialect"] == "artefact", "experiment"].unique()
    return dict(zip(rows, table["experiment"], strict=True))


def table4_rows(table: pd.DataFrame, compared: pd.DataFrame, dialect: str) -> list[dict]:
    """Return the rows of Table 4 in one dialect, with published number and verdict in each cell."""
    numbers = compared[compared["dialect"] == dialect]
    groups = [group for _, group in numbers.groupby("experiment", sort=False)]
    return [
        {
            "label": label,
            "missing": bool(group["computed"].isna().all()),
            "comparable": bool(is_compared(group).all()),
            "cells": group.assign(best=group["computed"] == group["computed"].min()).to_dict(
                "records"
            ),
        }
        for label, group in zip(table["experiment"], groups, strict=True)
    ]


def learned_rows(table: pd.DataFrame) -> list[dict]:
    """Return the rows of Table 4 with the learned policies."""
    rows = []
    for row in table.set_index("experiment").itertuples():
        label, *texts = row
        numbers = pd.to_numeric(pd.Series(texts), errors="coerce")
        best = (numbers == numbers.min()).tolist()
        cells = [{"text": text, "best": one} for text, one in zip(texts, best, strict=True)]
        rows.append({"label": label, "cells": cells})
    return rows


def advantage(compared: pd.DataFrame, labels: Mapping[str, str] | None = None) -> dict:
    """Return by how much the best of F1-F4 beats the best ad-hoc policy, in each row.

    `compared` is ``table4_comparison``, with computed and ratio as numbers.
    """
    rows = []
    for experiment, group in compared.groupby("experiment", sort=False):
        row = {"experiment": experiment, "regime": experiment.rsplit(", ", 1)[1]}
        alone = is_compared(group).all() or group["computed"].isna().all()
        for dialect, numbers in group.groupby("dialect"):
            numbers = numbers.set_index("policy")
            in_print = _gain(numbers["published"].astype(float))
            row |= {"in_print": in_print, "published": in_print if alone else np.nan}
            row[dialect] = _gain(numbers["computed"])
        rows.append(row)
    gains = pd.DataFrame(rows).set_index("experiment")
    # What is published does not depend on what ran.
    in_print = gains.groupby("regime")["in_print"]
    groups = gains.dropna().groupby("regime", sort=False)
    regimes = [
        {"regime": regime, "of": in_print.size()[regime], "published": in_print.median()[regime]}
        | {"over": len(own), **own[["artefact", "full"]].median()}
        for regime, own in groups
    ]
    labels = labels or {}
    widest = gains.drop(columns=["regime", "in_print"]).to_numpy()
    return {
        "rows": [row | {"label": labels.get(row["experiment"], row["experiment"])} for row in rows],
        "regimes": [regime | {"sentence": window_sentence(regime)} for regime in regimes],
        "widest": np.nanmax(widest) if np.isfinite(widest).any() else np.nan,
    }


def window_sentence(regime: Mapping) -> str:
    """Return how much of the advantage remains when policies see the whole queue."""
    window, full = regime["artefact"], regime["full"]
    share = (window - full) / (window - 1) if window > 1 else np.nan
    if share > MOST:
        text = "Most of the advantage comes from the window"
    elif share > 0:
        text = "Less than half of the advantage comes from the window"
    else:
        text = "The advantage does not come from the window"
    return f"{REGIMES[regime['regime']]}: {factors(regime)}. {text}."


def factors(regime: Mapping) -> str:
    """Return the advantage as published, with the window and with the whole queue."""
    return (
        f"× {times(regime['published'])} as published (median of {regime['of']} experiments). In "
        f"the {regime['over']} that ran: × {times(regime['artefact'])} with the window of 32 "
        f"tasks, × {times(regime['full'])} with the whole queue visible"
    )


def claims_sentence(claims: pd.DataFrame) -> str:
    """Return the outcomes of claims in each dialect and in the published table."""
    places = {
        **{dialect: words.capitalize() for dialect, words in DIALECT_WORDS.items()},
        "printed": "On the published Table 4",
    }
    counts = {where: outcomes(claims[column]) for column, where in places.items()}
    return " ".join(f"{where}, {count}." for where, count in counts.items() if count)


def times(value: float) -> str:
    """Return a ratio with three digits."""
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}"


def _gain(medians: pd.Series) -> float:
    return float(medians[list(AD_HOC)].min() / medians[list(LEARNED)].min())


def _rank_rows(ranks: pd.DataFrame, labels: Mapping[str, str]) -> list[dict]:
    rows = []
    for experiment, group in ranks.groupby("experiment", sort=False):
        order = group["published_order"].iloc[0]
        row = {"label": labels[experiment], "published_order": order}
        rows.append(row | {entry["dialect"]: entry for entry in group.to_dict("records")})
    return rows


ACTUAL = "actual runtimes r"
MODEL = "Workload model"
TABLE4 = "table4_comparison.csv"


def story(tables: Mapping[str, pd.DataFrame], models: bool, say: Teller) -> Story:
    """Summarize the paper for the first page."""
    texts = tables["table4_comparison"]
    compared = texts.assign(computed=pd.to_numeric(texts["computed"]))
    regimes = {regime["regime"]: regime for regime in advantage(compared)["regimes"]}
    window = regimes.get(ACTUAL)
    discoveries = [_describe_seeds(texts, say), _describe_shuffle(tables["fig_samplers"], say)]
    discoveries.append(discovery(tables.get("toggles"), NUMBERS, "toggle_table4", models=False))
    return Story(
        finding=say.finding(factors=factors(window)) if window else "",
        claims=claims_of(tables["claims"], "artefact"),
        discoveries=tuple(
            filter(None, [_describe_window(window, say) if window else None, *discoveries])
        ),
    )


def _describe_window(window: Mapping, say: Teller) -> Discovery:
    bars = {"window of 32": "artefact", "whole queue": "full"}
    shown = {name: f"× {times(window[name])}" for name in bars.values()}
    drawn = (Bar(label, window[name], shown[name]) for label, name in bars.items())
    return say.discovery("window", drawn, over=window["over"], **shown)


def _describe_shuffle(samplers: pd.DataFrame, say: Teller) -> Discovery | None:
    # a pool that is not available has rows with 0 tuples
    compared = samplers[samplers["tuples"].astype(int) > 0]
    uniform = compared[compared["simulated"] == "uniform"].set_index("published")
    if not {"published", "corrected"} <= set(uniform.index):
        return None
    ways = {"as published": "published", "bias corrected": "corrected"}
    r = {way: float(uniform.at[way, "median"]) for way in ways.values()}
    bars = (Bar(label, r[way], f"{r[way]:.2f}") for label, way in ways.items())
    return say.discovery("shuffle", bars, r=r, tuples=uniform.at["published", "tuples"])


def _describe_seeds(texts: pd.DataFrame, say: Teller) -> Discovery | None:
    rows = texts[texts["experiment"].str.startswith(MODEL) & (texts["dialect"] == "artefact")]
    compared = rows[is_compared(rows)]
    if compared.empty:
        return None
    equal, count = int((compared["verdict"] == MATCH).sum()), len(compared)
    counts = {"published digits": equal, "compared": count}
    bars = (Bar(label, number, str(number)) for label, number in counts.items())
    return say.discovery("seeds", bars, equal=equal, count=count)
