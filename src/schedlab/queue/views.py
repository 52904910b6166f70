"""Read access to a queue under external control: states, times and planned starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.session import NEVER, Session
from schedlab.kernels.queue.driven import CANCELLED, ENDED, HELD, PENDING, RUNNING, WAITING
from schedlab.kernels.queue.planned import Planner
from schedlab.queue.finished_jobs import FinishedJobs

if TYPE_CHECKING:
    from schedlab.kernels.queue.stepped import Stepper
    from schedlab.policies import Policy
    from schedlab.queue.reservations import Reservations

STATES = {
    PENDING: "pending",
    HELD: "held",
    WAITING: "waiting",
    RUNNING: "running",
    ENDED: "ended",
    CANCELLED: "cancelled",
}
#: start of a job that has none
NO_START = -1


class View(Session):
    """Read-only part of a session; see `schedlab.queue.sessions.QueueSession`."""

    reservations: Reservations
    _policies: tuple[Policy, Policy]
    _past: FinishedJobs
    _numbers: np.ndarray | None
    #: a planner if every job has a reservation
    kernel: Stepper | Planner

    @property
    def free(self) -> int:
        """Number of free processors."""
        return self.kernel.free

    def state(self, job: int) -> str:
        """Return the state of a job: pending, held, waiting, running, ended or cancelled."""
        state = self.kernel.state(self._check_handle(job))
        if state < 0:
            finished = self._past.find(job)
            if finished is None:
                raise ValueError(f"job {job} was still to come, which no observer knows")
            state = finished[0]
        return STATES[state]

    def start(self, job: int) -> int | None:
        """Return the start time of a job; None if it has not started."""
        if self.state(job) not in ("running", "ended", "cancelled"):
            return None
        start = self._recorded_start(job)
        return None if start == NO_START else start

    def starts(self, jobs: np.ndarray) -> np.ndarray:
        """Return the start time of each of some running jobs, int64 of shape (n,)."""
        return self.kernel.starts(self._handles(jobs))

    def requests(self, jobs: np.ndarray) -> np.ndarray:
        """Return requested seconds and processors of some waiting or running jobs: (n, 2)."""
        return self.kernel.requests(self._handles(jobs))

    def handles(self, state: str) -> np.ndarray:
        """Return handles of the pending, held, waiting or running jobs: int32, ascending."""
        numbers = {name: number for number, name in STATES.items() if number < ENDED}
        if state not in numbers:
            raise ValueError(f"state is '{state}', must be one of {', '.join(numbers)}")
        return self.kernel.which(numbers[state])

    def reservation(self, job: int) -> int | None:
        """Return the planned start of a waiting job if every job has a reservation; else None."""
        if self.state(job) != "waiting" or not isinstance(self.kernel, Planner):
            return None
        return self.kernel.planned_start(job)

    def head(self) -> int | None:
        """Return the first waiting job; None if no job waits or every job has a reservation."""
        if isinstance(self.kernel, Planner):
            return None
        job = self.kernel.head()
        return None if job < 0 else job

    def shadow(self) -> tuple[int, int] | None:
        """Return when the queue head is expected to fit, and the processors it then leaves free.

        None if no job waits or the head has no reservation. A job is backfilled if it ends by that
        time by its estimate, or needs no more than these processors.
        """
        if isinstance(self.kernel, Planner) or self.reservations != "head":
            return None
        job = self.head()
        return None if job is None else self.kernel.shadow(job)

    def backfilled(self, job: int) -> bool:
        """Return whether a job was started before a queue head that did not fit.

        Only for jobs that run or have ended since this session was last copied.
        """
        if isinstance(self.kernel, Planner) or self.reservations == "none":
            return False
        return self.kernel.was_backfilled(self._check_handle(job))

    def schedule(self) -> Schedule:
        """Return start and end of every job, -1 if it has not happened."""
        handles, _, start, end = self.kernel.columns()
        if len(handles) == self.kernel.submitted:
            return Schedule(start, end)
        starts, ends = np.full((2, self.kernel.submitted), NO_START, dtype=np.int64)
        self._past.fill(starts, ends)
        starts[handles], ends[handles] = start, end
        return Schedule(starts, ends)

    def planned(self, job: int) -> int | None:
        """Return the start of a job if no other job arrives and all run as long as estimated.

        None if it never starts: it was cancelled before its start, or depends on a job to come.
        Otherwise as `planned_starts`.
        """
        start = int(self.planned_starts([job])[0])
        return None if start == NO_START else start

    def planned_starts(self, jobs: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return for some jobs the start as by `planned`; -1 if a job never starts.

        For started jobs it is their real start.
        """
        handles = self._handles(jobs)
        copied = self.kernel.fork(True)
        copied.ask(handles)
        self._advance(copied, NEVER, False)
        starts = copied.starts(handles)
        for k in np.flatnonzero(starts == NO_START).tolist():
            starts[k] = self._past_start(int(handles[k]), copied)
        return starts

    def _past_start(self, job: int, copied: Stepper | Planner) -> int:
        """Return the start of a job that has none in a copy for an observer."""
        if copied.state(job) >= 0:
            return NO_START
        if self.state(job) == "pending":
            raise ValueError(f"job {job} is still to come: its start cannot be planned")
        return self._recorded_start(job)

    def _recorded_start(self, job: int) -> int:
        """Return the start of a job, also of a finished one; `NO_START` if it has none."""
        if finished := self._past.find(job):
            return finished[1]
        return int(self.kernel.starts(np.array([job], dtype=np.int32))[0])

    def _handles(self, jobs: int | Sequence[int] | np.ndarray) -> np.ndarray:
        """Return handles as int32 of shape (n,); fail if one belongs to no submitted job."""
        handles = np.atleast_1d(jobs)
        if handles.size and handles.dtype.kind not in "iu":
            raise IndexError(f"handles are whole numbers, not {handles.dtype}")
        for job in handles[(handles < 0) | (handles >= self.kernel.submitted)].tolist():
            self._check_handle(job)
        return handles.astype(np.int32)

    def _advance_to(self, until: int, on_end: bool) -> None:
        self._advance(self.kernel, until, on_end)

    def _advance(
        self, stepper: Stepper | Planner, until: int, on_end: bool = False, **limits: int
    ) -> None:
        faulty = stepper.advance(until, on_end, **limits)
        if faulty >= 0:
            submit, estimate, procs = stepper.job(faulty)
            number = faulty if self._numbers is None else int(self._numbers[faulty])
            job = Jobs([number], [submit], [0], [estimate], [procs])
            for policy in self._policies:
                policy.scores(job, wait=stepper.now - submit)
