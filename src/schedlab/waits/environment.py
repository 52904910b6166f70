"""The interface of a batch system for strategies, the same for a simulated and a real one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.waits.workflows import Stage


class Environment(Protocol):
    """A batch system, seen by the submitter of some of its jobs; `now` is its time in seconds."""

    @property
    def now(self) -> int:
        """Return the present time in seconds."""

    def submit(self, stage: Stage) -> int:
        """Submit a job now; return its handle, larger than that of any earlier job."""

    def submitted(self, job: int) -> int:
        """Return when a started job was submitted, in seconds; waits count from then.

        A real batch system reports this time, which may be later than the call of `submit`.
        """

    def depend(self, job: int, blockers: Sequence[int]) -> None:
        """Make a job submitted at this very instant wait for the end of others."""

    def cancel(self, job: int) -> bool:
        """Cancel a job; a running one ends now. Return False if it had ended already."""

    def advance(self, until: int | None) -> None:
        """Advance until tracked jobs start or end; all events of one instant come together.

        None: stop at the next event, or at once if there can be none.
        """

    def read(self) -> tuple[Sequence[int], Sequence[int]]:
        """Return the tracked jobs that have started and those that have ended since the last call.

        Cancelled jobs do not end. A job may be in both lists.
        """
