"""Predictors of a wait from earlier waits, as alternatives to Algorithm 1.

A predictor uses the waits of one geometry, in the order in which they were observed. Without an
observation it predicts 0: the next stage is then submitted when it is needed.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from functools import cache
from typing import TYPE_CHECKING, Protocol

from scipy.special import bdtr
from sortedcontainers import SortedList

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedlab.waits.learner import Geometry

#: Probability of a run of waits above their bounds at which a change of their distribution is
#: assumed: that of three in a row where each is above with a probability of 5 %.
RARE = 0.05**3


class Predictor(Protocol):
    """Predictor of the next wait of one geometry from the waits before it."""

    def predict(self) -> float:
        """Return the next expected wait in seconds."""

    def observe(self, wait: float) -> None:
        """Observe a wait in seconds."""


class Estimator(Protocol):
    """Estimator of waits by geometry: `schedlab.waits.learner.Learner`, or `ByGeometry`."""

    def estimate(self, geometry: Geometry) -> int:
        """Estimate the wait of a job submitted now, in seconds."""

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Learn from the wait of a started job, whose estimate was `estimate`."""


class ByGeometry:
    """Estimator with one predictor for each geometry."""

    def __init__(self, predictor: Callable[[], Predictor]) -> None:
        self._make = predictor
        self._known: dict[Geometry, Predictor] = {}

    def estimate(self, geometry: Geometry) -> int:
        """Return the prediction for the geometry, in whole seconds, halves rounded up."""
        return math.floor(self._of(geometry).predict() + 0.5)

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Let the geometry's predictor observe a wait; the estimate is ignored."""
        if not 0 <= wait < math.inf:
            raise ValueError(f"{geometry}: a wait of {wait} s, must be a number from 0 on")
        self._of(geometry).observe(wait)

    def _of(self, geometry: Geometry) -> Predictor:
        return self._known.setdefault(geometry, self._make())


class LastWait:
    """Predict that the next wait equals the last one."""

    def __init__(self) -> None:
        self._last = 0.0

    def predict(self) -> float:
        """Return the last wait."""
        return self._last

    def observe(self, wait: float) -> None:
        """Store a wait."""
        self._last = wait


class RunningMedian:
    """Predictor of the median of the waits so far; of an even number, the mean of two."""

    def __init__(self, window: int | None = None) -> None:
        if window is not None and window < 1:
            raise ValueError(f"window is {window}, must be at least 1")
        self._window = window
        self._waits: deque[float] = deque()
        self._sorted: SortedList = SortedList()

    def predict(self) -> float:
        """Return the median."""
        if not self._sorted:
            return 0.0
        above, odd = divmod(len(self._sorted), 2)
        if odd:
            return self._sorted[above]
        return (self._sorted[above - 1] + self._sorted[above]) / 2

    def observe(self, wait: float) -> None:
        """Add a wait."""
        self._sorted.add(wait)
        if self._window is None:
            return
        self._waits.append(wait)
        if len(self._waits) > self._window:
            self._sorted.remove(self._waits.popleft())


class QuantileBound:
    """An upper bound of a quantile of the waits, by the binomial distribution.

    The smallest k for which this is at least `confidence` gives the bound. A run of waits above
    their bounds that is less likely than `RARE` indicates a change: then all but the last `least`
    waits are dropped. With fewer than `least` waits no bound has that confidence, and the largest
    wait is used. The published method takes longer ones from a table by their autocorrelation. It
    also groups jobs by their size, which `ByGeometry` does here. Source: Nurmi, Brevik and Wolski,
    QBETS: Queue Bounds Estimation from Time Series (2007); souza2020, section 2.1.
    """

    def __init__(self, quantile: float = 0.95, confidence: float = 0.95) -> None:
        for name, value in (("quantile", quantile), ("confidence", confidence)):
            if not 0 < value < 1:
                raise ValueError(f"{name} is {value}, must be between 0 and 1")
        self.quantile, self.confidence = quantile, confidence
        #: the waits that a bound needs: the least n with 1 - quantile**n >= confidence
        self.least = _least(quantile, confidence)
        #: how many waits in a row above their bounds indicate a change; rounded, because 1 - 0.95
        #: is not exactly 0.05
        self.telling = math.ceil(round(math.log(RARE) / math.log1p(-quantile), ndigits=9))
        self._waits: deque[float] = deque()
        self._sorted: SortedList = SortedList()
        self._above = 0

    def predict(self) -> float:
        """Return the bound."""
        if not self._sorted:
            return 0.0
        place = order_statistic(len(self._sorted), self.quantile, self.confidence)
        return self._sorted[-1 if place is None else place - 1]

    def observe(self, wait: float) -> None:
        """Add a wait; after a change, drop the waits before it."""
        bounded = len(self._sorted) >= self.least
        self._above = self._above + 1 if bounded and wait > self.predict() else 0
        self._waits.append(wait)
        self._sorted.add(wait)
        if self._above >= self.telling:
            self._above = 0
            while len(self._waits) > self.least:
                self._sorted.remove(self._waits.popleft())


@cache
def order_statistic(count: int, quantile: float, confidence: float) -> int | None:
    """Return the rank of the wait, from the smallest, that bounds a quantile of the distribution.

    Ranks begin with 1; None if not even the largest of `count` waits is a bound with that
    confidence.
    """
    below = bisect_left(range(count), confidence, key=lambda k: bdtr(k, count, quantile))
    return below + 1 if below < count else None


@cache
def _least(quantile: float, confidence: float) -> int:
    count = 1
    while order_statistic(count, quantile, confidence) is None:
        count += 1
    return count
