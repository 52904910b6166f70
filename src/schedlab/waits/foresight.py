"""Estimates of waits from the queue itself: when a job would start if nobody else came.

What an observer of the queue sees is who runs and who waits, since when, and what they asked for:
no run times, and nobody who is to come (`schedlab.queue.sessions.QueueSession.fork`).

There are three. `Foresight` simulates the queue until the job starts. `SlurmTest` applies the rule
of Slurm's ``sbatch --test-only``, which is no simulation. Slurm 22.05 takes the first instant at
which enough processors are free if running jobs last as long as requested. To that it adds the work
that all waiting jobs request, divided by the size of the machine. So the job has no place in the
queue there and is not backfilled (`tests/slurm/test_test_only.py` compares both). `Hindsight` knows
what no observer does: true run times and later jobs.

References
----------
souza2020, section 2.1: approach (i).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from schedlab.waits.background import starts_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.queue.sessions import QueueSession
    from schedlab.waits.learner import Geometry


def foreseen(session: QueueSession, cores: int, asked: int) -> int:
    """Return how long a job submitted now would wait, in seconds, as an observer can foresee it.

    Parameters
    ----------
    session : QueueSession
        Stays as it is.
    cores, asked : int
        Of the job: how many, and for how many seconds it asks.
    """
    twin = session.fork(observed=True)
    job = twin.submit(asked, cores)
    twin.advance(twin.now)
    return twin.planned(job) - twin.now


class Foresight:
    """Estimates from the queue itself, of a session that others advance.

    Parameters
    ----------
    session : QueueSession
        The queue.
    asked : mapping of int to int
        How many seconds, at least one, jobs of so many cores ask for.

    Raises
    ------
    KeyError
        From `estimate`: nobody said what jobs of so many cores ask for.
    """

    def __init__(self, session: QueueSession, asked: Mapping[int, int]) -> None:
        self._session, self._asked = session, asked

    def estimate(self, geometry: Geometry) -> int:
        """Return how long a job submitted now would wait if nobody else came."""
        return foreseen(self._session, geometry.cores, self._asked[geometry.cores])

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Learn nothing."""


def slurm_test_wait(
    now: int, ends: np.ndarray, running: np.ndarray, work: int, procs: int, processors: int
) -> int:
    """Return the wait in seconds that ``sbatch --test-only`` of Slurm predicts.

    Parameters
    ----------
    now : int
        The present time, in seconds.
    ends, running : ndarray of int64, shape (n,)
        Of running jobs: when they end if they last as long as requested, and their processors. One
        that is late ends now.
    work : int
        Processor-seconds that waiting jobs request.
    procs, processors : int
        Of the job and of the machine.

    Examples
    --------
    16 of 32 processors are busy for ten more minutes. A job with all of them waits, for 1800 s.

    >>> ends, running = np.array([600]), np.array([16])
    >>> [slurm_test_wait(0, ends, running, 32 * 1800, procs, 32) for procs in (16, 32)]
    [1800, 2400]
    """
    order = np.argsort(ends, kind="stable")
    free = processors - int(running.sum()) + np.append(0, np.cumsum(running[order]))
    instants = np.append(now, np.maximum(ends[order], now))
    # the last one frees the machine
    first = instants[np.argmax(free >= procs)]
    return int(first) - now + int(work / processors)


class SlurmTest:
    """Estimates of Slurm's ``sbatch --test-only``, of a session that others advance.

    Parameters
    ----------
    session : QueueSession
        The queue.
    """

    def __init__(self, session: QueueSession) -> None:
        self._session = session

    def estimate(self, geometry: Geometry) -> int:
        """Return the wait that Slurm would print for a job submitted now."""
        session = self._session
        running, waiting = session.handles("running"), session.handles("waiting")
        asked = session.requests(running)
        work = session.requests(waiting).prod(axis=1).sum()
        ends = session.starts(running) + asked[:, 0]
        processors = session.processors
        return slurm_test_wait(
            session.now, ends, asked[:, 1], int(work), geometry.cores, processors
        )

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Learn nothing."""


class Hindsight:
    """Estimates with perfect knowledge of run times and later jobs, as no observer has.

    Parameters
    ----------
    session : QueueSession
        The queue.
    seconds, asked : mapping of int to int
        How many seconds jobs of so many cores run and ask for.
    until : int
        Until when it is known which jobs come, in seconds.
    """

    def __init__(
        self,
        session: QueueSession,
        seconds: Mapping[int, int],
        asked: Mapping[int, int],
        until: int,
    ) -> None:
        self._session, self._until = session, until
        self._seconds, self._asked = seconds, asked

    def estimate(self, geometry: Geometry) -> int:
        """Return how long a job submitted now is going to wait."""
        twin, cores = self._session.fork(), geometry.cores
        job = twin.submit(self._seconds[cores], cores, estimate=self._asked[cores])
        return int(starts_of(twin, [job], self._until)[0]) - self._session.now

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Learn nothing."""
