"""Slurm's schedulers on equal processors as a dialect of the queue.

They run on the kernel of a site's own Slurm (`schedlab.queue.site_problem`): its simplest machine
has nodes of one processor, one partition, and no accounts.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import Priorities, Scheduling, Site
from schedlab.queue.reservations import depth_of
from schedlab.queue.site_problem import SiteProblem, problem_of
from schedlab.queue.site_requests import time_limits
from schedlab.queue.slurm_site import Phases, kernel_of

if TYPE_CHECKING:
    from schedlab.policies import Policy
    from schedlab.queue.dialects import Dialect
    from schedlab.queue.reservations import Reservations
    from schedlab.queue.simulation import Run

#: more instants than a simulation has
EVERY = 2**62


@dataclass(frozen=True)
class SlurmSettings:
    """Settings of Slurm's two schedulers on equal processors.

    The main scheduler starts jobs in their order until one does not fit. Backfilling runs in
    periodic passes. It plans job after job on individual processors, around the jobs before it, and
    starts those that can start now: `docs/site_plan.md` has the rules.

    Parameters
    ----------
    scheduling : Scheduling
        Parameters by Slurm's names. Those of users, partitions and arrays have no effect.
    phases : Phases
        When the controller's periodic work begins; unknown for a running one.
    stopping : int
        How long a job occupies its processors beyond its run time, for start and cleanup.

    Raises
    ------
    ValueError
        A number is below its least value; the message names it.
    """

    scheduling: Scheduling = field(default_factory=Scheduling)
    phases: Phases = field(default_factory=Phases)
    stopping: int = 1

    def __post_init__(self) -> None:
        for name, least in (("bf_interval", 1), ("bf_resolution", 1), ("bf_window", 1)):
            if (value := getattr(self.scheduling, name)) < least:
                raise ValueError(f"{name} is {value}, must be at least {least}")
        if self.stopping < 0:
            raise ValueError(f"stopping is {self.stopping}, must be at least 0")


def start_times(run: Run, rank: np.ndarray) -> np.ndarray:
    """Return start times of jobs with the kernel of a site's Slurm."""
    settings = run.dialect.slurm
    assert settings is not None
    scheduling = scheduling_of(settings.scheduling, run.reservations)
    # the first job has the most points, and the last one some
    points = (len(run.jobs) - rank).astype(np.float64)
    if isinstance(run.machine, Machine):
        site = replace(_site(run.machine), scheduling=scheduling)
        requests = Requests.from_frame(pd.DataFrame(index=range(len(run.jobs))))
        problem = problem_of(site, run.jobs, requests, points, settings.stopping)
    else:
        problem = problem_of_processors(
            run.machine, run.jobs, points, scheduling, settings.stopping
        )
    kernel = kernel_of(problem, settings.phases, keeps_places=False)
    while kernel.advance(EVERY):
        pass
    return kernel.starts()


def scheduling_of(scheduling: Scheduling, reservations: Reservations | None) -> Scheduling:
    """Return parameters with which as many jobs as settled have a reservation in a pass."""
    if reservations == "none":
        return replace(scheduling, bf_interval=0)
    if reservations == "every":
        return scheduling
    return replace(scheduling, bf_job_part_count_reserve=depth_of(reservations))


def _site(machine: Machine) -> Site:
    """Return a site without accounts, whose memory is not counted."""
    return Site(machine, Priorities(multifactor=False), memory_counts=False)


@cache
def _of_one_job(processors: int) -> SiteProblem:
    """Return the arrays of a job on equal processors, whose memory is not counted."""
    site = _site(Machine.of_processors(processors))
    return problem_of(site, Jobs([1], [0], [1], [1], [1]), Requests.from_frame(pd.DataFrame([{}])))


def problem_of_processors(
    processors: int, jobs: Jobs, points: np.ndarray, scheduling: Scheduling, stopping: int
) -> SiteProblem:
    """Return the same arrays as `schedlab.queue.site_problem.problem_of` for equal processors.

    Classes of requests may have another order. Costs little, for thousands of short simulations.
    """
    count = len(jobs)
    usual = _of_one_job(processors)
    procs, kind = np.unique(jobs.procs, return_inverse=True)
    numbers = np.repeat(usual.numbers, len(procs), axis=0)
    numbers[:, 2] = numbers[:, 3] = procs
    zeros, none = np.zeros(count + 1, dtype=np.int64), np.full(count, -1)
    return replace(
        usual,
        numbers=numbers,
        class_gres=np.zeros((len(procs), 0), dtype=np.int64),
        class_static=np.zeros(len(procs), dtype=np.int64),
        pair_of=np.arange(count + 1),
        pair_class=kind,
        pair_partition=zeros[:count],
        pair_group=zeros[:count],
        points=points,
        submit=jobs.submit,
        begin=jobs.submit,
        holds=jobs.runtime + stopping,
        limit=time_limits(jobs.estimate),
        user=zeros[:count],
        qos=np.full(count, "", dtype=object),
        association=zeros[:count],
        array=none,
        after_of=zeros,
        reservation=none,
        pair_rank=zeros[:count],
        site=replace(usual.site, scheduling=scheduling),
    )


def refusal(policy: Policy, backfill: Policy | None = None) -> str:
    """Return why Slurm's schedulers cannot run a policy; "" if they can."""
    if policy.order != "static":
        return f"has static orders, '{policy.name}' moves while jobs wait"
    if backfill not in (None, policy):
        return f"backfills in the order of the queue, '{backfill.name}' is another"
    return ""


def default_reservations(dialect: Dialect) -> Reservations:
    """Return which jobs have a reservation by default: every job in Slurm, else the queue head."""
    return "every" if dialect.is_slurm else "head"


def accepts(run: Run) -> str | None:
    """Return why Slurm's schedulers cannot simulate a run; None if they can.

    A time-dependent order, another order of backfilling, first fit, jobs that start in order, a
    threshold, another switch of the dialect, or a job that runs longer than its limit.
    """
    dialect, name = run.dialect, run.dialect.name
    assert dialect.slurm is not None
    limit = time_limits(run.jobs.estimate)
    if dialect != type(dialect)(name, slurm=dialect.slurm):
        return f"dialect {name}: Slurm's dialect takes no other switches"
    if why := refusal(run.policy, run.backfill):
        return f"dialect {name} {why}"
    if run.reservations == "fit":
        return f"dialect {name} knows no reservations fit"
    if run.head:
        return f"dialect {name} does not support head={run.head} (first jobs that start in order)"
    if run.threshold is not None:
        return f"dialect {name} has no starvation threshold"
    if (longer := np.flatnonzero(run.jobs.runtime > limit)).size:
        job = longer[0]
        return (
            f"job {run.jobs.number[job]}: runs {run.jobs.runtime[job]} s, its limit is "
            f"{limit[job]} s: Slurm would end it, raise the estimate to the run time"
        )
    return None
