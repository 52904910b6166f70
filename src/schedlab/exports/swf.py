"""Schedules as logs in the Standard Workload Format, with wait, run time and processors."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from schedlab.core.jobs import Jobs, Schedule
from schedlab.traces.swf import FIELDS, Header, write_swf

#: status of a job that completed
DONE = 1
_SET_HERE = ("number", "submit", "wait", "runtime", "procs", "requested_procs", "requested_time")


def write_schedule(
    path: str | Path,
    jobs: Jobs,
    schedule: Schedule,
    processors: int,
    more: Mapping[str, ArrayLike] | None = None,
    unix_start: int | None = None,
    zone: str = "",
) -> None:
    """Write a schedule as a log in the Standard Workload Format.

    The file is gzip compressed if it ends with .gz. Times are whole seconds. `more` has further
    fields of the format (user, group, queue, ...), each int of shape (n,) in the order of `jobs`;
    unknown (-1) by default. `unix_start` is the Unix time of second 0 and `zone` the name of the
    time zone; without them the header does not state these. Raises ValueError, with the name, if a
    time is not a whole second, a job starts before its submission, two jobs have the same number,
    or a further field is not in the format or is given by the schedule.
    """
    times = np.stack([schedule.start, schedule.end])
    if (fraction := np.flatnonzero((times != np.rint(times)).any(axis=0))).size:
        first = fraction[0]
        raise ValueError(
            f"{path}: job {jobs.number[first]} runs from {schedule.start[first]} to "
            f"{schedule.end[first]}: the format has whole seconds"
        )
    wait = schedule.start - jobs.submit
    if (early := np.flatnonzero(wait < 0)).size:
        raise ValueError(f"{path}: job {jobs.number[early[0]]} starts before it is submitted")
    columns = {name: np.full(len(jobs), -1) for name in FIELDS}
    columns |= {
        "number": jobs.number,
        "submit": jobs.submit,
        "wait": wait,
        "runtime": schedule.end - schedule.start,
        "procs": jobs.procs,
        "requested_procs": jobs.procs,
        "requested_time": jobs.estimate,
        "status": np.full(len(jobs), DONE),
    }
    for name, values in (more or {}).items():
        if name not in FIELDS or name in _SET_HERE:
            raise ValueError(f"{path}: '{name}' is no further field of the format")
        columns[name] = np.asarray(values)
    frame = pd.DataFrame(columns)
    if (twice := frame["number"][frame["number"].duplicated()]).size:
        raise ValueError(f"{path}: job number {twice.iloc[0]} comes twice")
    write_swf(path, frame, _header(len(jobs), processors, unix_start, zone))


def _header(count: int, processors: int, unix_start: int | None, zone: str) -> Header:
    entries = {
        "Version": "2.2",
        "Conversion": "schedlab: a simulated schedule, not a record",
        "MaxJobs": count,
        "MaxRecords": count,
        "Preemption": "No",
        "MaxProcs": processors,
        "Note": "fields 3, 4 and 5 are of the simulation; field 9 is the estimate it decided on",
    }
    if unix_start is not None:
        entries["UnixStartTime"] = unix_start
    if zone:
        entries["TimeZoneString"] = zone
    return Header(tuple(f" {key}: {value}" for key, value in entries.items()))
