"""Reader of the output of `squeue` with `FORMAT`: one line per job, values separated by bars.

References
----------
Slurm, squeue(1), option --format and "JOB STATE CODES".
"""

import os
import re
from datetime import UTC, datetime
from pathlib import Path

from schedlab.files.io import read_unpacked
from schedlab.traces.slurm.queue_entries import (
    DATED,
    EXCLUSIVE,
    HOLDING,
    LATEST,
    MOST_JOBS,
    MOST_PROCESSORS,
    NO_VALUE,
    Clock,
    QueueError,
    QueueFile,
    entries_of,
    gres_of,
    instant,
    limited_arrays,
    memory_of,
    parts_of,
    read_cells,
    shortened,
    state_of,
    tasks,
)
from schedlab.traces.slurm.sacct_limits import YEAR
from schedlab.traces.slurm.sacct_requests import count, in_megabytes
from schedlab.traces.slurm.sacct_times import DAY, UNKNOWN, duration, limit

FORMAT = "%i|%T|%C|%l|%M|%S|%V|%u|%P|%Q|%E|%r|%N"
COMMAND = f'squeue -h -a -r -o "{FORMAT}"'
NAMES = (
    *("JOBID", "STATE", "CPUS", "TIME_LIMIT", "TIME", "START_TIME", "SUBMIT_TIME", "USER"),
    *("PARTITION", "PRIORITY", "DEPENDENCY", "REASON", "NODELIST"),
)
#: fields of squeue's option --Format with `NAMES`, and further ones by the columns of entries
_FIRST = (
    *("JobArrayID", "State", "NumCPUs", "TimeLimit", "TimeUsed", "StartTime", "SubmitTime"),
    *("UserName", "Partition", "PriorityLong", "Dependency", "Reason", "NodeList"),
)
_FURTHER = {
    **{"account": "Account", "qos": "QOS", "eligible": "EligibleTime", "accrue": "AccrueTime"},
    **{"asked_nodes": "NumNodes", "tasks": "NumTasks", "cpus_per_task": "cpus-per-task"},
    **{"memory": "MinMemory", "per_cpu": "tres-alloc", "gres": "tres-per-node"},
    **{"gres_of_job": "tres-per-job", "features": "Feature", "exclusive": "OverSubscribe"},
    **{"nice": "Nice", "reservation": "Reservation"},
}
SITE_NAMES = (*NAMES, *_FURTHER.values())
SITE_FORMAT = ",".join(f"{name}:|" for name in (*_FIRST, *_FURTHER.values()))
SITE_COMMAND = f'squeue -h -a -r -O "{SITE_FORMAT}"'
_NOTHING = {"(null)", "N/A", ""}
_ENDLESS = UNKNOWN | {"unlimited", "infinite", "partition_limit", "not_set"}
#: a longer text is no number
_LONGEST = 30
_ID = re.compile(r"\d{1,18}(?:[_+]\d{1,9})?", re.ASCII)
_ARRAY = re.compile(r"(\d{1,18})_\[(.+)\]", re.ASCII)


def read_squeue_text(path: str | os.PathLike[str], at: str | None = None) -> QueueFile:
    """Read the output of `COMMAND` or `SITE_COMMAND`, compressed or not.

    A first line with the names is skipped.

    Of `COMMAND`, the last column, nodes, may be missing. `at` is the time of the output; by default
    derived from the elapsed time of running jobs, or else the modification time of the file. Raises
    `QueueError` if a line has a wrong number of values, or a value is invalid.
    """
    rows, moments, clock, limited, number_of_jobs = [], [], "local", 0, 0
    is_whole = _is_whole(path)
    names, command = (SITE_NAMES, SITE_COMMAND) if is_whole else (NAMES, COMMAND)
    for number, cells in read_cells(path, names, command, optional=0 if is_whole else 1):
        job = _Line(path, number, dict(zip(names, cells, strict=True)), command)
        state = state_of(job.cells["STATE"])
        if state == "over":
            continue
        if state is None:
            raise job.fault("STATE", "is no state of a job")
        start = job.time("START_TIME")
        # after the clock was put back, squeue writes INVALID
        if state == "running" and start >= 0 and job.cells["TIME"].casefold() not in UNKNOWN:
            moments.append(start + job.number("TIME", duration, "is no time like 1-02:03:04"))
        if job.cells["SUBMIT_TIME"].isdigit():
            clock = "unix"
        row = {
            "id": job.ids(),
            "state": state,
            "procs": job.number("CPUS", count, "is no number of processors", MOST_PROCESSORS),
            "limit": job.limit(),
            "submit": job.time("SUBMIT_TIME"),
            "start": start if state in HOLDING else -1,
            "begin": start if job.cells["REASON"] == "BeginTime" else -1,
            "priority": job.number("PRIORITY", count, "is no priority"),
            "user": job.cells["USER"],
            "partition": job.cells["PARTITION"],
            "after": "" if job.cells["DEPENDENCY"] == "(null)" else job.cells["DEPENDENCY"],
            "reason": job.cells["REASON"],
            "nodes": job.cells["NODELIST"],
        }
        if row["procs"] < 1:
            raise job.fault("CPUS", "is no number of processors")
        if row["submit"] < 0:
            raise job.fault("SUBMIT_TIME", "is no time", "jobs in a queue have been submitted")
        if state == "running" and start < 0:
            raise job.fault("START_TIME", "is no time", "jobs that run have been started")
        if is_whole:
            row |= job.requests(row["procs"]) | {"planned": -1 if state in HOLDING else start}
        number_of_jobs += len(row["id"])
        if number_of_jobs > MOST_JOBS:
            raise job.fault(
                "JOBID", f"is beyond {MOST_JOBS:,} jobs", "write the jobs of one partition"
            )
        if state == "waiting" and "%" in job.cells["JOBID"]:
            limited += len(row["id"])
        rows.append(row)
    notes = limited_arrays(limited)
    if at is not None:
        now = instant(at, clock)
    elif moments:
        now = max(moments)
    else:
        now = _time_written(path, clock)
        notes += (DATED,)
    return QueueFile(str(path), entries_of(rows), now, clock, notes, is_whole)


def _is_whole(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is of `SITE_COMMAND`: its first line has more values."""
    return next(iter(read_unpacked(path).splitlines()), b"").count(b"|") > len(NAMES)


def _time_written(path: str | os.PathLike[str], clock: Clock) -> int:
    """Return the modification time of a file, on the clock of its times."""
    seconds = Path(path).stat().st_mtime
    local = datetime.fromtimestamp(seconds).isoformat(timespec="seconds")
    return int(seconds) if clock == "unix" else instant(local, "local")


class _Line:
    def __init__(self, path: object, number: int, cells: dict[str, str], command: str) -> None:
        self.path, self.place, self.cells, self.command = path, number, cells, command

    def fault(self, field: str, wrong: str, remedy: str = "") -> QueueError:
        cell, remedy = shortened(self.cells[field]), remedy or f"write it with {self.command}"
        return QueueError(
            f"{self.path}: line {self.place}: field {field} '{cell}' {wrong}; {remedy}"
        )

    def number(self, field: str, read, wrong: str, most: int = LATEST) -> int:
        """Return a number up to `most`; -1 for a number that means "no value"."""
        text = self.cells[field]
        value = read(text) if len(text) < _LONGEST else None
        if value in NO_VALUE:
            return -1
        if value is None or value > most:
            raise self.fault(field, wrong)
        return value

    def limit(self) -> int:
        """Return the job's time limit in seconds, -1 if it is unlimited."""
        text = self.cells["TIME_LIMIT"]
        if text.casefold() in _ENDLESS:
            return -1
        seconds = self.number("TIME_LIMIT", limit, "is no time limit", most=10**17)
        return -1 if not 0 <= seconds < YEAR else max(seconds, 1)

    def time(self, field: str) -> int:
        """Return the seconds of a time, local or not; -1 if unknown."""
        text = self.cells[field]
        if text.casefold() in UNKNOWN:
            return -1
        try:
            if text.isascii() and text.isdigit():
                seconds = int(text)
            else:
                seconds = int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp())
                # a time that is not set is second 0 of 1970, in any time zone
                seconds = -1 if abs(seconds) < DAY else seconds
            if seconds in NO_VALUE:
                return -1
            if 0 <= seconds <= LATEST:
                return seconds
        except ValueError:
            pass
        raise self.fault(
            field, "is no time like 2026-11-22T12:00:00", "unset SLURM_TIME_FORMAT, or %s"
        )

    def ids(self) -> list[str]:
        """Return the job's id, or those of the tasks that it represents."""
        name = self.cells["JOBID"]
        if match := _ARRAY.fullmatch(name):
            try:
                return [f"{match[1]}_{task}" for task in tasks(match[2])]
            except ValueError as error:
                raise self.fault(
                    "JOBID", str(error), f"write it with {self.command}, or leave out the line"
                ) from None
        if not _ID.fullmatch(name):
            raise self.fault("JOBID", "is no id of a job")
        return [name]

    def text(self, name: str) -> str:
        """Return the text of a further column; empty if there is none."""
        text = self.cells[_FURTHER[name]]
        return "" if text in _NOTHING else text

    def requests(self, procs: int) -> dict[str, object]:
        """Return what the job asks for, by the columns `SITE_FIELDS`."""
        wrong = "is no number"
        nodes = self.number(_FURTHER["asked_nodes"], _first_number, wrong)
        least = self.number(_FURTHER["memory"], _megabytes, "is no amount of memory")
        total = in_megabytes(parts_of(self.text("per_cpu")).get("mem", ""))
        memory, per_cpu = memory_of(max(least, 0), total, max(nodes, 1), procs)
        nice = self.text("nice")
        if not re.fullmatch(r"-?\d{0,12}", nice):
            raise self.fault(_FURTHER["nice"], wrong)
        return {
            **{name: self.text(name) for name in ("account", "qos", "features", "reservation")},
            **{name: self.time(_FURTHER[name]) for name in ("eligible", "accrue")},
            "asked_nodes": max(nodes, 0),
            "tasks": max(self.number(_FURTHER["tasks"], _first_number, wrong), 0),
            "cpus_per_task": max(self.number(_FURTHER["cpus_per_task"], _first_number, wrong), 1),
            **{"memory": memory, "per_cpu": per_cpu},
            "gres": gres_of(self.text("gres"), self.text("gres_of_job"), max(nodes, 1)),
            "exclusive": self.text("exclusive") in EXCLUSIVE,
            "nice": int(nice or 0),
        }


def _first_number(text: str) -> int | None:
    """Return the number of a text, the first of a range (``2-4``), -1 if there is none."""
    return -1 if text in _NOTHING else count(text.partition("-")[0])


def _megabytes(text: str) -> int | None:
    return -1 if text in _NOTHING else in_megabytes(text)
