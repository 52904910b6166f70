"""A policy of a site's own: learned from the first half of its log, held against the second.

A tuple of jobs from a log says something about policies only when jobs wait. The rule here: a tuple
is *contended* when, run in order of submission, at least one task of Q has to wait. Where none has,
every task finds its processors free on arrival, no scheduler that starts what fits ever has two
tasks to choose from, and such a tuple is dropped. (Its trials would still differ, for a permutation
makes tasks wait for the arrival of others, but that says who comes when and nothing else; asking
that no task waits in any trial would drop next to no tuple of a real log.)

References
----------
carastan2017, section 5, calls learning for a given site future work.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.jobs import Jobs, jobs_by_piece
from schedlab.kernels.trials import TASKS_OF_STATE as STATE
from schedlab.learning.trials import TASKS, TaskTuple, draw_tuples
from schedlab.metrics import average_bounded_slowdown
from schedlab.policies import get
from schedlab.queue.sessions import check_machine
from schedlab.queue.simulation import Run, simulate, simulate_many
from schedlab.traces.splitting import middle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SPLIT = "second_half15d"
# With fewer windows even a sign test that all of them agree on has p > 0.05, and an interval from
# resampling them is far too narrow: nothing is said.
FEWEST_WINDOWS = 6
# What a learned policy is held against, as the registry calls them.
PAPERS = ("f4", "f3", "f2", "f1")
YARDSTICKS = ("fcfs", "spt", *PAPERS)
MEASURED = {"policy": "str", "regime": "str", "window": "int64", "avebsld": "float64"}


@dataclass(frozen=True)
class Regime:
    """How the second half is scheduled.

    Parameters
    ----------
    name, label : str
        In tables and in figures.
    clairvoyant : bool
        Whether decisions see actual run times instead of estimates.
    backfill : bool
        EASY backfilling in the policy's order, or strict order.
    """

    name: str
    label: str
    clairvoyant: bool
    backfill: bool


REGIMES = (
    Regime("actual", "actual run times, no backfilling (as in the trials)", True, False),
    Regime("backfill", "user estimates, EASY backfilling (as a site runs)", False, True),
)


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
    """Return the jobs that are submitted before `schedlab.traces.splitting.middle`."""
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
    return bool((start > tuple_.submit)[STATE:].any())


def draw_contended(jobs: Jobs, processors: int, wanted: int, most: int, *key: str | int) -> Draws:
    """Draw tuples of 48 consecutive jobs until enough of them are contended.

    Parameters
    ----------
    jobs : Jobs
        What is learned from, at least 48 jobs.
    processors : int
        Size of the machine.
    wanted : int
        Contended tuples after which drawing stops.
    most : int
        Draws after which it stops in any case.
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
    for one in draw_tuples(jobs, most, *key):
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


def measure(
    policies: Sequence[str],
    pieces: pd.DataFrame,
    processors: int,
    threads: int = 1,
    progress: Callable[[], object] | None = None,
) -> pd.DataFrame:
    """Run policies on windows of a log in every regime, from an empty machine each time.

    Parameters
    ----------
    policies : sequence of str
        Registered names or expressions; one that is given twice runs once.
    pieces : DataFrame
        Windows from `schedlab.traces.splitting.split`, with the users' estimates.
    processors : int
        Size of the machine.
    threads : int
        Windows at a time.
    progress : callable, optional
        Called after each policy and regime.

    Returns
    -------
    DataFrame
        Columns policy, regime, window, avebsld: the mean bounded slowdown (10 s) of the window
        without its first 16 jobs, which start in order of submission, as in Table 4 of the paper.
    """
    rows = []
    for regime in REGIMES:
        windows = jobs_by_piece(pieces, regime.clairvoyant)
        for text in dict.fromkeys(policies):
            policy = get(text)
            runs = [
                Run(jobs, processors, policy, policy if regime.backfill else None, head=STATE)
                for jobs in windows.values()
            ]
            schedules = simulate_many(runs, threads)
            rows += [
                (text, regime.name, window, average_bounded_slowdown(run.jobs, one, skip=STATE))
                for window, run, one in zip(windows, runs, schedules, strict=True)
            ]
            if progress:
                progress()
    return pd.DataFrame(rows, columns=list(MEASURED)).astype(MEASURED)
