"""What a user's scheduler sees: columns of waiting and running jobs, and the state of the machine.

Columns are NumPy arrays, made when they are first asked for; changing one changes no simulation.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs

#: columns that say whose a job is; -1 where a log does not say it
OWNERS = ("user", "group", "account", "queue")
COLUMNS = ("number", "submit", "estimate", "procs", *OWNERS)


class JobTable:
    """All jobs of a run, by place in the order of submission.

    Parameters
    ----------
    jobs : Jobs
        n jobs with n different numbers.
    owners : DataFrame or None
        ``number`` and any of `OWNERS`, a row a job; jobs without a row have -1.

    Raises
    ------
    ValueError
        A job number comes twice.
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
                known = row >= 0
                column[known] = owners[name].to_numpy(dtype=np.int64)[row[known]]
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
        Submit time from the first submission, and run time as the user estimated it, in seconds.
        No scheduler sees actual run times.
    procs : ndarray of int64
        Processors.
    user, group, account, queue : ndarray of int64
        Numbers of the log; -1 where it does not say it.
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
        """Take a column when it is first asked for."""
        if name not in COLUMNS:
            raise AttributeError(f"jobs have no column '{name}'; there are {', '.join(COLUMNS)}")
        column = getattr(self._table, name)[self._places]
        setattr(self, name, column)
        return column


class WaitingJobs(JobColumns):
    """The jobs that wait; see `JobColumns`.

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
    """The jobs that run; see `JobColumns`.

    Attributes
    ----------
    start : ndarray of int64
        When each started, in seconds.
    expected_end : ndarray of int64
        Start plus estimate; a job that runs longer than estimated has one in the past.
    """

    def __init__(self, table: JobTable, places: np.ndarray, now: int, start: np.ndarray) -> None:
        super().__init__(table, places, now)
        self.start = start

    @cached_property
    def expected_end(self) -> np.ndarray:
        """When each job ends if its estimate is right."""
        return self.start + self.estimate


class MachineState:
    """The machine at the present time.

    Attributes
    ----------
    now : int
        Seconds from the first submission.
    processors, free : int
        Size of the machine, and how many of its processors no job has.
    running : RunningJobs
        The jobs that run.
    """

    def __init__(
        self, table: JobTable, now: int, processors: int, free: int, started: np.ndarray
    ) -> None:
        self._table, self._started = table, started
        self.now, self.processors, self.free = now, processors, free

    @cached_property
    def running(self) -> RunningJobs:
        """The jobs that run."""
        places = np.flatnonzero(self._started >= 0)
        return RunningJobs(self._table, places, self.now, self._started[places])

    def reservation(self, procs: int, starting: Sequence[int] = ()) -> tuple[int, int]:
        """Return when a job can start at the latest, and what is free beside it then.

        That is the reservation of EASY: running jobs end as they are expected to.

        Parameters
        ----------
        procs : int
            Processors of the job.
        starting : sequence of int
            Numbers of jobs that the scheduler is about to start now.

        Returns
        -------
        time : int
            Seconds from the first submission; the present time if the job fits now.
        extra : int
            Processors that are free then beside the job.

        Raises
        ------
        ValueError
            The job is wider than the machine, or a job that is to start is unknown.
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
