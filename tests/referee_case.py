"""A window of three jobs, and runs of it with values computed by hand."""

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.studies.referee.metrics import differences_of, figures_of, ranking, summary
from schedlab.studies.referee.simulators import CONSERVATIVE, EASY, REAL, SLURM

JOBS = Jobs([1, 2, 3], [0, 10, 20], [100, 50, 50], [100, 60, 60], [32, 32, 32])


def run(*start):
    """Starts of the three jobs, and their ends."""
    return np.array(start), np.array(start) + JOBS.runtime


#: mean waits 70 and 80 s, 60 s, 73.3 s, 75 and 80 s
RUNS = {
    (REAL, 1): run(0, 90, 150),
    (REAL, 2): run(0, 100, 170),
    (EASY, 0): run(0, 70, 140),
    (CONSERVATIVE, 0): run(0, 150, 100),
    (SLURM, 0): run(0, 95, 160),
    (SLURM, 5): run(0, 110, 160),
}


def summarized(runs=RUNS):
    """Summarize runs, by scheduler."""
    return summary(figures_of(JOBS, runs), differences_of(runs)).set_index("scheduler")


def replay(*start):
    """Return starts as a real Slurm's replay."""
    return pd.DataFrame(
        {
            "number": JOBS.number,
            "procs": JOBS.procs,
            "limit": 120,
            "submit": JOBS.submit,
            "start": start,
            "end": np.array(start) + JOBS.runtime,
        }
    )


def waits(**means):
    """Return figures of runs by setting: lists of mean waits, by scheduler."""
    return pd.DataFrame(
        [
            {"setting": setting, "scheduler": scheduler, "run": number, "wait": wait}
            for setting, by_scheduler in means.items()
            for scheduler, values in by_scheduler.items()
            for number, wait in enumerate(values)
        ]
    )


def compare_windows():
    """Return figures, summaries and rankings of two windows under two settings, as judged."""
    figures = [
        figures_of(JOBS, RUNS).assign(log=log, setting=setting)
        for log in ("A", "B")
        for setting in ("fcfs", "mixed")
    ]
    summaries = [
        summarized().reset_index().assign(log=log, setting=setting)
        for log in ("A", "B")
        for setting in ("fcfs", "mixed")
    ]
    ranks = [ranking(pd.concat(figures[:2])).assign(log=log) for log in ("A", "B")]
    return tuple(pd.concat(tables, ignore_index=True) for tables in (figures, summaries, ranks))
