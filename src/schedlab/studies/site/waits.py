"""Evaluate wait predictors on a site's log."""

from typing import Any

import numpy as np
import pandas as pd

from schedlab.comparison.comparing import FEWEST_WINDOWS
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


def facts_of_waits(table: pd.DataFrame, weeks: int) -> dict[str, Any]:
    """Return by kind of waits who errs least, whether predicting pays, whether the bound holds."""
    kinds = []
    for kind, rows in table.groupby("waits", sort=False):
        rows = rows.set_index("estimator")
        least = rows["lost on sample"].idxmin() if rows["lost on sample"].notna().any() else None
        best = rows["on sample"].idxmin()
        kinds.append({
            "is_record": kind == RECORDED,
            "waited": rows["wait"].max() > 0,
            "name": NAMES[best],
            "best": rows.loc[best].to_dict(),
            "sample": rows.loc[QUEUE, "jobs"],
            "least": least and {"name": NAMES[least], "lost": rows.loc[least, "lost on sample"]},
            "bound": rows.loc[BOUND].to_dict(),
        })  # fmt: skip
    return {"learning": LEARNING, "weeks": weeks, "fewest": FEWEST_WINDOWS, "kinds": kinds}
