"""Assignment of jobs to numbered processors, for schedules that only give times and counts.

The queue engine counts processors and has no nodes. Charts and files of other programs need the
processors of each job. Any assignment without overlaps is valid; this one is first fit.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from schedlab.files.progress import counted

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs, Schedule


@dataclass(frozen=True, eq=False)
class Lanes:
    """Processors of every job, as pieces of adjacent processors; int32, shape (pieces,).

    Parameters
    ----------
    job : ndarray
        Place of the piece's job in the order of the jobs. The pieces of one job are adjacent, the
        lowest first, and jobs are in order of their starts.
    low, height : ndarray
        The piece's first processor, from 0, and its number of processors.
    """

    job: np.ndarray
    low: np.ndarray
    height: np.ndarray

    def __len__(self) -> int:
        return len(self.job)


def first_fit(jobs: Jobs, schedule: Schedule, processors: int) -> Lanes:
    """Assign processors to every job by first fit, with a progress bar on a terminal.

    A job gets the lowest gap that fits all of it. If there is none, it gets the lowest free
    processors in several pieces. Jobs are processed in order of their starts, then ends, then
    submission. Processors released at an instant are free at that instant. So a job of zero length
    has processors, and another job that starts at the same instant may have them too. Every job has
    at least one piece. Raises ValueError if a job starts while too few processors are free: the
    schedule is of another machine.

    Examples
    --------
    >>> from schedlab.core.jobs import Jobs, Schedule
    >>> jobs = Jobs([1, 2, 3], [0, 0, 0], [9, 4, 2], [9, 4, 2], [1, 1, 2])
    >>> lanes = first_fit(jobs, Schedule(np.array([0, 0, 4]), np.array([9, 4, 6])), 3)
    >>> [each.tolist() for each in (lanes.job, lanes.low, lanes.height)]
    [[1, 0, 2, 2], [0, 1, 0, 2], [1, 1, 1, 1]]
    """
    free = _Free(processors)
    job: list[int] = []
    low: list[int] = []
    height: list[int] = []
    counts: list[int] = []
    assigned: dict[int, list[tuple[int, int]]] = {}
    ends: list[tuple[float, int]] = []
    procs, start, end = jobs.procs.tolist(), schedule.start.tolist(), schedule.end.tolist()
    with counted("jobs placed", len(jobs)) as advance:
        for place in np.lexsort((schedule.end, schedule.start)).tolist():
            while ends and ends[0][0] <= start[place]:
                for first, last in assigned.pop(heappop(ends)[1]):
                    free.give_back(first, last)
            if free.count < procs[place]:
                raise ValueError(
                    f"job {jobs.number[place]} starts at {start[place]} on {procs[place]} "
                    f"processors, where {free.count} of {processors} are free: the schedule is of "
                    "another machine"
                )
            pieces = assigned[place] = free.take(procs[place])
            heappush(ends, (end[place], place))
            job.append(place)
            counts.append(len(pieces))
            low.extend(first for first, _ in pieces)
            height.extend(last - first for first, last in pieces)
            advance()
    columns = np.repeat(np.array(job, dtype=np.int32), counts), low, height
    return Lanes(*(np.asarray(column, dtype=np.int32) for column in columns))


def assign_one_lane(jobs: Jobs, schedule: Schedule) -> np.ndarray:
    """Assign each job one lane, the lowest free one, whatever its number of processors.

    Lanes are int32, from 0 on, by the rules of `first_fit`.
    """
    lanes = first_fit(replace(jobs, procs=np.ones_like(jobs.procs)), schedule, len(jobs))
    lane_of_job = np.empty(len(jobs), dtype=np.int32)
    lane_of_job[lanes.job] = lanes.low
    return lane_of_job


class _Free:
    """Free processors as sorted gaps that do not touch each other."""

    def __init__(self, processors: int) -> None:
        self.firsts, self.lasts, self.count = [0], [processors], processors

    def take(self, count: int) -> list[tuple[int, int]]:
        """Take the lowest gap that fits, or else the lowest free processors from several gaps."""
        self.count -= count
        firsts, lasts = self.firsts, self.lasts
        for place, (first, last) in enumerate(zip(firsts, lasts, strict=True)):
            if last - first >= count:
                return [self._cut(place, count)]
        pieces = []
        while count:
            pieces.append(self._cut(0, min(count, lasts[0] - firsts[0])))
            count -= pieces[-1][1] - pieces[-1][0]
        return pieces

    def _cut(self, place: int, size: int) -> tuple[int, int]:
        first = self.firsts[place]
        if self.lasts[place] == first + size:
            del self.firsts[place], self.lasts[place]
        else:
            self.firsts[place] = first + size
        return first, first + size

    def give_back(self, first: int, last: int) -> None:
        """Free adjacent processors, and merge them with the gaps that they touch."""
        self.count += last - first
        firsts, lasts = self.firsts, self.lasts
        place = bisect_left(firsts, first)
        below = place > 0 and lasts[place - 1] == first
        above = place < len(firsts) and firsts[place] == last
        if below and above:
            lasts[place - 1] = lasts[place]
            del firsts[place], lasts[place]
        elif below:
            lasts[place - 1] = last
        elif above:
            firsts[place] = first
        else:
            firsts.insert(place, first)
            lasts.insert(place, last)
