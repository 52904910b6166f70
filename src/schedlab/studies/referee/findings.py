"""Facts of the referee's findings, which its text is filled from."""

from typing import Any

import pandas as pd

from schedlab.core.metrics import REFEREE, shown_in
from schedlab.studies.referee.simulators import CONSERVATIVE, EASY, REAL, SLURM


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
