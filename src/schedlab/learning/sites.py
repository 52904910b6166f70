"""Site policies: learned on the first half of a site's log, and tested on the second.

A tuple of jobs from a log has information about policies only if jobs wait. A tuple is *contended*
if at least one task of Q waits when all run in order of submission. Otherwise every task finds its
processors free on arrival, and a scheduler that starts what fits never has two tasks to choose
from; such a tuple is dropped. (Its trials would still differ, because a permutation makes tasks
wait for the arrival of others. But that only reflects the order of arrivals. A rule that drops
tuples only if no task waits in any trial would drop almost none of a real log.)

Tuples of a site share no job. Its intervals come from resampling tuples one by one, which treats
them as independent. Tuples at random places could contain the same jobs, and the intervals would
be too narrow. Neighboring tuples may still be similar, which is not corrected for.

References
----------
carastan2017, section 5, calls learning for a given site future work.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.splitting import middle
from schedlab.learning.tuples import TASKS, TASKS_OF_STATE, TaskTuple, shuffled_tuples
from schedlab.policies import get
from schedlab.queue.limits import check_machine
from schedlab.queue.simulation import Run, simulate


@dataclass(frozen=True)
class Draws:
    """Contended tuples drawn from a site's log; `drawn` counts all tuples drawn to get them."""

    tuples: list[TaskTuple]
    drawn: int

    @property
    def dropped(self) -> int:
        """Number of tuples that were not contended."""
        return self.drawn - len(self.tuples)

    @property
    def share_dropped(self) -> float:
        """Share of the drawn tuples that were not contended; nan if none was drawn."""
        return self.dropped / self.drawn if self.drawn else float("nan")


def first_half(jobs: Jobs) -> Jobs:
    """Return the jobs submitted before `schedlab.core.splitting.middle`."""
    return jobs.take(jobs.submit < middle(jobs.submit))


def is_contended(tuple_: TaskTuple, processors: int) -> bool:
    """Return whether a task of Q waits if all tasks start in order of submission."""
    number = np.arange(1, TASKS + 1)
    jobs = Jobs(number, tuple_.submit, tuple_.runtime, tuple_.runtime, tuple_.procs)
    start = simulate(Run(jobs, processors, get("fcfs"))).start
    return bool((start > tuple_.submit)[TASKS_OF_STATE:].any())


def draw_contended(jobs: Jobs, processors: int, target_count: int, *key: str | int) -> Draws:
    """Draw disjoint tuples of 48 consecutive jobs until enough of them are contended."""
    # before jobs lose their numbers in tuples, so that messages have the log's numbers
    check_machine(jobs.rebased(), processors)
    contended: list[TaskTuple] = []
    count = 0
    for candidate in shuffled_tuples(jobs, *key):
        count += 1
        if is_contended(candidate, processors):
            contended.append(candidate)
        if len(contended) == target_count:
            break
    return Draws(contended, count)


def effective_tasks(distribution: pd.DataFrame) -> float:
    """Return the effective number of tasks in a fit: Kish's effective size with weights (r n)^2.

    If a few long and wide tasks outweigh all others, the functions depend only on them.
    """
    if distribution.empty:
        return 0.0
    weight = (distribution["runtime"].to_numpy(float) * distribution["procs"].to_numpy(float)) ** 2
    return float(weight.sum() ** 2 / (weight**2).sum())
