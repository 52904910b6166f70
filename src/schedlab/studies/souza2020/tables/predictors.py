"""Beyond souza2020: the same strategies with other wait predictors."""

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

NOTHING = "Nothing ran: the log behind the systems is not available."
BASELINE = ("Per-Stage", "-")
LEARNED = "ASA"
AT_ONCE = "All at once"
INDEPENDENT = "ASA Naive"
HOUR = 3_600
#: metric, and its column of `by_workflow`
CHANGES = {"makespan": "makespan", "core-hours": "core_hours"}
SHOWN = {"TWT": "twt"} | CHANGES | {"resubmitted": "resubmitted"}


def predictors(runs: pd.DataFrame, systems: dict[int, str]) -> pd.DataFrame:
    """Return a row per system, strategy and estimator: changes compared with Per-Stage."""
    keys = ["system", "strategy", "estimator"]
    frame = runs.assign(system=runs["scale"].map(systems))
    frame["cost"] = frame["core_hours"] + frame["scale"] * frame["makespan"] / HOUR
    columns = ["twt", "makespan", "core_hours", "resubmitted", "cost"]
    by_replicate = frame.groupby([*keys, "replicate"])[columns].mean()
    rows = []
    for place in dict.fromkeys(zip(*(frame[key] for key in keys), strict=True)):
        system, strategy = place[:2]
        values, base = by_replicate.loc[place], by_replicate.loc[(system, *BASELINE)]
        row = dict(zip(keys, place, strict=True)) | {"replicates": len(values)}
        row |= {name: values[column].mean() for name, column in SHOWN.items()}
        for name, column in CHANGES.items():
            change = 100 * (values[column] - base[column]) / base[column].mean()
            row |= _with_ends(f"{name} (%)", change, place)
        if (system, strategy, LEARNED) in by_replicate.index:
            learned = by_replicate.loc[(system, strategy, LEARNED)]
            row |= _with_ends("learned", values["twt"] - learned["twt"], place)
        if (system, strategy, PERFECT) in by_replicate.index:
            best = by_replicate.loc[(system, strategy, PERFECT)]
            row["delay"] = (values["makespan"] - best["makespan"]).mean()
            row |= _with_ends("lost", values["cost"] - best["cost"], place)
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
    mean_of = {name: float(np.mean(values))}
    return mean_of | {f"{name} low": ends[0], f"{name} high": ends[1], f"{name} p": chance}


def headline(table: pd.DataFrame) -> str:
    """Return sentences: does Algorithm 1 pay, and which predictors are better or worse."""
    if table.empty:
        return NOTHING
    asa_rows = table[table["strategy"] == "ASA"]
    asa_rows = asa_rows.assign(significant=_significant(asa_rows))
    parts = []
    for system, part in asa_rows.groupby("system", sort=False):
        learned = part[part["estimator"] == LEARNED].iloc[0]
        change = "makespan (%)"
        if learned[f"{change} high"] < 0:
            effect = "shortens the makespan significantly"
        elif learned[f"{change} low"] > 0:
            effect = "lengthens the makespan significantly"
        else:
            effect = "does not change the makespan significantly"
        others = part[~part["estimator"].isin([LEARNED, PERFECT]) & part["significant"]]
        better = others.loc[others["learned"] < 0, "estimator"].tolist()
        worse = others.loc[others["learned"] > 0, "estimator"].tolist()
        differences = [f"shorter with {joined(better)}"] if better else []
        differences += [f"longer with {joined(worse)}"] if worse else []
        waits = (
            f"Waits are significantly {' and '.join(differences)}."
            if differences
            else "No other predictor changes the waits significantly."
        )
        low, high = (_percent(learned[f"{change} {end}"]) for end in ("low", "high"))
        parts.append(
            f"{system}: ASA with Algorithm 1 {effect} ({_percent(learned[change])}% against "
            f"Per-Stage, 95% CI {low} to {high}). {waits}"
            f"{_all_at_once(table, system)}{_lost(table, system)}"
        )
    return " ".join(parts)


def _all_at_once(table: pd.DataFrame, system: str) -> str:
    """Return the change on a system if all stages are submitted at once, without estimates."""
    at_once = table[(table["strategy"] == AT_ONCE) & (table["system"] == system)]
    if at_once.empty:
        return ""
    by = [_percent(at_once[f"makespan (%){end}"].iloc[0]) for end in ("", " low", " high")]
    return f" All stages at once, with dependencies, change it by {by[0]}% ({by[1]} to {by[2]})."


def _lost(table: pd.DataFrame, system: str) -> str:
    """Return Algorithm 1's loss without dependencies, and the estimator that loses least."""
    independent = table[(table["strategy"] == INDEPENDENT) & (table["system"] == system)]
    if PERFECT not in set(independent["estimator"]):
        return ""
    lost = independent[independent["estimator"] != PERFECT].set_index("estimator")["lost"]
    least = lost.idxmin()
    return (
        f" Without dependencies, a workflow loses {lost[LEARNED]:.1f} core-hours with Algorithm 1, "
        "compared with perfect knowledge of the waits. The loss is least with "
        f"{least} ({_percent(lost[least])})."
    )


def _significant(changes: pd.DataFrame) -> pd.Series:
    p_values = changes.loc[~changes["estimator"].isin([LEARNED, PERFECT]), "learned p"]
    corrected = pd.Series(holm(p_values.to_numpy(float)), p_values.index)
    return (corrected < 1 - LEVEL).reindex(changes.index, fill_value=False)


def _percent(value: float) -> str:
    # adding 0.0 turns -0.0 into 0.0
    return f"{round(value, 2) + 0.0:+.2f}"
