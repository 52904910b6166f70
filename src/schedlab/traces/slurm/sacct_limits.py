"""Time limits in an `sacct` dump: those that jobs requested, and those of their partitions.

References
----------
Slurm, sacct(1), field Timelimit; slurm.conf(5), DefaultTime and MaxTime of a partition: a job that
names no limit has the partition's default one, where there is none its longest.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from schedlab.files.io import printable
from schedlab.traces.slurm.sacct_lines import Check, Dump
from schedlab.traces.slurm.sacct_times import DAY, NONE, UNKNOWN, limit
from schedlab.traces.slurm.sinfo_text import NAMES, read_sinfo_text

ENDLESS = frozenset({"infinite", "unlimited", "none", "n/a", "-1", ""})
#: texts of a value, in lower case, if a job requested no limit, or an unlimited time
UNNAMED, UNLIMITED = "partition_limit", "unlimited"
#: what Slurm records for a job without a limit in a partition without a limit
YEAR = 365 * DAY
_REMEDY = (
    "times are like 1-12:00:00, 30 (minutes) or UNLIMITED; write the file with "
    "scontrol show partition, or with columns partition, max_time and default_time"
)


@dataclass(frozen=True)
class PartitionLimits:
    """Time limits of a partition in seconds; None if not stated or unlimited.

    `default` is the limit of a job that requests none.
    """

    default: int | None
    longest: int | None

    def of(self, text: str) -> int | None:
        """Return the limit in seconds of a job whose limit is `UNNAMED` or `UNLIMITED`."""
        if text == UNNAMED and self.default is not None:
            return self.default
        return self.longest


def read_partitions(path: str | os.PathLike[str]) -> dict[str, PartitionLimits]:
    """Read the partitions' limits.

    The file is the output of ``scontrol show partition`` (with ``-o`` or without), lines
    ``PartitionName=...`` of a slurm.conf, or a table with tabs between the columns ``partition``,
    ``max_time`` and optionally ``default_time``. The output of
    `schedlab.traces.slurm.sinfo_text.COMMAND` has partitions without limits.
    """
    if is_sinfo(path):
        names = read_sinfo_text(path)["partition"]
        return dict.fromkeys(names, PartitionLimits(None, None))
    limits = {
        name: PartitionLimits(
            *(_seconds(path, cells.get(field)) for field in ("defaulttime", "maxtime"))
        )
        for name, cells in read_settings(path).items()
    }
    if not limits:
        raise ValueError(f"{path}: no partition in it; {_REMEDY}")
    return limits


#: a key and a value, perhaps in quotation marks; an empty value is before the next key
_SETTING = re.compile(r"(\w+)\s*=\s*(?:\"([^\"]*)\"|(?!\w+\s*=)(\S*))")
#: keys that begin another object of a slurm.conf than a partition
_OTHER_OBJECTS = frozenset({"nodename", "nodeset", "downnodes", "frontendname"})
Cells = dict[str, tuple[int, str]]  # by field name: line number and text


def is_sinfo(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is the output of `schedlab.traces.slurm.sinfo_text.COMMAND`."""
    text = Path(path).read_text(encoding="utf-8-sig", errors="replace")
    first = next((line for line in text.splitlines() if line.strip()), "")
    return first.count("|") == len(NAMES) - 1


def read_settings(path: str | os.PathLike[str]) -> dict[str, Cells]:
    """Return the fields of partitions by lower-case name, from a file for `read_partitions`."""
    lines = Path(path).read_text(encoding="utf-8-sig", errors="replace").splitlines()
    numbered = dict(enumerate(lines, start=1))
    if lines and lines[0].startswith("partition\t"):
        return _table(numbered)
    return _settings(path, numbered)


def _table(lines: Mapping[int, str]) -> dict[str, Cells]:
    names = [name.replace("_", "") for name in lines[1].split("\t")]
    rows: dict[str, Cells] = {}
    for number, line in lines.items():
        if number > 1 and line.strip():
            cells = {
                name: (number, cell.strip())
                for name, cell in zip(names, line.split("\t"), strict=False)
            }
            rows[cells["partition"][1]] = cells
    return rows


def _settings(path: object, lines: Mapping[int, str]) -> dict[str, Cells]:
    rows: dict[str, Cells] = {}
    # lines of this name have the values of the partitions after them
    defaults: Cells = {}
    cells = defaults
    for number, line in lines.items():
        line = line.partition("#")[0]
        if re.match(r"\s*include\s", line, re.IGNORECASE):
            raise ValueError(
                f"{path}: line {number}: the file of '{printable(line.strip())}' is not read; "
                "write the file with scontrol show partition"
            )
        for key, quoted, plain in _SETTING.findall(line):
            text = quoted or plain
            if key.casefold() in _OTHER_OBJECTS:
                cells = {}
            elif key.casefold() == "partitionname":
                is_default = text.casefold() == "default"
                cells = defaults if is_default else rows.setdefault(text, dict(defaults))
            else:
                cells[key.casefold()] = number, text
    return rows


def _seconds(path: object, cell: tuple[int, str] | None) -> int | None:
    """Return the seconds of a value; None if it is unlimited."""
    if cell is None or cell[1].casefold() in ENDLESS:
        return None
    seconds = limit(cell[1])
    if seconds is None:
        time = printable(cell[1])
        raise ValueError(f"{path}: line {cell[0]}: time '{time}' has no meaning; {_REMEDY}")
    return seconds if seconds > 0 else None


@dataclass(frozen=True, eq=False)
class TimeLimits:
    """Time limits of jobs by row: int64 seconds, -1 if unknown, and where they are from.

    The rule is empty if the dump has a time, else the ledger's rule for the limit or its absence:
    ``limit_partition``, ``limit_default``, ``limit_unknown``. `field` is the dump's field.
    """

    seconds: np.ndarray
    rule: np.ndarray
    field: str


def read_limits(
    dump: Dump, partitions: Mapping[str, PartitionLimits], default: int | None
) -> TimeLimits:
    """Read the limits of jobs; missing limits come from their partitions, then from the default.

    If a job may run in several partitions (``short,long``), the longest limit counts. If one of
    these is unlimited or unknown, the default counts. A limit of 0 means none, and so does `YEAR`.
    """
    raw = "TimelimitRaw" in dump.columns
    field = "TimelimitRaw" if raw else "Timelimit"
    texts, places = dump.first_of(field), dump.first_of("Partition")
    seconds = texts.numbers(lambda text: _explicit_limit(text, raw) or 0)
    seconds[seconds == YEAR] = 0
    rule = np.full(len(dump), "", dtype=object)
    without = np.flatnonzero(seconds == 0)
    # a limit that is a number is unlimited here
    pairs = np.stack([np.minimum(texts.values[without], 0), places.values[without]])
    distinct, which = np.unique(pairs, axis=1, return_inverse=True)
    answers = []
    for text, place in distinct.T.tolist():
        name = texts.texts[-1 - text].casefold() if text < 0 else UNLIMITED
        answers.append(_of_partitions(name, places.texts[-1 - place], partitions, default))
    if answers:
        seconds[without] = np.array([limit for limit, _ in answers])[which]
        rule[without] = np.array([name for _, name in answers], dtype=object)[which]
    return TimeLimits(seconds, rule, field)


def _explicit_limit(text: str, raw: bool) -> int | None:
    """Return the seconds of a value, 0 if it has no limit, None if it is invalid."""
    if text.casefold() in UNKNOWN | {UNNAMED, UNLIMITED} or text in map(str, NONE):
        return 0
    # digits are minutes if the limit is raw, and only then
    seconds = limit(text) if text.isdigit() == raw else None
    return seconds


CHECKS = tuple(
    Check(
        field,
        lambda text, raw=raw: _explicit_limit(text, raw) is not None,
        "is not a time limit",
        "export Timelimit or TimelimitRaw again",
    )
    for field, raw in (("Timelimit", False), ("TimelimitRaw", True))
)


def _of_partitions(
    text: str, place: str, partitions: Mapping[str, PartitionLimits], default: int | None
) -> tuple[int, str]:
    """Return the limit of a job that requests none, and the rule that gives it."""
    text = UNLIMITED if text not in UNKNOWN | {UNNAMED} else UNNAMED
    limits = [
        partitions[name].of(text) if name in partitions else None for name in place.split(",")
    ]
    if None not in limits:
        return max(limit for limit in limits if limit is not None), "limit_partition"
    return (-1, "limit_unknown") if default is None else (default, "limit_default")
