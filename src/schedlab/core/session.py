"""What simulations that are driven from outside have in common, event by event."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np

    from schedlab.core.jobs import Schedule

#: no number of seconds is more
NEVER = 2**63 - 1


class SessionKernel(Protocol):
    """The compiled half of a session: it keeps the jobs, and handles events."""

    @property
    def now(self) -> int:
        """The present time in seconds."""

    @property
    def submitted(self) -> int:
        """How many jobs have been submitted."""

    def next_event(self) -> int | None:
        """When something happens next; None: never."""

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        """Jobs that have started and jobs that have ended since this was read last, in order."""


class Session(ABC):
    """A simulation that is driven from outside: submit, advance to a time, read, schedule.

    What is submitted depends on the simulation; jobs are known by their handles from then on.
    """

    kernel: SessionKernel

    @property
    def now(self) -> int:
        """The present time in seconds."""
        return self.kernel.now

    def next_event(self) -> int | None:
        """When something happens next; None when nothing is left to happen."""
        return self.kernel.next_event()

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        """Handles of jobs that have started, and that have ended, since this was read last.

        A copy tells those since it was made.
        """
        return self.kernel.read()

    def advance(self, until: int | None = None, on_end: bool = False) -> None:
        """Handle every event up to and including the time `until`, or all of them.

        Parameters
        ----------
        until : int, optional
            The clock then stands there.
        on_end : bool, default False
            Stop after the first instant at which a job has ended; the clock then stands there.

        Raises
        ------
        ValueError
            `until` lies in the past.
        schedlab.policies.expression.ScoreError
            A policy that moves has a score that orders nothing; the message names the job.
        """
        self._advance_to(NEVER if until is None else self._not_past(until), on_end)

    def _not_past(self, until: int) -> int:
        """Return a time that does not lie in the past."""
        if until < self.now:
            raise ValueError(f"cannot go back from {self.now} to {until}")
        return until

    def _known(self, job: int) -> int:
        """Return the handle of a job that was submitted here."""
        if not 0 <= job < self.kernel.submitted:
            raise IndexError(f"no job has the handle {job}: {self.kernel.submitted} submitted")
        return job

    @abstractmethod
    def _advance_to(self, until: int, on_end: bool) -> None:
        """Let the kernel handle every event up to and including a time."""

    @abstractmethod
    def state(self, job: int) -> str:
        """Return what a job is: waiting, running, ended and so on."""

    @abstractmethod
    def schedule(self) -> Schedule:
        """Return start and end of every job, -1 where it has not come to that."""
