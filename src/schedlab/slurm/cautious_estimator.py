"""Estimator of waits whose failures never end a workflow that has begun."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedlab.waits.learner import Geometry
    from schedlab.waits.predictors import Estimator

T = TypeVar("T")

#: Seconds without requests to an estimator after an error: one that waits for a lock would delay
#: every event by a minute
REST_S = 300.0


class CautiousEstimator:
    """Estimator that uses another one, and goes on without it after an error.

    Before `begun` returns True, errors are raised. Later `tell` takes a line of text about each,
    and a stage is submitted as early as the last estimate for its geometry; without one, when it is
    needed. `clock` returns seconds since 1970.
    """

    def __init__(
        self,
        estimator: Estimator,
        begun: Callable[[], bool],
        clock: Callable[[], float],
        tell: Callable[[str], None],
    ) -> None:
        self._estimator, self._begun, self._clock, self._tell = estimator, begun, clock, tell
        self._last: dict[Geometry, int] = {}
        self._guessed: set[Geometry] = set()  # geometries with an estimate of 0 without estimator
        self._rest_until = -REST_S

    def estimate(self, geometry: Geometry) -> int:
        """Estimate the wait of a job submitted now, in seconds."""
        estimate = self._attempt(lambda: self._estimator.estimate(geometry))
        if estimate is not None:
            self._last[geometry] = estimate
            self._guessed.discard(geometry)
        elif geometry not in self._last:
            self._guessed.add(geometry)
        return self._last.get(geometry, 0)

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Learn from the wait of a started job, whose estimate was `estimate`."""
        known = None if geometry in self._guessed else estimate
        self._attempt(lambda: self._estimator.observe(geometry, wait, known))

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
