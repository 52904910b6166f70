"""What a site did itself: the schedule that its log has recorded, on the arena's windows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.arena.measures import METRICS, measure
from schedlab.arena.runs import COLUMNS, cases_of
from schedlab.arena.windows import windows_of
from schedlab.jobs import Schedule
from schedlab.workbench.results import RECORDED

if TYPE_CHECKING:
    from schedlab.arena.runs import Case
    from schedlab.arena.sheet import ContestSettings


def recorded(settings: ContestSettings, frame: pd.DataFrame, waits: pd.Series) -> pd.DataFrame:
    """Measure the recorded schedule on the windows of a row.

    It is what happened, no run of the simulator: the machine was not empty when a window began,
    jobs that cleaning leaves out ran beside, and partitions, limits and outages held some back.

    Parameters
    ----------
    settings : ContestSettings
        The row.
    frame : DataFrame
        Clean jobs of the log; without rows when it is not at hand.
    waits : Series of int
        Recorded waits in seconds by job number; negative: not known.

    Returns
    -------
    DataFrame
        `schedlab.arena.runs.COLUMNS`, a row per window, of the scheduler
        `schedlab.workbench.results.RECORDED`; metrics are nan in a window where the wait
        of a job is not known.
    """
    windows = windows_of(
        frame["submit"].to_numpy(), settings.windows, settings.days, settings.warm_up
    )
    rows = [_measured(settings, case, waits) for case in cases_of(frame, windows)]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def _measured(settings: ContestSettings, case: Case, waits: pd.Series) -> tuple:
    jobs = case.jobs
    wait = waits.reindex(jobs.number, fill_value=-1).to_numpy()
    found = dict.fromkeys(METRICS, np.nan)
    if (wait >= 0).all():
        start = jobs.submit + wait
        schedule = Schedule(start, start + jobs.runtime)
        found = measure(
            *(jobs, case.users, schedule, settings.processors, case.begin, case.end),
            settings.tau,
        )
    counted = int((jobs.submit >= case.begin).sum())
    return (settings.experiment, RECORDED, case.number, counted, *(found[one] for one in METRICS))
