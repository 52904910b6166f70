"""Windows of one continuous run: which of its jobs are counted, and the backlog.

A log is simulated once, from its first job to its last. Windows are adjacent intervals of that
run, so each begins with the queue that the previous one left. The time before the first window is
warm-up and is not counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from schedlab.core.splitting import DAY

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs, Schedule

#: number of the window that contains all others
WHOLE = 0
#: share of a log's time that is warm-up; policies of a log are learned from it
WARM_UP = 0.25
#: a backlog that grows by more than this share of the counted time means overload
OVERLOAD = 0.02


@dataclass(frozen=True)
class Window:
    """Time interval of a run, numbered from 1 on; `WHOLE` for all windows together.

    Jobs submitted from `begin` on and before `end` are counted, in seconds.
    """

    number: int
    begin: int
    end: int


def begin_of(submit: np.ndarray, share: float = WARM_UP) -> int:
    """Return the second at which the warm-up of a log ends, after a share of its time."""
    first, last = int(np.min(submit)), int(np.max(submit))
    return first + int(share * (last - first))


def windows_of(submit: np.ndarray, days: int, begin: int) -> list[Window]:
    """Cut a log's time into adjacent whole windows of `days` days.

    Submit times are seconds, in any order; the first window begins at second `begin`. The rest of
    the log is in no window; the list is empty if no whole window fits.

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
    """Return the window that covers some adjacent windows."""
    return Window(WHOLE, windows[0].begin, windows[-1].end)


def backlog(jobs: Jobs, schedule: Schedule, processors: int, at: int) -> float:
    """Return the work that is submitted before a time and not finished by then.

    `at` is in seconds; the result is the seconds that the whole machine needs for this work.
    """
    remaining = np.clip(schedule.end - np.maximum(schedule.start, at), 0, None)
    waiting = jobs.submit < at
    return float((remaining * jobs.procs)[waiting].sum()) / processors


def is_overload(before: float, after: float, span: float) -> bool:
    """Return whether a backlog grows so much that waits depend on the length of the log.

    `before` and `after` are the `backlog` at the beginning and at the end of an interval of `span`
    seconds, in seconds of the machine.

    >>> is_overload(0, 3 * DAY, 100 * DAY), is_overload(0, 2 * DAY, 100 * DAY)
    (True, False)
    """
    return after - before > OVERLOAD * span
