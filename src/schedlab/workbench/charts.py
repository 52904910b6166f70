"""Charts and traces of a result, for figures and for trace viewers."""

from __future__ import annotations

import gzip
import json
import os
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.files.io import whole
from schedlab.queue.processor_lanes import assign_one_lane, first_fit
from schedlab.workbench.events import HOLDS, delay_seconds

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from schedlab.workbench.results import Result

MICRO = 1_000_000  # trace viewers count microseconds
MACHINE, QUEUE = 1, 2  # processes of a trace


def gantt(
    result: Result, first: int | None = None, last: int | None = None, job: int | None = None
) -> Figure:
    """Draw a result, see `schedlab.workbench.results.Result.gantt`.

    Raises ValueError if no job runs within the span, or the job does not exist.
    """
    from schedlab.workbench.schedules import draw_schedule

    jobs, schedule = result.log.jobs, result.schedule
    span, seen = drawn_span(result, first, last)
    marked = None if job is None else result.log.place(job)
    lanes = first_fit(jobs, schedule, result.processors)
    index = lanes.job
    bars = pd.DataFrame({
        "job": index, "low": lanes.low, "high": lanes.low + lanes.height,
        "start": schedule.start[index], "end": schedule.end[index], "wait": result.waits[index],
    })[seen[index]]  # fmt: skip
    note = f"{result.log.path.name}, {result.label}: {seen.sum():,} jobs"
    return draw_schedule(bars, waiting_jobs(result), result.processors, span, note, marked)


def drawn_span(
    result: Result, first: int | None, last: int | None
) -> tuple[tuple[int, int], np.ndarray]:
    """Return begin and end of a chart, by default of the schedule, and which jobs run in it.

    Raises ValueError if no job does.
    """
    schedule = result.schedule
    begin = 0 if first is None else first
    end = int(schedule.end.max()) if last is None else last
    seen = (schedule.end > begin) & (schedule.start < end)
    if end <= begin or not seen.any():
        raise ValueError(f"no job runs between {begin} s and {end} s from the first submission")
    return (begin, end), seen


def waiting_jobs(result: Result) -> pd.DataFrame:
    """Return how many jobs wait over time: time, waiting."""
    waiting = steps(result.log.jobs.submit, result.schedule.start, 1)
    return waiting.rename(columns={"value": "waiting"})


def steps(begin: np.ndarray, end: np.ndarray, weight: np.ndarray | int) -> pd.DataFrame:
    """Add up weights over time; each counts from its beginning to its end, in seconds.

    The result has time and value from then on; a row for each time at which it may change.
    """
    weights = np.broadcast_to(weight, begin.shape)
    changes = pd.Series(np.concatenate([weights, -weights]), np.concatenate([begin, end]))
    added = changes.groupby(level=0).sum().cumsum()
    return pd.DataFrame({"time": added.index.to_numpy(), "value": added.to_numpy()})


def write_trace(result: Result, path: str | os.PathLike[str]) -> None:
    """Write a result for trace viewers (the trace event format).

    The file is compressed if `path` ends with .gz. A lane contains jobs that run one after the
    other. A job's arguments give its wait and, if the result was simulated, the wait by cause. Two
    counters are the waiting jobs and the free processors. Times are microseconds from the first
    submission.

    Parameters
    ----------
    result : Result
        A simulation in a dialect that supports step-by-step sessions, or the log's own schedule.
    path : path-like
        The file, .json or .json.gz.

    Raises
    ------
    ValueError
        The dialect does not support step-by-step sessions.
    """
    events = {"traceEvents": trace_events(result), "displayTimeUnit": "ms"}
    content = json.dumps(events, separators=(",", ":")).encode()
    if str(path).endswith(".gz"):
        content = gzip.compress(content, mtime=0)  # equal traces give equal files
    with whole(path) as part:
        part.write_bytes(content)


def trace_events(result: Result) -> list[dict]:
    """Return the events of `write_trace`."""
    jobs, schedule = result.log.jobs, result.schedule
    delays = delay_seconds(result.run) if result.run else None
    events = [
        {"ph": "M", "name": "process_name", "pid": pid, "args": {"name": name}}
        for pid, name in (
            (MACHINE, f"{result.processors} processors, {result.label}"),
            (QUEUE, "counters"),
        )
    ]
    frame = result.to_frame()
    columns = [frame[name].tolist() for name in ("number", "procs", "estimate", "user", "wait")]
    rows = zip(*columns, schedule.start.tolist(), schedule.end.tolist(), strict=True)
    lanes = assign_one_lane(jobs, schedule).tolist()
    for place, (number, procs, estimate, user, wait, start, end) in enumerate(rows):
        details = {"job": number, "procs": procs, "estimate": estimate, "user": user, "wait": wait}
        if delays is not None and wait:
            details["reason"] = HOLDS[int(delays[place].argmax())]
            details |= {
                f"wait: {hold}": seconds
                for hold, seconds in zip(HOLDS, delays[place].tolist(), strict=True)
                if seconds
            }
        events.append({
            "ph": "X",
            "name": f"job {number}",
            "cat": "job",
            "pid": MACHINE,
            "tid": lanes[place],
            "ts": start * MICRO,
            "dur": (end - start) * MICRO,
            "args": details,
        })  # fmt: skip
    waiting = steps(jobs.submit, schedule.start, 1)
    busy = steps(schedule.start, schedule.end, jobs.procs)
    for name, counted in (
        ("waiting jobs", waiting),
        ("free processors", busy.assign(value=result.processors - busy["value"])),
    ):
        events += [
            {"ph": "C", "name": name, "pid": QUEUE, "ts": time * MICRO, "args": {"n": value}}
            for time, value in zip(counted["time"].tolist(), counted["value"].tolist(), strict=True)
        ]
    return events
