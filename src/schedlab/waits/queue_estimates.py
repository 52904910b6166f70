"""Estimate waits of a log's jobs from the queue at their submission.

First come first served with EASY is simulated from the running and waiting jobs of that instant and
their requests, without run times and later arrivals (souza2020, section 2.1: approach (i)).
`slurm_test_of_record` applies the shorter rule of Slurm's ``sbatch --test-only``.
"""

from collections.abc import Iterator

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.queue.sessions import QueueSession
from schedlab.waits.background import POLICY
from schedlab.waits.lookahead import slurm_test_wait


def starts_under_easy(jobs: Jobs, processors: int) -> np.ndarray:
    """Return each job's start in s under first come, first served with EASY: int64, shape (n,)."""
    session = _queue(processors, len(jobs))
    session.submit_jobs(jobs)
    session.advance()
    return session.schedule().start


def waits_under_easy(jobs: Jobs, processors: int, places: np.ndarray) -> np.ndarray:
    """Predict the waits of some jobs at their submission, in a queue under EASY."""
    session, submitted, estimates = _queue(processors, len(jobs)), 0, []
    for place in places.tolist():
        now = int(jobs.submit[place])
        to = int(np.searchsorted(jobs.submit, now, side="right"))
        session.submit_jobs(jobs.take(slice(submitted, to)))
        submitted = to
        session.advance(now)
        estimates.append(session.planned(place) - now)
    return np.array(estimates, dtype=np.int64)


def waits_by_record(
    jobs: Jobs, waits: np.ndarray, processors: int, places: np.ndarray
) -> np.ndarray:
    """Estimate the same from the queue of the log: running and waiting jobs by its record.

    If the log has more running than the machine holds, those that started first are taken to be
    over.
    """
    start, estimates = jobs.submit + waits, []
    for place, now, runs, waiting in _queues_of_record(jobs, waits, places):
        runs = runs[np.argsort(-start[runs], kind="stable")]
        runs = np.sort(runs[np.cumsum(jobs.procs[runs]) <= processors])
        queue = jobs.take(np.append(waiting, place))
        session = _queue(processors, len(runs) + len(queue))
        session.advance(now)
        session.submit_running(jobs.take(runs), start[runs])
        submit = np.full(len(queue), now)
        handles = session.submit_jobs(
            Jobs(queue.number, submit, queue.runtime, queue.estimate, queue.procs)
        )
        session.advance(now)
        estimates.append(session.planned(int(handles[-1])) - now)
    return np.array(estimates, dtype=np.int64)


def slurm_test_of_record(
    jobs: Jobs, waits: np.ndarray, processors: int, places: np.ndarray
) -> np.ndarray:
    """Return the predictions of ``sbatch --test-only`` at some submissions, in seconds."""
    limits, estimates = jobs.submit + waits + jobs.estimate, []
    for place, now, runs, waiting in _queues_of_record(jobs, waits, places):
        work = int(jobs.procs[waiting] @ jobs.estimate[waiting])
        procs = int(jobs.procs[place])
        estimates.append(
            slurm_test_wait(now, limits[runs], jobs.procs[runs], work, procs, processors)
        )
    return np.array(estimates, dtype=np.int64)


def _queues_of_record(
    jobs: Jobs, waits: np.ndarray, places: np.ndarray
) -> Iterator[tuple[int, int, np.ndarray, np.ndarray]]:
    """Yield each place, its submission, and the places of running and of waiting jobs then."""
    start = jobs.submit + waits
    end = start + jobs.runtime
    for place in places.tolist():
        now = int(jobs.submit[place])
        runs = np.flatnonzero((start[:place] <= now) & (end[:place] > now))
        yield place, now, runs, np.flatnonzero(start[:place] > now)


def _queue(processors: int, room: int) -> QueueSession:
    return QueueSession(processors, POLICY, backfill=POLICY, room=max(room, 1))
