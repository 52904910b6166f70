"""Events of a simulated queue: which jobs start, why, and what delays waiting jobs.

A step-by-step session (`schedlab.queue.sessions`) gives the queue head, when it is expected to
fit, and which jobs were backfilled. This module derives the rest from these.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from schedlab.files.progress import counted
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run, session_of

#: What delays a waiting job: it needs more processors than are free; they are free, but it would
#: delay the reservation of the head, or of any other job; they are free, but the order is strict.
NARROW, HEAD, PLAN, ORDER = "too few free", "reservation", "plan", "order"
HOLDS = (NARROW, HEAD, PLAN, ORDER)
#: cause of the delay while enough processors are free, by which jobs have a reservation; else PLAN
OTHER = {"none": ORDER, "fit": ORDER, "head": HEAD}


@dataclass(frozen=True)
class Moment:
    """State of the queue after all events of one instant, a time on the clock of the run's jobs.

    `started` are places of the jobs that started, in the order of their starts; the last `filled`
    of them were backfilled. `free` processors are free afterwards. `head` is the place of the first
    waiting job, `shadow` when it is expected to fit, and `extra` the processors it then leaves
    free.
    """

    time: int
    started: tuple[int, ...]
    filled: int
    free: int
    head: int | None
    shadow: int | None
    extra: int | None


def session_for(run: Run, until: int | None = None) -> QueueSession:
    """Return a session with a run's jobs, up to a submit time.

    Raises ValueError if the run's dialect does not support step-by-step sessions.
    """
    session = session_of(run)
    count = len(run.jobs)
    if until is not None:
        count = int(np.searchsorted(run.jobs.submit, until, side="right"))
    session.submit_jobs(run.jobs.take(slice(count)))
    return session


def moments(session: QueueSession) -> Iterator[Moment]:
    """Yield every instant from the present on; jobs run for at least a second."""
    while (event := session.next_event()) is not None:
        session.advance(event)
        started = tuple(session.read()[0].tolist())
        filled = sum(map(session.backfilled, started))
        head, shadow = session.head(), session.shadow() or (None, None)
        yield Moment(event, started, filled, session.free, head, *shadow)


def blocking_cause(procs: int, free: int, reservations: str) -> str:
    """Return what delays a waiting job while a number of processors is free."""
    return NARROW if procs > free else OTHER.get(reservations, PLAN)


def delay_seconds(run: Run) -> np.ndarray:
    """Return for how long each job of a run was delayed, by cause: int64 seconds, shape (n, 4).

    Columns are `HOLDS`; a row sums to the wait. The dialect has step-by-step sessions; jobs run for
    at least a second.
    """
    jobs, session = run.jobs, session_for(run)
    # seconds with enough free processors, which are part of the wait
    fitting, start = np.zeros((2, len(jobs)), dtype=np.int64)
    waits = np.zeros(len(jobs), dtype=bool)
    waiting, came, time, free = np.empty(0, dtype=np.int64), 0, 0, 0
    with counted("explaining waits of jobs", len(jobs)) as advance:
        while (event := session.next_event()) is not None:
            session.advance(event)
            if free:
                fitting[waiting[jobs.procs[waiting] <= free]] += event - time
            time, free = event, session.free
            last = came + int(np.searchsorted(jobs.submit[came:], time, side="right"))
            if last > came:
                waits[came:last] = True
                waiting = np.concatenate([waiting, np.arange(came, last)])
                came = last
            started = session.read()[0]
            if len(started):
                start[started], waits[started] = time, False
                waiting = waiting[waits[waiting]]
                advance(len(started))
    seconds = np.zeros((len(jobs), len(HOLDS)), dtype=np.int64)
    seconds[:, HOLDS.index(NARROW)] = start - jobs.submit - fitting
    seconds[:, HOLDS.index(OTHER.get(run.reservations, PLAN))] = fitting
    return seconds
