"""What the queue would have told some jobs of a log when they were submitted.

First come first served with EASY is simulated, from who runs and who waits at that instant and what
they asked for: no run times, and nobody who is to come (souza2020, section 2.1: approach (i)).
`slurm_test_of_record` applies the shorter rule of Slurm's ``sbatch --test-only``.
"""

from __future__ import annotations

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession
from schedlab.waits.background import POLICY
from schedlab.waits.foresight import slurm_test_wait


def starts_under_easy(jobs: Jobs, processors: int) -> np.ndarray:
    """Return when each job starts, first come first served with EASY: int64 of shape (n,), in s."""
    session = _queue(processors, len(jobs))
    session.submit_jobs(jobs)
    session.advance()
    return session.schedule().start


def asked_under_easy(jobs: Jobs, processors: int, places: np.ndarray) -> np.ndarray:
    """Ask at some submissions when the job is going to start, where the queue is that of EASY.

    Parameters
    ----------
    jobs : Jobs
        Of the log.
    processors : int
        Size of the machine.
    places : ndarray of int64, shape (k,)
        Of the jobs that are asked about, ascending.

    Returns
    -------
    ndarray of int64, shape (k,)
        The waits that are foreseen, in seconds.
    """
    session, known, found = _queue(processors, len(jobs)), 0, []
    for place in places.tolist():
        now = int(jobs.submit[place])
        to = int(np.searchsorted(jobs.submit, now, side="right"))
        session.submit_jobs(jobs.take(slice(known, to)))
        known = to
        session.advance(now)
        found.append(session.planned(place) - now)
    return np.array(found, dtype=np.int64)


def asked_of_record(
    jobs: Jobs, waits: np.ndarray, processors: int, places: np.ndarray
) -> np.ndarray:
    """Ask the same where the queue is that of the log: who ran and who waited by its own record.

    Parameters
    ----------
    jobs, processors, places
        As for `asked_under_easy`.
    waits : ndarray of int64, shape (n,)
        As the log has them, in seconds.

    Returns
    -------
    ndarray of int64, shape (k,)
        In seconds. Who waits is taken to come in order of submission. Where the log has more
        running than the machine holds, those that started first are taken to be over.
    """
    start = jobs.submit + waits
    end = start + jobs.runtime
    found = []
    for place in places.tolist():
        now = int(jobs.submit[place])
        # nobody who was submitted at the same time or later is before the job in the queue
        runs = np.flatnonzero((start[:place] <= now) & (end[:place] > now))
        runs = runs[np.argsort(-start[runs], kind="stable")]
        runs = np.sort(runs[np.cumsum(jobs.procs[runs]) <= processors])
        waiting = np.append(np.flatnonzero(start[:place] > now), place)
        session = _queue(processors, len(runs) + len(waiting))
        session.advance(now)
        session.submit_running(jobs.take(runs), start[runs])
        queue = jobs.take(waiting)
        here = np.full(len(queue), now)
        handles = session.submit_jobs(
            Jobs(queue.number, here, queue.runtime, queue.estimate, queue.procs)
        )
        session.advance(now)
        found.append(session.planned(int(handles[-1])) - now)
    return np.array(found, dtype=np.int64)


def slurm_test_of_record(
    jobs: Jobs, waits: np.ndarray, processors: int, places: np.ndarray
) -> np.ndarray:
    """Return what ``sbatch --test-only`` would print at some submissions.

    Parameters
    ----------
    jobs, processors, places
        As for `asked_under_easy`.
    waits : ndarray of int64, shape (n,)
        By which it is known which jobs run and wait, in seconds.

    Returns
    -------
    ndarray of int64, shape (k,)
        In seconds, by `schedlab.waits.foresight.slurm_test_wait`.
    """
    start = jobs.submit + waits
    end = start + jobs.runtime
    found = []
    for place in places.tolist():
        now = int(jobs.submit[place])
        runs = np.flatnonzero((start[:place] <= now) & (end[:place] > now))
        waiting = np.flatnonzero(start[:place] > now)
        ends = start[runs] + jobs.estimate[runs]
        work = int(jobs.procs[waiting] @ jobs.estimate[waiting])
        procs = int(jobs.procs[place])
        found.append(slurm_test_wait(now, ends, jobs.procs[runs], work, procs, processors))
    return np.array(found, dtype=np.int64)


def _queue(processors: int, room: int) -> QueueSession:
    policy = get(POLICY)
    return QueueSession(processors, policy, backfill=policy, room=max(room, 1))
