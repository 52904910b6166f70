"""Predictors that also use jobs that still wait, whose waits are censored.

A predictor that uses started jobs alone misses the long waits that have not ended. The Kaplan-Meier
estimate counts a waiting job up to its present age, and then shares its weight among the jobs that
have waited longer.

References
----------
Kaplan and Meier, Nonparametric estimation from incomplete observations (1958).
"""

import math
from collections.abc import Sequence

import numpy as np

from schedlab.waits.predictors import QuantileBound, order_statistic

#: a share this close to a level counts as reached, because products of quotients are not exact
NEAR = 1e-9


def censored_quantile(waits: np.ndarray, waiting: Sequence[float], level: float) -> float:
    """Return the smallest wait by which a share of all jobs has started, by Kaplan and Meier.

    Returns the longest of all these times if no known wait reaches the share, and 0 without any
    job.
    """
    ages = np.sort(np.asarray(waiting, dtype=float))
    n, k = len(waits), len(ages)
    if not n + k:
        return 0.0
    # age intervals divide the known waits; a wait that equals an age comes before it
    until = np.append(np.searchsorted(waits, ages, side="right"), n)
    since = np.append(0, until[:-1])
    at_risk = n + k - since - np.arange(k + 1)
    shares = (at_risk - (until - since)) / np.maximum(at_risk, 1)
    shares[at_risk == 0] = 1.0
    still = np.cumprod(np.append(1.0, shares))
    reached = np.flatnonzero(still[1:] <= 1 - level + NEAR)
    if not reached.size:
        return float(max(waits[-1] if n else 0.0, ages[-1] if k else 0.0))
    part = reached[0]
    started = at_risk[part] * (1 - (1 - level) / still[part])
    return float(waits[since[part] + max(math.ceil(started - NEAR), 1) - 1])


class SortedWaits:
    """Waits in ascending order in one array, which the Kaplan-Meier estimate needs."""

    def __init__(self) -> None:
        self.values = np.empty(0)

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, place: int) -> float:
        return float(self.values[place])

    def add(self, wait: float) -> None:
        """Add a wait."""
        self.values = np.insert(self.values, np.searchsorted(self.values, wait), wait)

    def remove(self, wait: float) -> None:
        """Remove a wait that was added."""
        self.values = np.delete(self.values, np.searchsorted(self.values, wait))


class CensoredMedian:
    """Predictor of the Kaplan-Meier median of all waits, including those of waiting jobs.

    If the median lies between two waits, it is the smaller one.
    """

    #: the history is never shortened, see `CensoredBound`
    telling = least = 0

    def __init__(self) -> None:
        self._sorted = SortedWaits()

    def level(self, count: int) -> float:
        """Return the level of the quantile, which does not depend on the number of jobs."""
        return 0.5

    def predict(self, waiting: Sequence[float] = ()) -> float:
        """Return the median, given how long each waiting job has waited so far."""
        return censored_quantile(self._sorted.values, waiting, self.level(0))

    def observe(self, wait: float) -> None:
        """Add a wait."""
        self._sorted.add(wait)


class CensoredBound(QuantileBound):
    """The upper bound of `QuantileBound`, with the waiting jobs in its distribution.

    The order statistic is that of as many waits as there are started and waiting jobs. Its rank,
    as a share of these jobs, is the level of the Kaplan-Meier quantile. Only started jobs indicate
    a change, as in `QuantileBound`.
    """

    def __init__(self, quantile: float = 0.95, confidence: float = 0.95) -> None:
        super().__init__(quantile, confidence)
        self._sorted = SortedWaits()

    def level(self, count: int) -> float:
        """Return the level of the quantile for this number of started and waiting jobs."""
        place = order_statistic(count, self.quantile, self.confidence) if count else None
        return 1.0 if place is None else place / count

    def predict(self, waiting: Sequence[float] = ()) -> float:
        """Return the bound, given how long each waiting job has waited so far."""
        level = self.level(len(self._sorted) + len(waiting))
        return censored_quantile(self._sorted.values, waiting, level)
