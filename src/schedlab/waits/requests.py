"""How long a job of one's own asks to run: as long as it does, one time for all, or as others ask.

What a job asks for decides where it may be backfilled: one that asks for its run time goes into
gaps that are closed to one that asks for hours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from schedlab.files.durations import read_seconds
from schedlab.waits.backtest import geometry_of

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs

#: of cores and of seconds that a job runs, the seconds that it asks for
Request = Callable[[int, int], int]
OWN, LOG = "own", "log"


def own_time(cores: int, seconds: int) -> int:
    """Return the run time, and a second where that is none."""
    return max(seconds, 1)


def request_of(cell: str, jobs: Jobs) -> Request:
    """Return what jobs of one's own ask for.

    Parameters
    ----------
    cell : str
        ``own``: their run times; a duration such as ``4h``: that, for all of them; ``log``: what
        half of the others of their geometry ask for at most, of all others where none has it. What
        runs longer asks for its run time.
    jobs : Jobs
        The others.

    Raises
    ------
    ValueError
        The cell is no duration either.
    """
    if cell == OWN:
        return own_time
    if cell != LOG:
        common = read_seconds(cell, "request", least=1)
        return lambda cores, seconds: max(seconds, common)
    widths = geometry_of(jobs.procs)
    medians = {int(one): int(np.median(jobs.estimate[widths == one])) for one in np.unique(widths)}
    every = int(np.median(jobs.estimate))

    def asked(cores: int, seconds: int) -> int:
        width = int(geometry_of(np.array([cores]))[0])
        return max(seconds, medians.get(width, every), 1)

    return asked
