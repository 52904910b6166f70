"""Background load: the jobs of a log on another machine, and their queue at some instants.

The width of jobs is scaled to the machine, and their arrival rate to the load; nothing else of them
changes. One queue runs through the whole log and is copied at each instant, so that experiments do
not affect each other. A copy knows the arrivals until `STAY` after the last submission of its
experiment, and the log is at least that long. Later the machine would run empty, so going there is
an error.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.queue.sessions import QueueSession

DAY = 86_400
#: an initially empty machine has reached its usual load after this time
BURN_IN = 14 * DAY
#: a copy contains later arrivals for this time after the last submission of an experiment
STAY = 28 * DAY
POLICY = "fcfs"
NOT_STARTED = ("pending", "held", "waiting")


class UnknownError(RuntimeError):
    """Time would advance beyond the arrivals that a copy contains."""


def last_known_time(instant: int, lasting: int) -> int:
    """Return the time up to which a copy contains later arrivals."""
    return instant + lasting + STAY


def check_known(time: int, until: int) -> None:
    """Raise `UnknownError`, with both times, if `time` is later than `until`."""
    if time > until:
        raise UnknownError(
            f"at {time} s later arrivals are unknown: they are known until {until} s"
        )


@dataclass(frozen=True, eq=False)
class Background:
    """The jobs of other users on a machine, from time 0."""

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
        """Return the seconds to the last submission."""
        return int(self.jobs.submit[-1]) if len(self.jobs) else 0

    def instants(
        self, count: int, stream: np.random.Generator, lasting: int = 0, room: int = 0
    ) -> np.ndarray:
        """Draw an instant in each of `count` parts of equal length: int64 seconds, ascending.

        `lasting` are the seconds from an instant to the last submission of its experiment. `room`
        is the least distance in seconds from an instant to the end of its part, so that these
        seconds belong to one instant only.
        """
        latest = self.span - lasting - STAY
        part = (latest + room - BURN_IN) / count
        if part <= 0 or part < room:
            raise ValueError(
                f"background: {count} instants with {room / DAY:.1f} days each do not fit between "
                f"day {BURN_IN // DAY} and day {latest / DAY:.1f}, from which on the log is too "
                f"short for submissions of {lasting / DAY:.1f} days and {STAY // DAY} more"
            )
        seconds = part * np.arange(count) + (part - room) * stream.random(count)
        return (BURN_IN + seconds).astype(np.int64)

    def at(self, instants: np.ndarray, lasting: int = 0) -> Iterator[QueueSession]:
        """Yield a copy of the queue, first come, first served with EASY, at each instant.

        A copy contains the arrivals until `last_known_time`, which depends on `lasting`.
        """
        walker = QueueSession(self.processors, POLICY, backfill=POLICY)
        submitted = 0
        for instant in instants.tolist():
            until = last_known_time(instant, lasting)
            to = int(np.searchsorted(self.jobs.submit, until, side="right"))
            walker.submit_jobs(self.jobs.take(slice(submitted, to)))
            submitted = max(submitted, to)
            walker.advance(instant)
            walker.read()
            yield walker.fork()


def scale_background(jobs: Jobs, size: int, processors: int, load: float) -> Background:
    """Make the jobs of a log with `size` processors the background of another machine.

    `load` is a factor of the arrival rate. Processors of jobs are rounded, at least 1 and at most
    all; estimates are at least a second.
    """
    if size < 1 or processors < 1:
        raise ValueError(f"machines have {size} and {processors} processors, must be at least 1")
    if not 0 < load < np.inf:
        raise ValueError(f"load is {load}, must be above 0")
    rebased = jobs.rebased()
    procs = np.clip(np.rint(rebased.procs * (processors / size)), 1, processors).astype(np.int64)
    submit = (rebased.submit / load).astype(np.int64)
    return Background(
        Jobs(rebased.number, submit, rebased.runtime, np.maximum(rebased.estimate, 1), procs),
        processors,
    )


def starts_of(session: QueueSession, jobs: Sequence[int], until: int) -> np.ndarray:
    """Advance until the last of some jobs has started, no further; return their start times."""
    for job in jobs:
        # no further than its start: the caller continues from there
        while session.state(job) in NOT_STARTED:
            event = session.next_event()
            check_known(until + 1 if event is None else event, until)
            session.advance_watching(job, until)
    return np.array([session.start(job) for job in jobs], dtype=np.int64)
