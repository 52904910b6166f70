"""A simulated queue as strategies see it: own jobs among those of everybody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.asa.background import check_known
from schedlab.queue.bounds import NEVER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.asa.workflows import Stage
    from schedlab.queue.sessions import QueueSession


class SimulatedQueue:
    """A queue in which the jobs submitted through this are one's own.

    Parameters
    ----------
    session : QueueSession
        The queue. What others submit, now or later, is submitted to it beforehand; nobody else
        advances or reads it from now on.
    known : int, default NEVER
        Until when others have been submitted, in seconds.

    Raises
    ------
    UnknownError
        From `advance`: time would pass beyond that.

    Notes
    -----
    Own jobs ask for the time that they run, and for a second where that is none. They delay others,
    and others delay them: nothing here knows what is to come.
    """

    def __init__(self, session: QueueSession, known: int = NEVER) -> None:
        self._session, self._known = session, known
        # own jobs that have not come to an end
        self._live: set[int] = set()
        self._submitted: dict[int, int] = {}
        self._started: list[int] = []
        self._ended: list[int] = []

    @property
    def now(self) -> int:
        """The present time in seconds."""
        return self._session.now

    def submit(self, stage: Stage) -> int:
        """Submit a job now; see `schedlab.asa.environment.Environment`."""
        seconds = stage.seconds
        job = self._session.submit(seconds, stage.cores, estimate=max(seconds, 1))
        self._live.add(job)
        self._submitted[job] = self.now
        return job

    def submitted(self, job: int) -> int:
        """When a job was submitted."""
        return self._submitted[job]

    def depend(self, job: int, others: Sequence[int]) -> None:
        """Let a job submitted at this very instant start only when others are over."""
        self._session.depend(job, others)

    def cancel(self, job: int) -> bool:
        """Take a job back; a running one ends now. False if it had ended already."""
        self._live.discard(job)
        return self._session.cancel(job)

    def advance(self, until: int | None) -> None:
        """Let time pass until own jobs start or end, or to `until`."""
        session = self._session
        while self._live:
            event = session.next_event()
            if event is None or (until is not None and event > until):
                break
            check_known(event, self._known)
            session.advance(event)
            started, ended = session.read()
            self._started += self._live.intersection(started.tolist())
            self._ended += self._live.intersection(ended.tolist())
            if self._started or self._ended:
                self._live.difference_update(self._ended)
                return
        if until is not None:
            check_known(until, self._known)
            session.advance(until)
            session.read()

    def read(self) -> tuple[list[int], list[int]]:
        """Own jobs that have started, and that have ended, since this was read last."""
        found = sorted(self._started), sorted(self._ended)
        self._started, self._ended = [], []
        return found
