"""What everybody else submits: a log on another machine, and its queue at some instants.

A log's jobs are made as many times wider as the machine is, and come as many times faster as the
load is to be; nothing else of them changes. One queue runs through all of it, and a copy is made at
each instant: who experiments with a copy disturbs no other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schedlab.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DAY = 86_400
#: after so much time a machine that was empty is as full as it is going to be
BURN_IN = 14 * DAY
#: how far beyond its instant a copy knows who is going to come
HORIZON = 21 * DAY
POLICY = "fcfs"
NOT_STARTED = ("pending", "held", "waiting")


@dataclass(frozen=True, eq=False)
class Background:
    """What everybody else submits to a machine.

    Parameters
    ----------
    jobs : Jobs
        Theirs, from time 0.
    processors : int
        Size of the machine.

    Raises
    ------
    ValueError
        The jobs end before a machine that was empty is full (`BURN_IN`).
    """

    jobs: Jobs
    processors: int

    def __post_init__(self) -> None:
        if self.span <= BURN_IN:
            raise ValueError(
                f"background: its jobs come within {self.span / DAY:.1f} days, must be more than "
                f"{BURN_IN // DAY}"
            )

    @property
    def span(self) -> int:
        """Seconds to the last submission."""
        return int(self.jobs.submit[-1]) if len(self.jobs) else 0

    def instants(self, count: int, stream: np.random.Generator) -> np.ndarray:
        """Draw an instant in each of `count` parts of equal length.

        Parameters
        ----------
        count : int
            How many.
        stream : Generator
            For the draws.

        Returns
        -------
        ndarray of int64, shape (count,)
            Ascending, in seconds, none before `BURN_IN`.
        """
        part = (self.span - BURN_IN) / count
        return (BURN_IN + part * (np.arange(count) + stream.random(count))).astype(np.int64)

    def at(self, instants: np.ndarray) -> Iterator[QueueSession]:
        """Yield a copy of the queue, first come first served with EASY, at each instant.

        Parameters
        ----------
        instants : ndarray of int64
            Ascending, in seconds.
        """
        policy = get(POLICY)
        walker = QueueSession(self.processors, policy, backfill=policy)
        known = 0
        for instant in instants.tolist():
            to = int(np.searchsorted(self.jobs.submit, instant + HORIZON, side="right"))
            walker.submit_jobs(self.jobs.take(slice(known, to)))
            known = max(known, to)
            walker.advance(instant)
            walker.read()
            yield walker.fork()


def scaled(jobs: Jobs, size: int, processors: int, load: float) -> Background:
    """Make a log's jobs the background of another machine.

    Parameters
    ----------
    jobs : Jobs
        Of the log.
    size : int
        Processors of its machine.
    processors : int
        Of the other machine.
    load : float
        How many times as fast they come.

    Returns
    -------
    Background
        Processors of jobs rounded, at least 1 and at most all; estimates at least a second.

    Raises
    ------
    ValueError
        `load` is not above 0, or a size is none.
    """
    if size < 1 or processors < 1:
        raise ValueError(f"machines have {size} and {processors} processors, must be at least 1")
    if not 0 < load < np.inf:
        raise ValueError(f"load is {load}, must be above 0")
    own = jobs.rebased()
    procs = np.clip(np.rint(own.procs * (processors / size)), 1, processors).astype(np.int64)
    submit = (own.submit / load).astype(np.int64)
    return Background(
        Jobs(own.number, submit, own.runtime, np.maximum(own.estimate, 1), procs), processors
    )


def starts_of(session: QueueSession, jobs: Sequence[int], within: int = HORIZON) -> np.ndarray:
    """Let time pass until all of some jobs have started, and no longer; return when each did.

    Parameters
    ----------
    session : QueueSession
        Where they were submitted. Now stands at the last of the starts, or where it stood if all
        had started before.
    jobs : sequence of int
        Their handles.
    within : int
        Seconds from now.

    Returns
    -------
    ndarray of int64, shape (n,)

    Raises
    ------
    RuntimeError
        One of them has not started within that time.
    """
    limit = session.now + within
    for job in jobs:
        # from event to event: whoever goes on from here must not find time gone by for nothing
        while session.state(job) in NOT_STARTED:
            event = session.next_event()
            if event is None or event > limit:
                session.advance(limit)
                raise RuntimeError(f"job {job} has not started within {within} s")
            session.advance(event)
    return np.array([session.start(job) for job in jobs], dtype=np.int64)
