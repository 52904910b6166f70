"""Let simulated users submit jobs to a machine, advance it, and read which jobs have ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from schedlab.core.jobs import Jobs, Schedule

if TYPE_CHECKING:
    from schedlab.planning.requests import Requests
    from schedlab.planning.sessions import PlanSession
    from schedlab.queue.sessions import QueueSession

NOT_YET = -1


class SteppedMachine(Protocol):
    """The simulation interface that reacting users need: step by step, under external control.

    The machine knows all jobs of a log by their places; a job arrives when it is submitted.
    """

    @property
    def now(self) -> int:
        """Return the present time in seconds."""

    def submit(self, places: np.ndarray, times: np.ndarray) -> None:
        """Submit jobs at nondecreasing times, none before the present time."""

    def advance(self, until: int | None) -> list[int]:
        """Advance to the next completion or to the time `until`; return the jobs that have ended.

        All events at the resulting time have been handled.
        """

    def idle(self) -> bool:
        """Whether no event is left."""

    def schedule(self) -> Schedule:
        """Return start and end of every job; -1 if it has not happened."""


class _Stepped:
    """Methods that both machines share."""

    def __init__(self, session: PlanSession | QueueSession) -> None:
        self.session = session

    @property
    def now(self) -> int:
        return self.session.now

    def advance(self, until: int | None) -> list[int]:
        self.session.advance(until, on_end=True)
        return self.session.read()[1].tolist()

    def idle(self) -> bool:
        return self.session.next_event() is None


class QueuedMachine(_Stepped):
    """One queue, nothing submitted yet, and the jobs of a log with recorded submit times."""

    def __init__(self, session: QueueSession, jobs: Jobs) -> None:
        super().__init__(session)
        self.jobs = jobs
        self._places: list[int] = []  # by handle

    def submit(self, places: np.ndarray, times: np.ndarray) -> None:
        """Submit jobs at nondecreasing times, none before the present time."""
        columns = (getattr(self.jobs, name)[places] for name in ("runtime", "estimate", "procs"))
        self.session.submit_jobs(Jobs(self.jobs.number[places], times, *columns))
        self._places += places.tolist()

    def advance(self, until: int | None) -> list[int]:
        """Advance to the next completion or to `until`; return the jobs that have ended."""
        return [self._places[handle] for handle in super().advance(until)]

    def schedule(self) -> Schedule:
        """Return start and end of every job; -1 if it has not happened."""
        start, end = np.full((2, len(self.jobs)), NOT_YET, dtype=np.int64)
        session_schedule = self.session.schedule()
        start[self._places], end[self._places] = session_schedule.start, session_schedule.end
        return Schedule(start, end)


class PlannedMachine(_Stepped):
    """Clusters that plan, nothing submitted yet, and the jobs of a log with recorded submit times.

    Raises ValueError if a job can never run on the machine; the message names job and field.
    """

    def __init__(self, session: PlanSession, requests: Requests) -> None:
        super().__init__(session)
        session.submit(requests, held=True)  # handles are places from here on

    def submit(self, places: np.ndarray, times: np.ndarray) -> None:
        """Submit jobs at nondecreasing times, none before the present time."""
        for place, time in zip(places.tolist(), times.tolist(), strict=True):
            self.session.release(place, time)

    def schedule(self) -> Schedule:
        """Return start and end of every job; -1 if it has not happened."""
        return self.session.schedule()
