"""Users that submit when they would: after what they waited for, within their working hours."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from schedlab.users.batches import Batches
    from schedlab.users.machines import Machine

HOUR = 3600
DAY = 24 * HOUR
#: from the end of a batch until its user submits the next one of the session, in seconds
THINK = 30 * 60
#: a session takes no further batch when it has only this long to go: time to think, and 5 minutes
MARGIN = 35 * 60
#: when the sessions begin and end that users have after all those that were recorded
MORNING, AFTERNOON = 9 * HOUR, 15 * HOUR
NOT_YET = -1


@dataclass(frozen=True, eq=False)
class Run:
    """What became of the jobs of a log.

    Parameters
    ----------
    submit, start, end : ndarray of int64, shape (n,)
        By place in the log; -1 where it has not come to that.
    left_out : pandas.DataFrame
        A row for each job that was never submitted: ``job`` (its place), ``user``, ``batch`` and
        the ``reason``. No rows: every job was submitted, once.
    synthetic : int
        Batches that came after their users had used up all recorded sessions.
    """

    submit: np.ndarray
    start: np.ndarray
    end: np.ndarray
    left_out: pd.DataFrame
    synthetic: int = 0


class _Agent:
    """A user: which batch is next, and the session that is open.

    Parameters
    ----------
    batches : range
        The user's batches.
    sessions : iterator of (int, int)
        When the recorded sessions begin and when their last job came.
    """

    __slots__ = ("batch", "begin", "ended", "last", "number", "quiet", "sessions", "stop")

    def __init__(self, batches: range, sessions: list[tuple[int, int]]) -> None:
        self.batch, self.stop = batches.start, batches.stop
        self.sessions = iter(sessions)
        self.number = 0  # of the open session, from 1 on
        self.begin = self.last = NOT_YET  # of the open session
        self.ended: int | None = None  # when the last of its batches to end had ended
        self.quiet = NOT_YET  # when the last job of the batch before has been submitted

    def arrival(self, now: int, midnight: int) -> tuple[int, bool]:
        """Say when the next batch comes that may come now, and whether nobody recorded when."""
        synthetic = False
        if self.number == 0 or now + MARGIN >= self.last:
            self.number, self.ended = self.number + 1, None
            tomorrow = midnight + ((now - midnight) // DAY + 1) * DAY
            invented = (tomorrow + MORNING, tomorrow + AFTERNOON)
            self.begin, self.last = session = next(self.sessions, invented)
            synthetic = session is invented
        if self.ended is None:
            return max(now, self.begin), synthetic
        return max(now, self.ended + THINK), synthetic


def react(machine: Machine, batches: Batches, submit: ArrayLike, midnight: int = 0) -> Run:
    """Let users submit their jobs as they would on this machine.

    A user submits one batch after the other, in the recorded order; within a batch jobs keep their
    distances in time. A batch may come when those that had ended before it came in the record have
    ended, and when all jobs of the one before it have been submitted. When it may, the user's
    session decides: one that is open takes it if it is more than 35 minutes before the session's
    recorded last arrival, otherwise the next recorded session is opened for it; after all of them
    sessions are from 9:00 to 15:00 of the day after. The first batch of a session comes at the
    recorded first arrival, later ones 30 minutes after the last batch of the session has ended; no
    batch comes before it may.

    Parameters
    ----------
    machine : Machine
        `schedlab.users.machines`; nothing submitted yet.
    batches : Batches
        Of the jobs that the machine knows.
    submit : array_like of int, shape (n,)
        Recorded submit times of these jobs in seconds.
    midnight : int, default 0
        An instant, on the clock of `submit`, at which it is midnight where the users are.

    Returns
    -------
    Run

    Raises
    ------
    ValueError
        The machine refuses a job; its message names job and field.

    Notes
    -----
    Driven by events: the machine goes on until a job ends or an agent is due, and only who may
    submit then is looked at; a batch is released once, by the last one that it waits for.

    Decisions where the paper leaves room, each as its simulator Alea does it: the next recorded
    session is opened for its first batch even if its hours have passed (then the batch comes at
    once), so that a user who is late uses up a session a batch; and until a batch of the session
    has ended, its further ones come like the first. Where Alea does not do what the paper's source
    says, the source is followed: users think for 30 minutes (in Alea the end of a batch is never
    noted, and they do not), and see an end when it happens, not up to five minutes later.

    References
    ----------
    klusacek2016, section 4.3; N. Zakay, D. G. Feitelson, Preserving user behavior characteristics
    in trace-based simulation of parallel job scheduling (2014).

    Examples
    --------
    A user's second batch came when the first had ended, half an hour later. Here the first ends at
    100, and the session has more than 35 minutes to go:

    >>> from schedlab.jobs import Jobs
    >>> from schedlab.policies import get
    >>> from schedlab.queue.sessions import QueueSession
    >>> from schedlab.users.batches import batches_of
    >>> from schedlab.users.machines import QueuedMachine
    >>> jobs = Jobs([1, 2, 3], [0, 1900, 3000], [100] * 3, [100] * 3, [1, 1, 1])
    >>> batches = batches_of([5, 5, 5], jobs.submit, jobs.submit + [1800, 10, 10])
    >>> machine = QueuedMachine(QueueSession(4, get("fcfs")), jobs)
    >>> react(machine, batches, jobs.submit).submit.tolist()
    [0, 1900, 118800]
    """
    submit = np.asarray(submit, dtype=np.int64)
    batch_of, first = batches.batch.tolist(), batches.first
    running = np.diff(first).tolist()  # jobs of each batch that have not ended
    awaited = np.bincount(batches.release + 1, minlength=len(batches) + 1)[1:].tolist()
    release = batches.release.tolist()
    agents, whose = _agents(batches)
    taken_by = [0] * len(batches)  # the number of the session that each batch came in
    places: list[int] = []  # of the jobs, by handle
    came, ended = np.full(len(submit), NOT_YET, dtype=np.int64), np.zeros(len(submit), dtype=bool)
    due = [(machine.now, number) for number in range(len(agents))]
    synthetic = 0
    while True:
        for handle in machine.advance(due[0][0] if due else None).tolist():
            ended[places[handle]] = True
            batch = batch_of[places[handle]]
            running[batch] -= 1
            if running[batch]:
                continue
            agent = agents[whose[batch]]
            if taken_by[batch] == agent.number:
                agent.ended = machine.now
            if release[batch] >= 0:
                awaited[release[batch]] -= 1
                if release[batch] == agent.batch and not awaited[agent.batch]:
                    heapq.heappush(due, (max(machine.now, agent.quiet), whose[batch]))
        while due and due[0][0] <= machine.now:
            _, number = heapq.heappop(due)
            agent, batch = agents[number], agents[number].batch
            at, late = agent.arrival(machine.now, midnight)
            synthetic += late
            jobs = batches.order[first[batch] : first[batch + 1]]
            times = at + submit[jobs] - submit[jobs[0]]
            machine.submit(jobs, times)
            places += jobs.tolist()
            came[jobs] = times
            taken_by[batch] = agent.number
            agent.quiet = int(times[-1])
            agent.batch += 1
            if agent.batch < agent.stop and not awaited[agent.batch]:
                heapq.heappush(due, (agent.quiet, number))
        if not due and machine.idle():
            break
    schedule = machine.schedule()
    start, end = np.full((2, len(submit)), NOT_YET, dtype=np.int64)
    start[places], end[places] = schedule.start, schedule.end
    return Run(came, start, end, _left_out(came, ended, batches), synthetic)


def replay(machine: Machine, submit: ArrayLike) -> Run:
    """Submit every job when it was submitted in the log, whatever becomes of the others.

    Parameters
    ----------
    machine : Machine
        `schedlab.users.machines`; nothing submitted yet.
    submit : array_like of int, shape (n,)
        Recorded submit times of the jobs that the machine knows, in seconds, never going down.

    Returns
    -------
    Run
    """
    submit = np.asarray(submit, dtype=np.int64)
    places = np.arange(len(submit))
    machine.submit(places, submit)
    while not machine.idle():
        machine.advance(None)
    schedule = machine.schedule()
    return Run(submit, schedule.start, schedule.end, _no_rows())


def _agents(batches: Batches) -> tuple[list[_Agent], list[int]]:
    """Return an agent for each user, and the agent of each batch."""
    users, of_session = np.unique(batches.user, return_inverse=True)
    of_batch = of_session[batches.session]
    bounds = np.searchsorted(of_batch, np.arange(len(users) + 1)).tolist()
    cuts = np.searchsorted(of_session, np.arange(len(users) + 1)).tolist()
    hours = list(zip(batches.opened.tolist(), batches.closed.tolist(), strict=True))
    agents = [
        _Agent(range(bounds[k], bounds[k + 1]), hours[cuts[k] : cuts[k + 1]])
        for k in range(len(users))
    ]
    return agents, of_batch.tolist()


def _no_rows() -> pd.DataFrame:
    columns = {"job": "int64", "user": "int64", "batch": "int64", "reason": "str"}
    return pd.DataFrame(columns=list(columns)).astype(columns)


def _left_out(came: np.ndarray, ended: np.ndarray, batches: Batches) -> pd.DataFrame:
    """Say why jobs have not been submitted: one that the same user submitted has not ended."""
    jobs = np.flatnonzero(came == NOT_YET)
    if not jobs.size:
        return _no_rows()
    batch = batches.batch
    user = batches.user[batches.session[batch]]
    endless = np.flatnonzero((came != NOT_YET) & ~ended)
    first = {int(user[job]): int(job) for job in endless[::-1]}
    reasons = [f"waits for the job at place {first[int(user[job])]} to end" for job in jobs]
    return pd.DataFrame({"job": jobs, "user": user[jobs], "batch": batch[jobs], "reason": reasons})
