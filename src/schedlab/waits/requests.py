"""Requested times of your jobs: their run times, one time for all, or as in the log.

The requested time decides where a job can be backfilled: a job that requests its run time fits into
gaps that are closed to one that requests hours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from schedlab.files.durations import read_seconds
from schedlab.waits.backtest_learning import geometry_of

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs

#: function of cores and run time in seconds that returns the requested seconds
Request = Callable[[int, int], int]
OWN, LOG = "own", "log"


def request_run_time(cores: int, seconds: int) -> int:
    """Return the run time, but at least one second."""
    return max(seconds, 1)


def request_of(cell: str, jobs: Jobs) -> Request:
    """Return the requested times of your jobs.

    The cell is ``own``: their run times; a duration such as ``4h``: the same for all; or ``log``:
    the median request of the log's jobs of their geometry, or of all its jobs if none has that
    geometry. A job that runs longer requests its run time.
    """
    if cell == OWN:
        return request_run_time
    if cell != LOG:
        common = read_seconds(cell, "request", least=1)
        return lambda cores, seconds: max(seconds, common)
    widths = geometry_of(jobs.procs)
    medians = {
        int(core_count): int(np.median(jobs.estimate[widths == core_count]))
        for core_count in np.unique(widths)
    }
    every = int(np.median(jobs.estimate))

    def usual_request(cores: int, seconds: int) -> int:
        width = int(geometry_of(np.array([cores]))[0])
        return max(seconds, medians.get(width, every), 1)

    return usual_request
