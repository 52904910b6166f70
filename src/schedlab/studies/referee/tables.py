"""The referee's tables for display."""

import pandas as pd

from schedlab.studies.referee.settings import SETTINGS
from schedlab.studies.referee.simulators import LABELS, REAL

YES, NO = "yes", "no"
#: columns of a summary, and their headings
SHOWN = {
    "log": "log",
    "setting": "order",
    "scheduler": "scheduler",
    "runs": "runs",
    "wait": "mean wait (s)",
    "wait_low": "low",
    "wait_high": "high",
    "wait_deviation": "wait (%)",
    "wait_spread": "wait spread (%)",
    "wait_inside": "wait inside",
    "makespan": "makespan (s)",
    "makespan_deviation": "makespan (%)",
    "makespan_spread": "makespan spread (%)",
    "makespan_inside": "makespan inside",
    "difference": "starts apart (s)",
    "correlation": "correlation",
}
DIGITS = {"mean wait (s)": 1, "low": 1, "high": 1, "makespan (s)": 0, "starts apart (s)": 1}
DIGITS |= {"correlation": 3}


def referee_table(summaries: pd.DataFrame) -> pd.DataFrame:
    """Return a row per window, order and scheduler, from `metrics.evaluate_windows`."""
    table = summaries[list(SHOWN)].copy()
    real = table["scheduler"] == REAL
    for name in ("wait", "makespan"):
        table[f"{name}_inside"] = table[f"{name}_inside"].map({True: YES, False: NO})
        table.loc[real, f"{name}_inside"] = ""
    labels = {name: setting.label for name, setting in SETTINGS.items()}
    table["setting"] = table["setting"].map(labels)
    table["scheduler"] = table["scheduler"].map(LABELS)
    return table.rename(columns=SHOWN)


def ranking_table(rankings: pd.DataFrame) -> pd.DataFrame:
    """Return a row per window and scheduler, from `metrics.evaluate_windows`."""
    table = rankings.assign(scheduler=rankings["scheduler"].map(LABELS))
    table["same"] = table["same"].map({True: YES, False: NO})
    return table
