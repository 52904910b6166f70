"""Result of one log under one policy: the schedule and its metrics."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.jobs import ARRAYS, Schedule
from schedlab.core.machine import Machine
from schedlab.core.metrics import (
    Counted,
    bounded_slowdown,
    makespan,
    summary_metrics,
    utilisation,
)
from schedlab.files.io import whole
from schedlab.policies import Policy
from schedlab.policies.functions import decides, from_function
from schedlab.policies.published import policy_named
from schedlab.queue import simulation
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.reservations import read_reservations
from schedlab.queue.simulation import Run
from schedlab.queue.slurm import default_reservations
from schedlab.workbench.log import Log, check_fits, load_log

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from numpy.typing import ArrayLike

    from schedlab.queue.reservations import Compression, Reservations
    from schedlab.workbench.explanation import Explanation

#: upper ends of the size classes, in processors
SIZES = (1, 4, 16, 64, 256, 1024)
SIZE_NAMES = ("1", *(f"{low + 1}–{end}" for low, end in pairwise(SIZES)), f"{SIZES[-1] + 1}–")
#: requests that results can be grouped by
REQUESTED = ("partition", "qos", "account")
#: properties that results can be grouped by
GROUPS = ("size", "user", "queue", *REQUESTED)
RECORDED = "as in the log"


@dataclass(frozen=True, eq=False)
class Result:
    """Schedule of a log's jobs.

    Parameters
    ----------
    log : Log
        The n jobs.
    label : str
        Label of the schedule.
    schedule : Schedule
        Start and end of each job, on the clock of ``log.jobs``.
    run : Run or None
        The simulated run; None if nothing was simulated, as for the log's own schedule.
    """

    log: Log
    label: str
    schedule: Schedule
    run: Run | None = None

    @property
    def processors(self) -> int:
        """Size of the machine."""
        return self.run.processors if self.run else self.log.processors

    @property
    def waits(self) -> np.ndarray:
        """Wait of each job in seconds, shape (n,)."""
        return self.schedule.start - self.log.jobs.submit

    @property
    def slowdowns(self) -> np.ndarray:
        """Bounded slowdown of each job (10 s), shape (n,)."""
        return bounded_slowdown(self.log.jobs, self.schedule)

    @property
    def utilisation(self) -> float:
        """Utilization of the machine from the first to the last submission.

        It excludes the end, when the machine drains. If all jobs arrive at once, it is that of the
        makespan; nan if their run times are all 0.
        """
        jobs = self.log.jobs
        end = int(jobs.submit[-1]) or int(self.makespan)
        return utilisation(self.schedule, jobs.procs, self.processors, 0, end)

    @property
    def makespan(self) -> float:
        """Seconds from the first submission to the last end."""
        return makespan(self.log.jobs, self.schedule)

    def summary(self) -> pd.Series:
        """Return the number of jobs, then `schedlab.core.metrics.summary_metrics` over all jobs."""
        return pd.Series({"jobs": len(self.log)} | self._metrics_of(slice(None)))

    def _metrics_of(self, places: slice | np.ndarray, groups: bool = False) -> dict[str, float]:
        """Return the summary of the jobs at these places."""
        part = Counted(
            self.log.jobs.take(places),
            self.log.frame["user"].to_numpy()[places],
            Schedule(self.schedule.start[places], self.schedule.end[places]),
            np.nan if groups else self.utilisation,
        )
        return {name: float(one.function(part)) for name, one in summary_metrics(groups).items()}

    def by(self, group: str) -> pd.DataFrame:
        """Return metrics of the jobs of each size class, user, queue, partition, QOS or account.

        Parameters
        ----------
        group : {"size", "user", "queue", "partition", "qos", "account"}
            Sizes are classes of processors; users and queues are the log's numbers, -1 if unknown.
            The others are names, of logs that have them. On a site's own Slurm users have names.

        Returns
        -------
        DataFrame
            A row per group, most core-hours first (sizes: smallest first): jobs, core_hours and
            the metrics of `summary` that are not of the whole machine.

        Raises
        ------
        ValueError
            The group is unknown, or the log does not have it.
        """
        jobs = self.log.jobs
        table = pd.DataFrame({
            group: np.asarray(self._keys(group)),
            "core_hours": jobs.procs * jobs.runtime / 3600,
        })  # fmt: skip
        rows = {}
        for key, part in table.groupby(group, sort=False):
            head = {"jobs": len(part), "core_hours": part["core_hours"].sum()}
            rows[key] = head | self._metrics_of(part.index.to_numpy(), groups=True)
        metrics = pd.DataFrame.from_dict(rows, orient="index").rename_axis(group)
        metrics["jobs"] = metrics["jobs"].astype("int64")
        if group == "size":
            return metrics.loc[sorted(metrics.index, key=lambda size: int(size.split("–")[0]))]
        return metrics.sort_values("core_hours", ascending=False)

    def _keys(self, group: str) -> ArrayLike:
        """Return the group of each job."""
        jobs, of_site = self.log.jobs, self.schedule.extras.get("jobs")
        if group not in GROUPS:
            raise ValueError(f"cannot group by '{group}'; by {', '.join(GROUPS)}")
        if group == "size":
            return size_classes(jobs.procs)
        if of_site is not None and group in of_site:
            return of_site[group]
        if group not in REQUESTED:
            return self.log.frame[group]
        if jobs.requests is None:
            raise ValueError(f"{self.log.path}: cannot group by {group}, the log does not have it")
        return getattr(jobs.requests, group).column()

    def to_frame(self) -> pd.DataFrame:
        """Return a row per job: its data in the log, start, end, wait and bounded slowdown.

        Times are seconds from the first submission.
        """
        jobs = self.log.jobs.to_frame()[[*ARRAYS]]
        owners = self.log.frame[["user", "group", "queue"]]
        return jobs.assign(
            start=self.schedule.start,
            end=self.schedule.end,
            wait=self.waits,
            slowdown=self.slowdowns,
            **owners,
        )

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Write `to_frame` as .csv (compressed if `path` ends with .gz), atomically."""
        with whole(path) as part:
            self.to_frame().to_csv(part, index=False, compression="infer")

    def gantt(
        self, first: int | None = None, last: int | None = None, job: int | None = None
    ) -> Figure:
        """Draw which processors ran which job at which time, and how many jobs waited.

        Parameters
        ----------
        first, last : int, optional
            Seconds from the first submission; the whole schedule by default.
        job : int, optional
            Number of a job to mark.
        """
        from schedlab.workbench.charts import gantt

        return gantt(self, first, last, job)

    def explain(self, job: int) -> Explanation:
        """Return why the job with this number in the log waited; see `explaining.explain`."""
        from schedlab.workbench.explaining import explain

        return explain(self, job)

    def __repr__(self) -> str:
        metrics = self.summary()
        return (
            f"<Result {self.label} on {self.log.path.name}: {len(self.log):,} jobs wait "
            f"{metrics['mean_wait']:,.0f} s on average (median {metrics['median_wait']:,.0f} s), "
            f"mean bounded slowdown {metrics['mean_slowdown']:,.2f}>"
        )


def size_classes(procs: np.ndarray) -> np.ndarray:
    """Return the name of each job's size class.

    Examples
    --------
    >>> size_classes(np.array([1, 2, 4, 5, 5000])).tolist()
    ['1', '2–4', '2–4', '5–16', '1025–']
    """
    return np.array(SIZE_NAMES)[np.searchsorted(SIZES, procs)]


def simulate(
    log: Log | str | os.PathLike[str],
    policy: str | Policy | Callable[..., object] = "fcfs",
    backfill: str | Policy | Callable[..., object] | None = None,
    reservations: Reservations | int | None = None,
    compression: Compression | None = None,
    threshold: int | None = None,
    dialect: str = "full",
    processors: int | Machine | None = None,
) -> Result:
    """Simulate a whole log under a policy.

    Parameters
    ----------
    log : Log or path-like
        From `schedlab.load_log`, or a file that it can read.
    policy : str, Policy or callable
        Name in the registry, or an expression over r, n, s and w; the smallest score runs first.
        Or a file with a network, see `schedlab.policies.neural`. Or a Python function or class, or
        ``file.py:function``: with any of the arguments r, n, s and w, or the waiting jobs alone, it
        scores them; with jobs and machine it decides which of them start, see
        `schedlab.policies.functions.from_function`. A decision function does not support
        reservations.
    backfill : str, Policy or callable, optional
        Order of backfilling if the queue head has a reservation; the policy by default.
    reservations : str or int, optional
        Which jobs have a reservation: "head" for EASY backfilling, "none" for strict order, "fit"
        for first fit without reservations, a number of jobs, or "every" for conservative
        backfilling. By default every in the dialect slurm, as in Slurm, and head in others.
    compression : {"none", "completion", "instant"}, optional
        When reservations for every job move earlier, see `schedlab.queue.reservations`.
    threshold : int, optional
        Starvation threshold in seconds: jobs that waited longer go in front of all others.
    dialect : str
        A name of `schedlab.queue.dialects.DIALECTS`, optionally with switches:
        ``slurm+bf_interval=300``, see `schedlab.queue.dialect_cells`.
    processors : int or Machine, optional
        Size of the machine, by default that of the log; or a machine with changes, as from
        `schedlab.traces.machine_changes.read_changes`.

    Raises
    ------
    ValueError
        A job does not fit the machine, or the settings contradict each other.
    schedlab.policies.expression.ExpressionError
        The policy is neither a name nor an expression.
    schedlab.policies.functions.SchedulerError
        A function failed; the message names it, the time and a job.

    Examples
    --------
    >>> simulate("site.swf.gz", "r * n").summary()  # doctest: +SKIP
    >>> simulate("site.swf.gz", lambda waiting: waiting.estimate)  # doctest: +SKIP
    """
    size = processors.processors if isinstance(processors, Machine) else processors
    log = log if isinstance(log, Log) else load_log(log, processors=size)
    machine = log.processors if processors is None else processors
    if size is not None and size < log.processors:
        check_fits(log.path, log.jobs, size)
    base = dialect_of(dialect)
    order = policy_of(policy, log.frame)
    run = Run(
        log.jobs,
        machine,
        order,
        backfill=None if backfill is None else policy_of(backfill, log.frame),
        dialect=base,
        threshold=threshold,
        reservations=reservations_of(order, reservations or default_reservations(base)),
        compression=compression,
    )
    return Result(log, order.label, simulation.simulate(run), run)


def as_recorded(log: Log) -> Result:
    """Return the log's own schedule, for the jobs whose wait is known.

    Raises
    ------
    ValueError
        The log has no waits.
    """
    part, schedule = log.as_recorded()
    if not len(part):
        raise ValueError(f"{log.path}: the log does not say how long its jobs waited (field 3)")
    return Result(part, RECORDED, schedule)


def policy_of(
    policy: str | Policy | Callable[..., object], frame: pd.DataFrame | None = None
) -> Policy:
    """Return the policy for a name, an expression, ``file.py:function``, a network or a function.

    Parameters
    ----------
    policy : str, Policy or callable
        A string with ``.py:`` names a function in a file, which is executed; one that ends in
        ``.npz`` or ``.index`` a network.
    frame : DataFrame, optional
        Clean jobs of a log, which give functions and networks users, groups and more by job number.

    Raises
    ------
    ValueError
        The policy is none of these, or its file cannot be executed.
    """
    if isinstance(policy, str):
        chosen = policy_named(policy)
    elif isinstance(policy, Policy):
        chosen = policy
    elif callable(policy):
        chosen = from_function(policy)
    else:
        raise ValueError(
            f"policy is {policy!r}: give a name, an expression, file.py:function or a function"
        )
    return chosen if frame is None else chosen.of_log(frame)


def reservations_of(policy: Policy, reservations: Reservations | int | None) -> Reservations | None:
    """Return which jobs have a reservation under a policy: none under a decision function.

    Raises ValueError if a decision function is combined with other reservations than head.
    """
    if not decides(policy):
        return None if reservations is None else read_reservations(reservations)
    if reservations not in (None, "head"):
        raise ValueError(
            f"'{policy.name}' decides which jobs start: reservations is {reservations}, must be "
            "left out"
        )
    return None
