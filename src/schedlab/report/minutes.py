"""Minutes that it took to make a file, counting each job behind it once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence


@dataclass(frozen=True)
class Made:
    """Job that made a file.

    Parameters
    ----------
    job : hashable
        The job; equal for all files that it made.
    needs : sequence of str
        The files that it read.
    seconds : sequence of float
        Measured wall times in seconds; empty if none was measured.
    """

    job: object
    needs: Sequence[str]
    seconds: Sequence[float]


def minutes_of(files: Iterable[str], made: Callable[[str], Made | None]) -> dict[str, float]:
    """Add up the minutes of all jobs behind each file.

    Parameters
    ----------
    files : iterable of str
        The files.
    made : callable
        Maps a path to how it was made; None if no job made it or no record exists.

    Returns
    -------
    dict of path to float
        Minutes if the jobs run one after another; files without any record are left out.

    Examples
    --------
    >>> made = {"b": Made("sum", ["a", "raw"], [30.0]), "a": Made("read", ["raw"], [90.0])}
    >>> minutes_of(["b", "a", "c"], made.get)
    {'b': 2.0, 'a': 1.5}
    """
    known: dict[str, Made | None] = {}
    minutes = {}
    for file in files:
        jobs, waiting, seen = {}, [file], {file}
        while waiting:
            path = waiting.pop()
            if path not in known:
                known[path] = made(path)
            if (own := known[path]) is None:
                continue
            jobs[own.job] = sum(own.seconds)
            waiting += [need for need in own.needs if need not in seen]
            seen.update(own.needs)
        if jobs:
            minutes[file] = sum(jobs.values()) / 60
    return minutes
