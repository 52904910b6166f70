"""Reader of the output of `squeue --json`, `sinfo --json` and `scontrol show nodes --json`.

The format is that of Slurm 22.05. Newer versions write numbers as objects (``set``, ``infinite``,
``number``) and states as lists, which is supported as well.

References
----------
Slurm, rest_api of its documentation, openapi/v0.0.38 (22.05) and v0.0.39 on.
"""

import json
import math
import os
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from schedlab.files.io import printable, read_unpacked
from schedlab.traces.slurm.queue_entries import (
    DATED,
    HOLDING,
    LATEST,
    MOST_JOBS,
    MOST_PROCESSORS,
    NO_VALUE,
    QueueError,
    QueueFile,
    entries_of,
    gres_of,
    instant,
    limited_arrays,
    shortened,
    state_of,
    tasks,
)
from schedlab.traces.slurm.sacct_limits import YEAR
from schedlab.traces.slurm.sacct_times import MINUTE

#: how jobs that share no node are called, and what older versions add to nice
EXCLUSIVE_JSON = ("none", "exclusive")
_NICE_OFFSET = 1 << 31
#: what to do about an object of each kind
_REMEDIES = {
    "job": "write it again with squeue --json",
    "node": "write it again with scontrol show nodes --json",
}


def is_json(path: str | os.PathLike[str]) -> bool:
    """Return whether a file begins like a JSON object."""
    return read_unpacked(path).lstrip()[:1] == b"{"


def read_squeue_json(path: str | os.PathLike[str], at: str | None = None) -> QueueFile:
    """Read the output of ``squeue --json``, compressed or not.

    `at` is the time of the output; by default its own ``last_update``, or else the modification
    time of the file. Raises `QueueError` if the output is truncated, has no jobs, or a field is
    invalid; the message names the job.
    """
    content = _content(path, "job")
    rows, limited, number_of_jobs = [], 0, 0
    for record in _records(path, content["jobs"], "job"):
        state = record.state()
        if state == "over":
            continue
        minutes = record.number("time_limit", most=10**12)
        begin = record.number("eligible_time", most=LATEST)
        # 0 means that the time is not set
        start = record.number("start_time", most=LATEST) or -1
        row = {
            "id": _ids(record),
            "state": state,
            "procs": record.number("cpus", most=MOST_PROCESSORS) or -1,
            "limit": max(minutes * MINUTE, 1) if 0 <= minutes * MINUTE < YEAR else -1,
            "submit": record.number("submit_time", most=LATEST) or -1,
            "start": start if state in HOLDING else -1,
            "begin": begin if record.text("state_reason") == "BeginTime" else -1,
            "priority": record.number("priority"),
            "user": record.text("user_name"),
            "partition": record.text("partition"),
            "after": record.text("dependency"),
            "reason": record.text("state_reason"),
            "nodes": record.nodes(),
            "planned": -1 if state in HOLDING else start,
        } | _requests(record)
        for field, name in (("cpus", "procs"), ("submit_time", "submit")):
            if row[name] < 0:
                raise record.fault(field, "says nothing")
        if state == "running" and start < 0:
            raise record.fault("start_time", "says nothing")
        number_of_jobs += len(row["id"])
        if number_of_jobs > MOST_JOBS:
            raise record.fault("array_task_string", f"goes beyond {MOST_JOBS:,} jobs")
        if state == "waiting" and (
            record.number("array_max_tasks") > 0 or "%" in record.text("array_task_string")
        ):
            limited += len(row["id"])
        rows.append(row)
    read_at = _Record(path, "the file", content, "job").number("last_update", most=LATEST)
    if at is not None:
        read_at = instant(at, "unix")
    notes = limited_arrays(limited)
    if read_at <= 0:
        read_at = int(Path(path).stat().st_mtime)
        notes += (DATED,)
    return QueueFile(str(path), entries_of(rows), read_at, "unix", notes, has_requests=True)


#: fields of a job that are its texts and numbers, by the columns of entries
_TEXTS = {"account": "account", "qos": "qos", "features": "features", "reservation": "resv_name"}
_COUNTS = {
    **{"eligible": "eligible_time", "accrue": "accrue_time", "asked_nodes": "node_count"},
    **{"most_nodes": "max_nodes", "tasks": "tasks", "cpus_per_task": "cpus_per_task"},
}


def _requests(record: "_Record") -> dict[str, object]:
    """Return what a job asks for, by the columns `SITE_FIELDS`."""
    per_cpu = record.number("memory_per_cpu")
    memory = per_cpu if per_cpu > 0 else record.number("memory_per_node")
    counts = {name: max(record.number(field), 0) for name, field in _COUNTS.items()}
    times = {name: counts[name] or -1 for name in ("eligible", "accrue")}
    shared = record.fields.get("shared", record.fields.get("oversubscribe"))
    of_node = ",".join(record.texts("tres_per_node"))
    of_job = ",".join(record.texts("tres_per_job"))
    return {
        **{name: record.text(field) for name, field in _TEXTS.items()},
        **counts,
        **times,
        "cpus_per_task": max(counts["cpus_per_task"], 1),
        "memory": max(memory, 0),
        "per_cpu": per_cpu > 0,
        "gres": gres_of(of_node, of_job, max(counts["asked_nodes"], 1)),
        "exclusive": bool(record.fields.get("exclusive")) or shared in EXCLUSIVE_JSON,
        "nice": _nice(record),
        "where": _where(record),
    }


def _nice(record: "_Record") -> int:
    """Return the nice value; older versions write it with an offset of 2^31."""
    value = record.fields.get("nice")
    value = value.get("number", 0) if isinstance(value, dict) else value or 0
    if not isinstance(value, int):
        raise record.fault("nice", "is not a whole number")
    return value - _NICE_OFFSET if value >= _NICE_OFFSET // 2 else value


def _where(record: "_Record") -> str:
    """Return the processors of a running job by node; empty if they are not known.

    Slurm 22.05 has them as cores that are allocated.
    """
    had = record.fields.get("job_resources")
    nodes = had.get("allocated_nodes") if isinstance(had, dict) else None
    if not isinstance(nodes, list) or not all(isinstance(node, dict) for node in nodes):
        return ""
    counts = [node.get("cpus_used") or node.get("cpus") or _cores(node) for node in nodes]
    total = sum(counts) if all(isinstance(count, int) for count in counts) else 0
    procs = record.number("cpus")
    if total <= 0 or procs % total:
        return ""
    each = procs // total
    return " ".join(
        f"{node.get('nodename')}:{count * each}" for node, count in zip(nodes, counts, strict=True)
    )


def _cores(node: dict) -> int:
    """Return how many cores of a node are allocated."""
    sockets = node.get("sockets")
    each = sockets.values() if isinstance(sockets, dict) else []
    cores = [core for socket in each if isinstance(socket, dict) for core in [socket.get("cores")]]
    return sum(list(core.values()).count("allocated") for core in cores if isinstance(core, dict))


def read_nodes_json(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read the nodes of ``sinfo --json`` (22.05) or ``scontrol show nodes --json`` (all versions).

    Columns: name, partition, state, used, idle, total; a row per node and partition. Raises
    `QueueError` if there are no nodes, or a field is invalid.
    """
    content = _content(path, "node")
    rows = []
    for record in _records(path, content["nodes"], "node"):
        total = record.number("cpus", most=MOST_PROCESSORS)
        used = record.number("alloc_cpus", most=MOST_PROCESSORS)
        if total < 0 or used < 0:
            raise record.fault("cpus" if total < 0 else "alloc_cpus", "says nothing")
        if used > total:
            raise record.fault("alloc_cpus", f"is above its cpus, {total}")
        row = {
            "name": record.text("name"),
            "state": "+".join(record.texts("state") + record.texts("state_flags")).lower(),
            "used": used,
            "idle": total - used,
            "total": total,
        }
        if not row["name"]:
            raise record.fault("name", "says nothing")
        rows += [row | {"partition": name} for name in record.texts("partitions") or [""]]
    return pd.DataFrame(rows, columns=["name", "partition", "state", "used", "idle", "total"])


def _content(path: str | os.PathLike[str], kind: str) -> dict:
    remedy = _REMEDIES[kind]
    try:
        content = json.loads(read_unpacked(path))
    except (ValueError, RecursionError) as error:
        raise QueueError(f"{path}: is no JSON ({error}); {remedy}") from None
    if not isinstance(content, dict):
        raise QueueError(f"{path}: is no JSON object; {remedy}")
    if errors := content.get("errors"):
        first = errors[0] if isinstance(errors, list) else errors
        first = printable(first) if isinstance(first, str) else _shown(first)
        raise QueueError(f"{path}: field errors: Slurm could not say: {first}; {remedy}")
    if not isinstance(content.get(f"{kind}s"), list):
        wrong = "is no list" if f"{kind}s" in content else "is missing"
        raise QueueError(f"{path}: field {kind}s {wrong}; {remedy}")
    return content


def _shown(value: object) -> str:
    """Return the beginning of a value as JSON, for a message."""
    return shortened(json.dumps(value))


def _records(path: object, objects: list, kind: str) -> Iterator["_Record"]:
    """Yield the objects of a list, with their names for errors."""
    for place, fields in enumerate(objects, 1):
        if not isinstance(fields, dict):
            raise QueueError(
                f"{path}: {kind} number {place} {_shown(fields)} is no object; {_REMEDIES[kind]}"
            )
        name = fields.get("job_id" if kind == "job" else "name", f"number {place}")
        yield _Record(path, f"{kind} {printable(shortened(str(name)))}", fields, kind)


class _Record:
    """One object of the file, with its name for errors."""

    def __init__(self, path: object, name: str, fields: dict, kind: str) -> None:
        self.path, self.name, self.fields, self.kind = path, name, fields, kind

    def fault(self, field: str, wrong: str) -> QueueError:
        value, remedy = _shown(self.fields.get(field)), _REMEDIES[self.kind]
        return QueueError(f"{self.path}: {self.name}: field {field} {value} {wrong}; {remedy}")

    def number(self, field: str, most: int = 2**53) -> int:
        """Return a whole number up to `most`; -1 if it is not set, or infinite."""
        value = self.fields.get(field)
        if isinstance(value, dict):
            is_set = value.get("set", True) and not value.get("infinite")
            value = value.get("number", "") if is_set else None
        if value is None or value != value or value in (math.inf, -math.inf):
            return -1
        if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
            raise self.fault(field, "is not a whole number")
        if value in NO_VALUE:
            return -1
        if not 0 <= value <= most:
            raise self.fault(field, f"is not between 0 and {most}")
        return int(value)

    def text(self, field: str) -> str:
        """Return a text; for a list, its first entry."""
        return next(iter(self.texts(field)), "")

    def texts(self, field: str) -> list[str]:
        """Return the texts of a list, or the only one; none if it is not set."""
        value = self.fields.get(field)
        texts = value if isinstance(value, list) else [] if value is None else [value]
        if not all(isinstance(text, str) for text in texts):
            raise self.fault(field, "is not text")
        return [printable(text) for text in texts]

    def state(self) -> str:
        """Return the job's state; "over" if it has ended."""
        if (state := state_of(*self.texts("job_state"))) is None:
            raise self.fault("job_state", "is no state of a job")
        return state

    def nodes(self) -> str:
        """Return the list of the job's nodes, which newer versions write into an object."""
        value = self.fields.get("nodes")
        if isinstance(value, dict):
            return _Record(self.path, f"{self.name}: field nodes", value, self.kind).text("list")
        return self.text("nodes")


def _ids(record: _Record) -> list[str]:
    """Return the job's id, or those of the tasks that it represents."""
    array, task = record.number("array_job_id"), record.number("array_task_id")
    task_list, leader = record.text("array_task_string"), record.number("het_job_id")
    if array > 0 and task >= 0:
        return [f"{array}_{task}"]
    if leader > 0:
        return [f"{leader}+{max(record.number('het_job_offset'), 0)}"]
    if (job := record.number("job_id")) < 0:
        raise record.fault("job_id", "says nothing")
    if not task_list:
        return [str(job)]
    try:
        return [f"{job}_{task}" for task in tasks(task_list)]
    except ValueError as error:
        raise QueueError(
            f"{record.path}: {record.name}: field array_task_string {_shown(task_list)} {error}, "
            "or cut; set SLURM_BITSTR_LEN=0 and write it again with squeue --json"
        ) from None
