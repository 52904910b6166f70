"""Predictors of the waits of a run's stages, by which they are submitted ahead of time.

Waits are learned with each of them: the learner observes every wait, and records it.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from schedlab.slurm.client import SbatchRequest, Slurm, SlurmError
from schedlab.slurm.strategies import STRATEGIES
from schedlab.waits.regression import Correction

if TYPE_CHECKING:
    from schedlab.slurm.workflow_file import WorkflowFile
    from schedlab.waits.learner import Geometry, Learner
    from schedlab.waits.predictors import Estimator

#: names for the command line and the journal
LEARNED, TEST_ONLY, CONFORMAL = PREDICTORS = ("learned", "test-only", "conformal")
#: Share of waits that a conformal prediction covers. Of fewer waits than `FEWEST`, not even the
#: longest one covers the next with this probability.
COVERED, FEWEST = 0.9, 9


def check_predictor(predictor: str, strategy: str) -> None:
    """Raise `SlurmError` if a strategy uses no predictions, and one was chosen."""
    if predictor != LEARNED and not STRATEGIES[strategy].ahead:
        raise SlurmError(
            f"--predictor {predictor}: strategy {strategy} submits no stage by a predicted wait"
        )


def conformal_quantile(waits: list[float]) -> int | None:
    """Return the wait that covers the next one with a probability of `COVERED`; None for few waits.

    It corrects as `schedlab.waits.regression` does: the level follows the share that was covered.
    """
    correction = Correction(COVERED)
    for number, wait in enumerate(waits):
        if number >= FEWEST:
            correction.score(wait <= correction.value)
        correction.observe(wait)
    return math.ceil(correction.value) if len(waits) >= FEWEST else None


class Conformal:
    """Estimator of conformal quantiles of the waits that a learner has recorded."""

    def __init__(self, learner: Learner) -> None:
        self._learner = learner

    def estimate(self, geometry: Geometry) -> int | None:
        """Estimate the wait of a job submitted now, in seconds; None with too few waits."""
        return conformal_quantile(self._learner.waits(geometry))

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Let the learner observe a wait; it has made no estimate."""
        self._learner.observe(geometry, wait)


class TestOnly:
    """Estimator that asks ``sbatch --test-only``; of one geometry, about the longest limit."""

    def __init__(
        self, learner: Learner, slurm: Slurm, described: WorkflowFile, system: str
    ) -> None:
        self._learner, self._slurm = learner, slurm
        self._requests: dict[Geometry, SbatchRequest] = {}
        for stage in sorted(described.workflow.stages, key=described.minutes):
            self._requests[described.geometry(system, stage)] = SbatchRequest(
                *("test", Path("/dev/null"), Path("/dev/null"), stage.cores),
                *(described.minutes(stage), described.options),
                width=described.width(stage),
            )

    def estimate(self, geometry: Geometry) -> int:
        """Return the seconds until Slurm would start a job submitted now."""
        start = self._slurm.test_start(self._requests[geometry])
        return max(0, start - int(self._slurm.time()))

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Let the learner observe a wait; it has made no estimate."""
        self._learner.observe(geometry, wait)


def make_estimator(
    predictor: str, learner: Learner, slurm: Slurm, described: WorkflowFile, system: str
) -> Estimator:
    """Return the estimator of one of `PREDICTORS`; for `LEARNED`, it is the learner itself."""
    if predictor == CONFORMAL:
        return Conformal(learner)
    if predictor == TEST_ONLY:
        return TestOnly(learner, slurm, described, system)
    return learner
