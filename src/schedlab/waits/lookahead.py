"""Estimates of waits from the queue itself: when a job would start without later arrivals.

An observer of the queue sees running and waiting jobs, their times and their requests, but neither
run times nor later arrivals (`schedlab.queue.sessions.QueueSession.fork`).

There are three estimators. `Lookahead` simulates the queue until the job starts. `SlurmTest`
applies the rule of Slurm's ``sbatch --test-only``, which is no simulation. Slurm 22.05 takes the
first instant at which enough processors are free if running jobs last as long as requested. To that
it adds the work that all waiting jobs request, divided by the size of the machine. So the job has
no place in the queue there and is not backfilled (`tests/slurm/test_test_only.py` compares both).
`Hindsight` uses what no observer knows: true run times and later jobs.

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


def predicted_wait(session: QueueSession, cores: int, requested: int) -> int:
    """Return how long a job submitted now would wait, in seconds, as an observer can predict it."""
    twin = session.fork(observed=True)
    job = twin.submit(requested, cores)
    twin.advance(twin.now)
    return twin.planned(job) - twin.now


class _FromQueue:
    """Base of estimators that read the queue and do not learn from waits."""

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Learn nothing."""


class Lookahead(_FromQueue):
    """Estimates from the queue itself, for a session that other code advances.

    `requested` are seconds, at least one, by number of cores.
    """

    def __init__(self, session: QueueSession, requested: Mapping[int, int]) -> None:
        self._session, self._requested = session, requested

    def estimate(self, geometry: Geometry) -> int:
        """Return how long a job submitted now would wait without later arrivals."""
        return predicted_wait(self._session, geometry.cores, self._requested[geometry.cores])


def slurm_test_wait(
    now: int, ends: np.ndarray, running: np.ndarray, work: int, procs: int, processors: int
) -> int:
    """Return the wait in seconds that ``sbatch --test-only`` of Slurm predicts.

    `ends` are the ends of running jobs if they last as long as requested, and `running` their
    processors: int64, shape (n,). A job past its end counts as ending now.
    """
    order = np.argsort(ends, kind="stable")
    free = processors - int(running.sum()) + np.append(0, np.cumsum(running[order]))
    instants = np.append(now, np.maximum(ends[order], now))
    # the end of the last job frees the whole machine
    first = instants[np.argmax(free >= procs)]
    return int(first) - now + int(work / processors)


class SlurmTest(_FromQueue):
    """Estimates of Slurm's ``sbatch --test-only``, for a session that other code advances."""

    def __init__(self, session: QueueSession) -> None:
        self._session = session

    def estimate(self, geometry: Geometry) -> int:
        """Return the wait that Slurm would report for a job submitted now."""
        session = self._session
        running, waiting = session.handles("running"), session.handles("waiting")
        requested = session.requests(running)
        work = session.requests(waiting).prod(axis=1).sum()
        ends = session.starts(running) + requested[:, 0]
        processors = session.processors
        return slurm_test_wait(
            session.now, ends, requested[:, 1], int(work), geometry.cores, processors
        )


class Hindsight(_FromQueue):
    """Estimates with perfect knowledge of run times and later jobs, as no observer has.

    Later arrivals are known up to `until`, in seconds.
    """

    def __init__(
        self,
        session: QueueSession,
        seconds: Mapping[int, int],
        requested: Mapping[int, int],
        until: int,
    ) -> None:
        self._session, self._until = session, until
        self._seconds, self._requested = seconds, requested

    def estimate(self, geometry: Geometry) -> int:
        """Return the true wait of a job submitted now, in seconds."""
        twin, cores = self._session.fork(), geometry.cores
        job = twin.submit(self._seconds[cores], cores, estimate=self._requested[cores])
        return int(starts_of(twin, [job], self._until)[0]) - self._session.now
