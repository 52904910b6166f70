"""One definition of every metric."""

from __future__ import annotations

import numpy as np

from schedlab.jobs import Jobs, Schedule

TAU = 10  # seconds: the field's usual bound on what counts as a short job


def bounded_slowdown(jobs: Jobs, schedule: Schedule, tau: float = TAU) -> np.ndarray:
    """Bounded slowdown of each job, ``max((wait + runtime) / max(runtime, tau), 1)``.

    Parameters
    ----------
    jobs : Jobs
        n jobs.
    schedule : Schedule
        Their start and end times.
    tau : float, default 10
        Bound in seconds that keeps very short jobs from having enormous slowdowns.

    Returns
    -------
    ndarray of float64, shape (n,)

    References
    ----------
    carastan2017, equation 1; Feitelson, Metrics for parallel job scheduling and their convergence.
    """
    wait = schedule.start - jobs.submit
    return np.maximum((wait + jobs.runtime) / np.maximum(jobs.runtime, tau), 1.0)


def average_bounded_slowdown(
    jobs: Jobs, schedule: Schedule, tau: float = TAU, skip: int = 0
) -> float:
    """Mean bounded slowdown over all jobs but the first `skip`; nan when none is left.

    References
    ----------
    carastan2017, equation 2.
    """
    slowdown = bounded_slowdown(jobs, schedule, tau)[skip:]
    return float(slowdown.mean()) if slowdown.size else float("nan")
