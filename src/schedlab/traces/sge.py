"""Lines of Grid Engine's accounting as those of a dump; a job is a line, or one of its runs.

The file is ``accounting`` of the cell's folder ``common``: 45 values between colons, more in
Univa's versions, whose times are milliseconds since 8.2. A job's limit is ``h_rt`` of its category.
Records of slave tasks of parallel jobs (pe_taskid) are no jobs.

References
----------
Grid Engine, accounting(5) and sge_accounting(5); Univa Grid Engine 8.2, accounting(5); Open XDMoD,
Univa Grid Engine (milliseconds).
"""

import os
import re
from collections.abc import Iterator

from schedlab.traces.accounting import Other, numbered_lines, read_records
from schedlab.traces.slurm.sacct_lines import PART, Dump, clock

#: places of the values that are read
_QUEUE, _GROUP, _OWNER, _NUMBER, _ACCOUNT, _SUBMIT, _START, _END = 0, 2, 3, 5, 6, 8, 9, 10
_FAILED, _STATUS, _PROJECT, _SLOTS, _TASK, _CATEGORY, _SLAVE = 11, 12, 31, 34, 35, 39, 41
#: values that a line needs
LEAST = _CATEGORY + 1
FIELDS = (
    *("JobID", "User", "Group", "Account", "Partition", "Submit", "Start", "End", "ElapsedRaw"),
    *("State", "NCPUS", "Timelimit"),
)
#: from here on, times are milliseconds
_MILLISECONDS = 10**11
#: values of failed: the job was migrated or rescheduled, and runs again
_AGAIN = ("24", "25")
#: exit codes from here on: a signal ended the job
SIGNALED = 128
#: account and project of jobs that name none
_NONE = ("sge", "NONE")
#: a category may contain colons, if a limit is written with them
_LIMIT = re.compile(r"\bh_rt=(\d+)(?::(\d\d):(\d\d))?")
_LINE = re.compile(r"(?:[^:|\n]*:){5}\d+:[^:\n]*:-?\d+:\d+:\d+:\d+:(?:[^:\n]*:){28}")


def is_sge(head: bytes) -> bool:
    """Return whether a file begins as Grid Engine's accounting, perhaps after remarks."""
    lines = head.decode(errors="replace").splitlines()
    first = next((line for line in lines if len(line) > 1 and not line.startswith("#")), "")
    return _LINE.match(first) is not None


def read_sge_lines(path: str | os.PathLike[str], size: int = PART) -> Iterator[Dump]:
    """Read accounting records, compressed or not, part by part; see `read_lines` of sacct."""
    return read_records(path, FIELDS, numbered_lines(path, size), _cells_of)


def _cells_of(line: str) -> tuple[object, ...] | None:
    """Return the fields of a line; None for a remark or a line that Grid Engine ignores."""
    line = line.rstrip("\r")
    if len(line.strip()) <= 1 or line.startswith("#"):
        return None
    cells = line.split(":")
    if len(cells) < LEAST:
        raise ValueError(f"{len(cells)} values, but {LEAST} or more are needed; the line is cut")
    number, slots = (_whole(cells, *pair) for pair in ((_NUMBER, "job_number"), (_SLOTS, "slots")))
    task = _whole(cells, _TASK, "task_number")
    limit, colons = _limit(":".join(cells[_CATEGORY:]))
    if cells[_SLAVE + colons : _SLAVE + colons + 1] not in ([], [""], ["NONE"]):
        raise Other("slave task of a parallel job")
    submit = _time(cells, _SUBMIT, "submission_time")
    start, end = _time(cells, _START, "start_time"), _time(cells, _END, "end_time")
    elapsed = max(end - start, 0) if start and end else 0
    account = next((cells[at] for at in (_PROJECT, _ACCOUNT) if cells[at] not in _NONE), "")
    return (
        f"{number}_{task}" if task else number,
        *(cells[_OWNER], cells[_GROUP], account, cells[_QUEUE]),
        *(submit or "", start or "", end or ""),
        elapsed,
        _state(cells, elapsed, limit),
        slots,
        "" if limit is None else clock(limit),
    )


def _whole(cells: list[str], place: int, name: str) -> int:
    text = cells[place].strip()
    if not (text.isascii() and text.isdigit()):
        raise ValueError(f"{name} '{text}' is not a whole number")
    return int(text)


def _time(cells: list[str], place: int, name: str) -> int:
    """Return the seconds of Unix time; 0 if unknown."""
    value = _whole(cells, place, name)
    return value // 1000 if value >= _MILLISECONDS else value


def _limit(category: str) -> tuple[int | None, int]:
    """Return the seconds of a job's limit, None if it has none, and the colons in it."""
    found = _LIMIT.search(category)
    if found is None:
        return None, 0
    if found[2] is None:
        return int(found[1]), 0
    return (int(found[1]) * 60 + int(found[2])) * 60 + int(found[3]), 2


def _state(cells: list[str], elapsed: int, limit: int | None) -> str:
    """Return the state of a job, in the words of sacct."""
    failed, status = cells[_FAILED].split(" ")[0], _whole(cells, _STATUS, "exit_status")
    if failed in _AGAIN:
        return "REQUEUED"
    if not status and failed == "0":
        return "COMPLETED"
    if limit is not None and elapsed >= limit:
        return "TIMEOUT"
    return "CANCELLED" if status >= SIGNALED else "FAILED"
