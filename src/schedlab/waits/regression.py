"""Linear quantile regression of waits on features of the queue, corrected online.

The features are those of `schedlab.waits.features`. The fit is a linear program over jobs of the
last weeks, repeated every week. Jobs that still wait then count as censored. In between, the
quantile of the last residuals is added to each prediction. The level of that quantile moves so that
the share of jobs within their predictions stays near its target.

References
----------
Koenker and Bassett, Regression Quantiles (1978); Wang and Wang, Locally Weighted Censored Quantile
Regression (2009), here with one Kaplan-Meier estimate for all jobs; Romano, Patterson and Candes,
Conformalized Quantile Regression (2019); Gibbs and Candes, Adaptive Conformal Inference Under
Distribution Shift (2021).
"""

import heapq
import math
from collections import deque

import numpy as np
from scipy.optimize import linprog
from sortedcontainers import SortedList

from schedlab.waits.background import DAY
from schedlab.waits.backtest_learning import events
from schedlab.waits.features import HOUR

#: seconds from one fit to the next
REFIT = 7 * DAY
#: number of jobs of a fit, spread evenly over the last seconds; their period; least number of jobs
TRAINING, SINCE, FEWEST = 2_000, 28 * DAY, 200
#: number of last residuals whose quantile is the correction
RESIDUALS = 500
#: step of the correction's level per job, as in Gibbs and Candes
STEP = 0.005


def fit(
    features: np.ndarray, values: np.ndarray, quantile: float, censored: np.ndarray
) -> np.ndarray | None:
    """Fit a linear quantile regression; return its coefficients, or None without a solution.

    `features` is float64 of shape (n, p), a row per job; coefficients have shape (p,). A value of
    a `censored` job (bool, shape (n,)) is only a lower bound. The dual linear program has a
    variable for each job and an equation for each feature, whose multipliers are the coefficients.
    A censored job below the quantile counts in part at its value, and in part above every line:
    both parts have the weights of Wang and Wang.
    """
    share = np.where(censored, _share_below(values, censored), 1.0)
    level = np.where(share < quantile, (quantile - share) / (1 - share).clip(1e-12), 1.0)
    # the part above every line has its full effect, wherever the line is
    pull = quantile * features.T @ (1 - level)
    solved = linprog(
        -values,
        A_eq=features.T,
        b_eq=-pull,
        bounds=np.column_stack([level * (quantile - 1), level * quantile]),
        method="highs",
    )
    return -solved.eqlin.marginals if solved.status == 0 else None


def _share_below(values: np.ndarray, censored: np.ndarray) -> np.ndarray:
    """Return the Kaplan-Meier share of jobs at or below each value."""
    times, events_at = np.unique(values[~censored], return_counts=True)
    at_risk = len(values) - np.searchsorted(np.sort(values), times)
    below = np.append(0.0, 1 - np.cumprod(1 - events_at / at_risk))
    return below[np.searchsorted(times, values, side="right")]


class Correction:
    """The summand of predictions that keeps the target share of values within them.

    The quantile's level changes by ``step * (target - 1)`` if a value is within its prediction,
    otherwise by ``step * target``.
    """

    def __init__(self, target: float, step: float = STEP) -> None:
        self.target, self.level, self._step = target, target, step
        self._last: deque[float] = deque()
        self._sorted: SortedList = SortedList()

    @property
    def value(self) -> float:
        """Return the quantile of the last residuals at the present level; 0 before the first."""
        count = len(self._sorted)
        if not count:
            return 0.0
        place = math.ceil(round(self.level * count, 9))
        return self._sorted[min(max(place, 1), count) - 1]

    def observe(self, residual: float) -> None:
        """Add the residual of a started job: its wait minus the prediction without correction."""
        self._sorted.add(residual)
        self._last.append(residual)
        if len(self._last) > RESIDUALS:
            self._sorted.remove(self._last.popleft())

    def score(self, within: bool) -> None:
        """Move the level, given whether the value of a job was within its prediction."""
        self.level += self._step * (self.target - within)


class QuantileRegression:
    """Predictions of one quantile of the waits of all jobs, in the order of events."""

    def __init__(self, quantile: float) -> None:
        self.quantile = quantile
        self.correction = Correction(quantile)
        self.coefficients: np.ndarray | None = None
        self.longest = 0.0

    def refit(self, features: np.ndarray, waits: np.ndarray, censored: np.ndarray) -> None:
        """Refit to jobs; the former fit stays if they are too few or censored too often."""
        if len(waits) < FEWEST:
            return
        solution = fit(features, waits / HOUR, self.quantile, censored)
        self.coefficients = self.coefficients if solution is None else HOUR * solution

    def line(self, features: np.ndarray) -> float:
        """Return the wait that the fit alone predicts, in seconds; 0 before the first fit."""
        return 0.0 if self.coefficients is None else float(features @ self.coefficients)

    def predict(self, features: np.ndarray) -> float:
        """Return the predicted wait in seconds, from 0 to the longest wait of a started job."""
        return min(max(self.line(features) + self.correction.value, 0.0), self.longest)

    def observe(self, line: float, wait: float) -> None:
        """Observe the wait of a started job, and the fit's prediction of it."""
        self.longest = max(self.longest, wait)
        self.correction.observe(wait - line)


def predict_by_regression(
    quantile: float, submit: np.ndarray, waits: np.ndarray, features: np.ndarray
) -> np.ndarray:
    """Return the prediction of a quantile regression for each job at its submission.

    Predictions are whole seconds, halves rounded up. A job that waits longer than predicted
    changes the level as soon as its wait exceeds the prediction, not only when it starts.
    """
    model = QuantileRegression(quantile)
    since, times, start = submit.tolist(), waits.tolist(), submit + waits
    is_start, jobs = events(submit, waits)
    lines, expected = [0.0] * len(since), [0] * len(since)
    # heap of jobs by the instant at which their wait reaches the prediction
    due: list[tuple[int, int]] = []
    fitted = -REFIT
    for started, job in zip(is_start.tolist(), jobs.tolist(), strict=True):
        now = since[job] + times[job] if started else since[job]
        while due and due[0][0] < now:
            place = heapq.heappop(due)[1]
            # a job that started in time was scored at its start
            if times[place] > expected[place]:
                model.correction.score(within=False)
        if started:
            model.observe(lines[job], times[job])
            if times[job] <= expected[job]:
                model.correction.score(within=True)
            continue
        if now >= fitted + REFIT:
            first = int(np.searchsorted(submit, now - SINCE))
            last = np.linspace(first, job - 1, min(TRAINING, job - first)).astype(np.int64)
            waiting = start[last] >= now
            seen = np.where(waiting, now - submit[last], waits[last])
            model.refit(features[last], seen, waiting)
            fitted = now
        lines[job] = model.line(features[job])
        expected[job] = math.floor(model.predict(features[job]) + 0.5)
        heapq.heappush(due, (now + expected[job], job))
    return np.array(expected, dtype=np.int64)
