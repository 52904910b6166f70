"""Which processors run which job: the lowest that are free, so that charts have whole bars."""

from __future__ import annotations

import bisect

import numpy as np
import pandas as pd

from schedlab.jobs import Jobs, Schedule
from schedlab.progress import counted


def place_jobs(jobs: Jobs, schedule: Schedule, processors: int) -> pd.DataFrame:
    """Give every job of a schedule processors of its own, the lowest ones that are free.

    Of an instant, those that end give theirs back first.

    Parameters
    ----------
    jobs : Jobs
        n jobs.
    schedule : Schedule
        When they run, on so many processors at most at any time.
    processors : int
        Size of the machine.

    Returns
    -------
    DataFrame
        A row for each range of neighbouring processors of a job: job (its place), low and high (the
        first processor and the one behind the last), by start.

    Raises
    ------
    ValueError
        More processors are held at a time than the machine has; the message names the job.

    Examples
    --------
    >>> jobs = Jobs([1, 2, 3], [0, 0, 0], [5, 9, 9], [5, 9, 9], [1, 1, 2])
    >>> place_jobs(jobs, Schedule(np.array([0, 0, 5]), np.array([5, 9, 14])), 3).to_numpy().tolist()
    [[0, 0, 1], [1, 1, 2], [2, 0, 1], [2, 2, 3]]
    """
    free, idle, held, rows = [(0, processors)], processors, {}, []
    with counted("jobs placed", len(jobs)) as advance:
        for job, ends in _events(schedule):
            if ends:
                for span in held.pop(job):
                    _give_back(free, span)
                idle += int(jobs.procs[job])
                advance()
            else:
                if jobs.procs[job] > idle:
                    raise ValueError(
                        f"job {jobs.number[job]} starts on {jobs.procs[job]} processors at "
                        f"{schedule.start[job]} s, when {idle} of {processors} are free: the "
                        "schedule is of a larger machine"
                    )
                idle -= int(jobs.procs[job])
                held[job] = _take(free, int(jobs.procs[job]))
                rows += [(job, *span) for span in held[job]]
    return pd.DataFrame(rows, columns=["job", "low", "high"], dtype="int64")


def lane_jobs(schedule: Schedule) -> np.ndarray:
    """Give every job a lane of its own while it runs, the lowest that is free, from 0.

    Returns
    -------
    ndarray of int64, shape (n,)
    """
    lanes = np.zeros(len(schedule), dtype=np.int64)
    free, lanes_so_far = [], 0
    for job, ends in _events(schedule):
        if ends:
            bisect.insort(free, int(lanes[job]))
        elif free:
            lanes[job] = free.pop(0)
        else:
            lanes[job] = lanes_so_far
            lanes_so_far += 1
    return lanes


def _events(schedule: Schedule) -> list[tuple[int, bool]]:
    """Starts and ends in order of time, ends first; who ends at once takes nothing."""
    start, end = schedule.start, schedule.end
    lasting = np.flatnonzero(end > start)
    times = np.concatenate([start[lasting], end[lasting]])
    ends = np.repeat([False, True], len(lasting))
    jobs = np.concatenate([lasting, lasting])
    order = np.lexsort((jobs, ~ends, times))
    return list(zip(jobs[order].tolist(), ends[order].tolist(), strict=True))


def _take(free: list[tuple[int, int]], need: int) -> list[tuple[int, int]]:
    """Take the lowest free processors, as ranges."""
    spans = []
    while need:
        low, high = free[0]
        taken = min(high, low + need)
        spans.append((low, taken))
        need -= taken - low
        if taken == high:
            free.pop(0)
        else:
            free[0] = (taken, high)
    return spans


def _give_back(free: list[tuple[int, int]], span: tuple[int, int]) -> None:
    """Put a range back among the free ones, joined with its neighbours."""
    place = bisect.bisect(free, span)
    low, high = span
    if place < len(free) and free[place][0] == high:
        high = free.pop(place)[1]
    if place and free[place - 1][1] == low:
        low = free.pop(place - 1)[0]
        place -= 1
    free.insert(place, (low, high))
