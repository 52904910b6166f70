"""Recorded schedule of a log, measured on the windows of the arena."""

import numpy as np
import pandas as pd

from schedlab.comparison.runs import jobs_and_windows, results_of
from schedlab.comparison.settings import ContestSettings
from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import CONTEST, compute_metrics, shown_in
from schedlab.core.windows import Window, whole
from schedlab.workbench.results import RECORDED


def recorded(settings: ContestSettings, frame: pd.DataFrame, waits: pd.Series) -> pd.DataFrame:
    """Compute the metrics of the recorded schedule on the windows of a row.

    It is what really happened, and no simulation: it includes jobs that cleaning removes, and
    partitions, limits and outages delayed some jobs. `frame` has the clean jobs of the log, no rows
    if it is not available. `waits` are recorded waits in seconds by job number, negative if
    unknown.

    Returns a table as from `schedlab.comparison.runs.results_of`: a row per window and one for all
    windows, for the scheduler `schedlab.workbench.results.RECORDED`. Metrics are nan in a window if
    the wait of a job submitted in it is unknown.
    """
    jobs, users, windows = jobs_and_windows(settings, frame)
    return results_of(
        _metrics_row(settings, window, jobs, users, waits)
        for window in ((whole(windows), *windows) if windows else ())
    )


def _metrics_row(
    settings: ContestSettings, window: Window, jobs: Jobs, users: np.ndarray, waits: pd.Series
) -> tuple[object, ...]:
    wait = waits.reindex(jobs.number, fill_value=-1).to_numpy()
    inside = (jobs.submit >= window.begin) & (jobs.submit < window.end)
    values = dict.fromkeys(shown_in(CONTEST), np.nan)
    if (wait[inside] >= 0).all():
        known = wait >= 0
        start = jobs.submit + wait
        schedule = Schedule(start[known], (start + jobs.runtime)[known])
        values = compute_metrics(
            *(jobs.take(known), users[known], schedule, settings.processors),
            *(window.begin, window.end, settings.tau),
        )
    counts = (settings.experiment, RECORDED, window.number, int(inside.sum()))
    return (*counts, *values.values())
