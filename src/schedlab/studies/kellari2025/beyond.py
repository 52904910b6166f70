"""Compute the effect of one changed setting on every scheduler, with its uncertainty.

All settings of an item run on the same workloads, so differences are paired by workload.
"""

from collections.abc import Mapping

import pandas as pd

from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.report.words import as_sentences, number_of
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


def headline(table: pd.DataFrame) -> str:
    """Return each setting's change of mean slowdown: median and extremes over the schedulers."""
    reference = table["setting"].iloc[0]
    compared = table[(table["setting"] != reference) & (table["scheduler"] != NOT_AVAILABLE)]
    if compared.empty:
        return f"There is nothing to compare with {reference}."
    lines = []
    for setting, rows in compared.groupby("setting", sort=False):
        changes = rows.set_index("scheduler")["slowdown_change"]
        middle = f"{changes.median():+.1f} %, median of {len(changes)} schedulers"
        low, high = changes.idxmin(), changes.idxmax()
        ends = f"{changes[low]:+.1f} % for {low} to {changes[high]:+.1f} % for {high}"
        same = (changes.abs() < 0.05).all()
        lines.append(f"{setting}: no change" if same else f"{setting}: {middle} ({ends})")
    return as_sentences([f"Change of mean slowdown against {reference}", *lines])


def sentences(table: pd.DataFrame) -> list[str]:
    """Return what each setting raises or lowers; a change counts if its interval excludes 0."""
    reference = table["setting"].iloc[0]
    lines = []
    for setting, setting_rows in table.groupby("setting", sort=False):
        if setting == reference:
            continue
        if (setting_rows["scheduler"] == NOT_AVAILABLE).all():
            lines.append(f"{setting}: {NOT_AVAILABLE}.")
            continue
        for metric, label in CHANGED.items():
            own_metric = setting_rows
            if metric == "makespan_speedup":
                own_metric = setting_rows[setting_rows["scheduler"] != BASELINE]
            lines.append(f"{setting}, against {reference}: {_moves(own_metric, metric, label)}.")
    return lines


def as_markdown(lines: list[str]) -> list[str]:
    """Return lines of Markdown: the first sentence, then the others as a list."""
    return [lines[0], "", *(f"- {line}" for line in lines[1:] if line)]


def _moves(rows: pd.DataFrame, metric: str, label: str) -> str:
    up = rows[rows[f"{metric}_low"] > 0]
    down = rows[rows[f"{metric}_high"] < 0]
    unchanged = rows[~rows.index.isin([*up.index, *down.index])]
    parts = [
        f"{verb} for {_each(group, metric)}"
        for verb, group in (("rises", up), ("falls", down))
        if len(group)
    ]
    if len(unchanged):
        names = ", ".join(unchanged["scheduler"])
        parts.append(f"does not change significantly for {names}")
    return f"{label} {'. It '.join(parts)}"


def _each(group: pd.DataFrame, metric: str) -> str:
    return ", ".join(
        f"{row['scheduler']} ({row[f'{metric}_change']:+.1f} %)" for _, row in group.iterrows()
    )


def sides(changes: pd.DataFrame) -> pd.Series:
    """Return how each scheduler's mean slowdown compares with the reference in each setting."""
    compared = pd.Series(ALIKE, changes.index, dtype=object)
    compared[changes["slowdown_high"] < 0] = LOWER
    compared[changes["slowdown_low"] > 0] = HIGHER
    return compared


def headline_against(changes: pd.DataFrame, base: str) -> str:
    """Return in how many settings each scheduler's mean slowdown is lower; see `against`."""
    if changes.empty:
        return f"There is nothing to compare with {base}."
    settings = changes["setting"].nunique()
    lower = sides(changes).eq(LOWER)
    beaten = lower.groupby(changes["scheduler"], sort=False).sum()
    kinds = {
        f"in all {number_of(settings, 'setting')}": [
            name for name, count in beaten.items() if count == settings
        ],
        "in some settings": [
            f"{name} ({count})" for name, count in beaten.items() if 0 < count < settings
        ],
        "in no setting": [name for name, count in beaten.items() if count == 0],
    }
    parts = [f"{words} for {', '.join(names)}" for words, names in kinds.items() if names]
    return f"Mean slowdown is lower than {base}'s {'; '.join(parts)}."


def against(changes: pd.DataFrame, labels: Mapping[str, str], base: str) -> list[str]:
    """Return for each setting which schedulers have a lower or higher mean slowdown than `base`."""
    lines, compared = [], sides(changes)
    for label in labels.values():
        setting_sides = compared[changes["setting"] == label]
        if setting_sides.empty:
            lines.append(f"{label}: {NOT_AVAILABLE}.")
            continue
        names = changes.loc[setting_sides.index, "scheduler"]
        parts = [
            f"{side}{'' if side == ALIKE else ' than'} {base}'s for "
            f"{', '.join(names[setting_sides == side])}"
            for side in (LOWER, HIGHER, ALIKE)
            if (setting_sides == side).any()
        ]
        lines.append(f"{label}: mean slowdown is {'; '.join(parts)}.")
    return lines


def price_headline(table: pd.DataFrame) -> str:
    """Return the range of jobs that pay more than alone under each tariff, in one sentence."""
    lines = []
    for tariff, prices in table[table["scheduler"] != "EASY"].groupby("tariff", sort=False):
        low, high = prices["more"].min(), prices["more"].max()
        lines.append(f"{low:.1f} to {high:.1f} % ({tariff})" if high else f"none ({tariff})")
    return (
        "Share of jobs that pay more than alone when nodes are shared, range over schedulers: "
        f"{', '.join(lines)}."
    )


def price_sentences(table: pd.DataFrame) -> list[str]:
    """Return which schedulers make jobs pay more than alone, a sentence for each tariff."""
    lines = []
    for tariff, prices in table.groupby("tariff", sort=False):
        shared = prices[prices["scheduler"] != "EASY"]
        income = shared["income"]
        income_text = (
            f"The site's income is {income.min():.1f} to {income.max():.1f} % of that without "
            "sharing."
        )
        if not shared["more"].any():
            lines.append(f"Tariff {tariff}: no job pays more than alone. {income_text}")
            continue
        most, least = shared.loc[shared["more"].idxmax()], shared.loc[shared["more"].idxmin()]
        lines.append(
            f"Tariff {tariff}: {least['more']:.1f} % ({least['scheduler']}) to "
            f"{most['more']:.1f} % ({most['scheduler']}) of the jobs pay more than alone, on "
            f"average {shared['overcharge'].mean():.1f} % more. {income_text}"
        )
    return lines


def pair_sentences(errors: pd.DataFrame) -> list[str]:
    """Return which prediction of unmeasured pairs has the smallest error, for each design.

    The error is the root of the mean squared error (rmse) of the speedup.
    """
    starts = {
        "pairs": "With single pairs left out",
        "groups": "With all pairs between two groups left out (as in ARIS)",
    }
    lines = []
    for design, design_errors in errors.groupby("design", sort=False):
        best = design_errors.loc[design_errors["rmse"].idxmin()]
        mean = design_errors.set_index("method").at["row_mean", "rmse"]
        if best["method"] == "row_mean":
            lines.append(
                f"{starts[design]}, no method beats the mean of the row (rmse {mean:.3f})."
            )
            continue
        lines.append(
            f"{starts[design]}, {best['method'].replace('_', ' ')} has the smallest error (rmse "
            f"{best['rmse']:.3f}; mean of the row: {mean:.3f})."
        )
    return lines
