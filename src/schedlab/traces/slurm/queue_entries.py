"""Entries of a site's present queue from any source: one row per job, and the time."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import pandas as pd

from schedlab.files.io import read_unpacked

Clock = Literal["unix", "local", "seconds"]

#: Columns of an entry: id, state ("running", "ending", "waiting" or "suspended"), processors, time
#: limit (-1: none), submit time, start time (-1: not yet, or unknown for an ending job), earliest
#: start (-1: not stated), priority (-1: none), user, partition, dependencies, and reason of
#: waiting.
FIELDS = (
    *("id", "state", "procs", "limit", "submit", "start", "begin", "priority"),
    *("user", "partition", "after", "reason"),
)
_NUMBERS = ("procs", "limit", "submit", "start", "begin", "priority")
RUNNING = frozenset({"RUNNING", "CONFIGURING", "SIGNALING", "RESIZING"})
#: states of jobs that no longer run but still have processors for a moment
ENDING = frozenset({"COMPLETING", "STAGE_OUT"})
#: states with processors
HOLDING = ("running", "ending")
WAITING = frozenset({"PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED", "SPECIAL_EXIT"})
SUSPENDED = frozenset({"SUSPENDED", "STOPPED", "RESV_DEL_HOLD"})
#: note of a reader if the file does not contain its time
DATED = "present time: taken from the file's date (give --at)"


class QueueError(ValueError):
    """A queue cannot be read; the message names the file, the place, the field and a remedy."""


@dataclass(frozen=True, eq=False)
class QueueFile:
    """Queue as read from a file; `path` is its source.

    `entries` have the columns `FIELDS`, a row per job that has not ended, in the order of the file;
    times in seconds. `now` is the present time on their clock. The clock is "unix", "local" (local
    times treated as UTC) or "seconds" (a log's own clock). Notes are unusual properties, and how
    they were handled.
    """

    path: str
    entries: pd.DataFrame
    now: int
    clock: Clock
    notes: tuple[str, ...] = ()

    def stamp(self, seconds: int) -> str:
        """Format a time of this clock, like ``2026-11-22T12:00:00``, or in seconds."""
        if self.clock == "seconds":
            return str(seconds)
        moment = datetime.fromtimestamp(seconds, UTC)
        if self.clock == "unix":
            moment = moment.astimezone()
        return moment.replace(tzinfo=None).isoformat()


def read_cells(
    path: str | os.PathLike[str], names: tuple[str, ...], command: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield number and values of every line of a command's output; skip a line with the names.

    Values are separated by bars. Raises `QueueError` if a line has a wrong number of values.
    """
    for number, line in enumerate(read_unpacked(path).decode("utf-8", "replace").splitlines(), 1):
        cells = [cell.strip() for cell in line.split("|")]
        if not line.strip() or cells[0] == names[0]:
            continue
        if len(cells) != len(names):
            raise QueueError(
                f"{path}: line {number}: {len(cells)} cells, must be {len(names)}; write it with "
                f"{command}"
            )
        yield number, cells


def entries_of(rows: list[dict]) -> pd.DataFrame:
    """Return rows as a frame with the columns `FIELDS`."""
    frame = pd.DataFrame(rows, columns=list(FIELDS))
    return frame.astype({name: "int64" for name in _NUMBERS} | {"id": "str", "after": "str"})


def state_of(text: str) -> str | None:
    """Return the state for a state of Slurm; None if the job is over.

    Examples
    --------
    >>> state_of("PENDING"), state_of("completing"), state_of("CANCELLED")
    ('waiting', 'ending', None)
    """
    text = text.upper()
    names = {"running": RUNNING, "ending": ENDING, "waiting": WAITING, "suspended": SUSPENDED}
    return next((name for name, states in names.items() if text in states), None)


def instant(text: str, clock: Clock) -> int:
    """Parse a time in seconds or like ``2026-11-22T12:00:00``, on a given clock.

    Raises `QueueError` if the text has neither form.
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
    """Return a note on tasks that wait because of their array's limit."""
    if not count:
        return ()
    return (
        f"arrays: {count} tasks that wait are of arrays that run only so many at once: taken as if "
        "all of them might run",
    )


def tasks(text: str) -> list[int] | None:
    """Return the tasks of an array from a list; None if the text is not a list.

    Examples
    --------
    >>> tasks("1-3,7%2"), tasks("0-6:3"), tasks("1-3,...")
    ([1, 2, 3, 7], [0, 3, 6], None)
    """
    numbers: list[int] = []
    try:
        for part in text.partition("%")[0].split(","):
            span, _, step = part.partition(":")
            first, _, last = span.partition("-")
            numbers += range(int(first), int(last or first) + 1, int(step or 1))
    except ValueError:
        return None
    return numbers
