"""A policy learned by trials on the first half of a log, and tested on the second half."""

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd

from schedlab.comparison.comparing import Comparison, compare
from schedlab.comparison.tuned_policy import halves
from schedlab.core.splitting import middle
from schedlab.learning.regression import COEFFICIENTS, distinct_functions, fit_exact, form_of
from schedlab.learning.scores import score_distribution
from schedlab.learning.sites import Draws, draw_contended, effective_tasks
from schedlab.learning.tuples import TASKS
from schedlab.policies import get
from schedlab.policies.ageing import prefers_youth
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.dialects import Dialect
from schedlab.queue.site_dialect import own_order
from schedlab.workbench.log import Log

#: tuples of 48 jobs to learn from, and permutations of the last 32 jobs of each
TUPLES, TRIALS = 256, 65_536
LEARNED = "learned"
#: policies that a learned one is compared with; the first one is the default reference
OTHERS = ("fcfs", "spt", "saf", "f1", "f2", "f3", "f4")
#: days of a test window
DAYS = 15


@dataclass(frozen=True, eq=False)
class Learned:
    """Result of learning from the first half of a log, which has `early` jobs.

    The policy was learned from the tuples `draws`, whose `tasks` were scored (a number). `fits` are
    distinct functions with an expression, best first, as from
    `schedlab.learning.regression.fit_exact`; the first one is the policy. `effective` is the
    approximate effective number of tasks in the fit. `refused` functions were excluded because they
    put younger jobs first.
    """

    draws: Draws
    early: int
    fits: pd.DataFrame
    tasks: int
    effective: float
    refused: int

    @property
    def policy(self) -> str:
        """Best function, as an expression."""
        return str(self.fits["policy"].iloc[0])

    @property
    def latex(self) -> str:
        """Best function in LaTeX, with its coefficients."""
        best = self.fits.iloc[0]
        return form_of(best).latex(best[COEFFICIENTS].to_numpy(dtype=float))


def learn(
    log: Log,
    tuples: int = TUPLES,
    trials: int = TRIALS,
    threads: int = 1,
    seed: int = 0,
    youth: bool = False,
) -> Learned:
    """Learn a policy from the first half of a log (carastan2017, sections 3 and 5).

    At most `tuples` contended tuples are drawn with the seed. `trials`, at least 1,024, are
    permutations of each tuple's last 32 jobs. `threads` are tuples at a time; the result does not
    depend on it. `youth` allows functions that put younger jobs first. Raises ValueError if there
    are too few jobs in the first half, none of them waits for another, or every function puts
    younger jobs first.
    """
    early, _ = halves(log)
    jobs = early.jobs
    if len(jobs) < TASKS:
        raise ValueError(
            f"{log.path}: {len(jobs)} of {len(log)} jobs are in the first half of the log by "
            f"time; a tuple takes {TASKS}"
        )
    key = ("learn", seed)
    draws = draw_contended(jobs, log.processors, tuples, *key, "places")
    if not draws.tuples:
        raise ValueError(
            f"{log.path}: in none of {draws.drawn:,} tuples drawn does a job wait on "
            f"{log.processors:,} processors: there is nothing to learn; is --processors right?"
        )
    with TemporaryDirectory() as folder:
        part = Path(folder, "scores.part")
        scores = score_distribution(
            draws.tuples, log.processors, trials, "uniform", key, part, threads
        )
    fits = distinct_functions(fit_exact(scores))
    fits = fits[fits["policy"] != ""]
    is_acceptable = [youth or not prefers_youth(get(policy), jobs) for policy in fits["policy"]]
    refused = len(fits) - sum(is_acceptable)
    if refused == len(fits):
        raise ValueError(f"{log.path}: every function that was fitted puts younger jobs first")
    fits = fits[is_acceptable].reset_index(drop=True)
    return Learned(draws, len(jobs), fits, len(scores), effective_tasks(scores), refused)


def compare_learned(
    log: Log, learned: Learned, threads: int = 1, seed: int = 0, dialect: str | Dialect = "full"
) -> Comparison:
    """Compare a learned policy with others on the second half of a log.

    Every policy runs once over the whole log, from which `learned` was learned, with EASY
    backfilling by users' estimates. Only windows of the second half are counted; `seed` is that of
    their resampling. `threads` are runs at a time; `dialect` is as for `schedlab.simulate`. In a
    site's Slurm its own order comes first. Raises ValueError if the second half has no whole
    window.
    """
    return compare(
        log,
        [*own_order(dialect_of(dialect)), *OTHERS, get(learned.policy, label=LEARNED)],
        days=DAYS,
        threads=threads,
        seed=seed,
        begin=int(middle(log.jobs.submit)),
        dialect=dialect,
    )
