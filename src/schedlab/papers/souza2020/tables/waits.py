"""Beyond souza2020: predictors of waits, scored on the jobs of logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.intervals import RESAMPLES, interval, resampled_places
from schedlab.papers.souza2020.runs import BOUND, MEDIAN, QUEUE
from schedlab.papers.souza2020.sheet import PAPER
from schedlab.papers.souza2020.waits import ESTIMATORS, RECORDED
from schedlab.report.verdicts import NOT_AT_HAND
from schedlab.workloads.streams import generator

if TYPE_CHECKING:
    from collections.abc import Mapping

#: weeks that are drawn together, for queues last from one to the next
BLOCK = 2
#: a prediction is near that is off by a factor of two at most, or by so many seconds
NEAR = 60
#: shares of the waits, in per cent, that are not to exceed what is predicted
MEANT = {MEDIAN: 50.0, BOUND: 95.0}
COLUMNS = [
    "log", "waits", "estimator", "jobs", "wait", "error", "error low", "error high",
    "gain", "gain low", "gain high", "on sample", "near",
    "meant", "covered", "covered low", "covered high",
]  # fmt: skip


def waits_table(predicted: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Score the predictors of some logs.

    Parameters
    ----------
    predicted : mapping of str to DataFrame
        By the log's name, from `schedlab.papers.souza2020.waits.predict`.

    Returns
    -------
    DataFrame
        `COLUMNS`, a row per log, kind of waits and predictor. wait: mean of the jobs that were
        predicted; error: mean absolute error, with its 95 % interval; gain: mean wait less that,
        which is what predicting is better than saying 0, with its interval; on sample: the error
        over the jobs that the queue was asked about; all in s. near: per cent of jobs whose
        prediction is off by a factor of two at most, or by `NEAR` seconds; covered: per cent of
        jobs that waited no longer than predicted, with its interval, and what is meant to be
        covered. A log without any job has a row that says so.
    """
    rows = [row for log, own in predicted.items() for row in _scores(own, log)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _scores(predicted: pd.DataFrame, log: str) -> list[dict[str, object]]:
    if predicted.empty:
        return [{"log": log, "waits": "-", "estimator": NOT_AT_HAND}]
    rows: list[dict[str, object]] = []
    for kind, own in predicted.groupby("waits", sort=False):
        asked = own[QUEUE].notna()
        for name in ESTIMATORS:
            told = own[own[name].notna()]
            found = _measured(told, name)
            row = {"log": log, "waits": kind, "estimator": name, "jobs": len(told)}
            row |= {"wait": told["wait"].mean(), "on sample": found["error"][asked].mean()}
            row |= {measure: found[measure].mean() for measure in found}
            row["meant"] = MEANT.get(name, np.nan)
            for measure in ("error", "gain", "covered"):
                stream = generator(PAPER, "waits", log, kind, name, measure)
                low, high = _interval(found[measure], told["week"], stream)
                row |= {f"{measure} low": low, f"{measure} high": high}
            rows.append(row)
    return rows


def _measured(own: pd.DataFrame, name: str) -> pd.DataFrame:
    """Return error and gain (s), covered and near (0 or 100) of each job."""
    wait, predicted = own["wait"], own[name]
    error = (predicted - wait).abs()
    near = (error <= NEAR) | ((predicted <= 2 * wait) & (wait <= 2 * predicted))
    shares = {"covered": 100.0 * (wait <= predicted), "near": 100.0 * near}
    return pd.DataFrame({"error": error, "gain": wait - error} | shares)


def _interval(
    values: pd.Series, week: pd.Series, stream: np.random.Generator
) -> tuple[float, float]:
    """Return the 95 % interval of a mean over jobs; weeks are drawn anew, `BLOCK` at a time.

    All of a week's jobs are drawn with it; weeks without any are drawn as well.
    """
    first = int(week.min())
    count = int(week.max()) - first + 1
    if count <= BLOCK:
        return -np.inf, np.inf
    place = (week - first).to_numpy()
    sums = np.bincount(place, values, count)
    jobs = np.bincount(place, minlength=count)
    drawn = resampled_places(count, RESAMPLES, stream, BLOCK)
    total, of = sums[drawn].sum(axis=1), jobs[drawn].sum(axis=1)
    return interval(total[of > 0] / of[of > 0])


def headline(table: pd.DataFrame) -> str:
    """Say in sentences which predictor errs least where, and whether the bound holds.

    Parameters
    ----------
    table : DataFrame
        From `waits_table`.

    Notes
    -----
    By the mean absolute error over the jobs that the queue was asked about, which all predictors
    share. A gain can be told where its whole interval lies above 0; the bound can be told to cover
    less than it is meant to where the whole interval of what it covers lies below that.
    """
    table = table[table["estimator"] != NOT_AT_HAND]
    said = []
    for kind, own in table.groupby("waits", sort=False):
        whose = "waits of the logs' own record" if kind == RECORDED else "waits under EASY"
        errors = own.pivot(index="log", columns="estimator", values="on sample")
        least = errors.idxmin(axis=1)
        counted = [f"{name} on {n}" for name, n in least.value_counts(sort=True).items()]
        best = own[own["estimator"] == own["log"].map(least)]
        told = int((best["gain low"] > 0).sum())
        bound = own[own["estimator"] == BOUND]
        below = bound.loc[bound["covered high"] < bound["meant"], "log"].tolist()
        short = ", ".join(below) or "none"
        said.append(
            f"for {whose} the least mean error has {', '.join(counted)} of {len(errors)} logs; "
            f"that it is less than that of saying 0 can be told on {told}; that the quantile bound "
            f"covers less than its 95% can be told on {short}"
        )
    text = ". ".join(one[0].upper() + one[1:] for one in said)
    return f"{text}." if text else "No log is at hand."
