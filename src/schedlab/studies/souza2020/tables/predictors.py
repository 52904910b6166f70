"""Beyond souza2020: the same strategies with other estimates of waits."""

from __future__ import annotations

import numpy as np
import pandas as pd

from schedlab.core.intervals import (
    LEVEL,
    RESAMPLES,
    block_length,
    chance_above,
    chance_below,
    holm,
    interval,
    resampled_places,
)
from schedlab.core.streams import generator
from schedlab.report.words import joined
from schedlab.studies.souza2020.sheet import PAPER, PERFECT

NOTHING = "Nothing ran: the log behind the systems is not at hand."
BASELINE = ("Per-Stage", "-")
LEARNED = "ASA"
AT_ONCE = "All at once"
INDEPENDENT = "ASA Naive"
HOUR = 3_600
#: measure, its column of `by_workflow`, and what it is in per cent of
CHANGES = {"makespan": "makespan", "core-hours": "core_hours"}


def predictors(runs: pd.DataFrame, systems: dict[int, str]) -> pd.DataFrame:
    """Return a row per system, strategy and estimator: what it changes against Per-Stage.

    Parameters
    ----------
    runs : DataFrame
        From `schedlab.studies.souza2020.evidence.by_workflow`.
    systems : dict of int to str
        Name of the system of each scale.

    Returns
    -------
    DataFrame
        system, strategy, estimator, replicates; TWT, makespan (mean, s), core-hours (mean); for the
        last two their change against Per-Stage in per cent of its mean; anew (stages submitted anew
        per workflow); learned: mean TWT less that of Algorithm 1 under the same strategy, s. Lost
        against perfect knowledge of waits under the same strategy, mean of a workflow: delay (of
        its makespan, s) and lost (core-hours: those that it used more, and its delay times the
        cores of its scale). Each
        change has its 95 % interval (low, high) over replicates, resampled as blocks of neighbours,
        and its two-sided p-value (p) against no change, from the same resamples, uncorrected.
    """
    keys = ["system", "strategy", "estimator"]
    frame = runs.assign(system=runs["scale"].map(systems))
    frame["cost"] = frame["core_hours"] + frame["scale"] * frame["makespan"] / HOUR
    columns = ["twt", "makespan", "core_hours", "resubmitted", "cost"]
    by_replicate = frame.groupby([*keys, "replicate"])[columns].mean()
    rows = []
    for place in dict.fromkeys(zip(*(frame[key] for key in keys), strict=True)):
        system, strategy = place[:2]
        own, base = by_replicate.loc[place], by_replicate.loc[(system, *BASELINE)]
        row = dict(zip(keys, place, strict=True)) | {"replicates": len(own)}
        row |= {"TWT": own["twt"].mean(), "makespan": own["makespan"].mean()}
        row |= {"core-hours": own["core_hours"].mean(), "anew": own["resubmitted"].mean()}
        for name, column in CHANGES.items():
            change = 100 * (own[column] - base[column]) / base[column].mean()
            row |= _with_ends(f"{name} (%)", change, place)
        if (system, strategy, LEARNED) in by_replicate.index:
            learned = by_replicate.loc[(system, strategy, LEARNED)]
            row |= _with_ends("learned", own["twt"] - learned["twt"], place)
        if (system, strategy, PERFECT) in by_replicate.index:
            best = by_replicate.loc[(system, strategy, PERFECT)]
            row["delay"] = (own["makespan"] - best["makespan"]).mean()
            row |= _with_ends("lost", own["cost"] - best["cost"], place)
        rows.append(row)
    return pd.DataFrame(rows, columns=None if rows else keys)


def _with_ends(name: str, change: pd.Series, place: tuple[str, ...]) -> dict[str, float]:
    values, ends, chance = change.to_numpy(float), (-np.inf, np.inf), 1.0
    if len(values) > 1:
        stream = generator(PAPER, "predictors", name, *place)
        places = resampled_places(len(values), RESAMPLES, stream, block_length(len(values)))
        resampled = values[places].mean(axis=1)
        ends = interval(resampled)
        chance = min(chance_below(resampled, 0), chance_above(resampled, 0))
    found = {name: float(np.mean(values))}
    return found | {f"{name} low": ends[0], f"{name} high": ends[1], f"{name} p": chance}


def headline(table: pd.DataFrame) -> str:
    """Say in one sentence whether learning blind is worth it.

    Parameters
    ----------
    table : DataFrame
        From `predictors`.

    Notes
    -----
    With dependencies. Learning is worth it on a system where its interval of the change in makespan
    against Per-Stage lies below 0; another estimator is better or worse where the difference in
    waiting can be told from none, after correction by Holm for all of them on all systems.
    """
    if table.empty:
        return NOTHING
    own = table[table["strategy"] == "ASA"]
    own = own.assign(told=_told(own))
    said = []
    for system, part in own.groupby("system", sort=False):
        learned = part[part["estimator"] == LEARNED].iloc[0]
        change = "makespan (%)"
        if learned[f"{change} high"] < 0:
            worth = "is worth it"
        elif learned[f"{change} low"] > 0:
            worth = "does harm"
        else:
            worth = "changes nothing that can be told"
        others = part[~part["estimator"].isin([LEARNED, PERFECT])]
        better = others[others["told"] & (others["learned"] < 0)]["estimator"].tolist()
        worse = others[others["told"] & (others["learned"] > 0)]["estimator"].tolist()
        found = [f"waits are shorter with {joined(better)}"] if better else []
        found += [f"longer with {joined(worse)}"] if worse else []
        beside = ", and ".join(found) or "no other estimate does better or worse"
        low, high = (_percent(learned[f"{change} {end}"]) for end in ("low", "high"))
        said.append(
            f"on {system} learning blind {worth} (makespan {_percent(learned[change])}% against "
            f"Per-Stage, {low} to {high}), {beside}"
            f"{_all_at_once(table, system)}{_lost(table, system)}"
        )
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}."


def _all_at_once(table: pd.DataFrame, system: str) -> str:
    """Say what submitting everything at once does on a system, which needs no estimate."""
    own = table[(table["strategy"] == AT_ONCE) & (table["system"] == system)]
    if own.empty:
        return ""
    by = [_percent(own[f"makespan (%){end}"].iloc[0]) for end in ("", " low", " high")]
    return f"; all stages at once, with dependencies, come to {by[0]}% ({by[1]} to {by[2]})"


def _lost(table: pd.DataFrame, system: str) -> str:
    """Return what Algorithm 1 loses against perfect knowledge, and which estimator loses least.

    Without dependencies: with them a job that is submitted too early costs nothing.
    """
    own = table[(table["strategy"] == INDEPENDENT) & (table["system"] == system)]
    if PERFECT not in set(own["estimator"]):
        return ""
    lost = own[own["estimator"] != PERFECT].set_index("estimator")["lost"]
    least = lost.idxmin()
    return (
        "; without dependencies, against knowing what a job submitted now would wait, a workflow "
        f"loses {lost[LEARNED]:.1f} core-hours with Algorithm 1, least with {least} "
        f"({_percent(lost[least])})"
    )


def _told(own: pd.DataFrame) -> pd.Series:
    others = own.loc[~own["estimator"].isin([LEARNED, PERFECT]), "learned p"]
    corrected = pd.Series(holm(others.to_numpy(float)), others.index)
    return (corrected < 1 - LEVEL).reindex(own.index, fill_value=False)


def _percent(value: float) -> str:
    # no minus before nothing
    return f"{round(value, 2) + 0.0:+.2f}"
