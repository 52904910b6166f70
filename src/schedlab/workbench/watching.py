"""A simulated queue event by event: who starts, by which right, and what holds up who waits.

What is told is read from a stepped session (`schedlab.queue.sessions`): the head of the queue, when
it is expected to fit, who was backfilled. What follows from these numbers is worked out here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from schedlab.progress import counted
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run

#: what holds up a waiting job: it needs more processors than are free; they are free, but it would
#: delay the reservation of the head, or of any other job; they are free, but strict order holds
NARROW, HEAD, PLAN, ORDER = "too few free", "reservation", "plan", "order"
HOLDS = (NARROW, HEAD, PLAN, ORDER)


@dataclass(frozen=True)
class Moment:
    """The queue after everything that happens at one instant.

    Parameters
    ----------
    time : int
        Seconds on the clock of the run's jobs.
    started : tuple of int
        Places of the jobs that started, in the order they did.
    filled : int
        How many of them, the last, were backfilled.
    free : int
        Processors that are free now.
    head : int or None
        Place of who is first of those that wait.
    shadow, extra : int or None
        When the head is expected to fit, and the processors left over then.
    """

    time: int
    started: tuple[int, ...]
    filled: int
    free: int
    head: int | None
    shadow: int | None
    extra: int | None


def session_for(run: Run, until: int | None = None) -> QueueSession:
    """Return a session of a run, its jobs submitted up to a time.

    Raises
    ------
    ValueError
        The run's dialect cannot be stepped.
    """
    session = QueueSession(
        run.processors,
        run.policy,
        run.backfill,
        run.dialect,
        run.head,
        run.threshold,
        max(len(run.jobs), 1),
        run.reservations,
        run.compression,
    )
    count = len(run.jobs)
    if until is not None:
        count = int(np.searchsorted(run.jobs.submit, until, side="right"))
    session.submit_jobs(run.jobs.take(slice(count)))
    return session


def moments(session: QueueSession) -> Iterator[Moment]:
    """Yield every instant from the present one on; jobs run for at least a second."""
    while (event := session.next_event()) is not None:
        session.advance(event)
        started = tuple(session.read()[0].tolist())
        filled = sum(map(session.backfilled, started))
        head, shadow = session.head(), session.shadow() or (None, None)
        yield Moment(event, started, filled, session.free, head, *shadow)


def holds(moment: Moment, procs: np.ndarray, estimate: np.ndarray, reservations: str) -> np.ndarray:
    """Say what holds up jobs that wait on after an instant.

    Parameters
    ----------
    moment : Moment
        The instant.
    procs, estimate : ndarray of int64, shape (k,)
        Of the jobs.
    reservations : str
        Who has one.

    Returns
    -------
    ndarray of int, shape (k,)
        Places in `HOLDS`.
    """
    other = {"none": ORDER, "head": HEAD, "every": PLAN}[reservations]
    return np.where(procs > moment.free, HOLDS.index(NARROW), HOLDS.index(other))


def held_seconds(run: Run) -> np.ndarray:
    """Tell for how long each job of a run was held up by what.

    Parameters
    ----------
    run : Run
        In a dialect that can be stepped; jobs run for at least a second.

    Returns
    -------
    ndarray of int64, shape (n, 4)
        Seconds by `HOLDS`; a row adds up to the wait.
    """
    jobs = run.jobs
    seconds = np.zeros((len(jobs), len(HOLDS)), dtype=np.int64)
    waiting, came, before = np.empty(0, dtype=np.int64), 0, None
    with counted("jobs told why they wait", len(jobs)) as advance:
        for moment in moments(session_for(run)):
            if before is not None and len(waiting):
                why = holds(before, jobs.procs[waiting], jobs.estimate[waiting], run.reservations)
                seconds[waiting, why] += moment.time - before.time
            last = int(np.searchsorted(jobs.submit, moment.time, side="right"))
            if last > came:
                waiting = np.concatenate([waiting, np.arange(came, last)])
                came = last
            if moment.started:
                waiting = waiting[~np.isin(waiting, moment.started)]
                advance(len(moment.started))
            before = moment
    return seconds
