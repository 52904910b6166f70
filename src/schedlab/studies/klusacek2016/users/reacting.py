"""Simulate users who submit after the jobs that they waited for, within their working hours."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.jobs import Schedule

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from schedlab.studies.klusacek2016.users.batches import Batches
    from schedlab.studies.klusacek2016.users.machines import SteppedMachine

HOUR = 3600
DAY = 24 * HOUR
#: from the end of a batch until its user submits the next one of the session, in seconds
THINK = 30 * 60
#: a session takes no batch in its last seconds: time to think, and 5 minutes
MARGIN = 35 * 60
#: begin and end of the synthetic sessions, which follow all recorded ones
MORNING, AFTERNOON = 9 * HOUR, 15 * HOUR
NOT_YET = -1


class _Agent:
    """A user: place among all users, batches, the next batch, and the open session.

    `sessions` has the begin of each recorded session, and the arrival of its last job.
    """

    def __init__(self, number: int, batches: range, sessions: list[tuple[int, int]]) -> None:
        self.number, self.batch, self.stop = number, batches.start, batches.stop
        self.recorded = iter(sessions)
        self.session = self.synthetic = 0  # how many are opened, and how many of these are invented
        self.begin = self.last = NOT_YET  # of the open session
        self.ended: int | None = None  # when the last of its batches ended
        self.quiet = NOT_YET  # when the last job of the previous batch is submitted

    def arrival(self, now: int, midnight: int) -> int:
        """Return when the next batch comes; the batch may come now."""
        if self.session == 0 or now + MARGIN >= self.last:
            self.session, self.ended = self.session + 1, None
            hours = next(self.recorded, None)
            if hours is None:
                self.synthetic += 1
                tomorrow = midnight + ((now - midnight) // DAY + 1) * DAY
                hours = tomorrow + MORNING, tomorrow + AFTERNOON
            self.begin, self.last = hours
        return max(now, self.begin if self.ended is None else self.ended + THINK)


class _Users:
    """All agents, the batches that each batch waits for, and the agents that may submit next.

    Invariant: an agent is in `due` exactly once if its next batch waits for no other batch to end.
    It is due when all jobs of the previous batch have been submitted.
    """

    def __init__(self, batches: Batches, now: int) -> None:
        of_session = np.unique(batches.user, return_inverse=True)[1]
        of_batch = of_session[batches.session]
        numbers = np.arange(of_session[-1] + 2)
        bounds = np.searchsorted(of_batch, numbers).tolist()
        cuts = np.searchsorted(of_session, numbers).tolist()
        hours = list(zip(batches.opened.tolist(), batches.closed.tolist(), strict=True))
        self.agents = [
            _Agent(k, range(*bounds[k : k + 2]), hours[slice(*cuts[k : k + 2])])
            for k in range(len(bounds) - 1)
        ]
        self.due = [(now, agent.number) for agent in self.agents]
        self._batch, self._agent = batches.batch.tolist(), of_batch.tolist()
        self._running = np.diff(batches.first).tolist()  # jobs of each batch that have not ended
        self._release = batches.release.tolist()
        awaited = np.bincount(batches.release + 1, minlength=len(batches) + 1)[1:]
        self._awaited = awaited.tolist()  # batches that release each one and have not ended
        self._session = [NOT_YET] * len(batches)  # the user's session in which each batch came

    def submitted(self, agent: _Agent, last: int) -> None:
        """Record that an agent has submitted its next batch, whose last job comes at `last`."""
        self._session[agent.batch] = agent.session
        agent.quiet = last
        agent.batch += 1
        if agent.batch < agent.stop and not self._awaited[agent.batch]:
            heapq.heappush(self.due, (last, agent.number))

    def see_end(self, place: int, now: int) -> None:
        """Record that a job has ended, and make its agent due if the next batch is released."""
        batch = self._batch[place]
        self._running[batch] -= 1
        if self._running[batch]:
            return
        agent = self.agents[self._agent[batch]]
        if self._session[batch] == agent.session:
            agent.ended = now
        freed = self._release[batch]
        if freed < 0:
            return
        self._awaited[freed] -= 1
        if freed == agent.batch and not self._awaited[freed]:
            heapq.heappush(self.due, (max(now, agent.quiet), agent.number))


def react(
    machine: SteppedMachine, batches: Batches, submit: ArrayLike, midnight: int = 0
) -> Schedule:
    """Let users submit their jobs in reaction to the completions on this machine.

    Examples
    --------
    A user's second batch comes half an hour after the first had ended. Here the first ends at 100,
    and the user's session has more than 35 minutes left:

    >>> from schedlab.core.jobs import Jobs
    >>> from schedlab.policies import get
    >>> from schedlab.queue.sessions import QueueSession
    >>> from schedlab.studies.klusacek2016.users.batches import batches_of
    >>> from schedlab.studies.klusacek2016.users.machines import QueuedMachine
    >>> jobs = Jobs([1, 2, 3], [0, 1900, 3000], [100] * 3, [100] * 3, [1, 1, 1])
    >>> batches = batches_of([5, 5, 5], jobs.submit, jobs.submit + [1800, 10, 10])
    >>> machine = QueuedMachine(QueueSession(4, get("fcfs")), jobs)
    >>> react(machine, batches, jobs.submit).extras["submit"].tolist()
    [0, 1900, 118800]
    """
    submit = np.asarray(submit, dtype=np.int64)
    users = _Users(batches, machine.now)
    came, ended = np.full(len(submit), NOT_YET, dtype=np.int64), np.zeros(len(submit), dtype=bool)
    while users.due or not machine.idle():
        for place in machine.advance(users.due[0][0] if users.due else None):
            ended[place] = True
            users.see_end(place, machine.now)
        while users.due and users.due[0][0] <= machine.now:
            agent = users.agents[heapq.heappop(users.due)[1]]
            jobs = batches.jobs(agent.batch)
            times = agent.arrival(machine.now, midnight) + submit[jobs] - submit[jobs[0]]
            machine.submit(jobs, times)
            came[jobs] = times
            users.submitted(agent, int(times[-1]))
    schedule = machine.schedule()
    synthetic = sum(agent.synthetic for agent in users.agents)
    left_out = _left_out(came, ended, batches)
    extras = {"submit": came, "left_out": left_out, "synthetic": synthetic}
    return Schedule(schedule.start, schedule.end, extras)


def replay(machine: SteppedMachine, submit: ArrayLike) -> Schedule:
    """Submit every job at its recorded time, independent of the other jobs."""
    submit = np.asarray(submit, dtype=np.int64)
    places = np.arange(len(submit))
    machine.submit(places, submit)
    while not machine.idle():
        machine.advance(None)
    schedule = machine.schedule()
    extras = {"submit": submit, "left_out": _no_rows(), "synthetic": 0}
    return Schedule(schedule.start, schedule.end, extras)


def _no_rows() -> pd.DataFrame:
    columns = {"job": "int64", "user": "int64", "batch": "int64", "reason": "str"}
    return pd.DataFrame(columns=list(columns)).astype(columns)


def _left_out(came: np.ndarray, ended: np.ndarray, batches: Batches) -> pd.DataFrame:
    """Return why jobs were not submitted: the first job of the same user that has not ended."""
    jobs = np.flatnonzero(came == NOT_YET)
    if not jobs.size:
        return _no_rows()
    batch = batches.batch
    user = batches.user[batches.session[batch]]
    endless = np.flatnonzero((came != NOT_YET) & ~ended)
    first = {int(user[job]): int(job) for job in endless[::-1]}
    reasons = [f"waits for the job at place {first[int(user[job])]} to end" for job in jobs]
    return pd.DataFrame({"job": jobs, "user": user[jobs], "batch": batch[jobs], "reason": reasons})
