"""One run under many mixed policies at once: sums of bounded slowdowns."""

import numpy as np

from schedlab.core.metrics import TAU
from schedlab.kernels.mixed.mixed import MOST_JOBS, run_mixed
from schedlab.policies.mixed import FEATURES, still
from schedlab.queue.limits import starvation_threshold
from schedlab.queue.simulation import Run, backfill_ranks

#: arrivals after which the mixed kernel merges states that became equal
STEP = 16
EXP = FEATURES.index("exp")  # the time-dependent feature


class MixedQueue:
    """One run under mixed policies instead of its own; data shared by all vectors is computed once.

    `run` has jobs, machine, threshold and a static order of backfilling; its dialect is
    ocs_in_order. `scales` (float64, shape (F,), F is 3 or 6) are divisors of features, see
    `schedlab.policies.mixed.mixed_policy`. `tau` is the bound of the bounded slowdown in seconds.
    Raises ValueError if a job has an estimate of 0, or there are too many jobs.
    """

    def __init__(self, run: Run, scales: np.ndarray, tau: float = TAU) -> None:
        jobs = run.jobs
        if len(jobs) > MOST_JOBS:
            raise ValueError(f"{len(jobs)} jobs under mixed policies, must be at most {MOST_JOBS}")
        if not jobs.estimate.all():
            raise ValueError(
                f"job {jobs.number[jobs.estimate == 0][0]} has an estimate of 0 s: "
                "no expansion factor"
            )
        assert run.backfill is not None
        job, level = backfill_ranks(run.backfill, jobs)
        bound = np.maximum(jobs.runtime, tau).astype(np.float64)
        self._jobs = (jobs.submit, jobs.runtime, jobs.estimate, jobs.procs, bound, run.processors)
        self._ranked = (job, level, still(jobs, scales)[job])
        self._moves = len(scales) == len(FEATURES)
        self._pace_scale = scales[EXP] if self._moves else 1.0
        self._threshold = starvation_threshold(run.threshold)

    def totals(self, weights: np.ndarray, step: int = STEP) -> tuple[np.ndarray, np.ndarray, int]:
        """Compute the sum of bounded slowdowns under each of many weight vectors.

        `weights` (float64, shape (W, F)) are vectors as of `schedlab.policies.mixed.mixed_policy`.
        States that became equal are merged after `step` arrivals; the result does not depend on it.
        Returns the sums (float64, shape (W,)), and a hash of each schedule (uint64, shape (W,));
        equal schedules have equal hashes. Returns also the number of jobs started in all
        simulations together; vectors share a simulation while they agree.
        """
        moves = self._moves
        return run_mixed(
            *self._jobs,
            *self._ranked,
            np.delete(weights, EXP, axis=1) if moves else weights,
            weights[:, EXP].copy() if moves else np.zeros(len(weights)),
            self._pace_scale,
            self._threshold,
            step,
        )
