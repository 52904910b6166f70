"""The referee's tables for display."""

import pandas as pd

from schedlab.core.metrics import REFEREE, shown_in
from schedlab.studies.referee.settings import SETTINGS
from schedlab.studies.referee.simulators import LABELS, REAL

YES, NO = "yes", "no"
#: columns of a summary besides those of metrics, and their headings
FIRST = {"log": "log", "setting": "order", "scheduler": "scheduler", "runs": "runs"}
LAST = {"difference": "starts apart (s)", "correlation": "correlation"}
DIGITS = {"mean wait (s)": 1, "low": 1, "high": 1, "makespan (s)": 0, "starts apart (s)": 1}
DIGITS |= {"correlation": 3}


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
