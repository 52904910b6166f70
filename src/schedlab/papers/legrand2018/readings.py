"""Other ways to read "split the trace on a weekly basis and remove the jobs that cross".

The paper says neither when weeks begin nor by which times a job lies in one, and names no version
of its logs. What each reading leaves of a log can be held against the counts and averages that it
prints; the reading that experiments use is a rule set of `schedlab.traces.cleaning`.

References
----------
legrand2018, section 5.1 and table 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.traces.cleaning import clean
from schedlab.traces.splitting import WEEK, periods

if TYPE_CHECKING:
    from schedlab.traces.swf import SwfLog

RAN = "rr9212_ran"


@dataclass(frozen=True)
class Reading:
    """When weeks begin, and which jobs lie in one.

    Parameters
    ----------
    origin : {"log", "unix"}
        Weeks of the log's own time or of Unix time.
    begins, ends : str
        The times of a job that must lie in the same week: submit or start; end, by the log, or
        estimated end, the start and the longer of estimate and run time. With the end ``any`` no
        job is removed: each lies in the week it is submitted in.
    outer : {"first", "first and last"}
        Which weeks the log cuts short and that are left out.
    """

    origin: str
    begins: str
    ends: str
    outer: str


READINGS = tuple(
    Reading(*choice)
    for choice in product(
        ("unix", "log"),
        ("submit", "start"),
        ("end", "estimated end", "any"),
        ("first and last", "first"),
    )
    if choice[1:3] != ("start", "any")
)


def weekly(log: SwfLog, reading: Reading, name: str) -> pd.DataFrame:
    """Return the jobs that a reading leaves of a log, with the week of each.

    Parameters
    ----------
    log : SwfLog
        The log as read.
    reading : Reading
        How.
    name : str
        The log's name, for messages.

    Returns
    -------
    DataFrame
        Columns of clean jobs and ``piece``, numbered from 1, the first week that is whole; submit
        times on the reading's clock.
    """
    jobs, _ = clean(log.jobs, RAN, name)
    wait = log.jobs.set_index("number")["wait"].clip(lower=0).reindex(jobs["number"]).to_numpy()
    unix_start = log.header.integer("UnixStartTime") if len(jobs) else 0
    submit = jobs["submit"] + (unix_start if reading.origin == "unix" else 0)
    start = submit + wait
    times = {
        "submit": submit,
        "start": start,
        "end": start + jobs["runtime"],
        "estimated end": start + np.maximum(jobs["estimate"], jobs["runtime"]),
    }
    week = periods(submit, WEEK)
    last = week.max(initial=0)
    kept = pd.Series(week > 1, index=jobs.index)
    if reading.ends != "any":
        kept &= times[reading.begins] // WEEK == times[reading.ends] // WEEK
    if reading.outer == "first and last":
        kept &= week < last
    return jobs.assign(submit=submit, piece=week - 1)[kept].reset_index(drop=True)
