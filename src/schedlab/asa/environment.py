"""What a strategy sees of a batch system: the same five calls for a simulated and a real one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


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

    def submit(self, cores: int, seconds: int) -> int:
        """Submit a job now; return its handle, larger than that of any job before.

        Parameters
        ----------
        cores : int
            How many it needs.
        seconds : int
            How long it runs; what is asked for beside that is the environment's matter.
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
