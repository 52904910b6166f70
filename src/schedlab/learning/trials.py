"""Trials of tuples (S, Q) and the scores of their tasks.

References
----------
carastan2017, section 3.2 and equation 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from schedlab.files.threads import over_threads
from schedlab.kernels.queue.trials import MOST_PROCESSORS, run_trials
from schedlab.learning.tuples import TASKS_OF_QUEUE, TaskTuple

Sampler = Literal["uniform", "artefact"]


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


def simulate_trials(
    tuples: Sequence[TaskTuple],
    processors: int,
    trials: int,
    seeds: Sequence[int],
    sampler: Sampler = "uniform",
    threads: int = 1,
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

    over_threads(run, range(len(tuples)), threads)
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
