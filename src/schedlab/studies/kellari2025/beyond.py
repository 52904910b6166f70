"""Compute the effect of one changed setting on every scheduler, with its uncertainty.

All settings of an item run on the same workloads, so differences are paired by workload.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.kellari2025.tables.chapter6 import BASELINE, half_width

SHOWN = ["slowdown", "slowed", "utilisation", "job_speedup", "makespan_speedup"]
CHANGED = {"slowdown": "mean slowdown", "makespan_speedup": "makespan speedup"}
PAIRED = ("slowdown", "makespan_speedup")
#: parts of a paired change: its mean and the ends of its 95 % interval
ENDS = ("change", "low", "high")
CHANGES = [f"{metric}_{end}" for metric in PAIRED for end in ENDS]
LOWER, HIGHER, ALIKE = "lower", "higher", "not distinguishable from"


def by_setting(runs: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Return means of every setting and scheduler, and their change from the first setting.

    `labels` has the label of each experiment, in the sheet's order; the first one is the reference.
    """
    reference, rows = next(iter(labels)), []
    for experiment, label in labels.items():
        setting_runs = runs[runs["experiment"] == experiment]
        if setting_runs.empty:
            rows.append({"setting": label, "scheduler": NOT_AVAILABLE, "workloads": 0})
        for scheduler, scheduler_runs in setting_runs.groupby("scheduler", sort=False):
            base = runs[(runs["experiment"] == reference) & (runs["scheduler"] == scheduler)]
            row = {"setting": label, "scheduler": scheduler, "workloads": len(scheduler_runs)}
            row |= dict(scheduler_runs[SHOWN].mean())
            rows.append(row | changes_of(scheduler_runs, base))
    return pd.DataFrame(rows)


def gaps(runs: pd.DataFrame, labels: Mapping[str, str], base: str) -> pd.DataFrame:
    """Return the change of each scheduler from a base scheduler (its label), in each setting."""
    rows = []
    for experiment, label in labels.items():
        setting_runs = runs[runs["experiment"] == experiment]
        reference = setting_runs[setting_runs["scheduler"] == base]
        for scheduler, scheduler_runs in setting_runs.groupby("scheduler", sort=False):
            if scheduler != base:
                row = {"setting": label, "scheduler": scheduler}
                rows.append(row | changes_of(scheduler_runs, reference))
    return pd.DataFrame(rows, columns=["setting", "scheduler", *CHANGES])


def with_gaps(table: pd.DataFrame, gaps: pd.DataFrame, base: str) -> pd.DataFrame:
    """Return a table of settings with the columns of its figure: changes from a base scheduler.

    The added columns are ``slowdown_change_against_<base>`` and so on; nan for the base scheduler.
    """
    keys = ["setting", "scheduler"]
    new_names = {name: f"{name}_against_{base}" for name in gaps.columns.drop(keys)}
    return table.merge(gaps.rename(columns=new_names), how="left", on=keys)


def changes_of(computed: pd.DataFrame, base: pd.DataFrame) -> dict[str, float]:
    """Return `CHANGES`: mean relative changes (%) over shared workloads, with their intervals."""
    pairs, numbers = computed.merge(base, on="workload", suffixes=("", "_base")), []
    for metric in PAIRED:
        change = 100 * (pairs[metric] / pairs[f"{metric}_base"] - 1)
        middle, width = float(change.mean()), half_width(change)
        numbers += [middle, middle - width, middle + width]
    return dict(zip(CHANGES, numbers, strict=True))


def effects_of(table: pd.DataFrame) -> dict[str, Any]:
    """Return what each setting changes, from `by_setting`; a change counts if its interval does."""
    reference, settings = table["setting"].iloc[0], []
    for setting, rows in table.groupby("setting", sort=False):
        ran = rows[rows["scheduler"] != NOT_AVAILABLE]
        if setting == reference:
            continue
        changes = ran.set_index("scheduler")["slowdown_change"] if len(ran) else pd.Series()
        one = {"name": setting, "ran": len(ran), "changes": changes}
        one["same"] = bool((changes.abs() < 0.05).all())
        one["metrics"] = [
            _moves(ran if metric == "slowdown" else ran[ran["scheduler"] != BASELINE], metric)
            for metric in (CHANGED if len(ran) else ())
        ]
        settings.append(one)
    return {"reference": reference, "settings": settings, "base": ""}


def _moves(rows: pd.DataFrame, metric: str) -> dict[str, Any]:
    up, down = rows[f"{metric}_low"] > 0, rows[f"{metric}_high"] < 0
    pairs = rows.set_index("scheduler")[f"{metric}_change"]
    moved = {"rises": pairs[up.to_numpy()], "falls": pairs[down.to_numpy()]}
    unchanged = list(pairs.index[(~(up | down)).to_numpy()])
    return {"label": CHANGED[metric], "moved": moved, "unchanged": unchanged}


def sides(changes: pd.DataFrame) -> pd.Series:
    """Return how each scheduler's mean slowdown compares with the reference in each setting."""
    compared = pd.Series(ALIKE, changes.index, dtype=object)
    compared[changes["slowdown_high"] < 0] = LOWER
    compared[changes["slowdown_low"] > 0] = HIGHER
    return compared


def sides_of(changes: pd.DataFrame, labels: Mapping[str, str], base: str) -> dict[str, Any]:
    """Return which schedulers have a lower or higher mean slowdown than `base`, by setting."""
    compared = sides(changes)
    beaten = compared.eq(LOWER).groupby(changes["scheduler"], sort=False).sum()
    settings = []
    for label in labels.values():
        own = changes.loc[changes["setting"] == label, "scheduler"]
        named = {side: own[compared[own.index] == side].tolist() for side in (LOWER, HIGHER, ALIKE)}
        settings.append({"name": label} | named)
    count = changes["setting"].nunique()
    return {"base": base, "settings": settings, "beaten": beaten.to_dict(), "count": count}


def prices_of(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return for each tariff the range of jobs that pay more than alone, and the site's income."""
    rows = []
    for tariff, prices in table.groupby("tariff", sort=False):
        shared = prices[prices["scheduler"] != "EASY"].set_index("scheduler")
        row = {"tariff": tariff, "more": shared["more"], "income": shared["income"]}
        rows.append(row | {"overcharge": shared["overcharge"].mean()})
    return rows


def errors_of(errors: pd.DataFrame) -> list[dict[str, Any]]:
    """Return which prediction of unmeasured pairs has the smallest error (rmse), by design."""
    return [
        {"design": design, "best": own["rmse"].idxmin(), "rmse": own["rmse"]}
        for design, own in errors.set_index("method").groupby("design", sort=False)
    ]
