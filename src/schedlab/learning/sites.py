"""A policy of a site's own: learned from the first half of its log, held against the second.

A tuple of jobs from a log says something about policies only when jobs wait. The rule here: a tuple
is *contended* when, run in order of submission, at least one task of Q has to wait. Where none has,
every task finds its processors free on arrival, no scheduler that starts what fits ever has two
tasks to choose from, and such a tuple is dropped. (Its trials would still differ, for a permutation
makes tasks wait for the arrival of others, but that says who comes when and nothing else; asking
that no task waits in any trial would drop next to no tuple of a real log.)

Tuples of a site share no job. Its intervals come from drawing tuples anew one by one, which takes
them for independent; tuples at random places would be counted as several although they hold the
same jobs, and the intervals be too narrow. Neighbours may still resemble each other, for which
nothing is allowed.

References
----------
carastan2017, section 5, calls learning for a given site future work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.jobs import Jobs
from schedlab.core.splitting import middle
from schedlab.learning.tuples import TASKS, TASKS_OF_STATE, TaskTuple, shuffled_tuples
from schedlab.policies import get
from schedlab.queue.bounds import check_machine
from schedlab.queue.simulation import Run, simulate

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Draws:
    """Tuples of a site.

    Parameters
    ----------
    tuples : list of TaskTuple
        The contended ones.
    drawn : int
        How many were drawn for them.
    """

    tuples: list[TaskTuple]
    drawn: int

    @property
    def dropped(self) -> int:
        """How many were not contended."""
        return self.drawn - len(self.tuples)

    @property
    def share_dropped(self) -> float:
        """Share of the drawn tuples that were not contended; nan when none was drawn."""
        return self.dropped / self.drawn if self.drawn else float("nan")


def first_half(jobs: Jobs) -> Jobs:
    """Return the jobs that are submitted before `schedlab.core.splitting.middle`."""
    return jobs.take(jobs.submit < middle(jobs.submit))


def is_contended(tuple_: TaskTuple, processors: int) -> bool:
    """Whether a task of Q waits when all tasks start in order of submission.

    Raises
    ------
    ValueError
        A task needs more processors than the machine has.
    """
    number = np.arange(1, TASKS + 1)
    jobs = Jobs(number, tuple_.submit, tuple_.runtime, tuple_.runtime, tuple_.procs)
    start = simulate(Run(jobs, processors, get("fcfs"))).start
    return bool((start > tuple_.submit)[TASKS_OF_STATE:].any())


def draw_contended(jobs: Jobs, processors: int, wanted: int, *key: str | int) -> Draws:
    """Draw tuples of 48 consecutive jobs that share none until enough of them are contended.

    Parameters
    ----------
    jobs : Jobs
        What is learned from, at least 48 jobs.
    processors : int
        Size of the machine.
    wanted : int
        Contended tuples after which drawing stops; it also stops when there are no more.
    *key : str or int
        Of the random stream.

    Raises
    ------
    ValueError
        Too few jobs, or one that needs more processors than the machine has.
    """
    # Before the jobs lose their numbers in tuples, so that a message names the log's.
    check_machine(jobs.rebased(), processors)
    kept: list[TaskTuple] = []
    drawn = 0
    for one in shuffled_tuples(jobs, *key):
        drawn += 1
        if is_contended(one, processors):
            kept.append(one)
        if len(kept) == wanted:
            break
    return Draws(kept, drawn)


def effective_tasks(distribution: pd.DataFrame) -> float:
    """Return how many tasks carry a fit: Kish's effective size under its weights (r n)^2.

    Where a few long and wide tasks outweigh all others, the functions are those tasks' alone.

    Parameters
    ----------
    distribution : DataFrame
        Columns runtime and procs, from `schedlab.learning.scores.score_distribution`.
    """
    if distribution.empty:
        return 0.0
    weight = (distribution["runtime"].to_numpy(float) * distribution["procs"].to_numpy(float)) ** 2
    return float(weight.sum() ** 2 / (weight**2).sum())
