"""Slurm's schedulers as a dialect of the queue: its switches, and runs with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schedlab.kernels.slurm.slurm import run_slurm
from schedlab.queue.reservations import depth_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from schedlab.policies import Policy
    from schedlab.queue.dialects import Dialect
    from schedlab.queue.reservations import Reservations
    from schedlab.queue.simulation import Run

MINUTE, HALF_MINUTE = 60, 30


@dataclass(frozen=True)
class SlurmSwitches:
    """Differences between Slurm's two schedulers and the textbook; times in seconds.

    The main scheduler runs at each event and starts jobs in their order until one does not fit.
    Backfilling runs in periodic passes. It plans job after job on individual processors, around the
    jobs before it, and starts those that can start now. These rules come from experiments with
    Slurm 22.05 (select/cons_tres, nodes of one processor); tests/slurm compares them with a real
    Slurm. Names of parameters are from its slurm.conf(5) and sched_config.

    Parameters
    ----------
    interval : int
        Time between two passes of backfilling (bf_interval).
    resolution : int
        Reservations begin and end at multiples of it, both rounded down (bf_resolution).
    window : int
        How far ahead reservations are made (bf_window).
    max_test : int
        Number of jobs that a pass considers (bf_max_job_test).
    close : int
        Distance of time limits, from the next half minute after the first of them, within which
        running jobs count as ending together with the last of them when a start is predicted. The
        distance doubles each time that too few processors are free then. 0: each job ends at its
        own limit.
    minutes : bool
        Whether limits are rounded up to whole minutes.
    stopping : int
        How long a job occupies its processors beyond its run time, for start and cleanup.
    phase : int
        Time of the first pass of backfilling; it is unknown for a running controller.
    """

    interval: int = 30
    resolution: int = MINUTE
    window: int = 86_400
    max_test: int = 500
    close: int = HALF_MINUTE
    minutes: bool = True
    stopping: int = 1
    phase: int = 0

    def __post_init__(self) -> None:
        for name, least in (
            ("interval", 1), ("resolution", 1), ("window", 1), ("max_test", 1),
            ("close", 0), ("stopping", 0), ("phase", 0),
        ):  # fmt: skip
            if getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)}, must be at least {least}")

    def limit(self, estimate: ArrayLike) -> np.ndarray:
        """Return the time limits of estimates, in seconds."""
        seconds = np.maximum(np.asarray(estimate, dtype=np.int64), 1)
        return -(-seconds // MINUTE) * MINUTE if self.minutes else seconds


def start_times(run: Run, job: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return start times from the kernel that schedules as Slurm does."""
    jobs, switches = run.jobs, run.dialect.slurm
    assert switches is not None
    return run_slurm(
        jobs.submit,
        jobs.runtime + switches.stopping,
        switches.limit(jobs.estimate),
        jobs.procs,
        run.processors,
        job,
        rank,
        run.reservations != "none",
        len(jobs) if run.reservations == "every" else max(depth_of(run.reservations), 0),
        switches.interval,
        switches.resolution,
        switches.window,
        switches.max_test,
        switches.close,
        switches.phase,
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
    limit = dialect.slurm.limit(run.jobs.estimate)
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
