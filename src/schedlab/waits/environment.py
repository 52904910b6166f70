"""What a strategy sees of a batch system: the same six calls for a simulated and a real one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.waits.workflows import Stage


class Environment(Protocol):
    """A batch system with a clock, in which some jobs are one's own.

    Attributes
    ----------
    now : int
        The present time in seconds.
    """

    @property
    def now(self) -> int:
        """The present time in seconds."""

    def submit(self, stage: Stage) -> int:
        """Submit a job now; return its handle, larger than that of any job before.

        Parameters
        ----------
        stage : Stage
            How many cores it needs and how long it is to run; what is asked for beside that, and
            what runs, is the environment's matter.
        """

    def submitted(self, job: int) -> int:
        """When a job that has started was submitted, in seconds: waits count from then.

        A real batch system says itself when that was, which may be later than it was asked.
        """

    def depend(self, job: int, others: Sequence[int]) -> None:
        """Let a job submitted at this very instant start only when others are over.

        Parameters
        ----------
        job : int
            Its handle.
        others : sequence of int
            Handles of jobs submitted before it; what has ended already is no obstacle.
        """

    def cancel(self, job: int) -> bool:
        """Take a job back; a running one ends now. False if it had ended already."""

    def advance(self, until: int | None) -> None:
        """Let time pass until own jobs start or end, all of one instant together.

        Parameters
        ----------
        until : int or None
            When to stop if nothing of that happens before, not before the present time; None: not
            before something happens, and where nothing more can, at once.
        """

    def read(self) -> tuple[Sequence[int], Sequence[int]]:
        """Own jobs that have started, and that have ended, since this was read last.

        What was cancelled does not end. A job may be in both.
        """
