"""Jobs of `sacct --json` as the lines of a dump.

Numbers are plain or objects (``set``, ``infinite``, ``number``), states texts or lists, as the
versions from 21.08 to 24.05 write them. Jobs are decoded one after another, in parts.
Steps are not read.

References
----------
Slurm, sacct(1), --json; rest_api of its documentation, openapi/dbv0.0.37 (21.08) to
data_parser/v0.0.41 (24.05), object job.
"""

import json
import os
import re
from collections.abc import Iterator
from typing import Any

from schedlab.files.io import read_unpacked
from schedlab.traces.accounting import read_records
from schedlab.traces.slurm.queue_entries import NO_VALUE
from schedlab.traces.slurm.sacct_lines import PART, Dump, SacctError, clock

FIELDS = (
    *("JobID", "JobIDRaw", "Cluster", "Partition", "QOS", "Account", "Group", "User", "Submit"),
    *("Eligible", "Start", "End", "ElapsedRaw", "State", "NNodes", "NCPUS", "ReqCPUS", "ReqMem"),
    *("ReqTRES", "AllocTRES", "Timelimit", "Constraints", "Reservation", "SubmitLine"),
)
REMEDY = "write it again with sacct -aX --json"
JOBS = 1 << 14  # jobs that are read at a time
#: set in memory that is per processor, in 21.08 and 22.05; the number may be a signed one
_PER_CPU = 1 << 63
_BLANKS = re.compile(r"[ \t\r\n]*")
_BEGINS = re.compile(rb'\s*\{\s*(?:"(?:meta|jobs|errors|warnings)"\s*:|\})')
_DECODE = json.JSONDecoder().raw_decode


def is_sacct_json(head: bytes) -> bool:
    """Return whether a file begins as JSON of a program of Slurm."""
    return _BEGINS.match(head) is not None


def read_json_lines(path: str | os.PathLike[str], size: int = PART) -> Iterator[Dump]:
    """Read jobs, compressed or not, part by part; see `read_lines` of sacct.

    Lines of the ledger are the places of jobs in the list ``jobs``, from 1. Raises `SacctError` if
    the file is no JSON, cut, or of another program; the message names line and column.
    """
    del size  # of the text, which is read as a whole
    yield from read_records(path, FIELDS, _parts(path), _cells_of, "job")


def _parts(path: str | os.PathLike[str]) -> Iterator[list[tuple[int, Any]]]:
    """Yield the objects of the list ``jobs`` with their places."""
    text = read_unpacked(path).decode("utf-8", "replace")
    number, part = 0, []
    try:
        for job in _jobs(text, path):
            number += 1
            part.append((number, job))
            if len(part) == JOBS:
                yield part
                part = []
    except json.JSONDecodeError as error:
        raise SacctError(
            f"{path}: line {error.lineno}, column {error.colno}: {error.msg}, after {number:,} "
            f"jobs: the file is damaged or cut; {REMEDY}"
        ) from None
    except RecursionError:
        raise SacctError(f"{path}: objects within objects without end; {REMEDY}") from None
    yield part


def _jobs(text: str, path: object) -> Iterator[Any]:
    """Yield the objects of the list ``jobs``; check ``errors``."""
    at, found = _expect(text, 0, "{"), False
    while text[at : at + 1] != "}":
        key, at = _value(text, at)
        at = _expect(text, at, ":")
        if key == "jobs" and text[at : at + 1] == "[":
            found, at = True, _expect(text, at, "[")
            while text[at : at + 1] != "]":
                job, at = _value(text, at)
                yield job
                at = _separator(text, at, "]")
            at = _skip(text, at + 1)
        else:
            value, at = _value(text, at)
            if key == "errors" and value:
                said = json.dumps(value)[:200]
                raise SacctError(f"{path}: field errors: Slurm could not say: {said}; {REMEDY}")
        at = _separator(text, at, "}")
    if not found:
        raise SacctError(f"{path}: is JSON without a list of jobs; {REMEDY}")
    if text[at + 1 :].strip():
        raise json.JSONDecodeError("Extra data", text, at + 1)


def _skip(text: str, at: int) -> int:
    """Return the place of the next sign that is not blank."""
    found = _BLANKS.match(text, at)
    assert found is not None
    return found.end()


def _value(text: str, at: int) -> tuple[Any, int]:
    value, at = _DECODE(text, at)
    return value, _skip(text, at)


def _expect(text: str, at: int, sign: str) -> int:
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise json.JSONDecodeError(f"'{sign}' is missing", text, at)
    return _skip(text, at + 1)


def _separator(text: str, at: int, end: str) -> int:
    """Return the place after a comma, or of the end of an object or list."""
    return at if text[at : at + 1] == end else _expect(text, at, ",")


def _cells_of(job: Any) -> tuple[object, ...]:
    """Return the fields of a job; ValueError names a value of the wrong kind."""
    if not isinstance(job, dict):
        raise ValueError("is no object")
    time = _object(job, "time")
    if not time:
        if "job_state" in job:
            raise ValueError("is a job of squeue --json, which schedlab why reads, not of sacct")
        raise ValueError("field time is missing")
    number = _number(job, "job_id")
    if not number:
        raise ValueError("field job_id is missing")
    association, required = _object(job, "association"), _object(job, "required")
    tres = _object(job, "tres")
    had, asked = (_tres(tres, name) for name in ("allocated", "requested"))
    nodes = _number(job, "allocation_nodes")
    return (
        _id(job, number),
        number,
        *(_text(job, name) for name in ("cluster", "partition", "qos")),
        _text(job, "account") or _text(association, "account"),
        _text(job, "group"),
        _text(job, "user") or _text(association, "user"),
        *(_number(time, name) or "" for name in ("submission", "eligible", "start", "end")),
        _blank(_number(time, "elapsed")),
        _state(job),
        nodes or had.get("node") or "",
        had.get("cpu", ""),
        _blank(_number(required, "CPUs")),
        _memory(required),
        *(",".join(f"{name}={count}" for name, count in each.items()) for each in (asked, had)),
        _limit(time),
        _text(job, "constraints"),
        _text(_object(job, "reservation"), "name"),
        _text(job, "submit_line"),
    )


def _blank(number: int | None) -> object:
    return "" if number is None else number


def _object(fields: dict[str, Any], name: str) -> dict[str, Any]:
    value = fields.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _fault(name, value, "is no object")
    return value


def _fault(name: str, value: object, wrong: str) -> ValueError:
    return ValueError(f"field {name} {json.dumps(value)[:60]} {wrong}")


def _number(fields: dict[str, Any], name: str) -> int | None:
    """Return a whole number; None if it is not set, or infinite."""
    value = fields.get(name)
    if isinstance(value, dict):
        is_set = value.get("set", True) and not value.get("infinite")
        value = value.get("number") if is_set else None
    if value is None or value == "":
        return None
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise _fault(name, value, "is not a whole number")
    if value in NO_VALUE:
        return None
    if value < 0:
        raise _fault(name, value, "is below 0")
    return value


def _text(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _fault(name, value, "is not text")
    return value


def _id(job: dict[str, Any], number: int) -> str:
    """Return the id as sacct's JobID: of a task, of a component, or plain."""
    array, het = _object(job, "array"), _object(job, "het")
    if first := _number(array, "job_id"):
        if (task := _number(array, "task_id")) is not None:
            return f"{first}_{task}"
        if tasks := _text(array, "task"):
            return f"{first}_[{tasks.strip('[]')}]"
    if first := _number(het, "job_id"):
        return f"{first}+{_number(het, 'job_offset') or 0}"
    return str(number)


def _state(job: dict[str, Any]) -> str:
    """Return the state, the first one of a list."""
    state = job.get("state")
    if isinstance(state, dict):
        state = state.get("current")
    states = state if isinstance(state, list) else [state or ""]
    if not all(isinstance(each, str) for each in states):
        raise _fault("state", state, "is not text")
    return states[0] if states else ""


def _tres(tres: dict[str, Any], name: str) -> dict[str, object]:
    """Return the amounts of a list of resources, by names like ``gres/gpu``; memory in MB."""
    entries = tres.get(name)
    if entries is None:
        return {}
    if not isinstance(entries, list) or not all(isinstance(each, dict) for each in entries):
        raise _fault(f"tres.{name}", entries, "is no list of objects")
    amounts: dict[str, object] = {}
    for entry in entries:
        count = entry.get("count")
        if not isinstance(count, int) or count < 0:
            continue  # -2: not known, such as the energy
        kind = "/".join(filter(None, (_text(entry, "type"), _text(entry, "name"))))
        amounts[kind] = f"{count}M" if kind == "mem" else count
    return amounts


def _memory(required: dict[str, Any]) -> str:
    """Return the requested memory, with the letter of a node or a processor."""
    if per_cpu := _number(required, "memory_per_cpu"):
        return f"{per_cpu}Mc"
    if per_node := _number(required, "memory_per_node"):
        return f"{per_node}Mn"
    memory = required.get("memory")
    if isinstance(memory, int) and (memory >= _PER_CPU or memory < -_PER_CPU // 2):
        return f"{memory % _PER_CPU}Mc"
    return f"{memory}Mn" if (memory := _number(required, "memory")) else ""


def _limit(time: dict[str, Any]) -> str:
    """Return the time limit; the field is in minutes."""
    limit = time.get("limit")
    if isinstance(limit, dict) and limit.get("infinite"):
        return "UNLIMITED"
    minutes = _number(time, "limit")
    return "" if minutes is None else clock(minutes * 60)
