"""Reader of the output of `squeue --json`, `sinfo --json` and `scontrol show nodes --json`.

The format is that of Slurm 22.05. Newer versions write numbers as objects (``set``, ``infinite``,
``number``) and states as lists, which is supported as well.

References
----------
Slurm, rest_api of its documentation, openapi/v0.0.38 (22.05) and v0.0.39 on.
"""

import json
import os
from pathlib import Path

import pandas as pd

from schedlab.files.io import read_unpacked
from schedlab.traces.slurm.queue_entries import (
    DATED,
    ENDING,
    HOLDING,
    QueueError,
    QueueFile,
    entries_of,
    instant,
    limited_arrays,
    state_of,
    tasks,
)
from schedlab.traces.slurm.sacct_times import MINUTE

_REMEDY = "write it again with squeue --json"


def is_json(path: str | os.PathLike[str]) -> bool:
    """Return whether a file begins like a JSON object."""
    return read_unpacked(path).lstrip()[:1] == b"{"


def read_squeue_json(path: str | os.PathLike[str], at: str | None = None) -> QueueFile:
    """Read the output of ``squeue --json``, gzip compressed or not.

    `at` is the time of the output; by default its own ``last_update``, or else the modification
    time of the file. Raises `QueueError` if the output is truncated, has no jobs, or a field is
    invalid; the message names the job.
    """
    content = _content(path)
    if not isinstance(content.get("jobs"), list):
        raise QueueError(f"{path}: field jobs is missing; {_REMEDY}")
    rows, limited = [], 0
    for place, job in enumerate(content["jobs"], 1):
        record = _Record(path, f"job {job.get('job_id', f'number {place}')}", job)
        state = state_of(record.state())
        if state is None:
            continue
        minutes = record.number("time_limit")
        begin = record.number("eligible_time")
        # 0 means that the time is not set
        start = record.number("start_time") or -1
        row = {
            "state": state,
            "procs": record.number("cpus"),
            "limit": -1 if minutes < 0 else max(minutes * MINUTE, 1),
            "submit": record.number("submit_time"),
            "start": start if state in HOLDING else -1,
            "begin": begin if record.text("state_reason") == "BeginTime" else -1,
            "priority": record.number("priority"),
            "user": record.text("user_name"),
            "partition": record.text("partition"),
            "after": record.text("dependency"),
            "reason": record.text("state_reason"),
        }
        for field, name in (("cpus", "procs"), ("submit_time", "submit")):
            if row[name] < 0:
                raise record.fault(field, "says nothing")
        if state == "running" and start < 0:
            raise record.fault("start_time", "says nothing")
        ids = _ids(record)
        if state == "waiting" and (
            record.number("array_max_tasks") > 0 or "%" in record.text("array_task_string")
        ):
            limited += len(ids)
        rows += [{"id": name} | row for name in ids]
    read_at = _Record(path, "the file", content).number("last_update")
    if at is not None:
        read_at = instant(at, "unix")
    notes = limited_arrays(limited)
    if read_at <= 0:
        read_at = int(Path(path).stat().st_mtime)
        notes += (DATED,)
    return QueueFile(str(path), entries_of(rows), read_at, "unix", notes)


def read_nodes_json(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read the nodes of ``sinfo --json`` (22.05) or ``scontrol show nodes --json`` (all versions).

    Columns: name, partition, state, used, idle, total; a row per node and partition. Raises
    `QueueError` if there are no nodes, or a field is invalid.
    """
    content = _content(path)
    if not isinstance(content.get("nodes"), list):
        raise QueueError(
            f"{path}: field nodes is missing; write it with scontrol show nodes --json"
        )
    rows = []
    for place, node in enumerate(content["nodes"], 1):
        record = _Record(path, f"node {node.get('name', f'number {place}')}", node)
        flags = node.get("state_flags") or []
        total, used = record.number("cpus"), record.number("alloc_cpus")
        if total < 0 or used < 0:
            raise record.fault("cpus" if total < 0 else "alloc_cpus", "says nothing")
        row = {
            "name": record.text("name"),
            "state": "+".join([record.text("state"), *flags]).lower(),
            "used": used,
            "idle": total - used,
            "total": total,
        }
        rows += [row | {"partition": name} for name in node.get("partitions") or [""]]
    return pd.DataFrame(rows, columns=["name", "partition", "state", "used", "idle", "total"])


def _content(path: str | os.PathLike[str]) -> dict:
    try:
        content = json.loads(read_unpacked(path))
    except ValueError as error:
        raise QueueError(f"{path}: is no JSON ({error}); {_REMEDY}") from None
    if not isinstance(content, dict):
        raise QueueError(f"{path}: is no JSON object; {_REMEDY}")
    if errors := content.get("errors"):
        raise QueueError(f"{path}: field errors: Slurm could not say: {errors[0]}; {_REMEDY}")
    return content


class _Record:
    """One object of the file, with its name for errors."""

    def __init__(self, path: object, name: str, fields: dict) -> None:
        self.path, self.name, self.fields = path, name, fields

    def fault(self, field: str, wrong: str) -> QueueError:
        value = json.dumps(self.fields.get(field))
        return QueueError(f"{self.path}: {self.name}: field {field} {value} {wrong}; {_REMEDY}")

    def number(self, field: str) -> int:
        """Return a whole number; -1 if it is not set, or infinite."""
        value = self.fields.get(field)
        if isinstance(value, dict):
            value = None if value.get("infinite") or not value.get("set", True) else value["number"]
        if value is None:
            return -1
        if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
            raise self.fault(field, "is not a whole number")
        return int(value)

    def text(self, field: str) -> str:
        """Return a text; for a list its first entry, or all entries of a state."""
        value = self.fields.get(field)
        if isinstance(value, list):
            value = "+".join(map(str, value)) if field == "state" else next(iter(value), "")
        return "" if value is None else str(value)

    def state(self) -> str:
        """Return the job's state; an ending state in a list has precedence."""
        value = self.fields.get("job_state")
        ends = (name for name in value if name in ENDING) if isinstance(value, list) else iter(())
        return next(ends, self.text("job_state"))


def _ids(record: _Record) -> list[str]:
    """Return the job's id, or those of the tasks that it represents."""
    array, task = record.number("array_job_id"), record.number("array_task_id")
    name, task_list = record.text("job_id"), record.text("array_task_string")
    if array > 0 and task >= 0:
        return [f"{array}_{task}"]
    if not task_list:
        return [name]
    if (numbers := tasks(task_list)) is None:
        raise QueueError(
            f"{record.path}: {record.name}: field array_task_string '{task_list}' is no list "
            "of tasks, or cut; set SLURM_BITSTR_LEN=0 and write it again with squeue --json"
        )
    return [f"{name}_{task}" for task in numbers]
