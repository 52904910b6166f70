"""Run many busy intervals of a log, to show in which range the change of an interval lies."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from schedlab.files.threads import over_threads
from schedlab.planning.machine import Machine
from schedlab.studies.klusacek2016.intervals import NoIntervalError
from schedlab.studies.klusacek2016.metrics import ORIG, PLAN, runs_of
from schedlab.studies.klusacek2016.runs import Workload, demand_of
from schedlab.studies.klusacek2016.sheet import PlanSettings

COLUMNS = {"piece": "int64", "scheduler": "str", "seed": "int64", "jobs": "int64"}
COLUMNS |= dict.fromkeys(["wait", "slowdown"], "float64")


def run_periods(
    settings: PlanSettings,
    jobs: pd.DataFrame,
    machine: Machine,
    simulated: pd.DataFrame | None,
    threads: int,
    progress: Callable[[], object] | None = None,
) -> pd.DataFrame:
    """Run the most contended intervals of a log, from the first to the row's `piece`."""
    demand = demand_of(settings, jobs, machine)
    pieces = range(1, settings.piece + 1) if len(demand.jobs) else []

    def measured(piece: int) -> list[tuple]:
        row = replace(settings, piece=piece)
        try:
            workload = Workload.of_demand(row, demand, machine, simulated)
        except NoIntervalError:
            return []
        jobs, rows = workload.jobs(), []
        for scheduler, seed in row.runs:
            submit, start, _ = workload.run(scheduler, seed)
            columns = {"scheduler": scheduler, "seed": seed, "submit": submit, "start": start}
            (_, _, ran), *_ = runs_of(jobs, pd.DataFrame(columns), machine.processors)
            means = float(ran.wait.mean()), float(ran.slowdown.mean())
            rows.append((piece, scheduler, seed, len(ran.jobs), *means))
        return rows

    rows = [row for rows in over_threads(measured, pieces, threads, progress) for row in rows]
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def changes(periods: pd.DataFrame, measure: str) -> np.ndarray:
    """Return the change of a metric from Orig-BF to Plan-RS in percent, in each interval.

    Values are means over the seeds. Intervals in which no job waits under Orig-BF are left out.
    """
    if periods.empty:
        return np.empty(0)
    waits = periods.pivot_table(index="piece", columns="scheduler", values="wait")
    values = periods.pivot_table(index="piece", columns="scheduler", values=measure)
    values = values[waits[ORIG] > 0]
    return (100 * (values[PLAN] / values[ORIG] - 1)).to_numpy()
