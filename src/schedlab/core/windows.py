"""Windows of one continuous run: which of its jobs are counted, and how much work was left over.

A log is simulated once, from its first job to its last. Windows are stretches of that run that lie
side by side, so that each begins with the queue that the one before it left. What lies before the
first window is warm-up and is not counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.splitting import DAY

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs, Schedule

#: number of the window that all others are parts of
WHOLE = 0
#: share of a log's time that is warm-up, and that policies of a log are learned from
WARM_UP = 0.25
#: a backlog that grows by more than this share of the counted time is an overload
OVERLOAD = 0.02


@dataclass(frozen=True)
class Window:
    """A stretch of a run.

    Parameters
    ----------
    number : int
        From 1 on; `WHOLE` for all windows together.
    begin, end : int
        Jobs submitted from `begin` on and before `end` are counted, in seconds.
    """

    number: int
    begin: int
    end: int


def begin_of(submit: np.ndarray, share: float = WARM_UP) -> int:
    """Return the second that ends the warm-up of a log: this share of its time after its start."""
    first, last = int(np.min(submit)), int(np.max(submit))
    return first + int(share * (last - first))


def windows_of(submit: np.ndarray, days: int, begin: int) -> list[Window]:
    """Cut a log's time into whole windows side by side.

    Parameters
    ----------
    submit : array_like of int, shape (n,)
        Submit times in seconds, in any order.
    days : int
        Days of a window.
    begin : int
        Second that the first window begins at.

    Returns
    -------
    list of Window
        What is left behind the last whole window is in none. Empty where no whole window fits.

    Examples
    --------
    >>> [(one.begin, one.end) for one in windows_of([0, 250_000], 1, 10_000)]
    [(10000, 96400), (96400, 182800)]
    """
    if not len(submit):
        return []
    length = days * DAY
    count = max(0, (int(np.max(submit)) + 1 - begin) // length)
    return [
        Window(place + 1, begin + place * length, begin + (place + 1) * length)
        for place in range(count)
    ]


def whole(windows: list[Window]) -> Window:
    """Return the stretch that some windows side by side cover."""
    return Window(WHOLE, windows[0].begin, windows[-1].end)


def backlog(jobs: Jobs, schedule: Schedule, processors: int, at: int) -> float:
    """Return the work that is submitted before a time and not done by it.

    Parameters
    ----------
    jobs : Jobs
        n jobs.
    schedule : Schedule
        Of the jobs.
    processors : int
        Size of the machine.
    at : int
        The time in seconds.

    Returns
    -------
    float
        Seconds that the whole machine needs for it.
    """
    left = np.clip(schedule.end - np.maximum(schedule.start, at), 0, None)
    waiting = jobs.submit < at
    return float((left * jobs.procs)[waiting].sum()) / processors


def is_overload(before: float, after: float, span: float) -> bool:
    """Say whether a backlog grows so much that waits hang on how long the log is.

    Parameters
    ----------
    before, after : float
        `backlog` at the begin and at the end of a stretch, in seconds of the machine.
    span : float
        Length of the stretch in seconds.

    Examples
    --------
    >>> is_overload(0, 3 * DAY, 100 * DAY), is_overload(0, 2 * DAY, 100 * DAY)
    (True, False)
    """
    return after - before > OVERLOAD * span
