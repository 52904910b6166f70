"""What is read of a site's present queue, from whichever source: one row a job, and the instant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import pandas as pd

Clock = Literal["unix", "local", "seconds"]

#: of an entry: its id, "running", "ending", "waiting" or "suspended", processors, time limit (-1:
#: none), when it was submitted, when it started (-1: not yet, or of one that ends unknown), when it
#: may start at the earliest (-1: nothing is said), priority (-1: none), whose it is, where, what it
#: waits for and why it waits
FIELDS = (
    *("id", "state", "procs", "limit", "submit", "start", "begin", "priority"),
    *("user", "partition", "after", "reason"),
)
_NUMBERS = ("procs", "limit", "submit", "start", "begin", "priority")
RUNNING = frozenset({"RUNNING", "CONFIGURING", "SIGNALING", "RESIZING"})
#: what runs no longer and has its processors still, for a moment
ENDING = frozenset({"COMPLETING", "STAGE_OUT"})
#: what has processors
HOLDING = ("running", "ending")
WAITING = frozenset({"PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT"})
SUSPENDED = frozenset({"SUSPENDED", "STOPPED", "RESV_DEL_HOLD"})
#: note of a reader: nothing in the file says when it was taken
DATED = "present time: taken from the file's date (give --at)"


class QueueError(ValueError):
    """A queue cannot be read; the message names the file, the place, the field and a remedy."""


@dataclass(frozen=True, eq=False)
class QueueFile:
    """A queue as read.

    Parameters
    ----------
    path : str
        Where it was read.
    entries : pandas.DataFrame
        Columns `FIELDS`, a row a job that is not over, in the order of the file; times in seconds.
    now : int
        The present time, on the clock of the entries.
    clock : {"unix", "local", "seconds"}
        Which clock that is: Unix time, local times counted as if they were UTC, or a log's own.
    notes : tuple of str
        What was unusual and how it was taken.
    """

    path: str
    entries: pd.DataFrame
    now: int
    clock: Clock
    notes: tuple[str, ...] = ()

    def stamp(self, seconds: int) -> str:
        """Write a time of this clock: like ``2026-11-22T12:00:00``, or in seconds."""
        if self.clock == "seconds":
            return str(seconds)
        moment = datetime.fromtimestamp(seconds, UTC)
        if self.clock == "unix":
            moment = moment.astimezone()
        return moment.replace(tzinfo=None).isoformat()


def entries_of(rows: list[dict]) -> pd.DataFrame:
    """Return rows as a frame with the columns `FIELDS`."""
    frame = pd.DataFrame(rows, columns=list(FIELDS))
    return frame.astype({name: "int64" for name in _NUMBERS} | {"id": "str", "after": "str"})


def state_of(text: str) -> str | None:
    """Return what a state of Slurm means here; None where the job is over.

    Examples
    --------
    >>> state_of("PENDING"), state_of("completing"), state_of("CANCELLED")
    ('waiting', 'ending', None)
    """
    text = text.upper()
    names = (
        (RUNNING, "running"),
        (ENDING, "ending"),
        (WAITING, "waiting"),
        (SUSPENDED, "suspended"),
    )
    return next((name for known, name in names if text in known), None)


def instant(text: str, clock: Clock) -> int:
    """Return a time that somebody typed, in seconds or ``2026-11-22T12:00:00``, on that clock.

    Raises
    ------
    QueueError
        It is neither.
    """
    if text.isascii() and text.isdigit():
        return int(text)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise QueueError(
            f"'{text}' is no time: give it like 2026-11-22T12:00:00, or in seconds"
        ) from None
    if clock != "unix":
        moment = moment.replace(tzinfo=UTC)
    return int(moment.timestamp())


def limited_arrays(count: int) -> tuple[str, ...]:
    """Return the note of a reader on so many tasks that wait and that their array lets wait."""
    if not count:
        return ()
    return (
        f"arrays: {count} tasks that wait are of arrays that run only so many at once: taken as if "
        "all of them might run",
    )


def tasks(text: str) -> list[int] | None:
    """Return the tasks of an array that a list stands for; None where it is no list.

    Examples
    --------
    >>> tasks("1-3,7%2"), tasks("0-6:3"), tasks("1-3,...")
    ([1, 2, 3, 7], [0, 3, 6], None)
    """
    found: list[int] = []
    try:
        for part in text.partition("%")[0].split(","):
            span, _, step = part.partition(":")
            first, _, last = span.partition("-")
            found += range(int(first), int(last or first) + 1, int(step or 1))
    except ValueError:
        return None
    return found
