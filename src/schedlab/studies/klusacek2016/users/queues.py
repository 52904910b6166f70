"""Rank the queues of a site by their limits of run time."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from schedlab.planning.requests import ranks

HOUR = 3600
DAY = 24 * HOUR
#: run time limits of the queues of CERIT-SC in seconds; two months are 62 days, the longest request
#: in its log
LIMITS = (HOUR, 2 * HOUR, DAY, 2 * DAY, 4 * DAY, 7 * DAY, 14 * DAY, 62 * DAY)
FIRST, LAST = 0, 2**31 - 1
#: limit of each queue that the log wagap-2013 names; `FIRST` ranks before all limits, `LAST` after
QUEUES = {
    "priority_long": FIRST,
    "ops": FIRST,
    "q_2h": 2 * HOUR,
    "q_4h": 4 * HOUR,
    "q_1d": DAY,
    "q_2d": 2 * DAY,
    "q_4d": 4 * DAY,
    "q_1w": 7 * DAY,
    "q_2w": 14 * DAY,
    "q_2w_plus": 62 * DAY,
    "backfill": LAST,
}


def queue_ranks(
    requested: ArrayLike,
    names: ArrayLike | None = None,
    log: str = "the log",
    queues: Mapping[str, int] = QUEUES,
) -> np.ndarray:
    """Return the rank of each job's queue; the smallest goes first.

    A rank is the run time limit of the queue in seconds, so that ranks of logs with different queue
    names are comparable.

    >>> queue_ranks([3600, 3601, 10**7], ["", "", ""]).tolist()
    [3600, 7200, 5356800]
    >>> queue_ranks([60, 60], ["backfill", "ops"]).tolist()
    [2147483647, 0]
    """
    requested = np.asarray(requested, dtype=np.int64)
    limits = np.array(LIMITS, dtype=np.int32)
    rank_of_job = limits[np.minimum(ranks(requested, LIMITS), len(limits) - 1)]
    if names is None:
        return rank_of_job
    where, distinct = pd.factorize(np.asarray(names, dtype=object))
    for number, name in enumerate(distinct):
        if name and name not in queues:
            raise ValueError(
                f"{log}: field 20 (queue) is '{name}' of the job at place "
                f"{np.argmax(where == number)}; known queues are {', '.join(queues)}"
            )
        if name:
            rank_of_job[where == number] = queues[name]
    return rank_of_job
