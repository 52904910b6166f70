"""Metrics of a co-schedule, each defined once.

References
----------
kellari2025, section 2.3.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from schedlab.core.machine import Machine
    from schedlab.cosched.simulation import CoJobs, CoSchedule

SLOWED = 0.99  # a job is slowed down if its speedup is at most this


def run_times(
    time: np.ndarray, start: np.ndarray, end: np.ndarray, compact: np.ndarray
) -> np.ndarray:
    """Return each job's actual run time in seconds; on whole nodes exactly its time alone.

    There ``end - start`` differs from the time in its last bits, which would break ties at random.
    """
    return np.where(compact, time, end - start)


def slowdown(jobs: CoJobs, schedule: CoSchedule) -> np.ndarray:
    """Return each job's time in the system divided by its actual run time, equation 2.2."""
    return (schedule.end - jobs.submit) / (schedule.end - schedule.start)


def job_speedup(jobs: CoJobs, schedule: CoSchedule) -> np.ndarray:
    """Return each job's time alone on full nodes divided by its actual run time, equation 2.7."""
    return jobs.time / run_times(jobs.time, schedule.start, schedule.end, schedule.compact)


def makespan(schedule: CoSchedule) -> float:
    """Return the end of the last job in seconds from time 0; 0 without jobs."""
    return float(schedule.end.max(initial=0.0))


def utilisation(jobs: CoJobs, schedule: CoSchedule, cluster: Machine) -> float:
    """Return processes times run time divided by all cores times the makespan, equation 2.6."""
    busy = float(jobs.procs @ (schedule.end - schedule.start))
    return busy / (cluster.processors * makespan(schedule))


def weighted_job_speedup(jobs: CoJobs, schedule: CoSchedule) -> float:
    """Return the mean job speedup weighted by processes times run time, equation 2.9."""
    run = run_times(jobs.time, schedule.start, schedule.end, schedule.compact)
    return float(jobs.procs @ jobs.time) / float(jobs.procs @ run)


def compute_co_metrics(jobs: CoJobs, schedule: CoSchedule, cluster: Machine) -> dict[str, float]:
    """Return every metric of one schedule of at least one job.

    Keys: makespan (s), slowdown, slowdown_sd (over the jobs), slowdown_pp (per processor), slowed
    (percent), utilisation, job_speedup, weighted_speedup, charged (core hours of all used nodes).
    """
    slowdowns, speedups = slowdown(jobs, schedule), job_speedup(jobs, schedule)
    return {
        "makespan": makespan(schedule),
        "slowdown": float(slowdowns.mean()),
        "slowdown_sd": float(slowdowns.std()),
        "slowdown_pp": float((slowdowns / jobs.procs).mean()),
        "slowed": 100 * float((speedups <= SLOWED).mean()),
        "utilisation": utilisation(jobs, schedule, cluster),
        "job_speedup": float(speedups.mean()),
        "weighted_speedup": weighted_job_speedup(jobs, schedule),
        "charged": float(schedule.cores @ (schedule.end - schedule.start)) / 3600,
    }
