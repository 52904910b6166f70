"""Beyond souza2020: evaluate wait predictors on the jobs of a log.

A row of the sheet runs `schedlab.waits.backtest_predictors.backtest` on its machine at its load.
"""

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.studies.souza2020.sheet import PAPER, WaitSettings
from schedlab.waits.background import scale_background
from schedlab.waits.backtest_predictors import COLUMNS, backtest
from schedlab.waits.settings import Settings


def predict(
    settings: WaitSettings,
    log: pd.DataFrame,
    size: int,
    learning: Settings,
    forks: int,
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
