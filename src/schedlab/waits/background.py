"""What everybody else submits: a log on another machine, and its queue at some instants.

A log's jobs are made as many times wider as the machine is, and come as many times faster as the
load is to be; nothing else of them changes. One queue runs through all of it, and a copy is made at
each instant: who experiments with a copy disturbs no other. A copy knows who is going to come until
`STAY` after the last submission of who experiments, and the log goes on for at least as long.
Beyond that the machine would run empty as if nobody came any more: going there is an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DAY = 86_400
#: after so much time a machine that was empty is as full as it is going to be
BURN_IN = 14 * DAY
#: after its last submission a copy knows for so long who is going to come
STAY = 28 * DAY
POLICY = "fcfs"
NOT_STARTED = ("pending", "held", "waiting")


class UnknownError(RuntimeError):
    """Time would pass beyond that until which a copy knows who is going to come."""


def known_until(instant: int, lasting: int) -> int:
    """Return until when a copy knows who is going to come.

    Parameters
    ----------
    instant : int
        Of the copy, in seconds.
    lasting : int
        Seconds from it to the last submission of who experiments.
    """
    return instant + lasting + STAY


def check_known(time: int, until: int) -> None:
    """Raise where time is to pass beyond that until which it is known who comes.

    Parameters
    ----------
    time, until : int
        In seconds; the two may be equal.

    Raises
    ------
    UnknownError
        With both.
    """
    if time > until:
        raise UnknownError(f"at {time} s nobody knows who comes: that is known until {until} s")


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

    def instants(
        self, count: int, stream: np.random.Generator, lasting: int = 0, room: int = 0
    ) -> np.ndarray:
        """Draw an instant in each of `count` parts of equal length.

        Parameters
        ----------
        count : int
            How many.
        stream : Generator
            For the draws.
        lasting : int, default 0
            Seconds from an instant to the last submission of who experiments there.
        room : int, default 0
            Seconds that lie between an instant and the end of its part at least: none of them
            belongs to two instants. The last part may use time that is kept free at the end.

        Returns
        -------
        ndarray of int64, shape (count,)
            Ascending, in seconds; none before `BURN_IN`, and each so early that the log goes on
            until `known_until`.

        Raises
        ------
        ValueError
            So many do not fit.
        """
        latest = self.span - lasting - STAY
        part = (latest + room - BURN_IN) / count
        if part <= 0 or part < room:
            raise ValueError(
                f"background: {count} instants with {room / DAY:.1f} days each do not fit between "
                f"day {BURN_IN // DAY} and day {latest / DAY:.1f}, from which on the log is too "
                f"short for submissions of {lasting / DAY:.1f} days and {STAY // DAY} more"
            )
        drawn = part * np.arange(count) + (part - room) * stream.random(count)
        return (BURN_IN + drawn).astype(np.int64)

    def at(self, instants: np.ndarray, lasting: int = 0) -> Iterator[QueueSession]:
        """Yield a copy of the queue, first come first served with EASY, at each instant.

        Parameters
        ----------
        instants : ndarray of int64
            Ascending, in seconds.
        lasting : int, default 0
            Seconds from an instant to the last submission there: who comes is known to a copy until
            `known_until`.
        """
        policy = get(POLICY)
        walker = QueueSession(self.processors, policy, backfill=policy)
        known = 0
        for instant in instants.tolist():
            until = known_until(instant, lasting)
            to = int(np.searchsorted(self.jobs.submit, until, side="right"))
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


def starts_of(session: QueueSession, jobs: Sequence[int], until: int) -> np.ndarray:
    """Let time pass until the last of some jobs has started, and no longer; return when each did.

    Parameters
    ----------
    session : QueueSession
        Where they were submitted. Now stands at the last of the starts, or where it stood if all
        had started before.
    jobs : sequence of int
        Their handles.
    until : int
        Until when it is known who is going to come, in seconds.

    Returns
    -------
    ndarray of int64, shape (n,)

    Raises
    ------
    UnknownError
        One of them has not started by then.
    """
    for job in jobs:
        # no further than to its start: whoever goes on from here must not find time gone by
        while session.state(job) in NOT_STARTED:
            event = session.next_event()
            check_known(until + 1 if event is None else event, until)
            session.advance_watching(job, until)
    return np.array([session.start(job) for job in jobs], dtype=np.int64)
