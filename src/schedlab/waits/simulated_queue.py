"""A simulated queue as strategies see it: their jobs in a background load."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.queue.limits import NEVER
from schedlab.waits.background import check_known
from schedlab.waits.requests import request_run_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from schedlab.queue.sessions import QueueSession
    from schedlab.waits.requests import Request
    from schedlab.waits.workflows import Stage


class SimulatedQueue:
    """A queue with a background load, to which a strategy submits its own jobs.

    Tracked jobs and background jobs delay each other. This class uses no knowledge of the future.
    All jobs of the background were submitted to the session beforehand, up to the time
    `known_until` in seconds. Only this object advances and reads the session from now on; `advance`
    raises `UnknownError` if time would advance beyond `known_until`.

    `request` returns requested seconds from a tracked job's cores and run time; by default the run
    time, at least a second. If `accrue`, a job gains queue age while it waits for its dependencies.
    If not, it enters the queue as if it were submitted when the last of them ends.
    """

    def __init__(
        self,
        session: QueueSession,
        known_until: int = NEVER,
        request: Request = request_run_time,
        accrue: bool = True,
    ) -> None:
        self._session, self._known, self._request = session, known_until, request
        self._accrue = accrue
        # tracked jobs that have not ended
        self._live: set[int] = set()
        self._submitted: dict[int, int] = {}
        # jobs that enter the queue late: stage, jobs that they wait for, and handle there
        self._stages: dict[int, Stage] = {}
        self._blockers: dict[int, set[int]] = {}
        self._came_as: dict[int, int] = {}
        self._started: list[int] = []
        self._ended: list[int] = []

    @property
    def now(self) -> int:
        """Return the present time in seconds."""
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
        estimate = self._request(stage.cores, stage.seconds)
        return self._session.submit(stage.seconds, stage.cores, estimate=estimate)

    def submitted(self, job: int) -> int:
        """Return when a job was submitted."""
        return self._submitted[job]

    def depend(self, job: int, blockers: Sequence[int]) -> None:
        """Make a job submitted at this very instant wait for the end of others."""
        if self._accrue:
            self._session.depend(job, blockers)
        elif before := self._live.intersection(blockers):
            self._session.cancel(job)
            self._blockers[job] = before

    def cancel(self, job: int) -> bool:
        """Cancel a job; a running one ends now. Return False if it had ended already."""
        had_blockers = self._blockers.pop(job, None) is not None
        self._live.discard(job)
        cancelled = self._session.cancel(self._came_as.get(job, job)) or had_blockers
        self._release()
        return cancelled

    def _release(self) -> None:
        """Let jobs enter the queue whose dependencies have ended."""
        for job, before in list(self._blockers.items()):
            if not before & self._live:
                del self._blockers[job]
                self._came_as[job] = self._enter(self._stages[job])

    def _select_tracked(self, handles: np.ndarray) -> set[int]:
        """Return the tracked jobs among some handles of the queue."""
        wanted_handles = set(handles.tolist())
        late = {job for job, handle in self._came_as.items() if handle in wanted_handles}
        return self._live.intersection(wanted_handles) | self._live.intersection(late)

    def advance(self, until: int | None) -> None:
        """Advance until tracked jobs start or end, or to `until`."""
        session = self._session
        latest = self._known if until is None else min(until, self._known)
        # background jobs were submitted beforehand, so all their events are known up to `latest`
        while self._live and (event := session.next_event()) is not None and event <= latest:
            if session.reservations == "every":
                session.advance(event)
            else:
                session.advance_watching(min(self._live), latest)
            started, ended = session.read()
            self._started += self._select_tracked(started)
            self._ended += self._select_tracked(ended)
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
        """Return the tracked jobs that have started and ended since the last call."""
        events = sorted(self._started), sorted(self._ended)
        self._started, self._ended = [], []
        return events
