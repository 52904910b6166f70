"""A simulated queue as strategies see it: own jobs among those of everybody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.queue.bounds import NEVER
from schedlab.waits.background import check_known
from schedlab.waits.requests import own_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from schedlab.queue.sessions import QueueSession
    from schedlab.waits.requests import Request
    from schedlab.waits.workflows import Stage


class SimulatedQueue:
    """A queue in which the jobs submitted through this are one's own.

    Parameters
    ----------
    session : QueueSession
        The queue. What others submit, now or later, is submitted to it beforehand; nobody else
        advances or reads it from now on.
    known : int, default NEVER
        Until when others have been submitted, in seconds.
    request : callable, optional
        Of cores and seconds that an own job runs, the seconds that it asks for; by default the
        time that it runs, and a second where that is none.
    accrue : bool, default True
        Whether a job that others hold up grows old in the queue meanwhile; otherwise it comes to
        the queue as if it were submitted when the last of them ends.

    Raises
    ------
    UnknownError
        From `advance`: time would pass beyond that.

    Notes
    -----
    Own jobs delay others, and others delay them: nothing here knows what is to come.
    """

    def __init__(
        self,
        session: QueueSession,
        known: int = NEVER,
        request: Request = own_time,
        accrue: bool = True,
    ) -> None:
        self._session, self._known, self._request = session, known, request
        self._accrue = accrue
        # own jobs that have not come to an end
        self._live: set[int] = set()
        self._submitted: dict[int, int] = {}
        # jobs that come to the queue late: what they are, whom they wait for, and as whom they came
        self._stages: dict[int, Stage] = {}
        self._held: dict[int, set[int]] = {}
        self._came_as: dict[int, int] = {}
        self._started: list[int] = []
        self._ended: list[int] = []

    @property
    def now(self) -> int:
        """The present time in seconds."""
        return self._session.now

    def submit(self, stage: Stage) -> int:
        """Submit a job now; see `schedlab.waits.environment.Environment`."""
        job = self._enter(stage)
        self._live.add(job)
        self._submitted[job] = self.now
        if not self._accrue:
            self._stages[job] = stage
        return job

    def _enter(self, stage: Stage) -> int:
        asked = self._request(stage.cores, stage.seconds)
        return self._session.submit(stage.seconds, stage.cores, estimate=asked)

    def submitted(self, job: int) -> int:
        """When a job was submitted."""
        return self._submitted[job]

    def depend(self, job: int, others: Sequence[int]) -> None:
        """Let a job submitted at this very instant start only when others are over."""
        if self._accrue:
            self._session.depend(job, others)
        elif before := self._live.intersection(others):
            self._session.cancel(job)
            self._held[job] = before

    def cancel(self, job: int) -> bool:
        """Take a job back; a running one ends now. False if it had ended already."""
        was_held = self._held.pop(job, None) is not None
        self._live.discard(job)
        cancelled = self._session.cancel(self._came_as.get(job, job)) or was_held
        self._release()
        return cancelled

    def _release(self) -> None:
        """Let jobs come to the queue whom nobody holds up any more."""
        for job, before in list(self._held.items()):
            if not before & self._live:
                del self._held[job]
                self._came_as[job] = self._enter(self._stages[job])

    def _own(self, handles: np.ndarray) -> set[int]:
        """Return own jobs among those of the queue."""
        known = set(handles.tolist())
        late = {job for job, handle in self._came_as.items() if handle in known}
        return self._live.intersection(known) | self._live.intersection(late)

    def advance(self, until: int | None) -> None:
        """Let time pass until own jobs start or end, or to `until`."""
        session = self._session
        latest = self._known if until is None else min(until, self._known)
        # jobs of others were submitted before
        while self._live and (event := session.next_event()) is not None and event <= latest:
            if session.reservations == "every":
                session.advance(event)
            else:
                session.advance_watching(min(self._live), latest)
            started, ended = session.read()
            self._started += self._own(started)
            self._ended += self._own(ended)
            if self._started or self._ended:
                self._live.difference_update(self._ended)
                self._release()
                return
        if until is None and self._live and (event := session.next_event()) is not None:
            check_known(event, self._known)
        if until is not None:
            check_known(until, self._known)
            session.advance(until)
            session.read()

    def read(self) -> tuple[list[int], list[int]]:
        """Own jobs that have started, and that have ended, since this was read last."""
        found = sorted(self._started), sorted(self._ended)
        self._started, self._ended = [], []
        return found
