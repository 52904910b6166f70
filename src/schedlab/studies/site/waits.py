"""Evaluate wait predictors on a site's log."""

import numpy as np
import pandas as pd

from schedlab.comparison.comparing import FEWEST_WINDOWS
from schedlab.report.words import number_of
from schedlab.studies.site.settings import SITE
from schedlab.waits.backtest_predictors import (
    ASA,
    BOUND,
    BOUND_CENSORED,
    COLUMNS,
    FALLING,
    LAST,
    LEARNING,
    MEDIAN,
    MEDIAN_CENSORED,
    QUEUE,
    RECORDED,
    REGRESSED,
    REGRESSED_BOUND,
    TEST_ONLY,
    WEEK,
    backtest,
    scores,
)
from schedlab.waits.settings import Settings
from schedlab.workbench.log import Log

SCORES = [
    "waits", "estimator", "jobs", "wait", "error", "error low", "error high",
    "gain", "gain low", "gain high", "on sample", "near",
    "target", "covered", "covered low", "covered high",
    "delay", "idle", "lost", "lost low", "lost high", "lost on sample",
]  # fmt: skip
NAMES = {
    ASA: "ASA",
    FALLING: "ASA with falling rates",
    LAST: "the last wait",
    MEDIAN: "the running median",
    BOUND: "the quantile bound",
    MEDIAN_CENSORED: "the running median with waiting jobs",
    BOUND_CENSORED: "the quantile bound with waiting jobs",
    REGRESSED: "the quantile regression",
    REGRESSED_BOUND: "the bound by quantile regression",
    TEST_ONLY: "sbatch --test-only",
    QUEUE: "a simulation of the queue",
}


def score(log: Log, forks: int) -> tuple[pd.DataFrame, int]:
    """Predict the wait of every job of a log at its submission, and score the predictors.

    The queue is simulated for `forks` jobs. Returns `SCORES`, see
    `schedlab.waits.backtest_predictors.scores`, and the number of test weeks. No rows if the log is
    too short.
    """
    weeks = int(log.jobs.submit[-1]) // WEEK + 1 - LEARNING
    if weeks < 1:
        return pd.DataFrame(columns=SCORES), 0
    waits = log.frame["wait"].to_numpy(np.int64)
    backtested = backtest(log.jobs, waits, log.processors, Settings(), forks, (SITE, "waits"), SITE)
    if backtested.empty:
        return pd.DataFrame(columns=SCORES), 0
    rows = scores(backtested[COLUMNS], (SITE, "scores"))
    return pd.DataFrame(rows)[SCORES], weeks


def waits_summary(table: pd.DataFrame, weeks: int) -> str:
    """Return which predictor errs least, whether predicting pays, and whether the bound is valid.

    Arguments are from `score`.
    """
    if weeks < FEWEST_WINDOWS:
        return (
            "This log is too short to evaluate predictions of waits. After "
            f"{LEARNING} weeks for learning it has {number_of(weeks, 'test week')}; at least "
            f"{FEWEST_WINDOWS} are needed."
        )
    sentences = []
    for kind, rows in table.groupby("waits", sort=False):
        label = "Recorded waits" if kind == RECORDED else "Waits under EASY"
        rows = rows.set_index("estimator")
        if not rows["wait"].max() > 0:
            sentences.append(f"{label}: no job waits, so there is nothing to predict.")
            continue
        best = rows["on sample"].idxmin()
        row = rows.loc[best]
        pays = (
            f"The error is {row['gain']:,.0f} s less than that of predicting 0 (95 % CI "
            f"{row['gain low']:,.0f} to {row['gain high']:,.0f})."
            if row["gain low"] > 0
            else "The advantage over predicting 0 is not significant."
        )
        sentences.append(
            f"{label}: {NAMES[best]} has the smallest mean error, {row['on sample']:,.0f} s over "
            f"the {rows.loc[QUEUE, 'jobs']:,.0f} jobs that all predictors cover (it is chosen on "
            f"these jobs). Over all its jobs, the mean error is {row['error']:,.0f} s and the mean "
            f"wait is {row['wait']:,.0f} s. {pays} {row['near']:.0f} % of its predictions are near."
        )
        if rows["lost on sample"].notna().any():
            least = rows["lost on sample"].idxmin()
            lost = rows.loc[least]
            sentences.append(
                "A user can submit a job the predicted wait before it is needed. With "
                f"{NAMES[least]}, this loses the fewest core-hours: {lost['lost on sample']:.0f} % "
                "of those that submission when needed loses."
            )
        bound = rows.loc[BOUND]
        if bound["covered high"] < bound["target"]:
            sentences.append(
                f"The quantile bound covers {bound['covered']:.0f} % of the jobs, not "
                f"{bound['target']:.0f} %. Do not promise it to users."
            )
    return " ".join(sentences)
