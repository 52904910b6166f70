"""Beyond souza2020: evaluate wait predictors on the jobs of a log.

A row of the sheet runs `schedlab.waits.backtest_predictors.backtest` on its machine at its load.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.files.stand_ins import kind_of, listed
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.souza2020.sheet import PAPER, WaitSettings
from schedlab.waits.background import scale_background
from schedlab.waits.backtest_predictors import BOUNDS, COLUMNS, RECORDED, backtest, scores
from schedlab.waits.settings import Settings


def predict(
    settings: WaitSettings, log: pd.DataFrame, size: int, learning: Settings, forks: int
) -> pd.DataFrame:
    """Predict the wait of every job of a log."""
    if log.empty:
        return pd.DataFrame(columns=COLUMNS)
    log = log.sort_values(["submit", "number"], kind="stable")
    jobs = scale_background(Jobs.from_frame(log), size, settings.processors, settings.load).jobs
    recorded = log["wait"].to_numpy(np.int64) if "wait" in log else None
    key = (PAPER, settings.experiment, settings.source)
    return backtest(
        jobs, recorded, settings.processors, learning, forks, key, system=settings.source
    )


SCORED = [
    "log", "waits", "estimator", "jobs", "wait", "error", "error low", "error high",
    "gain", "gain low", "gain high", "on sample", "near",
    "target", "covered", "covered low", "covered high",
    "delay", "idle", "lost", "lost low", "lost high", "lost on sample",
]  # fmt: skip


def waits_table(predicted: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Score the wait predictors on some logs."""
    rows = [row for log, own in predicted.items() for row in _scores(own, log)]
    return pd.DataFrame(rows, columns=SCORED)


def _scores(predicted: pd.DataFrame, log: str) -> list[dict[str, object]]:
    if predicted.empty:
        return [{"log": log, "waits": "-", "estimator": NOT_AVAILABLE}]
    return [{"log": log} | row for row in scores(predicted, (PAPER, "waits", log))]


def headline(table: pd.DataFrame) -> str:
    """Return sentences: where which predictor errs and loses least, and which bounds are valid."""
    table = table[table["estimator"] != NOT_AVAILABLE]
    text = " ".join(_of_kind(own, kind) for kind, own in table.groupby("waits", sort=False))
    return text or "No log is available."


def _of_kind(scores: pd.DataFrame, kind: str) -> str:
    label = "Recorded waits" if kind == RECORDED else "Waits under EASY"
    logs = kind_of(scores["log"])
    errors, better = _least(scores, "on sample", scores["gain low"] > 0)
    losses, pays = _least(scores, "lost on sample", scores["lost high"] < 100)
    bounds = scores[scores["estimator"].isin(BOUNDS)]
    short = bounds[bounds["covered high"] < bounds["target"]]
    names = [f"{name} on {listed(part['log'])}" for name, part in short.groupby("estimator")]
    return (
        f"{label}: the mean error is least with {errors} {logs}. It is significantly less than "
        f"that of predicting 0 on {better}. Lost core-hours are fewest with {losses} {logs}. "
        f"They are significantly fewer than with submission when needed on {pays}. "
        f"Bounds that cover significantly less than 95 %: {'; '.join(names) or 'none'}."
    )


def _least(scores: pd.DataFrame, column: str, significant: pd.Series) -> tuple[str, int]:
    values = scores.pivot(index="log", columns="estimator", values=column).dropna(how="all")
    least = values.idxmin(axis=1)
    counted = [f"{name} on {count}" for name, count in least.value_counts(sort=True).items()]
    best = scores["estimator"] == scores["log"].map(least)
    return f"{', '.join(counted)} of {len(values)}", int(significant[best].sum())
