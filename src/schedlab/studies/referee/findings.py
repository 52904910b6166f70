"""The referee's tables for display, and facts of its findings, which its text is filled from."""

from typing import Any

import pandas as pd

from schedlab.core.metrics import REFEREE, shown_in
from schedlab.studies.referee.settings import SETTINGS
from schedlab.studies.referee.simulators import CONSERVATIVE, EASY, LABELS, REAL, SLURM

YES, NO = "yes", "no"
#: columns of a summary besides those of metrics, and their headings
FIRST = {"log": "log", "setting": "order", "scheduler": "scheduler", "runs": "runs"}
LAST = {"difference": "starts apart (s)", "correlation": "correlation"}
SHOWN_DIGITS = {"mean wait (s)": 1, "low": 1, "high": 1, "makespan (s)": 0, "starts apart (s)": 1}
SHOWN_DIGITS |= {"correlation": 3}


def headings() -> dict[str, str]:
    """Return the shown columns of a summary, with their headings."""
    columns = dict(FIRST)
    for name, metric in shown_in(REFEREE).items():
        columns[name] = f"{metric.label} ({metric.unit})" if metric.unit else metric.label
        if name == "wait":
            columns |= {"wait_low": "low", "wait_high": "high"}
        columns |= {f"{name}_deviation": f"{name} (%)", f"{name}_spread": f"{name} spread (%)"}
        columns[f"{name}_inside"] = f"{name} inside"
    return columns | LAST


def referee_table(summaries: pd.DataFrame) -> pd.DataFrame:
    """Return a row per window, order and scheduler, from `metrics.evaluate_windows`."""
    table = summaries[list(headings())].copy()
    real = table["scheduler"] == REAL
    for name in shown_in(REFEREE):
        table[f"{name}_inside"] = table[f"{name}_inside"].map({True: YES, False: NO})
        table.loc[real, f"{name}_inside"] = ""
    labels = {name: setting.label for name, setting in SETTINGS.items()}
    table["setting"] = table["setting"].map(labels)
    table["scheduler"] = table["scheduler"].map(LABELS)
    return table.rename(columns=headings())


def ranking_table(rankings: pd.DataFrame) -> pd.DataFrame:
    """Return a row per window and scheduler, from `metrics.evaluate_windows`."""
    table = rankings.assign(scheduler=rankings["scheduler"].map(LABELS))
    table["same"] = table["same"].map({True: YES, False: NO})
    return table


def findings(summaries: pd.DataFrame, rankings: pd.DataFrame) -> dict[str, Any]:
    """Return how far the simulators deviate from a real Slurm, and the spread of its runs.

    Deviations are absolute deviations of means over runs: their mean over windows and orders, and
    the largest, in %; likewise spreads. ``same`` has the number of windows that a simulator ranks
    as the real Slurm does.
    """
    computed = summaries[summaries["scheduler"] == SLURM]
    metrics = [
        {
            "label": metric.label,
            "slurm": _far(summaries, SLURM, f"{name}_deviation"),
            "easy": _far(summaries, EASY, f"{name}_deviation"),
            "conservative": _far(summaries, CONSERVATIVE, f"{name}_deviation"),
            "spread": _far(summaries, REAL, f"{name}_spread"),
            "inside": int(computed[f"{name}_inside"].sum()),
        }
        for name, metric in shown_in(REFEREE).items()
    ]
    same = rankings[rankings["same"]].groupby("scheduler").size()
    real = rankings[rankings["scheduler"] == REAL]
    return {
        "windows": summaries["log"].nunique(),
        "orders": summaries["setting"].nunique(),
        "cases": len(computed),
        "metrics": metrics,
        "same": {how: same.get(how, 0) for how in (SLURM, EASY, CONSERVATIVE)},
        "agreeing": real["agreeing"].sum(),
        "runs": real["runs"].sum(),
    }


def _far(summaries: pd.DataFrame, how: str, column: str) -> dict[str, float]:
    """Return the mean and the largest absolute value of a scheduler's column."""
    values = summaries.loc[summaries["scheduler"] == how, column].abs()
    return {"mean": values.mean(), "most": values.max()}
