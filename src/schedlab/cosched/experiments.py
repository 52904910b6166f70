"""The experiment sheet of kellari2025: a row is a pool, workloads, a machine and schedulers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pandas as pd

from schedlab.config import ConfigError, read_sheet
from schedlab.cosched.machine import Cluster
from schedlab.cosched.metrics import measure
from schedlab.cosched.pairs import METHODS
from schedlab.cosched.pool import Pool
from schedlab.cosched.schedulers import SCHEDULERS, CoScheduler
from schedlab.cosched.simulation import CoJobs, CoRun, CoSchedule, simulate_many
from schedlab.workloads.npb import Arrivals, mean_gap, random_workload

PAPER = "kellari2025"
AS_MEASURED = "row_mean"  # what the simulator itself takes for pairs that nobody measured
BATCH = 16  # workloads that are simulated before their schedules are measured and dropped
MEASURED = {"experiment": str, "scheduler": str, "workload": "int64", "jobs": "int64", "pool": str}


@dataclass(frozen=True)
class CoExperiment:
    """Workloads drawn from a pool, run on one machine under several schedulers.

    Parameters
    ----------
    experiment, item, label : str
        Name, once in the sheet; the table or figure that it belongs to; what it is called there.
    pool : str
        Pool of the registry.
    nodes, sockets, cores : int
        Machine.
    workloads, jobs : int
        Workloads drawn, and jobs of each.
    arrivals : str
        As of `schedlab.workloads.npb.Arrivals`.
    load : float or None
        Work that arrives over what the machine can do, running alone; None: everything at 0.
    shape : float or None
        Of Weibull gaps.
    log : str or None
        The log that gaps are taken from.
    standin : str or None
        The model whose gaps stand for the log's where the configuration says source models.
    estimates : str
        What users say: wall (1.4 times the time alone), factor or tsafrir.
    pairs : str
        What is taken for unmeasured pairs: a key of `schedlab.cosched.pairs.METHODS`.
    schedulers : tuple of str
        Keys of `SCHEDULERS`.
    order, node_order, key_time : str or None
        In the place of every co-scheduler's own; None leaves it.
    repeat : bool or None
        The same, of every scheduler.
    threshold : float or None
        The same.
    compact_below : int or None
        The same.
    keep : bool
        Whether schedules are kept job by job.
    """

    experiment: str
    item: str
    label: str
    pool: str
    nodes: int
    sockets: int
    cores: int
    workloads: int
    jobs: int
    arrivals: str
    load: float | None
    shape: float | None
    log: str | None
    standin: str | None
    estimates: str
    pairs: str
    schedulers: tuple[str, ...]
    order: str | None
    node_order: str | None
    key_time: str | None
    repeat: bool | None
    threshold: float | None
    compact_below: int | None
    keep: bool

    @property
    def cluster(self) -> Cluster:
        """The machine."""
        return Cluster(self.nodes, self.sockets, self.cores)

    def limited(self, workloads: int) -> Self:
        """Return the experiment with at most `workloads` workloads."""
        return replace(self, workloads=min(self.workloads, workloads))

    def scheduler(self, name: str) -> CoScheduler:
        """The scheduler of a name as this experiment changes it.

        Order and nodes are changed of co-schedulers alone, so that the baselines stay what they
        are.
        """
        own = SCHEDULERS[name]
        changes: dict[str, Any] = {
            "key_time": self.key_time,
            "repeat": self.repeat,
            "threshold": self.threshold,
            "compact_below": self.compact_below,
        }
        if own.allocation != "compact":
            changes |= {"order": self.order, "nodes": self.node_order}
        return replace(own, **{key: value for key, value in changes.items() if value is not None})

    def arriving(self, pool: Pool, submit: Sequence[float] = ()) -> Arrivals:
        """How jobs arrive; `submit` are the times of the log."""
        if self.load is None:
            return Arrivals()
        gap = mean_gap(pool, self.cluster, self.load)
        given = {} if self.shape is None else {"shape": self.shape}
        return Arrivals(self.arrivals, gap, submit=tuple(submit), **given)

    def workload(self, pool: Pool, number: int, arrivals: Arrivals) -> CoJobs:
        """Draw the workload of a number.

        Its streams are keyed by the number alone, so that experiments that differ in one cell have
        the same applications, and the first ten of a thousand workloads are the ten.
        """
        key = (PAPER, "workload", number)
        return random_workload(pool, self.cluster, self.jobs, key, arrivals, self.estimates)


def read_coexperiments(path: str | Path, schema_path: str | Path) -> dict[str, CoExperiment]:
    """Read the sheet.

    Parameters
    ----------
    path, schema_path : path
        ``config/experiments/kellari2025.tsv`` and the schema of a row.

    Returns
    -------
    dict
        Experiments by name, in the sheet's order.

    Raises
    ------
    ConfigError
        A row breaks the schema, a name stands there twice, a scheduler is not known, or a row asks
        for arrivals without what they need.
    """
    rows: dict[str, CoExperiment] = {}
    for cells in read_sheet(path, schema_path).to_dict("records"):
        known = {
            key: None if not isinstance(value, list) and pd.isna(value) else value
            for key, value in cells.items()
        }
        row = CoExperiment(**known | {"schedulers": tuple(known["schedulers"])})
        where = f"{path}: experiment '{row.experiment}'"
        if row.experiment in rows:
            raise ConfigError(f"{where}: column 'experiment': stands there twice")
        if strange := [name for name in row.schedulers if name not in SCHEDULERS]:
            known_names = ", ".join(SCHEDULERS)
            raise ConfigError(
                f"{where}: column 'schedulers': no scheduler '{strange[0]}', there are "
                f"{known_names}"
            )
        if (row.arrivals == "log") != (row.log is not None):
            raise ConfigError(f"{where}: column 'log': arrivals of a log need one, others none")
        if row.load is None and row.arrivals != "constant":
            raise ConfigError(f"{where}: column 'load': {row.arrivals} arrivals need one")
        rows[row.experiment] = row
    return rows


def runs(
    experiment: CoExperiment,
    pool: Pool,
    submit: Sequence[float],
    threads: int,
    progress: Callable[[], object] | None = None,
    keep_allocation: bool = False,
) -> Iterator[tuple[str, int, CoJobs, CoSchedule]]:
    """Simulate every workload under every scheduler, a few workloads at a time.

    Parameters
    ----------
    experiment : CoExperiment
        The row.
    pool : Pool
        Its pool.
    submit : sequence of float
        Submit times of its log; empty for other arrivals.
    threads : int
        Simulations at a time; the results do not depend on it.
    progress : callable, optional
        Called after each simulation.
    keep_allocation : bool, default False
        Whether schedules say where jobs ran.

    Yields
    ------
    tuple of str, int, CoJobs and CoSchedule
        Scheduler, number of the workload, its jobs and their schedule; by workload, then in the
        sheet's order of schedulers.
    """
    schedulers = {name: experiment.scheduler(name) for name in experiment.schedulers}
    arrivals = experiment.arriving(pool, submit)
    speedup = pool.speedup
    if experiment.pairs != AS_MEASURED:
        speedup = np.where(np.isnan(speedup), METHODS[experiment.pairs](speedup), speedup)
    for first in range(0, experiment.workloads, BATCH):
        numbers = range(first, min(first + BATCH, experiment.workloads))
        drawn = {number: experiment.workload(pool, number, arrivals) for number in numbers}
        plan = [(name, number) for number in numbers for name in schedulers]
        batch = [
            CoRun(drawn[number], experiment.cluster, speedup, schedulers[name], keep_allocation)
            for name, number in plan
        ]
        schedules = simulate_many(batch, threads, progress)
        for (name, number), schedule in zip(plan, schedules, strict=True):
            yield name, number, drawn[number], schedule


def measured(
    experiment: CoExperiment,
    pool: Pool,
    submit: Sequence[float],
    threads: int,
    progress: Callable[[], object] | None = None,
) -> pd.DataFrame:
    """Metrics of every run, a row per workload and scheduler.

    Parameters
    ----------
    experiment, pool, submit, threads, progress
        As for `runs`. An experiment whose log is not at hand (no submit times) has no rows.

    Returns
    -------
    DataFrame
        experiment, scheduler (its label), workload, jobs, pool and the metrics of
        `schedlab.cosched.metrics.measure`.
    """
    if experiment.log is not None and len(submit) == 0:
        return pd.DataFrame(columns=list(MEASURED)).astype(MEASURED)
    rows = []
    for name, number, jobs, schedule in runs(experiment, pool, submit, threads, progress):
        head = (experiment.experiment, SCHEDULERS[name].label, number, len(jobs), pool.label)
        found = dict(zip(MEASURED, head, strict=True))
        rows.append(found | measure(jobs, schedule, experiment.cluster))
    return pd.DataFrame(rows).astype(MEASURED)


def kept(experiment: CoExperiment, pool: Pool, threads: int) -> pd.DataFrame:
    """Schedules job by job.

    Returns
    -------
    DataFrame
        experiment, scheduler (label), workload, pool, job, application, procs, submit, time (alone,
        s), start, end (s), compact (bool), cores (charged), nodes (list of node numbers).
    """
    frames = []
    for name, number, jobs, schedule in runs(experiment, pool, (), threads, keep_allocation=True):
        names: Mapping | np.ndarray = np.array(pool.names, dtype=object)[jobs.app]
        frame = {
            "experiment": experiment.experiment,
            "scheduler": SCHEDULERS[name].label,
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
