"""Beyond souza2020: what predictors of waits are worth on the jobs of a log.

Every job of a log is predicted at its submission, from the waits of those of its geometry that have
started by then; the first four weeks are learned from and not scored. The geometry of a job is the
power of two that its processors are rounded up to. That is done twice: with the waits that the log
has in its record, and with those of the same jobs first come first served with EASY.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.asa.asked import asked_of_record, asked_under_easy, starts_under_easy
from schedlab.asa.background import DAY, scaled
from schedlab.asa.backtest import geometry_of, learned, predicted
from schedlab.asa.predictors import LastWait, QuantileBound, RunningMedian
from schedlab.jobs import Jobs
from schedlab.papers.souza2020.runs import ASA, BOUND, LAST, MEDIAN, QUEUE
from schedlab.papers.souza2020.sheet import PAPER

if TYPE_CHECKING:
    from schedlab.asa.settings import Settings
    from schedlab.papers.souza2020.sheet import WaitSettings

WEEK = 7 * DAY
#: from a log's first job on, in weeks: jobs that are learned from and not scored
LEARNING = 4
#: Algorithm 1 with a rate of 1 in every round, which its proof is written for
CONSTANT = "ASA, rate 1"
EXPERIENCED = {LAST: LastWait, MEDIAN: RunningMedian, BOUND: QuantileBound}
ESTIMATORS = (ASA, CONSTANT, *EXPERIENCED, QUEUE)
#: whose waits: the log's own, or those of a simulation
RECORDED, EASY = "recorded", "EASY"
COLUMNS = ["waits", "week", "wait", *ESTIMATORS]


def predict(
    settings: WaitSettings,
    log: pd.DataFrame,
    size: int,
    learning: Settings,
    forks: int,
) -> pd.DataFrame:
    """Predict the wait of every job of a log.

    Parameters
    ----------
    settings : WaitSettings
        The row.
    log : DataFrame
        Jobs of the log; with a column wait where it has a record of waits.
    size : int
        Processors of its machine.
    learning : Settings
        Of Algorithm 1.
    forks : int
        How many of the scored jobs, spread evenly over them, the queue is asked about.

    Returns
    -------
    DataFrame
        `COLUMNS`, a row per kind of waits and scored job: week of its submission from the log's
        first job on, wait and predictions in s; nan where the queue was not asked. Jobs whose wait
        the log does not tell are neither learned from nor scored.
    """
    if log.empty:
        return pd.DataFrame(columns=COLUMNS)
    log = log.sort_values(["submit", "number"], kind="stable")
    processors = settings.processors
    jobs = scaled(Jobs.from_frame(log), size, processors, settings.load).jobs
    found = []
    if "wait" in log and (told := log["wait"].to_numpy(np.int64) >= 0).any():
        own, waits = jobs.take(told), log["wait"].to_numpy(np.int64)[told]
        asked = _spread(own, forks)
        foreseen = asked_of_record(own, waits, processors, asked)
        found.append(_experienced(RECORDED, settings, own, waits, learning))
        found[-1].loc[asked, QUEUE] = foreseen
    waits = starts_under_easy(jobs, processors) - jobs.submit
    asked = _spread(jobs, forks)
    foreseen = asked_under_easy(jobs, processors, asked)
    found.append(_experienced(EASY, settings, jobs, waits, learning))
    found[-1].loc[asked, QUEUE] = foreseen
    table = pd.concat(found, ignore_index=True)
    return table[table["week"] >= LEARNING].reset_index(drop=True)


def _experienced(
    kind: str, settings: WaitSettings, jobs: Jobs, waits: np.ndarray, learning: Settings
) -> pd.DataFrame:
    """Predict all jobs, those of the first weeks as well, by everybody who learns from waits."""
    cores, key = geometry_of(jobs.procs), (PAPER, settings.experiment, settings.source, kind)
    table = pd.DataFrame({"waits": kind, "week": jobs.submit // WEEK, "wait": waits})
    for name, rates in ((ASA, learning), (CONSTANT, replace(learning, rate=1.0, power=0.0))):
        table[name] = learned(rates, key, settings.source, jobs.submit, waits, cores)
    for name, make in EXPERIENCED.items():
        table[name] = predicted(make, jobs.submit, waits, cores)
    return table.assign(**{QUEUE: np.nan})


def _spread(jobs: Jobs, count: int) -> np.ndarray:
    """Places of at most `count` of the scored jobs, evenly spread over them."""
    scored = np.flatnonzero(jobs.submit // WEEK >= LEARNING)
    if not scored.size:
        return scored
    return scored[np.unique(np.linspace(0, len(scored) - 1, min(count, len(scored))).astype(int))]
