"""Backtest predictors of waits on every job of a log, and score their predictions.

A job is predicted from the waits of those jobs of its geometry that have started by then. The first
weeks are for training and are not scored. The geometry of a job is its number of processors,
rounded up to a power of two. Two kinds of waits are predicted: those recorded in the log, and those
of the same jobs under first come, first served with EASY.
"""

from dataclasses import replace

import numpy as np
import pandas as pd

from schedlab.core.intervals import RESAMPLES, interval, resampled_places
from schedlab.core.jobs import Jobs
from schedlab.core.streams import generator
from schedlab.waits.background import DAY
from schedlab.waits.backtest_learning import (
    estimate_waits,
    geometry_of,
    predict_waits,
    predict_with_waiting,
)
from schedlab.waits.censoring import CensoredBound, CensoredMedian
from schedlab.waits.features import design, states
from schedlab.waits.losses import losses
from schedlab.waits.predictors import LastWait, QuantileBound, RunningMedian
from schedlab.waits.queue_estimates import (
    slurm_test_of_record,
    starts_under_easy,
    waits_by_record,
    waits_under_easy,
)
from schedlab.waits.regression import predict_by_regression
from schedlab.waits.settings import Settings

WEEK = 7 * DAY
#: training period in weeks from a log's first job: its jobs are not scored
LEARNING = 4
#: Algorithm 1 as configured, and with losses that count less in every round
ASA, FALLING = "ASA", "ASA, falling rates"
#: predictors from the waits of started jobs, and the same with jobs that still wait
LAST, MEDIAN, BOUND = "last wait", "running median", "quantile bound"
MEDIAN_CENSORED, BOUND_CENSORED = "running median, censored", "quantile bound, censored"
#: predictors from features of the queue, and from the queue itself
REGRESSED, REGRESSED_BOUND = "quantile regression", "regression bound"
TEST_ONLY, QUEUE = "sbatch --test-only", "queue simulation"
EXPERIENCED = {LAST: LastWait, MEDIAN: RunningMedian, BOUND: QuantileBound}
CENSORED = {MEDIAN_CENSORED: CensoredMedian, BOUND_CENSORED: CensoredBound}
#: quantiles of the waits for the regressions
QUANTILES = {REGRESSED: 0.5, REGRESSED_BOUND: 0.95}
ESTIMATORS = (ASA, FALLING, *EXPERIENCED, *CENSORED, *QUANTILES, TEST_ONLY, QUEUE)
#: predictors of upper bounds
BOUNDS = (BOUND, BOUND_CENSORED, REGRESSED_BOUND)
#: kinds of waits: recorded in the log, or simulated
RECORDED, EASY = "recorded", "EASY"
JOB = ["procs", "runtime", "estimate"]
COLUMNS = ["waits", "week", "wait", *JOB, *ESTIMATORS]
#: weeks that are resampled together, because queues last from one week to the next
BLOCK = 2
#: a prediction is near if it is off by a factor of two at most, or by at most this many seconds
NEAR = 60
#: target percentage of waits that do not exceed the prediction
TARGETS = dict.fromkeys([MEDIAN, MEDIAN_CENSORED, REGRESSED], 50.0) | dict.fromkeys(BOUNDS, 95.0)


def learners_of(learning: Settings) -> dict[str, Settings]:
    """Return the settings of Algorithm 1 with either rates, by name."""
    return {ASA: learning, FALLING: replace(learning, rate=1.0, power=0.5)}


def backtest(
    jobs: Jobs,
    recorded: np.ndarray | None,
    processors: int,
    learning: Settings,
    forks: int,
    key: tuple[str | int, ...],
    system: str,
) -> pd.DataFrame:
    """Predict the wait of every job of a log with every predictor.

    The n jobs are from time 0, in order of submission. `recorded` are their waits in the log (int64
    seconds, shape (n,)), negative if unknown; None if the log records no waits. The queue is
    simulated for `forks` scored jobs, spread evenly. `key` is that of the random streams, `system`
    the name in the geometries.

    Columns are `COLUMNS`, a row per kind of waits and scored job: week of its submission from the
    log's first job, its processors, run time and requested time in s, wait and predictions in s;
    nan if the queue was not simulated. Jobs without a recorded wait are neither used for training
    nor scored.
    """
    kinds = {EASY: (jobs, starts_under_easy(jobs, processors) - jobs.submit)}
    if recorded is not None and (known := recorded >= 0).any():
        kinds = {RECORDED: (jobs.take(known), recorded[known])} | kinds
    tables = []
    for kind, (predicted_jobs, waits) in kinds.items():
        queue = predicted_jobs, waits, processors
        table = _predict_from_past_waits(*queue, learning, (*key, kind), system)
        sampled = _sample_places(predicted_jobs, forks)
        table.loc[sampled, QUEUE] = (
            waits_by_record(*queue, sampled)
            if kind == RECORDED
            else waits_under_easy(jobs, processors, sampled)
        )
        table.loc[sampled, TEST_ONLY] = slurm_test_of_record(*queue, sampled)
        tables.append(table.assign(waits=kind))
    table = pd.concat(tables, ignore_index=True)[COLUMNS]
    return table[table["week"] >= LEARNING].reset_index(drop=True)


def _predict_from_past_waits(
    jobs: Jobs, waits: np.ndarray, processors: int, learning: Settings, key: tuple, system: str
) -> pd.DataFrame:
    """Predict all jobs, including those of the first weeks, with every predictor that learns."""
    cores = geometry_of(jobs.procs)
    table = pd.DataFrame({"week": jobs.submit // WEEK, "wait": waits})
    table = table.assign(procs=jobs.procs, runtime=jobs.runtime, estimate=jobs.estimate)
    for name, rates in learners_of(learning).items():
        table[name] = estimate_waits(rates, key, system, jobs.submit, waits, cores)
    for name, make in EXPERIENCED.items():
        table[name] = predict_waits(make, jobs.submit, waits, cores)
    for name, make in CENSORED.items():
        table[name] = predict_with_waiting(make, jobs.submit, waits, cores)
    state, last = states(jobs, waits, processors), table[LAST].to_numpy()
    features = design(state, jobs.procs, jobs.estimate, last, processors)
    for name, quantile in QUANTILES.items():
        table[name] = predict_by_regression(quantile, jobs.submit, waits, features)
    return table.assign(**dict.fromkeys((TEST_ONLY, QUEUE), np.nan))


def _sample_places(jobs: Jobs, count: int) -> np.ndarray:
    """Return the indices of at most `count` scored jobs, evenly spread."""
    scored = np.flatnonzero(jobs.submit // WEEK >= LEARNING)
    if not scored.size:
        return scored
    return scored[np.unique(np.linspace(0, len(scored) - 1, min(count, len(scored))).astype(int))]


def scores(backtested: pd.DataFrame, key: tuple[str | int, ...]) -> list[dict[str, object]]:
    """Score the predictors of a log: a dictionary per kind of waits and predictor.

    `backtested` is from `backtest`; `key` is that of the random streams. All values are nan if no
    job waits. The keys are:

    - waits, estimator, jobs.
    - wait: mean wait of the predicted jobs, in s.
    - error: mean absolute error in s, with its 95 % interval.
    - gain: mean wait minus error, which is the gain over predicting 0, in s, with its interval.
    - on sample: the error over the jobs for which the queue was simulated, in s.
    - near: percentage of predictions off by a factor of two at most, or by `NEAR` seconds.
    - covered: percentage of jobs whose wait does not exceed the prediction, with its interval.
    - target: the percentage that covered should reach.
    - delay, idle: core-hours lost per job, as in `schedlab.waits.losses`.
    - lost: their sum in per cent of the loss of submitting when needed, over the same jobs, with
      its interval (100: as good as predicting 0).
    - lost on sample: the same over the jobs for which the queue was simulated.
    """
    rows: list[dict[str, object]] = []
    for kind, group in backtested.groupby("waits", sort=False):
        sampled = group[QUEUE].notna()
        for name in ESTIMATORS:
            scored = group[group[name].notna()]
            errors = _errors_of(scored, name)
            row = {"waits": kind, "estimator": name, "jobs": len(scored)}
            row |= {"wait": scored["wait"].mean(), "on sample": errors["error"][sampled].mean()}
            row |= {measure: errors[measure].mean() for measure in errors}
            row["target"] = TARGETS.get(name, np.nan)
            row |= _losses_of(scored, name, (*key, kind))
            on = scored[sampled.loc[scored.index]]
            row["lost on sample"] = _losses_of(on, name, (*key, kind))["lost"]
            for measure in ("error", "gain", "covered"):
                stream = generator(*key, kind, name, measure)
                low, high = _interval(errors[measure], scored["week"], stream)
                row |= {f"{measure} low": low, f"{measure} high": high}
            rows.append(row)
    return rows


def _errors_of(scored: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return error and gain (s), covered and near (0 or 100) of each job."""
    wait, expected = scored["wait"], scored[name]
    error = (expected - wait).abs()
    near = (error <= NEAR) | ((expected <= 2 * wait) & (wait <= 2 * expected))
    shares = {"covered": 100.0 * (wait <= expected), "near": 100.0 * near}
    return pd.DataFrame({"error": error, "gain": wait - error} | shares)


def _losses_of(scored: pd.DataFrame, name: str, key: tuple[str | int, ...]) -> dict[str, float]:
    """Return a predictor's losses: delay, idle (core-hours a job), lost (%) with its interval."""
    job = [scored[column].to_numpy(float) for column in JOB]
    wait = scored["wait"].to_numpy(float)
    loss = losses(wait, scored[name].to_numpy(float), *job)
    on_demand = losses(wait, np.zeros(len(scored)), *job).delay
    row = {"delay": loss.delay.mean(), "idle": loss.idle.mean()}
    if not on_demand.any():
        return row | dict.fromkeys(("lost", "lost low", "lost high"), np.nan)
    row["lost"] = 100 * (loss.delay + loss.idle).sum() / on_demand.sum()
    stream = generator(*key, name, "lost")
    ends = _interval(loss.delay + loss.idle, scored["week"], stream, on_demand)
    return row | {"lost low": 100 * ends[0], "lost high": 100 * ends[1]}


def _interval(
    values: pd.Series | np.ndarray,
    week: pd.Series,
    stream: np.random.Generator,
    of: np.ndarray | None = None,
) -> tuple[float, float]:
    """Return the 95 % interval of a mean over jobs, or a ratio; weeks are drawn by `BLOCK`."""
    first = int(week.min())
    count = int(week.max()) - first + 1
    if count <= BLOCK:
        return -np.inf, np.inf
    place = (week - first).to_numpy()
    sums = np.bincount(place, values, count)
    shares = np.bincount(place, of, count)
    resampled = resampled_places(count, RESAMPLES, stream, BLOCK)
    total, parts = sums[resampled].sum(axis=1), shares[resampled].sum(axis=1)
    return interval(total[parts > 0] / parts[parts > 0])
