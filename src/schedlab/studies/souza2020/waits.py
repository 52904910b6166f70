"""Beyond souza2020: evaluate wait predictors on the jobs of a log.

A row of the sheet runs `schedlab.waits.backtest_predictors.backtest` on its machine at its load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.studies.souza2020.sheet import PAPER
from schedlab.waits.background import scaled
from schedlab.waits.backtest_predictors import COLUMNS, backtest

if TYPE_CHECKING:
    from schedlab.studies.souza2020.sheet import WaitSettings
    from schedlab.waits.settings import Settings


def predict(
    settings: WaitSettings,
    log: pd.DataFrame,
    size: int,
    learning: Settings,
    forks: int,
) -> pd.DataFrame:
    """Predict the wait of every job of a log.

    Parameters
    ----------
    settings : WaitSettings
        The row of the sheet.
    log : DataFrame
        Jobs of the log; with a column wait if it records waits.
    size : int
        Processors of its machine.
    learning : Settings
        Settings of Algorithm 1.
    forks : int
        Number of scored jobs, spread evenly, for which the queue is simulated.

    Returns
    -------
    DataFrame
        As `schedlab.waits.backtest_predictors.backtest`; without rows if the log is not available.
    """
    if log.empty:
        return pd.DataFrame(columns=COLUMNS)
    log = log.sort_values(["submit", "number"], kind="stable")
    jobs = scaled(Jobs.from_frame(log), size, settings.processors, settings.load).jobs
    recorded = log["wait"].to_numpy(np.int64) if "wait" in log else None
    key = (PAPER, settings.experiment, settings.source)
    return backtest(
        jobs, recorded, settings.processors, learning, forks, key, system=settings.source
    )
