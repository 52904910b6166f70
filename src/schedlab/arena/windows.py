"""Which windows of a log are fought over: chosen by its first and last submission alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schedlab.traces.splitting import DAY

if TYPE_CHECKING:
    import pandas as pd

#: share of a log's span that comes before the first window; policies of a log are learned there
LEARNING = 0.25


@dataclass(frozen=True)
class Window:
    """A stretch of a log.

    Parameters
    ----------
    number : int
        From 1 on.
    warm : int
        When its simulation begins, in seconds on the log's clock.
    begin, end : int
        Jobs submitted from `begin` on and before `end` are counted.
    """

    number: int
    warm: int
    begin: int
    end: int

    def of(self, jobs: pd.DataFrame) -> pd.DataFrame:
        """Return the jobs that are simulated, by submit time, then number."""
        inside = (jobs["submit"] >= self.warm) & (jobs["submit"] < self.end)
        return jobs[inside].sort_values(["submit", "number"], kind="stable")


def windows_of(submit: np.ndarray, count: int, days: int, warm_up: int) -> list[Window]:
    """Choose windows evenly over a log, behind its first quarter.

    The first window's warm-up begins with the second quarter, the last window ends with the last
    submission, and the others lie evenly between. Where so many would overlap there are as many as
    do not; a warm-up may reach into the window before, its jobs are not counted.

    Parameters
    ----------
    submit : array_like of int, shape (n,)
        Submit times in seconds, in any order.
    count : int
        How many windows, at most.
    days, warm_up : int
        Days of a window, and of the warm-up before it.

    Returns
    -------
    list of Window
        None where the log is shorter than one.

    Examples
    --------
    >>> submit = [0, 40 * 86_400]
    >>> [(one.begin // 86_400, one.end // 86_400) for one in windows_of(submit, 3, 7, 2)]
    [(12, 19), (22, 29), (33, 40)]
    """
    if not len(submit):
        return []
    first, last = _learned_until(submit), int(np.max(submit)) + 1
    length, room = days * DAY, last - first - warm_up * DAY
    number = min(count, room // length)
    if number < 1:
        return []
    begins = last - room + np.linspace(0, room - length, number).astype(np.int64)
    if number == 1:
        begins = [last - room]
    return [
        Window(place + 1, int(begin) - warm_up * DAY, int(begin), int(begin) + length)
        for place, begin in enumerate(begins)
    ]


def learning_windows(submit: np.ndarray, days: int) -> list[Window]:
    """Return what a log's own policies are learned from: windows side by side in its first quarter.

    Parameters
    ----------
    submit, days
        As of `windows_of`.
    """
    if not len(submit):
        return []
    first, until = int(np.min(submit)), _learned_until(submit)
    begins = range(first, until - days * DAY + 1, days * DAY)
    return [
        Window(place + 1, begin, begin, begin + days * DAY) for place, begin in enumerate(begins)
    ]


def _learned_until(submit: np.ndarray) -> int:
    first, last = int(np.min(submit)), int(np.max(submit))
    return first + int(LEARNING * (last - first))
