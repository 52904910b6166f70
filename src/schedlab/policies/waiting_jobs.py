"""Data for a user's scheduler: columns of waiting and running jobs, and the machine's state.

Columns are NumPy arrays, created at their first use; a change to one does not affect the
simulation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs

#: columns with the owner of a job; -1 if the log does not have it
OWNERS = ("user", "group", "account", "queue")
COLUMNS = ("number", "submit", "estimate", "procs", *OWNERS)


class JobTable:
    """All jobs of a run, by place in the order of submission.

    `owners` has ``number`` and any of `OWNERS`, a row per job; jobs without a row have -1.
    """

    def __init__(self, jobs: Jobs, owners: pd.DataFrame | None) -> None:
        self.number, self.submit = jobs.number, jobs.submit
        self.estimate, self.procs = jobs.estimate, jobs.procs
        self.place = {number: place for place, number in enumerate(jobs.number.tolist())}
        if len(self.place) < len(jobs):
            numbers, counts = np.unique(jobs.number, return_counts=True)
            raise _twice(numbers[counts > 1][0])
        row = np.full(len(jobs), -1)
        if owners is not None:
            index = pd.Index(owners["number"])
            if not index.is_unique:
                raise _twice(index[index.duplicated()][0])
            row = index.get_indexer(jobs.number)
        for name in OWNERS:
            column = np.full(len(jobs), -1, dtype=np.int64)
            if owners is not None and name in owners:
                has_owner = row >= 0
                column[has_owner] = owners[name].to_numpy(dtype=np.int64)[row[has_owner]]
            setattr(self, name, column)


def _twice(number: int) -> ValueError:
    return ValueError(f"job number {number} comes twice: a user's scheduler knows jobs by it")


class JobColumns:
    """Columns of some jobs, each an array of shape (n,) in the order of submission.

    Attributes
    ----------
    number : ndarray of int64
        Job numbers, as in the log.
    submit, estimate : ndarray of int64
        Submit time from the first submission, and the user's estimate of the run time, in seconds.
        Schedulers do not see actual run times.
    procs : ndarray of int64
        Processors.
    user, group, account, queue : ndarray of int64
        Numbers in the log; -1 if it does not have them.
    now : int
        The present time in seconds from the first submission.
    """

    def __init__(self, table: JobTable, places: np.ndarray, now: int) -> None:
        self._table, self._places, self.now = table, places, now

    def __len__(self) -> int:
        return len(self._places)

    def has(self, place: int) -> bool:
        """Return whether the job at a place of the run is among these."""
        at = int(np.searchsorted(self._places, place))
        return at < len(self._places) and int(self._places[at]) == place

    def __getattr__(self, name: str) -> np.ndarray:
        if name not in COLUMNS:
            raise AttributeError(f"jobs have no column '{name}'; there are {', '.join(COLUMNS)}")
        column = getattr(self._table, name)[self._places]
        setattr(self, name, column)
        return column


class WaitingJobs(JobColumns):
    """Waiting jobs; see `JobColumns`.

    Attributes
    ----------
    wait : ndarray of int64
        Seconds since submission.
    """

    @cached_property
    def wait(self) -> np.ndarray:
        """Seconds that each job has waited."""
        return self.now - self.submit


class RunningJobs(JobColumns):
    """Running jobs; see `JobColumns`.

    Attributes
    ----------
    start : ndarray of int64
        Start time of each job, in seconds.
    expected_end : ndarray of int64
        Start plus estimate; in the past for a job that exceeds its estimate.
    """

    def __init__(self, table: JobTable, places: np.ndarray, now: int, start: np.ndarray) -> None:
        super().__init__(table, places, now)
        self.start = start

    @cached_property
    def expected_end(self) -> np.ndarray:
        """End of each job if its estimate is right."""
        return self.start + self.estimate


class MachineState:
    """State of the machine at the present time.

    Attributes
    ----------
    now : int
        Seconds from the first submission.
    processors, free : int
        Size of the machine, and number of processors in use by no job.
    running : RunningJobs
        The running jobs.
    """

    def __init__(
        self, table: JobTable, now: int, processors: int, free: int, started: np.ndarray
    ) -> None:
        self._table, self._started = table, started
        self.now, self.processors, self.free = now, processors, free

    @cached_property
    def running(self) -> RunningJobs:
        """The running jobs."""
        places = np.flatnonzero(self._started >= 0)
        return RunningJobs(self._table, places, self.now, self._started[places])

    def reservation(self, procs: int, starting: Sequence[int] = ()) -> tuple[int, int]:
        """Return when a job can start at the latest, and the processors that are then left over.

        This is EASY's reservation: running jobs end at their expected times.

        Parameters
        ----------
        procs : int
            Processors of the job.
        starting : sequence of int
            Numbers of jobs that the scheduler starts now.

        Returns
        -------
        time : int
            Seconds from the first submission; the present time if the job fits now.
        extra : int
            Processors that are then free besides the job's.

        Raises
        ------
        ValueError
            The job is wider than the machine, or a job in `starting` is unknown.
        """
        if procs > self.processors:
            raise ValueError(f"{procs} processors: the machine has {self.processors}")
        if unknown := [number for number in starting if number not in self._table.place]:
            raise ValueError(f"there is no job {unknown[0]}")
        new = np.array([self._table.place[number] for number in starting], dtype=np.int64)
        new_procs = self._table.procs[new]
        free = self.free - int(new_procs.sum())
        if procs <= free:
            return self.now, free - int(procs)
        ends = np.concatenate([self.running.expected_end, self.now + self._table.estimate[new]])
        order = np.argsort(ends, kind="stable")
        ends = ends[order]
        freed = free + np.cumsum(np.concatenate([self.running.procs, new_procs])[order])
        time = ends[np.searchsorted(freed, procs)]
        last = np.searchsorted(ends, time, side="right") - 1
        return max(int(time), self.now), int(freed[last] - procs)
