"""Cells of the page to explore: schedulers by metric, on all logs, by log and by window."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from schedlab.comparison.schedulers import REFERENCE, labels_of
from schedlab.comparison.standing import Standing, by_log, compare_by_metric, ranges_of_ranks
from schedlab.comparison.tables import AGAINST, metric_table
from schedlab.comparison.tails import tail_table
from schedlab.core.metrics import tail_metrics, window_metrics

#: name of all logs together, among the labels of logs
ALL = "all logs"
COLUMNS = ["log", "metric", "scheduler", "mean", "ratio", "low", "high", "chance", "verdict"]
COLUMNS += ["rank", "rank_low", "rank_high"]
WINDOW_COLUMNS = ["log", "metric", "window", "scheduler", "value", "ratio"]


def cells_of(
    results: pd.DataFrame,
    standings: Mapping[str, Standing],
    labels: Mapping[str, str],
    longest_wait: float,
) -> pd.DataFrame:
    """Return how each scheduler compares with EASY, by log and metric, best ratio first.

    Parameters
    ----------
    results : DataFrame
        Rows of all logs, from `schedlab.comparison.runs.compare_schedulers`.
    standings : mapping of str to Standing
        Standings over all logs, by metric.
    labels : mapping of str to str
        Labels by log.
    longest_wait : float
        As `times` of `schedlab.comparison.tails.schedulers_with_long_waits`.

    Returns
    -------
    DataFrame
        `COLUMNS`. log is a label, or `ALL`, whose rows are those of the arena's tables. mean is the
        value on the log, unknown for `ALL`. The other columns are as in
        `schedlab.comparison.tables.metric_table`, computed from the windows of that log alone;
        rank_low and rank_high are from `schedlab.comparison.standing.ranges_of_ranks`. Metrics
        that depend on few jobs have neither interval nor rank.
    """
    parts = []
    for log in (ALL, *labels):
        rows = results if log == ALL else results[results["experiment"] == log]
        label = labels.get(log, log)
        for name, overall in standings.items():
            standing = overall if log == ALL else compare_by_metric(rows, name)
            table = metric_table(standing, labels)
            ranges = ranges_of_ranks(table["rank"], standing.difference).add_prefix("rank_")
            parts.append(_cells(table.join(ranges), label, name))
        parts += [
            _cells(tail_table(rows, name, labels, longest_wait), label, name)
            for name in tail_metrics()
        ]
    return pd.concat(parts, ignore_index=True)


def windows_of_cells(results: pd.DataFrame, labels: Mapping[str, str]) -> pd.DataFrame:
    """Return the values of each scheduler in each window of a log, and their ratios to EASY's.

    Returns `WINDOW_COLUMNS` for the metrics that are compared over windows; log and scheduler are
    labels. The ratio is unknown if EASY's value is 0. Windows in which a metric is unknown for a
    scheduler are left out, as in the comparison.
    """
    parts = []
    for metric in window_metrics():
        for log, table in by_log(results, metric).items():
            easy = table[REFERENCE]
            ratios = table.div(easy.where(easy != 0), axis=0)
            values = table.melt(ignore_index=False).reset_index()
            values["ratio"] = ratios.melt()["value"]
            parts.append(values.assign(log=labels[log], metric=metric))
    if not parts:
        return pd.DataFrame(columns=WINDOW_COLUMNS)
    rows = pd.concat(parts, ignore_index=True)
    names = labels_of(list(rows["scheduler"].unique()))
    return rows.assign(scheduler=rows["scheduler"].map(names))[WINDOW_COLUMNS]


def _cells(table: pd.DataFrame, log: str, metric: str) -> pd.DataFrame:
    """Return the cells of a log and metric from a table of schedulers."""
    texts = {} if AGAINST in table else {"verdict": ""}
    named = table.rename(columns={AGAINST: "verdict"}).assign(**texts)
    return named.assign(log=log, metric=metric, mean=table.get(log, np.nan)).reindex(
        columns=COLUMNS
    )
