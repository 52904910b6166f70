"""Base of simulations under external control, which advance event by event."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np

    from schedlab.core.jobs import Schedule

#: largest number of seconds
NEVER = 2**63 - 1


class SessionKernel(Protocol):
    """Compiled part of a session, which stores the jobs and handles events."""

    @property
    def now(self) -> int:
        """The present time in seconds."""

    @property
    def submitted(self) -> int:
        """Number of jobs submitted so far."""

    def next_event(self) -> int | None:
        """Return the time of the next event; None if there is none."""

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        """Return jobs that have started and jobs that have ended since the last read, in order."""


class Session(ABC):
    """Simulation under external control: submit, advance to a time, read, schedule.

    Each simulation defines what is submitted. Afterwards, handles identify jobs.
    """

    kernel: SessionKernel

    @property
    def now(self) -> int:
        """The present time in seconds."""
        return self.kernel.now

    def next_event(self) -> int | None:
        """Return the time of the next event; None if there is none."""
        return self.kernel.next_event()

    def read(self) -> tuple[np.ndarray, np.ndarray]:
        """Return handles of jobs that have started, and that have ended, since the last call.

        A copy reports only events since it was made.
        """
        return self.kernel.read()

    def advance(self, until: int | None = None, on_end: bool = False) -> None:
        """Handle every event up to and including the time `until`, or all of them.

        Parameters
        ----------
        until : int, optional
            New time of the clock.
        on_end : bool, default False
            Stop after the first instant at which a job ends, and leave the clock there.

        Raises
        ------
        ValueError
            `until` is in the past.
        schedlab.policies.expression.ScoreError
            A time-dependent policy has a score without an order; the message names the job.
        """
        self._advance_to(NEVER if until is None else self._not_past(until), on_end)

    def _not_past(self, until: int) -> int:
        """Return a time unchanged; fail if it is in the past."""
        if until < self.now:
            raise ValueError(f"cannot go back from {self.now} to {until}")
        return until

    def _check_handle(self, job: int) -> int:
        """Return a handle unchanged; fail if it belongs to no submitted job."""
        if not 0 <= job < self.kernel.submitted:
            raise IndexError(f"no job has the handle {job}: {self.kernel.submitted} submitted")
        return job

    @abstractmethod
    def _advance_to(self, until: int, on_end: bool) -> None:
        """Handle every event up to and including a time, in the kernel."""

    @abstractmethod
    def state(self, job: int) -> str:
        """Return the state of a job, such as waiting, running or ended."""

    @abstractmethod
    def schedule(self) -> Schedule:
        """Return start and end of every job, -1 if it has not happened."""
