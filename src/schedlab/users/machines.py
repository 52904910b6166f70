"""Machines as users see them: submit at an instant, wait for something to end, read what did."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Protocol

from schedlab.jobs import Jobs
from schedlab.planning.requests import Requests

if TYPE_CHECKING:
    import numpy as np

    from schedlab.jobs import Schedule
    from schedlab.planning.sessions import PlanSession
    from schedlab.queue.sessions import QueueSession


class Machine(Protocol):
    """What `schedlab.users.reacting` needs of a simulation that is stepped from outside.

    Jobs are known by their places in the log; handles count submissions from 0 on.
    """

    @property
    def now(self) -> int:
        """The present time in seconds."""

    def submit(self, places: np.ndarray, times: np.ndarray) -> None:
        """Submit jobs at times that never go down, none before the present one."""

    def advance(self, until: int | None) -> np.ndarray:
        """Go on until a job ends or to the time `until`; return handles of jobs that have ended.

        Every event of the instant at which the clock then stands has been handled.
        """

    def idle(self) -> bool:
        """Whether nothing is left to happen."""

    def schedule(self) -> Schedule:
        """Start and end of every job, by handle; -1 where it has not come to that."""


class _Stepped:
    """What both sessions have in common."""

    def __init__(self, session: PlanSession | QueueSession) -> None:
        self.session = session

    @property
    def now(self) -> int:
        return self.session.now

    def advance(self, until: int | None) -> np.ndarray:
        self.session.advance(until, on_end=True)
        return self.session.read()[1]

    def idle(self) -> bool:
        return self.session.next_event() is None


class QueuedMachine(_Stepped):
    """One queue (`schedlab.queue.sessions.QueueSession`) and the jobs that may be submitted to it.

    Parameters
    ----------
    session : QueueSession
        Strict order or EASY; nothing submitted yet.
    jobs : Jobs
        All jobs of the log; their submit times are the recorded ones.
    """

    def __init__(self, session: QueueSession, jobs: Jobs) -> None:
        super().__init__(session)
        self.jobs = jobs

    def submit(self, places: np.ndarray, times: np.ndarray) -> None:
        """Submit jobs at times that never go down, none before the present one."""
        self.session.submit_jobs(_at(self.jobs, places, times))

    def schedule(self) -> Schedule:
        """Start and end of every job, by handle; -1 where it has not come to that."""
        return self.session.schedule()


class PlannedMachine(_Stepped):
    """Clusters that plan (`schedlab.planning.sessions.PlanSession`), and what may be asked of them.

    Parameters
    ----------
    session : PlanSession
        Nothing submitted yet.
    requests : Requests
        All jobs of the log; their submit times are the recorded ones.
    """

    def __init__(self, session: PlanSession, requests: Requests) -> None:
        super().__init__(session)
        self.requests = requests
        names = [field.name for field in fields(requests) if field.name != "jobs"]
        self._columns = {name: getattr(requests, name) for name in names}

    def submit(self, places: np.ndarray, times: np.ndarray) -> None:
        """Submit jobs at times that never go down, none before the present one."""
        columns = {name: column[places] for name, column in self._columns.items()}
        self.session.submit(Requests(_at(self.requests.jobs, places, times), **columns))

    def schedule(self) -> Schedule:
        """Start and end of every job, by handle; -1 where it has not come to that."""
        return self.session.result().schedule


def _at(jobs: Jobs, places: np.ndarray, times: np.ndarray) -> Jobs:
    """Return the jobs at `places`, submitted at `times`."""
    columns = (getattr(jobs, name)[places] for name in ("runtime", "estimate", "procs"))
    return Jobs(jobs.number[places], times, *columns)
