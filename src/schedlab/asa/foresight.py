"""Estimates of waits by simulation: when a job would start if nobody else came.

What an observer of the queue sees is who runs and who waits, since when, and what they asked for:
no run times, and nobody who is to come (`schedlab.queue.sessions.QueueSession.fork`).

References
----------
souza2020, section 2.1: approach (i).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.asa.learner import Geometry
    from schedlab.queue.sessions import QueueSession


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
