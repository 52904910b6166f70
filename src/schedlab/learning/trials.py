"""Trials of tuples (S, Q) and the scores of their tasks.

References
----------
carastan2017, section 3.2 and equation 3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np

from schedlab.jobs import Jobs
from schedlab.kernels.trials import (
    MOST_PROCESSORS,
    TASKS_OF_QUEUE,
    TASKS_OF_STATE,
    run_trials,
)
from schedlab.threads import over_threads
from schedlab.workloads.streams import generator

TASKS = TASKS_OF_STATE + TASKS_OF_QUEUE
Sampler = Literal["uniform", "artefact"]


@dataclass(frozen=True, eq=False)
class TaskTuple:
    """A tuple (S, Q): 16 tasks that run before, and the 32 that are permuted.

    Parameters
    ----------
    runtime, procs, submit : array_like of int, shape (48,)
        The tasks in order of submission; submit times counted from the first one's.
    """

    runtime: np.ndarray
    procs: np.ndarray
    submit: np.ndarray

    def __post_init__(self) -> None:
        for field in fields(self):
            column = np.ascontiguousarray(getattr(self, field.name), dtype=np.int64)
            if column.shape != (TASKS,):
                raise ValueError(f"tuple: field '{field.name}' needs {TASKS} tasks")
            object.__setattr__(self, field.name, column)


@dataclass(frozen=True, eq=False)
class Trials:
    """What trials of k tuples add up to, by the task that came first.

    Parameters
    ----------
    total : ndarray of float64, shape (k, 32)
        Sums of AVEbsld.
    count : ndarray of int64, shape (k, 32)
        Numbers of trials.
    """

    total: np.ndarray
    count: np.ndarray


def draw_tuples(jobs: Jobs, count: int, *key: str | int) -> list[TaskTuple]:
    """Draw tuples of 48 consecutive jobs at random places.

    Parameters
    ----------
    jobs : Jobs
        At least 48 of them.
    count : int
        How many tuples.
    *key : str or int
        Of the random stream (`schedlab.workloads.streams`).
    """
    if len(jobs) < TASKS:
        raise ValueError(f"a tuple takes {TASKS} jobs, there are {len(jobs)}")
    places = generator(*key).integers(0, len(jobs) - TASKS + 1, count)
    return [tuple_at(jobs, int(place)) for place in places]


def tuple_at(jobs: Jobs, place: int) -> TaskTuple:
    """Return the tuple of the 48 jobs from `place` on."""
    part = slice(place, place + TASKS)
    submit = jobs.submit[part]
    return TaskTuple(jobs.runtime[part], jobs.procs[part], submit - submit[0])


def simulate_trials(
    tuples: Sequence[TaskTuple],
    processors: int,
    trials: int,
    seeds: Sequence[int],
    sampler: Sampler = "uniform",
    threads: int = 1,
    progress: Callable[[], object] | None = None,
) -> Trials:
    """Run trials of every tuple.

    Parameters
    ----------
    tuples : sequence of TaskTuple
        k tuples.
    processors : int
        Size of the machine.
    trials : int
        Permutations per tuple.
    seeds : sequence of int
        One per tuple, 64 bits: the result does not depend on `threads`.
    sampler : {"uniform", "artefact"}
        Fisher-Yates, or the published generator's biased shuffle.
    threads : int
        Tuples at a time.
    progress : callable, optional
        Called after each tuple.

    Raises
    ------
    ValueError
        A task needs more processors than the machine has, or the machine is too large.
    """
    if not 1 <= processors <= MOST_PROCESSORS:
        raise ValueError(f"processors is {processors}, must be 1 to {MOST_PROCESSORS}")
    for place, one in enumerate(tuples):
        if one.procs.max() > processors or one.procs.min() < 1:
            raise ValueError(
                f"tuple {place}: a task needs {one.procs.max()} of {processors} processors"
            )
    total = np.zeros((len(tuples), TASKS_OF_QUEUE))
    count = np.zeros((len(tuples), TASKS_OF_QUEUE), dtype=np.int64)
    nothing = np.empty(0), np.empty((0, TASKS_OF_QUEUE), dtype=np.uint8)

    def run(place: int) -> None:
        one = tuples[place]
        run_trials(
            *(one.runtime, one.procs, one.submit, processors, trials, seeds[place]),
            *(sampler == "artefact", total[place], count[place], *nothing),
        )

    over_threads(run, range(len(tuples)), threads, progress)
    return Trials(total, count)


def scores(trials: Trials, sampler: Sampler) -> np.ndarray:
    """Score of each task of Q.

    Under `uniform` the mean AVEbsld of the trials that a task came first in, over the sum of these
    means; under `artefact` the sums themselves over their total (equation 3 as it was run), which
    carries the noise and the bias of how often each task came first.

    Parameters
    ----------
    trials : Trials
        Of k tuples.
    sampler : {"uniform", "artefact"}
        How permutations were drawn.

    Returns
    -------
    ndarray of float64, shape (k, 32)
        Rows sum to 1.
    """
    if sampler == "artefact":
        value = trials.total
    else:
        if not trials.count.all():
            raise ValueError("a task never came first: more trials are needed")
        value = trials.total / trials.count
    return value / value.sum(axis=1, keepdims=True)
