"""One run under many mixed policies at once: sums of bounded slowdowns."""

from __future__ import annotations

import numpy as np

from schedlab.kernels.mixed import MOST_JOBS, run_mixed
from schedlab.metrics import TAU
from schedlab.policies.mixed import FEATURES, still
from schedlab.queue.sessions import patience
from schedlab.queue.simulation import Run, backfill_ranks

#: arrivals after which the mixed kernel merges states that became equal
STEP = 16


def mixed_totals(
    run: Run,
    weights: np.ndarray,
    scales: np.ndarray,
    step: int = STEP,
    tau: float = TAU,
) -> tuple[np.ndarray, np.ndarray, int]:
    """Add up the bounded slowdowns of one run under many mixed policies instead of its own.

    Parameters
    ----------
    run : Run
        Jobs, machine, threshold and a static order of backfilling; the dialect is ocs_in_order.
    weights : ndarray of float64, shape (W, F)
        Weight vectors, see `schedlab.policies.mixed.mixed`.
    scales : ndarray of float64, shape (F,)
        What each feature is divided by.
    step : int
        Arrivals after which states that became equal are merged; the result does not depend on it.
    tau : float, default 10
        Bound of the bounded slowdown in seconds.

    Returns
    -------
    total : ndarray of float64, shape (W,)
        Sums of bounded slowdowns.
    mark : ndarray of uint64, shape (W,)
        A hash of each schedule: equal for equal ones.
    simulated : int
        Jobs started in all simulations together; vectors share them while they agree.

    Raises
    ------
    ValueError
        A job has an estimate of 0, or there are too many jobs.
    """
    jobs = run.jobs
    if len(jobs) > MOST_JOBS:
        raise ValueError(f"{len(jobs)} jobs under mixed policies, must be at most {MOST_JOBS}")
    if not jobs.estimate.all():
        raise ValueError(
            f"job {jobs.number[jobs.estimate == 0][0]} has an estimate of 0 s: no expansion factor"
        )
    job, level = backfill_ranks(run)
    moves = weights.shape[1] == len(FEATURES)
    exp = FEATURES.index("exp")
    return run_mixed(
        *(jobs.submit, jobs.runtime, jobs.estimate, jobs.procs),
        np.maximum(jobs.runtime, tau).astype(np.float64),
        run.processors,
        job,
        level,
        still(jobs, scales)[job],
        np.delete(weights, exp, axis=1) if moves else weights,
        weights[:, exp].copy() if moves else np.zeros(len(weights)),
        scales[exp] if moves else 1.0,
        patience(run.threshold),
        step,
    )
