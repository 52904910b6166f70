"""Worst cases of schedulers: the longest wait, and which schedulers it rules out."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from schedlab.comparison.schedulers import REFERENCE, labels_of
from schedlab.core.windows import WHOLE
from schedlab.learning.weights.guarded import too_long

LONGEST = "max_wait"
FORBIDDEN = "forbidden"


def by_scheduler(results: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return a metric over all counted jobs of all logs: a row per scheduler, a column per log."""
    rows = results[results["window"] == WHOLE]
    table = rows.pivot(index="scheduler", columns="experiment", values=metric)
    order = list(dict.fromkeys(rows["scheduler"]))
    return table.reindex(order)[list(dict.fromkeys(rows["experiment"]))]


def schedulers_with_long_waits(results: pd.DataFrame, times: float) -> dict[str, list[str]]:
    """Return the schedulers whose longest wait is too long, each with the logs on which it is.

    See `schedlab.learning.weights.guarded.too_long` for `times`.
    """
    table = by_scheduler(results, LONGEST)
    logs_by_name: dict[str, list[str]] = {}
    for log in table:
        reference = table.loc[REFERENCE, log]
        for name, longest in table[log].items():
            if too_long(longest, reference, times):
                logs_by_name.setdefault(name, []).append(str(log))
    return logs_by_name


def tail_table(
    results: pd.DataFrame, metric: str, labels: Mapping[str, str], times: float
) -> pd.DataFrame:
    """Return a metric that depends on few jobs: a row per scheduler, smallest ratio to EASY first.

    Columns: scheduler; the metric over all counted jobs of each log, by its label; ratio to EASY's,
    geometric mean over the logs where both are above 0; worst, the largest ratio, and on, its log;
    for the longest wait also `FORBIDDEN`, on how many logs it is too long.
    """
    table = by_scheduler(results, metric)
    if table.empty:
        return pd.DataFrame(columns=["scheduler", "ratio", "worst", "on"])
    usable = (table > 0) & (table.loc[REFERENCE] > 0)
    ratios = (table / table.loc[REFERENCE]).where(usable)
    output = table.rename(columns=labels)
    output["ratio"] = np.exp(np.log(ratios).mean(axis=1))
    has_ratio = ratios.notna().any(axis=1)
    output["worst"] = ratios.max(axis=1)
    output["on"] = ratios[has_ratio].idxmax(axis=1).map(labels).reindex(output.index, fill_value="")
    if metric == LONGEST:
        logs = schedulers_with_long_waits(results, times)
        output[FORBIDDEN] = [len(logs.get(name, [])) for name in output.index]
    output.insert(0, "scheduler", pd.Series(labels_of(list(output.index))))
    return output.sort_values("ratio", kind="stable").reset_index(drop=True)
