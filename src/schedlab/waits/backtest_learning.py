"""Estimate the wait of every job of a log at its submission.

At a job's submission an observer knows the waits of the jobs that have started before, but not of
waiting and later jobs. Nothing else is used here, not even the log's run times. Estimates are those
that `schedlab.waits.learner.Learner` and `schedlab.waits.predictors.ByGeometry` give job by job,
computed fast enough for a whole log.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.streams import generator
from schedlab.kernels.waits.censored import predictions
from schedlab.kernels.waits.learning import play
from schedlab.waits.algorithm import Learners
from schedlab.waits.learner import Geometry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from schedlab.waits.censoring import CensoredBound, CensoredMedian
    from schedlab.waits.predictors import Predictor
    from schedlab.waits.settings import Settings

#: number of events for which random numbers are drawn at a time
CHUNK = 10_000


def geometry_of(procs: np.ndarray) -> np.ndarray:
    """Round each number of processors up to a power of two; int64."""
    return 2 ** np.ceil(np.log2(procs)).astype(np.int64)


def events(submit: np.ndarray, waits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return submissions and starts of jobs in the order in which an observer sees them.

    The first array (uint8, shape (2n,)) is 0 if a job is submitted, and 1 if it has started, so
    that its wait is known. At equal times submissions come first.
    """
    n = len(submit)
    time = np.concatenate([submit, submit + waits])
    is_start = np.repeat(np.array([0, 1], dtype=np.uint8), n)
    places = np.tile(np.arange(n), 2)
    order = np.lexsort((places, is_start, time))
    return is_start[order], places[order]


def predict_waits(
    make: Callable[[], Predictor], submit: np.ndarray, waits: np.ndarray, cores: np.ndarray
) -> np.ndarray:
    """Return the prediction of each job at its submission, with one predictor per geometry.

    Predictions are whole seconds, halves rounded up.
    """
    predicted_waits = np.empty(len(submit), dtype=np.int64)
    for _, members in _by_cores(cores):
        predictor, times = make(), waits[members].tolist()
        is_start, jobs = events(submit[members], waits[members])
        expected = [0] * len(members)
        for started, job in zip(is_start.tolist(), jobs.tolist(), strict=True):
            if started:
                predictor.observe(times[job])
            else:
                expected[job] = math.floor(predictor.predict() + 0.5)
        predicted_waits[members] = expected
    return predicted_waits


def predict_with_waiting(
    make: Callable[[], CensoredMedian | CensoredBound],
    submit: np.ndarray,
    waits: np.ndarray,
    cores: np.ndarray,
) -> np.ndarray:
    """Return the same for predictors that also use how long waiting jobs have waited so far.

    Parameters are as for `predict_waits`; predictions are whole seconds, halves rounded up. A job
    is predicted from those submitted before it: jobs that have started by then, and waiting jobs.
    """
    estimates = np.empty(len(submit), dtype=np.int64)
    for _, members in _by_cores(cores):
        predictor = make()
        is_start, jobs = events(submit[members], waits[members])
        levels = np.array([predictor.level(count) for count in range(len(members) + 1)])
        quantiles = predictions(
            is_start, jobs, submit[members], waits[members].astype(float),
            levels, predictor.telling, predictor.least,
        )  # fmt: skip
        estimates[members] = np.floor(quantiles + 0.5)
    return estimates


def estimate_waits(
    settings: Settings,
    key: tuple[str | int, ...],
    system: str,
    submit: np.ndarray,
    waits: np.ndarray,
    cores: np.ndarray,
) -> np.ndarray:
    """Return the estimate of Algorithm 1 for each job at its submission, in seconds.

    The learner observes each wait with the estimate of that job.
    """
    alternatives = np.array(settings.alternatives)
    estimates = np.empty(len(submit), dtype=np.int64)
    for width, members in _by_cores(cores):
        geometry = Geometry(system, width)
        stream = generator(*key, geometry.system, geometry.cores)
        state = Learners.fresh(settings, 1)
        chosen, rounds = np.empty(len(members), dtype=np.int32), 1
        is_start, jobs = events(submit[members], waits[members])
        for first in range(0, len(is_start), CHUNK):
            part = is_start[first : first + CHUNK]
            seen = int(part.sum())
            count = settings.draws * (len(part) - seen) + settings.redraws * seen
            rounds = play(
                state.chance[0], state.loss[0], state.last[0], rounds,
                alternatives.astype(float), settings.rate, settings.power,
                settings.draws, settings.redraws,
                part, jobs[first : first + CHUNK], waits[members].astype(float),
                stream.random(count), chosen,
            )  # fmt: skip
        estimates[members] = alternatives[chosen]
    return estimates


def _by_cores(cores: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield each number of cores, and the indices of its jobs."""
    for width in np.unique(cores).tolist():
        yield width, np.flatnonzero(cores == width)
