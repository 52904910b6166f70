"""Entries of a site's present queue from any source: one row per job, and the time."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

import pandas as pd

from schedlab.files.io import printable, read_unpacked
from schedlab.traces.slurm.sacct_times import NONE

Clock = Literal["unix", "local", "seconds"]

#: Columns of an entry: id, state ("running", "ending", "waiting", "held" or "suspended"),
#: processors, time limit (-1: none), submit time, start time (-1: not yet, or unknown for an ending
#: job), earliest start (-1: not stated), priority (-1: none), user, partition, dependencies, reason
#: of waiting, and list of nodes (empty: unknown, or not yet). The component K of a heterogeneous
#: job N has the id N+K.
FIELDS = (
    *("id", "state", "procs", "limit", "submit", "start", "begin", "priority"),
    *("user", "partition", "after", "reason", "nodes"),
)
#: Further columns that a site's own Slurm needs, with what they hold where a file has none: what
#: jobs ask for, as in `schedlab.core.requests.DEFAULTS` (`asked_nodes` are its nodes), when they
#: became eligible, since when they age and when Slurm plans their start (-1: unknown), and
#: processors by node (``n1:4 n2:2``).
SITE_FIELDS: dict[str, int | bool | str] = {
    **{
        "account": "",
        "qos": "",
        "eligible": -1,
        "accrue": -1,
        "planned": -1,
        "asked_nodes": 0,
        "most_nodes": 0,
    },
    **{"tasks": 0, "cpus_per_task": 1, "memory": -1, "per_cpu": False, "gres": "", "features": ""},
    **{"exclusive": False, "nice": 0, "reservation": "", "where": ""},
}
_NUMBERS = ("procs", "limit", "submit", "start", "begin", "priority")
#: how squeue calls jobs that share no node
EXCLUSIVE = {"NO", "EXCLUSIVE"}
#: states with processors
HOLDING = ("running", "ending")
#: Slurm's states, long and short, by the state of an entry. A stopped job retains its processors, a
#: suspended one does not; a completing job still has them for a moment. In a list of a state and
#: its flags, the first of these groups decides.
_STATES = {
    "ending": "COMPLETING CG STAGE_OUT SO",
    "over": "COMPLETED CD CANCELLED CA FAILED F TIMEOUT TO NODE_FAIL NF BOOT_FAIL BF DEADLINE DL "
    "OUT_OF_MEMORY OOM PREEMPTED PR REVOKED RV RECONFIG_FAIL RC",
    "suspended": "SUSPENDED S",
    "held": "REQUEUE_HOLD RH RESV_DEL_HOLD RD SPECIAL_EXIT SE",
    "running": "RUNNING R CONFIGURING CF SIGNALING SI RESIZING RS STOPPED ST",
    "waiting": "PENDING PD REQUEUED RQ REQUEUE_FED RF LAUNCH_FAILED LF EXPEDITING",
}
#: what Slurm writes for "no value" and "no limit", in 32 and 64 bits, also signed; as a
#: floating-point number, the largest ones of 64 bits are 2**64
NO_VALUE = frozenset({*NONE, -1, -2, 2**64})
#: largest number of processors, and of seconds of a time; kernels can handle no larger ones
MOST_PROCESSORS, LATEST = 2**31 - 2, 2**32 - 3
#: largest number of jobs and tasks of a file
MOST_JOBS = 200_000
#: number of characters of a value in a message
_SHOWN = 80
#: share by which amounts may differ that Slurm has rounded
_ROUNDED = 0.01
_TASKS = re.compile(r"(\d{1,9})(?:-(\d{1,9})(?::(\d{1,9}))?)?", re.ASCII)
#: note of a reader if the file does not contain its time
DATED = "present time: taken from the file's date (give --at)"


class QueueError(ValueError):
    """A queue cannot be read; the message names the file, the place, the field and a remedy."""


@dataclass(frozen=True, eq=False)
class QueueFile:
    """Queue as read from a file; `path` is its source.

    `entries` have the columns `FIELDS`, a row per job that has not ended, in the order of the
    file; times in seconds. `now` is the present time on their clock. The clock is "unix", "local"
    (local times treated as UTC) or "seconds" (a log's own clock). `has_requests`: whether the file
    has `SITE_FIELDS`.
    """

    path: str
    entries: pd.DataFrame
    now: int
    clock: Clock
    notes: tuple[str, ...] = ()
    has_requests: bool = False

    def stamp(self, seconds: int) -> str:
        """Format a time of this clock, like ``2026-11-22T12:00:00``, or in seconds."""
        if self.clock == "seconds":
            return str(seconds)
        moment = datetime.fromtimestamp(seconds, UTC)
        if self.clock == "unix":
            moment = moment.astimezone()
        return moment.replace(tzinfo=None).isoformat()


def read_cells(
    path: str | os.PathLike[str], names: tuple[str, ...], command: str, optional: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """Yield number and values of every line of a command's output; skip a line with the names.

    Values are separated by bars, and the last may have one behind it.
    """
    for number, line in enumerate(read_unpacked(path).decode("utf-8", "replace").splitlines(), 1):
        cells = [printable(cell.strip()) for cell in line.split("|")]
        if len(cells) == len(names) + 1 and not cells[-1]:
            cells.pop()
        if not line.strip() or cells[0] == names[0]:
            continue
        if not 0 <= len(names) - len(cells) <= optional:
            allowed = f"{len(names) - optional} or {len(names)}" if optional else len(names)
            raise QueueError(
                f"{path}: line {number}: {len(cells)} cells, must be {allowed}; write it with "
                f"{command}"
            )
        yield number, cells + [""] * (len(names) - len(cells))


def shortened(text: str) -> str:
    """Return the beginning of a value, for a message."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def entries_of(rows: list[dict]) -> pd.DataFrame:
    """Return rows as a frame with the columns of entries; a list of ids becomes a row for each."""
    rows = [SITE_FIELDS | row for row in rows]
    frame = pd.DataFrame(rows, columns=[*FIELDS, *SITE_FIELDS]).explode("id", ignore_index=True)
    numbers = [*_NUMBERS, *(name for name, none in SITE_FIELDS.items() if type(none) is int)]
    return frame.astype(dict.fromkeys(numbers, "int64") | {"id": "str", "after": "str"})


def memory_of(least: int, total: int | None, nodes: int, procs: int) -> tuple[int, bool]:
    """Return a job's memory in MB, 0: all of its nodes, and whether it is for each processor.

    `least` is squeue's least memory, which does not say of what; `total` is of the whole job.
    """
    if least > 0 and total is not None and abs(total - least * nodes) > total * _ROUNDED:
        return least, abs(total - least * procs) <= total * _ROUNDED
    return least, False


def gres_of(of_node: str, of_job: str, nodes: int) -> str:
    """Return generic resources for each node of those for a node and for a job, as in requests."""
    parts = [part for part in of_node.split(",") if part]
    for part in filter(None, of_job.split(",")):
        match = re.fullmatch(r"(.+?)[:=](\d+)", part)
        parts.append(f"{match[1]}:{-(-int(match[2]) // nodes)}" if match else part)
    names = [re.sub(r"^gres[:/]", "", part) for part in parts]
    return ",".join(re.sub(r"=(\d+)$", r":\1", name) for name in names)


def parts_of(text: str) -> dict[str, str]:
    """Return the amounts of trackable resources (``cpu=4,mem=8G``) by name."""
    return dict(part.split("=", 1) for part in text.split(",") if "=" in part)


def state_of(*words: str) -> str | None:
    """Return the state of a job ("over" if it has ended) from Slurm's state and flags.

    None: no word is a state.

    Examples
    --------
    >>> state_of("PD"), state_of("completing"), state_of("CANCELLED by 1001")
    ('waiting', 'ending', 'over')
    >>> state_of("PENDING", "REQUEUE_HOLD"), state_of("idle")
    ('held', None)
    """
    names = {word.partition(" ")[0].upper() for word in words}
    return next((state for state, of in _STATES.items() if names & set(of.split())), None)


def instant(text: str, clock: Clock) -> int:
    """Parse a time in seconds or like ``2026-11-22T12:00:00``, on a given clock."""
    try:
        if text.isascii() and text.isdigit():
            seconds = int(text)
        else:
            moment = datetime.fromisoformat(text)
            seconds = int((moment if clock == "unix" else moment.replace(tzinfo=UTC)).timestamp())
        if 0 <= seconds <= LATEST:
            return seconds
    except (ValueError, OverflowError):
        pass
    raise QueueError(
        f"'{printable(text)}' is no time: give it like 2026-11-22T12:00:00, or in seconds"
    )


def limited_arrays(count: int) -> tuple[str, ...]:
    """Return a note on tasks that wait because of their array's limit."""
    if not count:
        return ()
    return (
        f"arrays: {count} tasks that wait are of arrays that run only so many at once: taken as if "
        "all of them might run",
    )


def tasks(text: str) -> list[int]:
    """Return the tasks of an array from a list; raise ValueError for other texts and long lists.

    Examples
    --------
    >>> tasks("1-3,7%2"), tasks("0-6:3")
    ([1, 2, 3, 7], [0, 3, 6])
    """
    spans = []
    for part in text.partition("%")[0].split(","):
        match = _TASKS.fullmatch(part)
        first, last, step = map(int, match.groups("0")) if match else (0, 0, 0)
        last = last if match and match[2] else first
        if not match or last < first or (match[3] and not step):
            raise ValueError("is no list of tasks")
        spans.append(range(first, last + 1, step or 1))
    if (number := sum(map(len, spans))) > MOST_JOBS:
        raise ValueError(f"has {number:,} tasks, must have at most {MOST_JOBS:,}")
    return list(dict.fromkeys(task for span in spans for task in span))
