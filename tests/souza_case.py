"""Hand-made runs of souza2020."""

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.studies.souza2020.shapes import COLUMNS
from schedlab.studies.souza2020.tables.runs import METRICS, STRATEGIES

SHAPES = pd.DataFrame(
    [
        ("Montage", 320, "PSPS", 1200, 1000, 600, 590, 610),
        ("BLAST", 320, "PS", 500, 500, 500, 500, 500),
    ],
    columns=COLUMNS,
)


def jobs_of(days):
    """Jobs that fill three quarters of four processors."""
    stream, count = np.random.default_rng(1), 50 * days
    submit = np.sort(stream.integers(0, 86_400 * days, count))
    runtime, procs = stream.integers(1, 5200, count), stream.integers(1, 4, count)
    return Jobs(np.arange(count), submit, runtime, 2 * runtime, procs)


def printed(rows):
    """Table 1 as texts: numbers of the three strategies by run."""
    names = [f"{strategy} {measure}" for strategy in STRATEGIES for measure in METRICS]
    return pd.DataFrame.from_dict(rows, orient="index", columns=names).astype(str)


def runs(makespans, scale=28, workflow="Montage", waits=None, hours=None):
    """Runs by workflow: makespans by strategy, one a replicate."""
    rows = []
    for (strategy, estimator), values in makespans.items():
        for number, makespan in enumerate(values):
            wait = 10 if waits is None else waits[strategy, estimator][number]
            used = 7.0 if hours is None else hours[strategy, estimator][number]
            rows.append(
                (number, scale, strategy, estimator, workflow, wait, makespan, used, 0.0, 0)
            )
    names = ["replicate", "scale", "strategy", "estimator", "workflow", "twt", "makespan"]
    return pd.DataFrame(rows, columns=[*names, "core_hours", "idle_hours", "resubmitted"])


def stage(**cells):
    """A stage in the columns of submissions."""
    row = {
        "stage": "parallel 1", "cores": 28, "submit": 0, "start": 60, "end": 160, "estimate": 50,
        "wait": 60, "perceived": 60, "core_seconds": 2800, "idle_core_seconds": 0,
        "resubmitted": 0, "hit": True, "workflow": "Montage", "number": 0, "at": 0,
        "replicate": 0, "scale": 28, "spacing": "a minute apart",
        "estimator": "ASA",
    }  # fmt: skip
    return row | cells
