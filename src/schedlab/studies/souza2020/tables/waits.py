"""Beyond souza2020: predictors of waits, scored on the jobs of logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from schedlab.report.verdicts import NOT_AT_HAND
from schedlab.studies.souza2020.sheet import PAPER
from schedlab.waits.foretold import BOUNDS, RECORDED, scores

if TYPE_CHECKING:
    from collections.abc import Mapping

COLUMNS = [
    "log", "waits", "estimator", "jobs", "wait", "error", "error low", "error high",
    "gain", "gain low", "gain high", "on sample", "near",
    "meant", "covered", "covered low", "covered high",
    "delay", "idle", "lost", "lost low", "lost high", "lost on sample",
]  # fmt: skip


def waits_table(predicted: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Score the predictors of some logs.

    Parameters
    ----------
    predicted : mapping of str to DataFrame
        By the log's name, from `schedlab.studies.souza2020.waits.predict`.

    Returns
    -------
    DataFrame
        `COLUMNS`, a row per log, kind of waits and predictor: what these are
        `schedlab.waits.foretold.scores` says. A log without any job has a row that says so.
    """
    rows = [row for log, own in predicted.items() for row in _scores(own, log)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _scores(predicted: pd.DataFrame, log: str) -> list[dict[str, object]]:
    if predicted.empty:
        return [{"log": log, "waits": "-", "estimator": NOT_AT_HAND}]
    return [{"log": log} | row for row in scores(predicted, (PAPER, "waits", log))]


def headline(table: pd.DataFrame) -> str:
    """Return sentences: which predictor errs and loses least where, and which bounds hold.

    Parameters
    ----------
    table : DataFrame
        From `waits_table`.

    Notes
    -----
    By the mean absolute error, and by the core-hours lost, over the jobs that the queue was asked
    about, which all predictors share. A gain is significant where its whole interval lies above 0,
    a loss below that of submitting when needed where its whole interval lies below 100 %. A bound
    covers significantly less than its target where the whole interval of its coverage lies below.
    """
    table = table[table["estimator"] != NOT_AT_HAND]
    text = " ".join(_of_kind(own, kind) for kind, own in table.groupby("waits", sort=False))
    return text or "No log is at hand."


def _of_kind(own: pd.DataFrame, kind: str) -> str:
    """Return the sentences on one kind of waits."""
    whose = "waits of the logs' own record" if kind == RECORDED else "waits under EASY"
    errors, told = _least(own, "on sample", own["gain low"] > 0)
    losses, pays = _least(own, "lost on sample", own["lost high"] < 100)
    bounds = own[own["estimator"].isin(BOUNDS)]
    short = bounds[bounds["covered high"] < bounds["meant"]]
    found = [f"{name} on {', '.join(part['log'])}" for name, part in short.groupby("estimator")]
    return (
        f"For {whose} the least mean error has {errors} logs; it is significantly less than that "
        f"of predicting 0 on {told}. The fewest core-hours are lost with {losses} logs; "
        f"significantly fewer than by submitting when needed on {pays}. "
        f"Cover significantly less than 95 %: {'; '.join(found) or 'no bound'}."
    )


def _least(own: pd.DataFrame, column: str, significant: pd.Series) -> tuple[str, int]:
    """Return which predictor has the least value on how many logs, and where that is significant.

    Logs without a value, as no job waits there, are left out.
    """
    values = own.pivot(index="log", columns="estimator", values=column).dropna(how="all")
    least = values.idxmin(axis=1)
    counted = [f"{name} on {count}" for name, count in least.value_counts(sort=True).items()]
    best = own["estimator"] == own["log"].map(least)
    return f"{', '.join(counted)} of {len(values)}", int(significant[best].sum())
