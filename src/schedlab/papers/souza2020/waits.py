"""Beyond souza2020: what predictors of waits are worth on the jobs of a log.

A log runs first come first served with EASY on its own machine. Some jobs in a row, once the
machine is full, are predicted each at its submission, from the waits of those of its geometry that
have started by then; the first half of them is for learning and is not scored. The geometry of a
job is the power of two that its processors are rounded up to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.asa.background import scaled
from schedlab.asa.learner import Geometry, Learner
from schedlab.papers.souza2020.runs import ASA, BOUND, PREDICTORS, QUEUE
from schedlab.papers.souza2020.sheet import PAPER
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedlab.asa.background import Background
    from schedlab.asa.settings import Settings
    from schedlab.jobs import Jobs
    from schedlab.papers.souza2020.sheet import WaitSettings

#: share of the jobs that are for learning
LEARNING = 0.5
#: days of a log before the first job that is learned from
BEFORE = 14 * 86_400
COLUMNS = ["job", "estimator", "wait", "predicted"]


def predict(
    settings: WaitSettings,
    jobs: Jobs,
    size: int,
    learning: Settings,
    most: int,
    forks: int,
    advance: Callable[[], None] = lambda: None,
) -> pd.DataFrame:
    """Predict waits of a log's jobs.

    Parameters
    ----------
    settings : WaitSettings
        The row.
    jobs : Jobs
        Of the log.
    size : int
        Processors of its machine.
    learning : Settings
        Of Algorithm 1.
    most : int
        How many jobs are learned from or scored.
    forks : int
        How many of the scored ones the queue is asked about.
    advance : callable, optional
        Called after each job.

    Returns
    -------
    DataFrame
        `COLUMNS`, a row per scored job and predictor that was asked: wait and prediction in s.
    """
    if not len(jobs):
        return pd.DataFrame(columns=COLUMNS)
    background = scaled(jobs, size, settings.processors, settings.load)
    submit, waits = background.jobs.submit, _waits(background)
    first = int(np.searchsorted(submit, BEFORE))
    places = np.arange(first, min(first + most, len(submit)))
    scored = places[int(len(places) * LEARNING) :]
    wide = 2 ** np.ceil(np.log2(background.jobs.procs)).astype(np.int64)
    geometries = {cores: Geometry(settings.source, int(cores)) for cores in np.unique(wide)}
    key = (PAPER, settings.experiment, settings.source, "waits")
    known = {ASA: Learner(learning, key)} | {name: make() for name, make in PREDICTORS.items()}
    rows = []
    by_start = places[np.argsort(submit[places] + waits[places], kind="stable")]
    starts = submit[by_start] + waits[by_start]
    seen, counted = 0, set(scored.tolist())
    for place in places.tolist():
        while seen < len(by_start) and starts[seen] < submit[place]:
            one = by_start[seen]
            for estimator in known.values():
                estimator.observe(geometries[wide[one]], int(waits[one]))
            seen += 1
        if place in counted:
            for name, estimator in known.items():
                predicted = estimator.estimate(geometries[wide[place]])
                rows.append((place, name, int(waits[place]), predicted))
        advance()
    asked = scored[np.unique(np.linspace(0, len(scored) - 1, min(forks, len(scored))).astype(int))]
    rows += [
        (place, QUEUE, int(waits[place]), predicted)
        for place, predicted in _foreseen(background, asked).items()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def _waits(background: Background) -> np.ndarray:
    session = _full(background)
    session.advance()
    return session.schedule().start - background.jobs.submit


def _full(background: Background) -> QueueSession:
    policy = get("fcfs")
    session = QueueSession(
        background.processors, policy, backfill=policy, room=len(background.jobs)
    )
    session.submit_jobs(background.jobs)
    return session


def _foreseen(background: Background, places: np.ndarray) -> dict[int, int]:
    """Ask the queue at each job's submission when it is going to start."""
    session = _full(background)
    found = {}
    for place in places.tolist():
        submit = int(background.jobs.submit[place])
        session.advance(submit)
        found[place] = session.planned(place) - submit
    return found


def score(predicted: pd.DataFrame, log: str) -> pd.DataFrame:
    """Score the predictors of one log.

    Parameters
    ----------
    predicted : DataFrame
        From `predict`.
    log : str
        What it is called.

    Returns
    -------
    DataFrame
        log, estimator, jobs; wait (mean, s), error (mean absolute error, s), on sample (the same
        over the jobs that the queue was asked about), covered (per cent of jobs whose wait did not
        exceed the prediction; meant to be 95 for the quantile bound, and shown for it alone).
    """
    asked = set(predicted.loc[predicted["estimator"] == QUEUE, "job"])
    rows = []
    for name, own in predicted.groupby("estimator", sort=False):
        error = (own["predicted"] - own["wait"]).abs()
        covered = 100 * (own["wait"] <= own["predicted"]).mean() if name == BOUND else np.nan
        rows.append(
            {
                "log": log,
                "estimator": name,
                "jobs": len(own),
                "wait": own["wait"].mean(),
                "error": error.mean(),
                "on sample": error[own["job"].isin(asked)].mean(),
                "covered": covered,
            }
        )
    return pd.DataFrame(rows)
