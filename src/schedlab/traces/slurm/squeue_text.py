"""Reader of the output of `squeue` with `FORMAT`: one line per job, values separated by bars.

References
----------
Slurm, squeue(1), option --format and "JOB STATE CODES".
"""

import os
import re
from datetime import UTC, datetime
from pathlib import Path

from schedlab.files.io import printable
from schedlab.traces.slurm.queue_entries import (
    DATED,
    HOLDING,
    Clock,
    QueueError,
    QueueFile,
    entries_of,
    instant,
    limited_arrays,
    read_cells,
    state_of,
    tasks,
)
from schedlab.traces.slurm.sacct_limits import YEAR
from schedlab.traces.slurm.sacct_requests import count
from schedlab.traces.slurm.sacct_times import UNKNOWN, duration, limit

FORMAT = "%i|%T|%C|%l|%M|%S|%V|%u|%P|%Q|%E|%r"
COMMAND = f'squeue -h -a -r -o "{FORMAT}"'
NAMES = (
    *("JOBID", "STATE", "CPUS", "TIME_LIMIT", "TIME", "START_TIME", "SUBMIT_TIME", "USER"),
    *("PARTITION", "PRIORITY", "DEPENDENCY", "REASON"),
)
_ENDLESS = UNKNOWN | {"unlimited", "partition_limit", "not_set"}
_ARRAY = re.compile(r"(\d+)_\[(.+)\]")


def read_squeue_text(path: str | os.PathLike[str], at: str | None = None) -> QueueFile:
    """Read the output of `COMMAND`, gzip compressed or not; skip a first line with the names.

    `at` is the time of the output; by default derived from the elapsed time of running jobs, or
    else the modification time of the file. Raises `QueueError` if a line has a wrong number of
    values, or a value is invalid.
    """
    rows, moments, clock, limited = [], [], "local", 0
    for number, cells in read_cells(path, NAMES, COMMAND):
        job = _Line(path, number, dict(zip(NAMES, cells, strict=True)))
        state = state_of(job.cells["STATE"])
        if state is None:
            continue
        start = job.time("START_TIME")
        if job.cells["STATE"] == "RUNNING" and start >= 0:
            moments.append(start + job.number("TIME", duration, "is no time like 1-02:03:04"))
        if job.cells["SUBMIT_TIME"].isdigit():
            clock = "unix"
        row = {
            "state": state,
            "procs": job.number("CPUS", count, "is no number of processors"),
            "limit": job.limit(),
            "submit": job.time("SUBMIT_TIME"),
            "start": start if state in HOLDING else -1,
            "begin": start if job.cells["REASON"] == "BeginTime" else -1,
            "priority": job.number("PRIORITY", count, "is no priority"),
            "user": job.cells["USER"],
            "partition": job.cells["PARTITION"],
            "after": "" if job.cells["DEPENDENCY"] == "(null)" else job.cells["DEPENDENCY"],
            "reason": job.cells["REASON"],
        }
        if row["submit"] < 0:
            raise job.fault("SUBMIT_TIME", "is no time", "jobs in a queue have been submitted")
        if state == "running" and start < 0:
            raise job.fault("START_TIME", "is no time", "jobs that run have been started")
        ids = job.ids()
        if state == "waiting" and "%" in job.cells["JOBID"]:
            limited += len(ids)
        rows += [{"id": name} | row for name in ids]
    notes = limited_arrays(limited)
    if at is not None:
        now = instant(at, clock)
    elif moments:
        now = max(moments)
    else:
        now = _time_written(path, clock)
        notes += (DATED,)
    return QueueFile(str(path), entries_of(rows), now, clock, notes)


def _time_written(path: str | os.PathLike[str], clock: Clock) -> int:
    """Return the modification time of a file, on the clock of its times."""
    seconds = Path(path).stat().st_mtime
    local = datetime.fromtimestamp(seconds).isoformat(timespec="seconds")
    return int(seconds) if clock == "unix" else instant(local, "local")


class _Line:
    """One line, with its place for errors."""

    def __init__(self, path: object, number: int, cells: dict[str, str]) -> None:
        self.path, self.place, self.cells = path, number, cells

    def fault(self, field: str, wrong: str, remedy: str) -> QueueError:
        cell = printable(self.cells[field])
        return QueueError(
            f"{self.path}: line {self.place}: field {field} '{cell}' {wrong}; {remedy}"
        )

    def number(self, field: str, read, wrong: str) -> int:
        value = read(self.cells[field])
        if value is None:
            raise self.fault(field, wrong, f"write it with {COMMAND}")
        return value

    def limit(self) -> int:
        """Return the job's time limit in seconds, -1 if it is unlimited."""
        text = self.cells["TIME_LIMIT"]
        if text.casefold() in _ENDLESS:
            return -1
        seconds = self.number("TIME_LIMIT", limit, "is no time limit")
        return -1 if seconds >= YEAR else max(seconds, 1)

    def time(self, field: str) -> int:
        """Return the seconds of a time, local or not; -1 if unknown."""
        text = self.cells[field]
        if text.casefold() in UNKNOWN:
            return -1
        if text.isascii() and text.isdigit():
            return int(text)
        try:
            return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())
        except ValueError:
            raise self.fault(
                field, "is no time like 2026-11-22T12:00:00", "unset SLURM_TIME_FORMAT, or %s"
            ) from None

    def ids(self) -> list[str]:
        """Return the job's id, or those of the tasks that it represents."""
        name = self.cells["JOBID"]
        if not (match := _ARRAY.fullmatch(name)):
            return [name]
        if (numbers := tasks(match[2])) is None:
            raise self.fault("JOBID", "is no list of tasks", f"write it with {COMMAND}")
        return [f"{match[1]}_{task}" for task in numbers]
