"""When those who wait now start, under one order or another, if nobody else comes.

The machine and its queue are taken as they stand, and every job runs as long as it may.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.files.threads import over_threads
from schedlab.policies import Policy
from schedlab.queue.reservations import Reservations
from schedlab.queue.sessions import QueueSession


@dataclass(frozen=True, eq=False)
class QueueState:
    """A machine and its queue at one instant.

    Parameters
    ----------
    processors : int
        Size of the machine.
    now : int
        The present time in seconds, from 0 on.
    running : Jobs
        r jobs that run; of their times the estimate counts. Who has run longer is over in a second.
    started : ndarray of int64, shape (r,)
        When each of them started, in seconds.
    waiting : Jobs
        w jobs that wait or, submitted later than now, are known to come; of their times the
        estimate counts.
    after : ndarray of int64, shape (k, 2)
        Pairs of jobs, counted from 0 over those that run and then those that wait: the first comes
        to the queue when the second is over. Nobody by default.
    """

    processors: int
    now: int
    running: Jobs
    started: np.ndarray
    waiting: Jobs
    after: np.ndarray = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))


@dataclass(frozen=True)
class Way:
    """How a queue is gone through.

    Parameters
    ----------
    policy : Policy
        The order; that of backfilling too.
    reservations : {"none", "head", "every"}
        Who has one.
    """

    policy: Policy
    reservations: Reservations = "head"


def forecast(standing: QueueState, way: Way) -> np.ndarray:
    """Return when each waiting job starts, int64 of shape (w,), in seconds.

    Raises
    ------
    ValueError
        The machine is too small for a job or for those that run, or a job comes after one that is
        submitted no earlier.
    schedlab.policies.expression.ScoreError
        A score orders nothing; the message names the job by its place, as `QueueState.after` does.

    Examples
    --------
    Two of four processors are in use until 30; the wide job has to wait for them, the narrow one
    is over by then.

    >>> from schedlab.policies import get
    >>> running = Jobs([0], [0], [25], [25], [2])
    >>> waiting = Jobs([1, 2], [1, 2], [50, 20], [50, 20], [3, 1])
    >>> standing = QueueState(4, 10, running, np.array([5]), waiting)
    >>> forecast(standing, Way(get("fcfs"), "head")).tolist()
    [30, 10]
    """
    here = int(np.searchsorted(standing.waiting.submit, standing.now, side="right"))
    length = np.maximum(standing.running.estimate, standing.now + 1 - standing.started)
    running = _numbered(standing.running, 0, length)
    waiting = _numbered(standing.waiting, len(running), standing.waiting.estimate)
    session = QueueSession(
        standing.processors,
        way.policy,
        room=len(running) + len(waiting),
        reservations=way.reservations,
    )
    session.advance(standing.now)
    session.submit_running(running, standing.started)
    session.submit_waiting(waiting.take(slice(here)))
    session.submit_jobs(waiting.take(slice(here, None)))
    if len(standing.after):
        session.depend(*standing.after.T)
    session.advance()
    return session.schedule().start[len(running) :]


def forecasts(standing: QueueState, ways: Sequence[Way], threads: int = 1) -> list[np.ndarray]:
    """Return `forecast` of each way, over threads; the result does not depend on how many."""
    return over_threads(lambda way: forecast(standing, way), ways, threads)


def _numbered(jobs: Jobs, first: int, length: np.ndarray) -> Jobs:
    """Return jobs under the numbers of their places, which run and are expected to run so long."""
    number = np.arange(first, first + len(jobs))
    return Jobs(number, jobs.submit, length, length, jobs.procs)
