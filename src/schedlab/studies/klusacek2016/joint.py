"""Test the published changes of Table 1 jointly, under one reading of the experiment.

The paper took two intervals of each log and does not state which. The null hypothesis: they are
drawn at random, without replacement, from the contended intervals that ran in schedlab.

- The tail of a number is two-sided: twice the smaller share of intervals at or beyond the number,
  at most 1. The number itself is counted among the intervals.
- The statistic is Fisher's: -2 times the sum of the logarithms of the tails of all published
  numbers.
- Its distribution is exact: it covers every choice of as many intervals of each log. Each chosen
  interval has the tails of both its changes among the other intervals of the log. Wait and slowdown
  of an interval stay together, so the distribution includes their dependence.

The joint tail is the share of choices whose statistic is at least that of the published numbers.
"""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from schedlab.core.intervals import tail


def fisher(pair: np.ndarray, drawn_intervals: np.ndarray) -> float:
    """Return -2 times the sum of the logarithms of the tails of an interval's changes."""
    return -2 * sum(np.log(tail(*one)) for one in zip(pair, drawn_intervals.T, strict=True))


def joint_tail(printed: Mapping[str, np.ndarray], many: Mapping[str, np.ndarray]) -> float:
    """Return the joint tail of all published numbers.

    By log: changes of the published intervals, shape (m, k), and of those that ran, shape (n, k).
    The result is nan if a log has no more intervals than are published.
    """
    observed, sums = 0.0, np.zeros(1)
    for log, pairs in printed.items():
        intervals = many.get(log, np.empty((0, 2)))
        if len(intervals) <= len(pairs):
            return np.nan
        observed += sum(fisher(pair, intervals) for pair in pairs)
        statistics = np.array(
            [fisher(intervals[k], np.delete(intervals, k, axis=0)) for k in range(len(intervals))]
        )
        chosen = np.array(list(combinations(range(len(intervals)), len(pairs))))
        sums = (sums[:, None] + statistics[chosen].sum(axis=1)).ravel()
    return (np.count_nonzero(sums >= observed - 1e-9) + 1) / (len(sums) + 1)


def all_fall(printed: Mapping[str, np.ndarray], many: Mapping[str, np.ndarray]) -> float:
    """Return the probability that every change of the drawn intervals of each log is below 0."""
    chance = 1.0
    for log, pairs in printed.items():
        intervals = many.get(log, np.empty((0, 2)))
        if len(intervals) < len(pairs):
            return np.nan
        fall = int((intervals < 0).all(axis=1).sum())
        for k in range(len(pairs)):
            chance *= max(fall - k, 0) / (len(intervals) - k)
    return chance
