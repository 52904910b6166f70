"""What can be read of a queue that is driven from outside: states, times, and what is planned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.session import NEVER, Session
from schedlab.kernels.queue.driven import CANCELLED, ENDED, HELD, PENDING, RUNNING, WAITING
from schedlab.queue.past import Past

if TYPE_CHECKING:
    from schedlab.kernels.queue.planned import Planner
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
#: the start of a job that has none
NO_START = -1


class View(Session):
    """The half of a session that changes nothing; see `schedlab.queue.sessions.QueueSession`."""

    reservations: Reservations
    _policies: tuple[Policy, Policy]
    _past: Past
    kernel: Stepper | Planner

    @property
    def free(self) -> int:
        """Processors that are free."""
        return self.kernel.free

    def state(self, job: int) -> str:
        """What a job is: pending, held, waiting, running, ended or cancelled.

        Raises
        ------
        ValueError
            It is not known here: its submission was to come when a copy was made for an observer.
        """
        state = self.kernel.state(self._known(job))
        if state < 0:
            kept = self._past.find(job)
            if kept is None:
                raise ValueError(f"job {job} was still to come, which no observer knows")
            state = kept[0]
        return STATES[state]

    def start(self, job: int) -> int | None:
        """When a job started; None if it has not."""
        if self.state(job) not in ("running", "ended", "cancelled"):
            return None
        kept = self._past.find(job)
        start = kept[1] if kept else int(self.kernel.starts(np.array([job], dtype=np.int32))[0])
        return None if start == NO_START else int(start)

    def starts(self, jobs: np.ndarray) -> np.ndarray:
        """When each of some running jobs started, int64 of shape (n,)."""
        return self.kernel.starts(self._handles(jobs))

    def requests(self, jobs: np.ndarray) -> np.ndarray:
        """Requested seconds and processors of each of some jobs that wait or run.

        Parameters
        ----------
        jobs : ndarray of int32, shape (n,)
            Handles.

        Returns
        -------
        ndarray of int64, shape (n, 2)
        """
        asked = [self.kernel.job(job)[1:] for job in self._handles(jobs).tolist()]
        return np.array(asked, dtype=np.int64).reshape(-1, 2)

    def handles(self, state: str) -> np.ndarray:
        """Handles of the jobs that are pending, held, waiting or running now.

        Parameters
        ----------
        state : {"pending", "held", "waiting", "running"}
            One of these.

        Returns
        -------
        ndarray of int32, shape (n,)
            In the order of the handles.
        """
        known = {name: number for number, name in STATES.items() if number < ENDED}
        if state not in known:
            raise ValueError(f"state is '{state}', must be one of {', '.join(known)}")
        return self.kernel.which(known[state])

    def reservation(self, job: int) -> int | None:
        """When a waiting job is to start as planned now; None for others and where none has one.

        Only with reservations of every job; the head's alone moves with whoever is the head.
        """
        if self.state(job) != "waiting" or self.reservations != "every":
            return None
        return self.kernel.planned_start(job)

    def head(self) -> int | None:
        """Who is first of those that wait; None: nobody waits, or every job has a reservation."""
        if self.reservations == "every":
            return None
        job = self.kernel.head()
        return None if job < 0 else job

    def shadow(self) -> tuple[int, int] | None:
        """When the head of the queue is expected to fit, and the processors it leaves over then.

        None where nobody waits or the head has no reservation. Who is backfilled ends by that time
        as estimated, or needs no more than these processors.
        """
        job = self.head()
        return None if job is None or self.reservations != "head" else self.kernel.shadow(job)

    def backfilled(self, job: int) -> bool:
        """Whether a job was started past the head of the queue, which has a reservation.

        Of jobs that run or have ended since this session was last copied.
        """
        return self.reservations == "head" and self.kernel.was_backfilled(self._known(job))

    def schedule(self) -> Schedule:
        """Start and end of every job, -1 where it has not come to that."""
        handles, _, start, end = self.kernel.columns()
        if len(handles) == self.kernel.submitted:
            return Schedule(start, end)
        starts, ends = np.full((2, self.kernel.submitted), NO_START, dtype=np.int64)
        self._past.fill(starts, ends)
        starts[handles], ends[handles] = start, end
        return Schedule(starts, ends)

    def planned(self, job: int) -> int | None:
        """When a job would start if nothing else came and all ran as long as estimated.

        None where that never is: it was cancelled before it started, or depends on a job to come.
        As `planned_starts` otherwise.
        """
        start = int(self.planned_starts([job])[0])
        return None if start == NO_START else start

    def planned_starts(self, jobs: Sequence[int] | np.ndarray) -> np.ndarray:
        """When each of some jobs would start if nothing else came, as `planned`; -1: never.

        Parameters
        ----------
        jobs : array_like of int, shape (n,)
            Handles of jobs that have been submitted by now. Of those that have started it is when
            they did.

        Returns
        -------
        ndarray of int64, shape (n,)

        Raises
        ------
        ValueError
            The submission of a job is still to come.
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
        """Start of a job that has none in a copy for an observer."""
        if copied.state(job) >= 0:
            return NO_START
        if self.state(job) == "pending":
            raise ValueError(f"job {job} is still to come: its start cannot be planned")
        kept = self._past.find(job)
        return kept[1] if kept else int(self.kernel.starts(np.array([job], dtype=np.int32))[0])

    def _handles(self, jobs: int | Sequence[int] | np.ndarray) -> np.ndarray:
        """Handles of jobs that were submitted here, int32 of shape (n,)."""
        given = np.atleast_1d(jobs)
        if given.size and given.dtype.kind not in "iu":
            raise IndexError(f"handles are whole numbers, not {given.dtype}")
        for job in given.tolist():
            self._known(job)
        return given.astype(np.int32)

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
