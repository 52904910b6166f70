"""Lines of PBS's accounting as those of a dump: a job is the record of its end (type E).

Records are ``date;type;id;key=value ...`` (OpenPBS, PBS Professional, TORQUE). A job's record gets
the fields of `schedlab.traces.slurm.sacct_lines.READ`, so that import, ledger and losses are those
of any accounting. Times are Unix seconds.

References
----------
OpenPBS, Administrator's Guide, chapter Accounting; TORQUE, Administrator Guide, appendix on
accounting records.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping

from schedlab.traces.accounting import Other, numbered_lines, read_records
from schedlab.traces.slurm.sacct_lines import PART, Dump
from schedlab.traces.slurm.sacct_requests import KILO
from schedlab.traces.slurm.sacct_times import duration

_RECORD = re.compile(r"(\d\d?/\d\d?/\d{4} \d\d:\d\d:\d\d);(\w+);([^;]*);(.*)")
_PAIR = re.compile(r'([\w.]+)=("[^"]*"|\S*)')
_ID = re.compile(r"(\d+)(?:\[(\d*)\]|-(\d+))?(?:\..*)?")
#: processors and nodes in ``select=2:ncpus=8+1:ncpus=4`` and ``nodes=2:ppn=8``
_CHUNK = re.compile(r"(?:(\d+):)?.*?(?:ncpus|ppn)=(\d+).*")
_MEMORY = re.compile(r"(\d+)([kmgtp]?)b?", re.IGNORECASE)
#: exit codes from here on: a signal ended the job
SIGNALED = 256
#: project of jobs that name none
NO_PROJECT = "_pbs_project_default"
FIELDS = (
    *("JobID", "User", "Group", "Account", "Partition", "Submit", "Eligible", "Start", "End"),
    *("Elapsed", "State", "NNodes", "NCPUS", "ReqCPUS", "Timelimit", "ReqMem", "ReqTRES"),
)


def is_pbs(head: bytes) -> bool:
    """Return whether a file begins with a record of PBS's accounting."""
    line = head.lstrip().partition(b"\n")[0]
    return _RECORD.match(line.decode(errors="replace")) is not None


def read_pbs_lines(path: str | os.PathLike[str], size: int = PART) -> Iterator[Dump]:
    """Read accounting records, compressed or not, part by part; see `read_lines` of sacct."""
    return read_records(path, FIELDS, numbered_lines(path, size), _cells_of)


def _cells_of(line: str) -> tuple[object, ...] | None:
    """Return the fields of a job's end; None for a blank line."""
    if not line.strip():
        return None
    record = _RECORD.fullmatch(line.rstrip())
    if not record:
        raise ValueError("not a record 'date;type;id;key=value ...'; the line is cut or no PBS's")
    if record[2] != "E":
        raise Other(record[2])
    number = _ID.fullmatch(record[3])
    if not number:
        raise ValueError(f"id '{record[3]}' does not begin with a number")
    if number[2] == "":
        raise Other("E of a whole array")
    task = number[2] or number[3]
    told = {name: value.strip('"') for name, value in _PAIR.findall(record[4])}
    cores, nodes = _placed(told.get("exec_host", ""))
    asked = _asked(told)
    return (
        f"{number[1]}_{task}" if task else number[1],
        *(told.get(name, "") for name in ("user", "group")),
        told.get("account", told.get("project", "")).removeprefix(NO_PROJECT),
        told.get("queue", ""),
        *(_checked(told, name, str.isdigit) for name in ("ctime", "etime", "start", "end")),
        _checked(told, "resources_used.walltime", _is_time),
        _state(_checked(told, "Exit_status", lambda text: text.lstrip("-").isdigit())),
        nodes or _checked(told, "Resource_List.nodect", str.isdigit),
        cores or asked,
        asked,
        _checked(told, "Resource_List.walltime", _is_time),
        *_resources(told),
    )


def _resources(told: Mapping[str, str]) -> tuple[str, str]:
    """Return memory, and nodes and GPUs, as sacct has them: of the whole job."""
    amount = told.get("Resource_List.mem", "")
    if memory := _MEMORY.fullmatch(amount):
        # without a letter it is bytes
        amount = memory[1] + memory[2] if memory[2] else f"{-(-int(memory[1]) // KILO)}K"
    lists = {"node": "nodect", "gres/gpu": "ngpus"}
    counts = {name: told.get(f"Resource_List.{key}", "") for name, key in lists.items()}
    return amount.upper(), ",".join(f"{name}={text}" for name, text in counts.items() if text)


def _checked(told: Mapping[str, str], name: str, is_right: Callable[[str], bool]) -> str:
    text = told.get(name, "")
    if text and not is_right(text):
        raise ValueError(f"{name} '{text}' cannot be read")
    return text


def _is_time(text: str) -> bool:
    return ":" in text and duration(text) is not None


def _state(code: str) -> str:
    """Return the state of a job with an exit code, in the words of sacct."""
    if not code:
        return ""
    return "COMPLETED" if code == "0" else "CANCELLED" if int(code) >= SIGNALED else "FAILED"


def _placed(hosts: str) -> tuple[int, int]:
    """Return the processors and nodes of ``n1/0*8+n2/0*8`` or ``n1/0-7+n2/3``; 0 without."""
    if not hosts:
        return 0, 0
    cores, nodes = 0, set()
    for place in hosts.split("+"):
        node, _, slots = place.partition("/")
        first, _, count = slots.partition("*")
        spans = [each.split("-") for each in first.split(",") if each]
        cores += int(count or 0) or sum(int(ends[-1]) - int(ends[0]) + 1 for ends in spans) or 1
        nodes.add(node)
    return cores, len(nodes)


def _asked(told: Mapping[str, str]) -> int | str:
    """Return the requested processors; "" if unknown."""
    if count := _checked(told, "Resource_List.ncpus", str.isdigit):
        return int(count)
    chunks = told.get("Resource_List.select", told.get("Resource_List.nodes", ""))
    found = [_CHUNK.fullmatch(chunk) for chunk in chunks.split("+") if chunk]
    if found and all(found):
        return sum(int(chunk[1] or 1) * int(chunk[2]) for chunk in found if chunk)
    return int(chunks) if chunks.isdigit() else ""
