"""Features of the queue at the submission of each job, for a regression of waits.

An observer of the queue sees which jobs run and wait, since when, and what they requested. Run
times and later submissions are not features.
"""

from dataclasses import dataclass

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.waits.background import DAY

HOUR = 3_600
#: names of the features, in the order of the columns
NAMES = (
    "constant", "jobs waiting", "processors requested ahead", "work ahead", "mean age of the queue",
    "free processors", "work left", "processors", "requested time", "fits now", "last wait",
    "sine of the day", "cosine of the day", "sine of the week", "cosine of the week",
    "work ahead (h)", "work left (h)", "mean age of the queue (h)", "last wait (h)",
    "requested time (h)",
)  # fmt: skip


@dataclass(frozen=True)
class QueueState:
    """The queue as an observer sees it at n instants, one for each submitted job.

    `waiting`, `waiting_procs` and `waiting_work` are the number of waiting jobs, their processors,
    and their processor-seconds as requested. `age` is the mean time that they have waited so far,
    in seconds; 0 if no job waits. `free` is the number of free processors. `work_left` are
    processor-seconds of running jobs until their requested times end.
    """

    now: np.ndarray
    waiting: np.ndarray
    waiting_procs: np.ndarray
    waiting_work: np.ndarray
    age: np.ndarray
    free: np.ndarray
    work_left: np.ndarray


def states(jobs: Jobs, waits: np.ndarray, processors: int) -> QueueState:
    """Return the queue as an observer sees it when each job is submitted.

    Starts and ends at the very instant do not count yet.
    """
    start = jobs.submit + waits
    end = start + jobs.runtime
    now, place = jobs.submit, np.arange(len(jobs))
    started = np.searchsorted(np.sort(start), now)
    ended = np.searchsorted(np.sort(end), now)
    by_start, by_end = np.argsort(start, kind="stable"), np.argsort(end, kind="stable")

    def waiting(values: np.ndarray) -> np.ndarray:
        return _sums(values)[place] - _sums(values[by_start])[started]

    def running(values: np.ndarray) -> np.ndarray:
        return _sums(values[by_start])[started] - _sums(values[by_end])[ended]

    count = place - started
    work_left = running(jobs.procs * (start + jobs.estimate)) - now * running(jobs.procs)
    return QueueState(
        now=now,
        waiting=count,
        waiting_procs=waiting(jobs.procs),
        waiting_work=waiting(jobs.procs * jobs.estimate),
        age=np.where(count > 0, now - waiting(jobs.submit) / np.maximum(count, 1), 0.0),
        # a record may have more running processors than the machine has
        free=np.maximum(processors - running(jobs.procs), 0),
        work_left=np.maximum(work_left, 0),
    )


def _sums(values: np.ndarray) -> np.ndarray:
    """Return the sums of the first 0, 1, ... values."""
    return np.append(0, np.cumsum(values))


def design(
    state: QueueState, procs: np.ndarray, request: np.ndarray, last: np.ndarray, processors: int
) -> np.ndarray:
    """Return the features of jobs, float64 of shape (n, len(NAMES)).

    Amounts are logarithms of one more; work is in seconds of the whole machine. Times appear again
    in hours without logarithm.
    """
    ahead, work_left = state.waiting_work / processors, state.work_left / processors
    day, week = (2 * np.pi * state.now / length for length in (DAY, 7 * DAY))
    columns = (
        np.ones(len(procs)),
        np.log1p(state.waiting), np.log1p(state.waiting_procs),
        np.log1p(ahead), np.log1p(state.age),
        np.log1p(state.free), np.log1p(work_left),
        np.log1p(procs), np.log1p(request),
        (procs <= state.free) & (state.waiting == 0), np.log1p(last),
        np.sin(day), np.cos(day), np.sin(week), np.cos(week),
        ahead / HOUR, work_left / HOUR, state.age / HOUR, last / HOUR, request / HOUR,
    )  # fmt: skip
    return np.column_stack(columns).astype(float)
