"""Beyond souza2020: predictors of waits, scored on the jobs of logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from schedlab.asa.foretold import BOUND, RECORDED, scores
from schedlab.papers.souza2020.sheet import PAPER
from schedlab.report.verdicts import NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Mapping

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
        `COLUMNS`, a row per log, kind of waits and predictor: what these are
        `schedlab.asa.foretold.scores` says. A log without any job has a row that says so.
    """
    rows = [row for log, own in predicted.items() for row in _scores(own, log)]
    return pd.DataFrame(rows, columns=COLUMNS)


def _scores(predicted: pd.DataFrame, log: str) -> list[dict[str, object]]:
    if predicted.empty:
        return [{"log": log, "waits": "-", "estimator": NOT_AT_HAND}]
    return [{"log": log} | row for row in scores(predicted, (PAPER, "waits", log))]


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
