"""Estimator of waits whose failures never end a workflow that has begun."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedlab.slurm.journal import Journal
    from schedlab.waits.learner import Geometry
    from schedlab.waits.predictors import Estimator

T = TypeVar("T")

#: Seconds without requests to an estimator after an error: one that waits for a lock would delay
#: every event by a minute
REST_S = 300.0


class CautiousEstimator:
    """Estimator that uses another one, and goes on with its last estimates after an error.

    Errors are raised until `begun` returns True; later `tell` takes a line about each. Estimates
    and waits that the `journal` has are returned again, and not learned again.
    """

    def __init__(
        self,
        estimator: Estimator,
        begun: Callable[[], bool],
        clock: Callable[[], float],
        tell: Callable[[str], None],
        journal: Journal | None = None,
        predictor: str = "learned",
    ) -> None:
        self._journal, self._predictor = journal, predictor
        self._unknown: set[Geometry] = set()  # geometries whose wait it could not tell
        self._estimator, self._begun, self._clock, self._tell = estimator, begun, clock, tell
        self._last: dict[Geometry, int] = {}
        self._guessed: set[Geometry] = set()  # geometries with an estimate of 0 without estimator
        self._rest_until = -REST_S

    def estimate(self, geometry: Geometry) -> int:
        """Estimate the wait of a job submitted now, in seconds."""
        journal, name = self._journal, str(geometry)
        record = journal and journal.recall("estimate", geometry=name)
        if record:
            estimate = record["estimate"]
        else:
            estimate = self._attempt(lambda: self._ask(geometry))
            if journal:
                journal.append(
                    "estimate", geometry=name, estimate=estimate, predictor=self._predictor
                )
        if estimate is not None:
            self._last[geometry] = estimate
            self._guessed.discard(geometry)
        elif geometry not in self._last:
            self._guessed.add(geometry)
        return self._last.get(geometry, 0)

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Learn from the wait of a started job, whose estimate was `estimate`."""
        known = None if geometry in self._guessed else estimate
        seen = {"geometry": str(geometry), "wait": wait, "estimate": known}
        if self._journal and not self._journal.decide("observe", **seen):
            return
        self._attempt(lambda: self._estimator.observe(geometry, wait, known))

    def _ask(self, geometry: Geometry) -> int | None:
        """Ask the estimator for an estimate; report the first time that it has none."""
        estimate = self._estimator.estimate(geometry)
        if estimate is None and geometry not in self._unknown:
            self._unknown.add(geometry)
            self._tell(
                f"{self._predictor}: cannot tell the wait of {geometry} yet, too few were recorded"
            )
        return estimate

    def _attempt(self, ask: Callable[[], T]) -> T | None:
        """Ask the estimator; return None if it failed now, or a short time ago."""
        if self._clock() < self._rest_until:
            return None
        try:
            return ask()
        # whatever it is: no error of a prediction is worth a running job
        except Exception as error:
            if not self._begun():
                raise
            self._rest_until = self._clock() + REST_S
            self._tell(f"waits are not learned for {REST_S:g} s, jobs go on: {error}")
            return None
