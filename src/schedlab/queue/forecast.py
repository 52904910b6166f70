"""Predicted start times of waiting jobs under given orders, if no other job arrives.

Input is the present state of the machine and its queue; every job runs as long as its estimate.
"""

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
    """State of a machine and its queue at one instant.

    `now` is in seconds, at least 0. There are r running jobs with their start times (int64 seconds,
    shape (r,)). `waiting` are the jobs in the queue and those submitted after now. Only estimates
    count; a running job past its estimate is assumed to end one second after now. `after` (int64,
    shape (k, 2), empty by default) are pairs of jobs, numbered from 0 over the running and then the
    waiting jobs. The first job enters the queue when the second one ends.
    """

    processors: int
    now: int
    running: Jobs
    started: np.ndarray
    waiting: Jobs
    after: np.ndarray = field(default_factory=lambda: np.empty((0, 2), dtype=np.int64))


@dataclass(frozen=True)
class Way:
    """Scheduling method of a queue.

    The policy is the primary order, and also the order of backfilling.
    """

    policy: Policy
    reservations: Reservations = "head"


def forecast(state: QueueState, way: Way) -> np.ndarray:
    """Return the start time of each waiting job, int64 of shape (w,), in seconds.

    Raises ValueError if the machine is too small for a job or for the running jobs, or a job
    depends on a job that is not submitted before it. Raises
    `schedlab.policies.expression.ScoreError` if a score has no order; the message names the job by
    its place, as in `QueueState.after`.

    Examples
    --------
    Two of four processors are in use until 30. The wide job waits for them; the narrow one ends
    before.

    >>> from schedlab.policies import get
    >>> running = Jobs([0], [0], [25], [25], [2])
    >>> waiting = Jobs([1, 2], [1, 2], [50, 20], [50, 20], [3, 1])
    >>> state = QueueState(4, 10, running, np.array([5]), waiting)
    >>> forecast(state, Way(get("fcfs"), "head")).tolist()
    [30, 10]
    """
    arrived = int(np.searchsorted(state.waiting.submit, state.now, side="right"))
    length = np.maximum(state.running.estimate, state.now + 1 - state.started)
    running = _renumber_jobs(state.running, 0, length)
    waiting = _renumber_jobs(state.waiting, len(running), state.waiting.estimate)
    session = QueueSession(
        state.processors,
        way.policy,
        room=len(running) + len(waiting),
        reservations=way.reservations,
    )
    session.advance(state.now)
    session.submit_running(running, state.started)
    session.submit_waiting(waiting.take(slice(arrived)))
    session.submit_jobs(waiting.take(slice(arrived, None)))
    if len(state.after):
        session.depend(*state.after.T)
    session.advance()
    return session.schedule().start[len(running) :]


def forecasts(state: QueueState, ways: Sequence[Way], threads: int = 1) -> list[np.ndarray]:
    """Return `forecast` for each method, on several threads; the result does not depend on them."""
    return over_threads(lambda way: forecast(state, way), ways, threads)


def _renumber_jobs(jobs: Jobs, first: int, length: np.ndarray) -> Jobs:
    """Return jobs numbered by their places, with a given run time and estimate."""
    number = np.arange(first, first + len(jobs))
    return Jobs(number, jobs.submit, length, length, jobs.procs)
