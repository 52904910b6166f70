"""How far out the printed changes of Table 1 lie together, under one reading of what was run.

The paper took two intervals of each log and does not say which. The null hypothesis is that they
are as good as drawn at random, without replacement, from the contended intervals that ran here.

- The tail of a number is two-sided: twice the smaller share of intervals that lie at or beyond it,
  the number itself counted among them, and 1 at most.
- The statistic is Fisher's: -2 times the sum of the logarithms of the tails of all printed numbers.
- Its distribution is exact: every choice of as many intervals of each log, each with the tails of
  both its changes among the other intervals of the log. Wait and slowdown of an interval go
  together, so that their dependence is in it.

The joint tail is the share of choices whose statistic is at least the printed one's.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.intervals import tail

if TYPE_CHECKING:
    from collections.abc import Mapping


def fisher(pair: np.ndarray, others: np.ndarray) -> float:
    """Return -2 times the sum of the logarithms of the tails of an interval's changes.

    Parameters
    ----------
    pair : ndarray, shape (k,)
        The changes of one interval.
    others : ndarray, shape (n, k)
        Those of other intervals.
    """
    return -2 * sum(np.log(tail(*one)) for one in zip(pair, others.T, strict=True))


def joint_tail(printed: Mapping[str, np.ndarray], many: Mapping[str, np.ndarray]) -> float:
    """Return the joint tail of all printed numbers.

    Parameters
    ----------
    printed : mapping of str to ndarray of float64, shape (m, k)
        Changes of the printed intervals, by log.
    many : mapping of str to ndarray of float64, shape (n, k)
        Changes of the intervals that ran, by log.

    Returns
    -------
    float
        nan where a log has no more intervals than are printed.
    """
    observed, drawn = 0.0, np.zeros(1)
    for log, pairs in printed.items():
        own = many.get(log, np.empty((0, 2)))
        if len(own) <= len(pairs):
            return np.nan
        observed += sum(fisher(pair, own) for pair in pairs)
        each = np.array([fisher(own[k], np.delete(own, k, axis=0)) for k in range(len(own))])
        chosen = np.array(list(combinations(range(len(own)), len(pairs))))
        drawn = (drawn[:, None] + each[chosen].sum(axis=1)).ravel()
    return (np.count_nonzero(drawn >= observed - 1e-9) + 1) / (len(drawn) + 1)


def all_fall(printed: Mapping[str, np.ndarray], many: Mapping[str, np.ndarray]) -> float:
    """Return the chance that every change of so many drawn intervals of each log is below 0.

    Parameters
    ----------
    printed, many : mapping
        As of `joint_tail`; of the printed ones only their number counts.

    Examples
    --------
    Two of the three pairs that can be drawn of three intervals have the one that rises:

    >>> own = np.array([[-1, -2], [-3, -1], [-1, 4]])
    >>> round(all_fall({"a": own[:2]}, {"a": own}), 4)
    0.3333
    """
    chance = 1.0
    for log, pairs in printed.items():
        own = many.get(log, np.empty((0, 2)))
        if len(own) < len(pairs):
            return np.nan
        fall = int((own < 0).all(axis=1).sum())
        for k in range(len(pairs)):
            chance *= max(fall - k, 0) / (len(own) - k)
    return chance
