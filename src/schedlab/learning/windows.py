"""Policies on windows of a log, in every regime."""

from collections.abc import Sequence

import pandas as pd

from schedlab.core.jobs import jobs_by_piece
from schedlab.core.metrics import average_bounded_slowdown
from schedlab.learning.regimes import REGIMES
from schedlab.learning.tuples import TASKS_OF_STATE
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate_many

MEASURED = {"policy": "str", "regime": "str", "window": "int64", "avebsld": "float64"}


def run_on_windows(
    policies: Sequence[str], pieces: pd.DataFrame, processors: int, threads: int = 1
) -> pd.DataFrame:
    """Run policies on windows of a log in every regime, from an empty machine each time.

    Columns: policy, regime, window, avebsld: the mean bounded slowdown (10 s) of the window
    without its first 16 jobs, which start in order of submission, as in Table 4 of the paper.
    """
    rows = []
    for regime in REGIMES:
        windows = jobs_by_piece(pieces, regime.clairvoyant)
        for text in dict.fromkeys(policies):
            policy = get(text)
            backfill = policy if regime.backfill else None
            runs = [
                Run(jobs, processors, policy, backfill, head=TASKS_OF_STATE)
                for jobs in windows.values()
            ]
            schedules = simulate_many(runs, threads)
            for window, run, schedule in zip(windows, runs, schedules, strict=True):
                slowdown = average_bounded_slowdown(run.jobs, schedule, skip=TASKS_OF_STATE)
                rows.append((text, regime.name, window, slowdown))
    return pd.DataFrame(rows, columns=list(MEASURED)).astype(MEASURED)
