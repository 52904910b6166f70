"""Trials of tuples (S, Q) and the scores of their tasks.

References
----------
carastan2017, section 3.2 and equation 3.
"""

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
    """Sums over trials of k tuples, by the task that came first.

    `total` (float64) are sums of AVEbsld, `count` (int64) numbers of trials, both of shape (k, 32).
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
    """Run trials of every tuple, `trials` permutations each.

    There is one seed of 64 bits per tuple; the result does not depend on `threads`. `sampler` is
    Fisher-Yates ("uniform"), or the published generator's biased shuffle ("artefact"). Raises
    ValueError if a task needs more processors than the machine has, or the machine is too large.
    """
    if not 1 <= processors <= MOST_PROCESSORS:
        raise ValueError(f"processors is {processors}, must be 1 to {MOST_PROCESSORS}")
    for place, tasks in enumerate(tuples):
        if tasks.procs.max() > processors or tasks.procs.min() < 1:
            raise ValueError(
                f"tuple {place}: a task needs {tasks.procs.max()} of {processors} processors"
            )
    total = np.zeros((len(tuples), TASKS_OF_QUEUE))
    count = np.zeros((len(tuples), TASKS_OF_QUEUE), dtype=np.int64)
    nothing = np.empty(0), np.empty((0, TASKS_OF_QUEUE), dtype=np.uint8)

    def run(place: int) -> None:
        tasks = tuples[place]
        run_trials(
            *(tasks.runtime, tasks.procs, tasks.submit, processors, trials, seeds[place]),
            *(sampler == "artefact", total[place], count[place], *nothing),
        )

    over_threads(run, range(len(tuples)), threads)
    return Trials(total, count)


def scores(trials: Trials, sampler: Sampler) -> np.ndarray:
    """Return the score of each task of Q: float64, shape (k, 32), rows sum to 1.

    Under `uniform` it is the mean AVEbsld of the trials with the task first, divided by the sum of
    these means. Under `artefact` the sums themselves are divided by their total (equation 3 as it
    was run). That includes the noise and the bias of how often each task came first.
    """
    if sampler == "artefact":
        value = trials.total
    else:
        if not trials.count.all():
            raise ValueError("a task never came first: more trials are needed")
        value = trials.total / trials.count
    return value / value.sum(axis=1, keepdims=True)
