"""Beyond souza2020: what predictors of waits are worth on the jobs of a log.

A row of the sheet to `schedlab.waits.foretold.foretell`, on the row's machine at its load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.studies.souza2020.sheet import PAPER
from schedlab.waits.background import scaled
from schedlab.waits.foretold import COLUMNS, foretell

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
        The row.
    log : DataFrame
        Jobs of the log; with a column wait where it has a record of waits.
    size : int
        Processors of its machine.
    learning : Settings
        Of Algorithm 1.
    forks : int
        How many of the scored jobs, spread evenly over them, the queue is asked about.

    Returns
    -------
    DataFrame
        As `schedlab.waits.foretold.foretell`; without rows where the log is not at hand.
    """
    if log.empty:
        return pd.DataFrame(columns=COLUMNS)
    log = log.sort_values(["submit", "number"], kind="stable")
    jobs = scaled(Jobs.from_frame(log), size, settings.processors, settings.load).jobs
    recorded = log["wait"].to_numpy(np.int64) if "wait" in log else None
    key = (PAPER, settings.experiment, settings.source)
    return foretell(
        jobs, recorded, settings.processors, learning, forks, key, system=settings.source
    )
