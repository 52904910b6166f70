"""Run the experiments of kellari2025: draw workloads, simulate them, and measure the schedules."""

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
import pandas as pd

from schedlab.cosched.metrics import compute_co_metrics
from schedlab.cosched.pairs import METHODS
from schedlab.cosched.pool import Pool
from schedlab.cosched.schedulers import CoScheduler
from schedlab.cosched.simulation import CoJobs, CoRun, CoSchedule, simulate_many
from schedlab.cosched.workloads import Arrivals, mean_gap, random_workload
from schedlab.studies.kellari2025.sheet import PAPER, CoSettings

AS_MEASURED = "row_mean"  # the simulator's default for unmeasured pairs
BATCH = 16  # workloads that are simulated before their schedules are measured and discarded
MEASURED = {"experiment": str, "scheduler": str, "workload": "int64", "jobs": "int64", "pool": str}


def arrivals_of(experiment: CoSettings, pool: Pool, submit: Sequence[float] = ()) -> Arrivals:
    """Return how the jobs of an experiment arrive; `submit` are the submit times of its log."""
    if experiment.load is None:
        return Arrivals()
    gap = mean_gap(pool, experiment.cluster, experiment.load, experiment.applications)
    shape = {} if experiment.shape is None else {"shape": experiment.shape}
    return Arrivals(experiment.arrivals, gap, submit=tuple(submit), **shape)


def workload_of(experiment: CoSettings, pool: Pool, number: int, arrivals: Arrivals) -> CoJobs:
    """Draw the workload with a number.

    Its random numbers depend on the number alone. So experiments that differ in one cell have the
    same applications, and the experiment of ten workloads has the first ten of the thousand.
    """
    try:
        return random_workload(
            *(pool, experiment.cluster, experiment.jobs, (PAPER, "workload", number)),
            *(arrivals, experiment.estimates, experiment.applications),
        )
    except ValueError as error:
        raise type(error)(f"experiment '{experiment.experiment}': {error}") from None


def runs(
    experiment: CoSettings,
    pool: Pool,
    submit: Sequence[float],
    threads: int,
    progress: Callable[[], object] | None = None,
    further: Iterable[CoScheduler] = (),
    keep_allocation: bool = False,
) -> Iterator[tuple[str, int, CoJobs, CoSchedule]]:
    """Yield each run by workload, then scheduler: label, workload, jobs and schedule."""
    schedulers = [experiment.scheduler(name) for name in experiment.schedulers]
    schedulers += map(experiment.changed, further)
    arrivals = arrivals_of(experiment, pool, submit)
    speedup = pool.speedup
    if experiment.pairs != AS_MEASURED:
        speedup = np.where(np.isnan(speedup), METHODS[experiment.pairs](speedup), speedup)
    for first in range(0, experiment.workloads, BATCH):
        numbers = range(first, min(first + BATCH, experiment.workloads))
        workloads = {number: workload_of(experiment, pool, number, arrivals) for number in numbers}
        plan = [(scheduler, number) for number in numbers for scheduler in schedulers]
        batch = [
            CoRun(workloads[number], experiment.cluster, speedup, scheduler, keep_allocation)
            for scheduler, number in plan
        ]
        schedules = simulate_many(batch, threads, progress)
        for (scheduler, number), schedule in zip(plan, schedules, strict=True):
            yield scheduler.label, number, workloads[number], schedule


def measure_runs(
    experiment: CoSettings,
    pool: Pool,
    submit: Sequence[float],
    threads: int,
    progress: Callable[[], object] | None = None,
    further: Iterable[CoScheduler] = (),
) -> pd.DataFrame:
    """Return the metrics of every run, one row per workload and scheduler."""
    if experiment.arrivals == "log" and len(submit) == 0:
        return pd.DataFrame(columns=list(MEASURED)).astype(MEASURED)
    rows = []
    schedules = runs(experiment, pool, submit, threads, progress, further)
    for scheduler, number, jobs, schedule in schedules:
        head = (experiment.experiment, scheduler, number, len(jobs), pool.label)
        rows.append(
            dict(zip(MEASURED, head, strict=True))
            | compute_co_metrics(jobs, schedule, experiment.cluster)
        )
    return pd.DataFrame(rows).astype(MEASURED)


def keep_schedules(experiment: CoSettings, pool: Pool, threads: int) -> pd.DataFrame:
    """Return the schedules job by job.

    Columns: experiment, scheduler (label), workload, pool, job, application, procs, submit, time
    (alone, s), start, end (s), compact (bool), cores (charged), nodes (list of node numbers).
    """
    frames = []
    schedules = runs(experiment, pool, (), threads, keep_allocation=True)
    for scheduler, number, jobs, schedule in schedules:
        names = np.array(pool.names, dtype=object)[jobs.app]
        frame = {
            "experiment": experiment.experiment,
            "scheduler": scheduler,
            "workload": number,
            "pool": pool.label,
            "job": jobs.number,
            "application": names,
            "procs": jobs.procs,
            "submit": jobs.submit,
            "time": jobs.time,
            "start": schedule.start,
            "end": schedule.end,
            "compact": schedule.compact,
            "cores": schedule.cores,
            "nodes": [schedule.allocation.nodes(job) for job in range(len(jobs))],
        }
        frames.append(pd.DataFrame(frame))
    return pd.concat(frames, ignore_index=True)
