"""A policy learned from the first half of a log by trials, and whether it pays on the second."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd

from schedlab.intervals import interval
from schedlab.learning.regimes import FEWEST_WINDOWS, SPLIT, YARDSTICKS
from schedlab.learning.regression import distinct, fit_exact
from schedlab.learning.scores import score_distribution
from schedlab.learning.sites import Draws, draw_contended, effective_tasks
from schedlab.learning.transfer import Replicates, answer, policies_of, yardsticks
from schedlab.learning.tuples import TASKS
from schedlab.learning.windows import measure
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.traces.splitting import split
from schedlab.workbench.log import Log
from schedlab.workbench.tuned import halves

#: tuples of 48 jobs to learn from, and permutations of the last 32 jobs of each
TUPLES, TRIALS = 256, 65_536
RESAMPLES = 1000
LEARNED = "learned"
FIXED = "f1"
VERDICTS = {"yes": "it pays", "no": "it does not pay", "open": "whether it pays stays open"}


@dataclass(frozen=True, eq=False)
class Learned:
    """What was learned from the first half of a log.

    Parameters
    ----------
    draws : Draws
        Tuples that it was learned from.
    early : int
        Jobs of the first half.
    fits : DataFrame
        Distinct functions that have an expression, best first, as
        `schedlab.learning.regression.fit_exact` gives them; the first one is the policy.
    tasks : int
        Tasks that were scored.
    effective : float
        About how many of them the fit rests on.
    """

    draws: Draws
    early: int
    fits: pd.DataFrame
    tasks: int
    effective: float

    @property
    def policy(self) -> str:
        """The best function, an expression."""
        return str(self.fits["policy"].iloc[0])


def learn(
    log: Log, tuples: int = TUPLES, trials: int = TRIALS, threads: int = 1, seed: int = 0
) -> Learned:
    """Learn a policy from the first half of a log.

    Parameters
    ----------
    log : Log
        From `schedlab.load_log`.
    tuples : int
        Contended tuples wanted; there may be fewer.
    trials : int
        Permutations of each tuple's last 32 jobs, at least 1,024.
    threads : int
        Tuples at a time; the result does not depend on it.
    seed : int
        Another number draws other tuples.

    Raises
    ------
    ValueError
        Too few jobs in the first half, or none of them waits for another.

    References
    ----------
    carastan2017, sections 3 and 5.
    """
    early, _ = halves(log)
    jobs = early.jobs
    if len(jobs) < TASKS:
        raise ValueError(
            f"{log.path}: {len(jobs)} of {len(log)} jobs are in the first half of the log by "
            f"time; a tuple takes {TASKS}"
        )
    key = ("learn", seed)
    drawn = draw_contended(jobs, log.processors, tuples, *key, "places")
    if not drawn.tuples:
        raise ValueError(
            f"{log.path}: in none of {drawn.drawn:,} tuples drawn does a job wait on "
            f"{log.processors:,} processors: there is nothing to learn; is --processors right?"
        )
    with TemporaryDirectory() as folder:
        part = Path(folder, "scores.part")
        scores = score_distribution(
            drawn.tuples, log.processors, trials, "uniform", key, part, threads
        )
    fits = distinct(fit_exact(scores))
    fits = fits[fits["policy"] != ""].reset_index(drop=True)
    return Learned(drawn, len(jobs), fits, len(scores), effective_tasks(scores))


def tried(
    log: Log, found: Learned, threads: int = 1, seed: int = 0, dialect: str = "full"
) -> Replicates:
    """Run a learned policy and its yardsticks on windows of the second half, in every regime.

    Parameters
    ----------
    log : Log
        That it was learned from.
    found : Learned
        From `learn`.
    threads : int
        Windows at a time.
    seed : int
        Another number resamples other windows.
    dialect : str
        Of the regime with backfilling, as for `schedlab.simulate`.

    Raises
    ------
    ValueError
        The second half has no whole window.
    """
    windows = split(log.frame, SPLIT)
    learned = policies_of(LEARNED, found.fits)
    names = [*YARDSTICKS, *learned["policy"]]
    measured = measure(names, windows, log.processors, threads, dialect_of(dialect))
    policies = pd.concat([yardsticks(), learned])
    return Replicates(policies, {LEARNED: measured}, RESAMPLES, ("learn", seed, "windows"))


def verdict(found: Replicates, regime: str) -> str:
    """Say whether the policy pays, and from which numbers."""
    windows = found.count(regime, LEARNED)
    said, resampled = [], []
    for names, words in (
        (YARDSTICKS, "the best of the others, chosen with hindsight"),
        ((FIXED,), f"{get(FIXED).label}, chosen beforehand"),
    ):
        ratio = found.median(regime, LEARNED, LEARNED) / found.best_of(regime, LEARNED, names)
        resampled.append(found.ratios(regime, LEARNED, LEARNED, names))
        low, high = interval(np.asarray(resampled[-1]))
        said.append(f"{ratio:.2f} times ({low:.2f} to {high:.2f}) {words}")
    if windows < FEWEST_WINDOWS:
        return f"{'; '.join(said)}: {windows} windows are too few to say whether it pays"
    return f"{'; '.join(said)}: {VERDICTS[answer(*resampled)]}"
