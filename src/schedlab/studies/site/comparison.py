"""Compare schedulers on a site's log, together with the recorded schedule."""

from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd

from schedlab.comparison.comparing import reproduces
from schedlab.comparison.recorded_schedule import recorded as on_windows
from schedlab.comparison.runs import ContestResults, compare_schedulers
from schedlab.comparison.schedulers import REFERENCE
from schedlab.comparison.settings import ContestSettings
from schedlab.comparison.standing import Standing, compare_by_metric
from schedlab.comparison.tables import metric_table
from schedlab.core.metrics import window_metrics
from schedlab.core.windows import WHOLE
from schedlab.queue.dialect_cells import dialect_of
from schedlab.workbench.results import RECORDED

#: name of the order that the site runs today, if it is not first come, first served
TODAY = "today"


def compare_on_site(
    settings: ContestSettings,
    frame: pd.DataFrame,
    learned: Mapping[str, str],
    own: Mapping[str, str],
    points: int,
    advice: Mapping[str, float],
    threads: int = 1,
    advance: Callable[[], object] | None = None,
    dialect: str = "full",
) -> ContestResults:
    """Run every scheduler over a site's log, and evaluate the log's recorded schedule.

    Results as for `schedlab.comparison.runs.compare_schedulers`. `frame` has clean jobs with a
    column ``wait``, in s; negative if the log does not record it. The scheduler `RECORDED` has rows
    if the log records all waits in its windows.
    """
    simulated = compare_schedulers(
        *(settings, frame, learned, own, points, advice, threads, advance, dialect_of(dialect))
    )
    rows = metrics_of_record(settings, frame)
    if not len(rows):
        return simulated
    return simulated._replace(results=pd.concat([simulated.results, rows], ignore_index=True))


def metrics_of_record(settings: ContestSettings, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the metrics of the schedule `RECORDED`; no rows unless all waits are known."""
    rows = on_windows(settings, frame, frame.set_index("number")["wait"])
    return rows if rows["utilisation"].notna().all() else rows.iloc[:0]


def without_record(results: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of schedulers alone: the recorded schedule is not one that you can run."""
    return results[results["scheduler"] != RECORDED]


def standings(results: pd.DataFrame) -> dict[str, Standing]:
    """Compare the results of `compare_on_site` with EASY by each metric, without the record."""
    simulated = without_record(results)
    return {metric: compare_by_metric(simulated, metric) for metric in window_metrics()}


def metric_with_record(standing: Standing, results: pd.DataFrame, label: str) -> pd.DataFrame:
    """Return a metric's table: a row per scheduler with ratios to EASY, the record last."""
    record = results[results["scheduler"] == RECORDED]
    return metric_table(standing, dict.fromkeys(standing.means, label), record)


def against_record(results: pd.DataFrame, name: str) -> float | None:
    """Return a scheduler's mean wait over the recorded one, if that ratio is meaningful.

    None if waits are not recorded, or if a simulation of the order that the site runs today does
    not reproduce them (`schedlab.comparison.comparing.reproduces`).
    """
    windows = results[results["window"] != WHOLE]
    waits = windows.pivot(index="window", columns="scheduler", values="wait")
    if RECORDED not in waits:
        return None
    today = waits[TODAY if TODAY in waits else REFERENCE].to_numpy()
    if not reproduces(today, waits[RECORDED].to_numpy()):
        return None
    return float(np.nanmean(waits[name]) / np.nanmean(waits[RECORDED]))
