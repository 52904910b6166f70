"""The arena on a site's log, with what the log recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.comparison.comparing import reproduces
from schedlab.comparison.recorded import recorded as on_windows
from schedlab.comparison.runs import ContestResults, run_contest
from schedlab.comparison.schedulers import REFERENCE
from schedlab.comparison.standing import stand
from schedlab.comparison.tables import metric_table
from schedlab.core.metrics import window_metrics
from schedlab.core.windows import WHOLE
from schedlab.queue.dialect_cells import dialect_of
from schedlab.workbench.results import RECORDED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from schedlab.comparison.contest import ContestSettings
    from schedlab.comparison.standing import Standing

#: name of the order that the site runs today, where it is not first come, first served
TODAY = "today"


def fight(
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
    """Run every scheduler over a site's log, and measure the log's own schedule.

    Parameters
    ----------
    settings, learned, own, points, advice, threads, advance
        As of `schedlab.comparison.runs.run_contest`.
    frame : DataFrame
        Clean jobs with a column ``wait``, in s; negative where the log does not say it.
    dialect : str
        A cell, see `schedlab.queue.dialect_cells`.

    Returns
    -------
    ContestResults
        As of `run_contest`; rows of the scheduler `RECORDED` are what the log has, if it says all
        waits in its windows.
    """
    found = run_contest(
        *(settings, frame, learned, own, points, advice, threads, advance, dialect_of(dialect))
    )
    rows = recorded(settings, frame)
    if not len(rows):
        return found
    return found._replace(results=pd.concat([found.results, rows], ignore_index=True))


def recorded(settings: ContestSettings, frame: pd.DataFrame) -> pd.DataFrame:
    """Measure what the log says of its own windows: `RECORDED`, none unless all waits are known."""
    rows = on_windows(settings, frame, frame.set_index("number")["wait"])
    return rows if rows["utilisation"].notna().all() else rows.iloc[:0]


def without_record(results: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of schedulers alone: what was recorded is no scheduler that one can run."""
    return results[results["scheduler"] != RECORDED]


def standings(results: pd.DataFrame) -> dict[str, Standing]:
    """Return the comparison of schedulers with EASY by each metric, without the recorded schedule.

    Parameters
    ----------
    results : DataFrame
        Of `fight`.
    """
    simulated = without_record(results)
    return {metric: stand(simulated, metric) for metric in window_metrics()}


def metric_beside(standing: Standing, results: pd.DataFrame, label: str) -> pd.DataFrame:
    """Return one metric: a row per scheduler with ratios to EASY, and what was recorded at the end.

    Parameters
    ----------
    standing : Standing
        Of the metric.
    results : DataFrame
        Of `fight`.
    label : str
        What the log is called.
    """
    own = results[results["scheduler"] == RECORDED]
    return metric_table(standing, dict.fromkeys(standing.means, label), own)


def against_record(results: pd.DataFrame, name: str) -> float | None:
    """Return a scheduler's mean wait over the recorded one, if that ratio says anything.

    Parameters
    ----------
    results : DataFrame
        Of `fight`.
    name : str
        The scheduler.

    Returns
    -------
    float or None
        None where waits are not recorded, or where a simulation of the order that the site runs
        today does not come near them (`schedlab.comparison.comparing.reproduces`).
    """
    waits = results[results["window"] != WHOLE].pivot(
        index="window", columns="scheduler", values="wait"
    )
    if RECORDED not in waits:
        return None
    today = waits[TODAY if TODAY in waits else REFERENCE].to_numpy()
    if not reproduces(today, waits[RECORDED].to_numpy()):
        return None
    return float(np.nanmean(waits[name]) / np.nanmean(waits[RECORDED]))
