"""Lines of an `sacct` dump: their fields, and the values as text.

A dump is the output of ``sacct -P``: a line per job, values separated by ``|``, and a first line
with the names of the fields unless ``-n`` was given.

References
----------
Slurm, sacct(1); Open XDMoD, configuration of its Slurm shredder (the fields of `XDMOD`).
"""

import itertools
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO

import pandas as pd

from schedlab.files.io import printable, read_unpacked

#: fields that sites export for Open XDMoD, without a line of names
XDMOD = (
    "JobID|JobIDRaw|Cluster|Partition|QOS|Account|Group|GID|User|UID|Submit|Eligible|Start|End|"
    "Elapsed|ExitCode|State|NNodes|NCPUS|ReqCPUS|ReqMem|ReqTRES|AllocTRES|Timelimit|NodeList|"
    "JobName"
)
#: smallest set of fields for a log; it lacks states, so export only ended jobs (-s CD,CA,F,TO)
SHORT = "JobIDRaw|Submit|ElapsedRaw|NCPUS|TimelimitRaw"
#: known lists of fields of a dump without a line of names, by their length
KNOWN = {len(names): names for names in (tuple(XDMOD.split("|")), tuple(SHORT.split("|")))}
#: fields that are used; others are ignored, and reported
READ = (
    *("JobID", "JobIDRaw", "Cluster", "Partition", "QOS", "Account", "Group", "GID", "User", "UID"),
    *("Submit", "Eligible", "Start", "End", "Elapsed", "ElapsedRaw", "State", "NNodes", "NCPUS"),
    *("AllocCPUS", "ReqCPUS", "ReqMem", "ReqTRES", "AllocTRES", "Timelimit", "TimelimitRaw"),
)
#: groups of fields; a dump needs one of each group
NEEDED = (
    ("JobIDRaw", "JobID"),
    ("Submit",),
    ("ElapsedRaw", "Elapsed", "End"),
    ("NCPUS", "AllocCPUS", "AllocTRES"),
)
REMEDY = f"export it with sacct -aXnP -o {XDMOD.replace('|', ',')}"
_CHUNK = 20_000  # lines that are Python strings at a time
_STARTS_A_JOB = re.compile(r"\d+(?:$|[|._+])")


class SacctError(ValueError):
    """A dump cannot be read; the message names the file, the line, the field and the next step."""


@dataclass(frozen=True, eq=False)
class Dump:
    """Dump as text; its path is for messages.

    `cells` has a row per line, by line number in the file (from 1). Columns are the fields of
    `READ` that the dump has, as text without surrounding blanks. `breaks` are lines that are not
    jobs but the rest of a job name with a line break, by line. `ignored` fields are not used.
    """

    path: str
    cells: pd.DataFrame
    breaks: pd.Series
    ignored: tuple[str, ...]

    def fault(self, line: int, field: str, wrong: str, remedy: str) -> SacctError:
        """Return the error that names a value, what is wrong with it and what to do."""
        value = f" '{printable(self.cells.at[line, field])}'" if field in self.cells else ""
        return SacctError(f"{self.path}: line {line}: field {field}{value} {wrong}; {remedy}")


def read_lines(path: str | os.PathLike[str]) -> Dump:
    """Read a dump, gzip compressed or not, with or without a line of field names.

    Without that line, the number of fields identifies the format: the 26 of `XDMOD`, or the 5 of
    `SHORT`. Names are those of sacct, in any case and order. The trailing ``|`` of ``sacct -p``
    ends the line. A ``|`` in a job name is part of it if the name is the last field. Empty lines
    are skipped. Raises `SacctError` if the fields are unknown or insufficient, a line has a wrong
    number of values, or there is none.
    """
    content = BytesIO(read_unpacked(path))
    lines = (
        (number, line.decode("utf-8", "surrogateescape").rstrip("\r\n"))
        for number, line in enumerate(content, start=1)
        if line.strip()
    )
    first = next(lines, None)
    if first is None:
        raise SacctError(f"{path}: there is no line in it; {REMEDY}")
    names, has_names = _fields(path, *first)
    chosen = _choose_fields(path, names)
    breaks: dict[int, str] = {}
    rows = _rows(path, names, lines if has_names else itertools.chain([first], lines), breaks)
    chunks = [pd.DataFrame(columns=list(chosen), index=pd.Index([], dtype="int64"), dtype="str")]
    while chunk := list(itertools.islice(rows, _CHUNK)):
        numbers = [number for number, _ in chunk]
        # column by column: an intermediate table of Python strings takes four times the memory
        columns = {
            name: pd.array([cells[place].strip() for _, cells in chunk], dtype="str")
            for name, place in chosen.items()
        }
        chunks.append(pd.DataFrame(columns, index=numbers))
    return Dump(
        str(path),
        pd.concat(chunks).rename_axis("line"),
        pd.Series(breaks, dtype="str"),
        tuple(name for name in names if name not in chosen),
    )


def _fields(path: object, number: int, line: str) -> tuple[tuple[str, ...], bool]:
    """Return the names of the fields, and whether this line contains them."""
    cells = [cell.strip() for cell in line.split("|")]
    read = {name.casefold(): name for name in READ}
    if {"jobid", "jobidraw"} & {cell.casefold() for cell in cells}:
        names = tuple(read.get(cell.casefold(), cell) for cell in cells if cell)
        if twice := [name for name in names if names.count(name) > 1]:
            raise SacctError(
                f"{path}: line {number}: field {twice[0]} is named twice; name it once in sacct -o"
            )
        return names, True
    # a job name, the last field of the long list, may contain the separator
    length = min(len(cells), max(KNOWN))
    lengths = (length, length - 1) if not cells[-1] else (length,)
    names = next((KNOWN[count] for count in lengths if count in KNOWN), None)
    if names is None:
        raise SacctError(
            f"{path}: line {number}: {len(cells)} cells and no names of fields: only dumps of "
            f"{' or '.join(map(str, sorted(KNOWN)))} fields are known without; run sacct without "
            "-n, so that its first line names them"
        )
    return names, False


def _choose_fields(path: object, names: Sequence[str]) -> dict[str, int]:
    """Return the fields to read and their places; refuse a dump that lacks a needed one."""
    for alternatives in NEEDED:
        if not set(alternatives) & set(names):
            raise SacctError(
                f"{path}: field {' or '.join(alternatives)} is missing; name it in sacct -o, or "
                f"{REMEDY}"
            )
    return {name: place for place, name in enumerate(names) if name in READ}


def _rows(
    path: object,
    names: Sequence[str],
    lines: Iterator[tuple[int, str]],
    breaks: dict[int, str],
) -> Iterator[tuple[int, list[str]]]:
    """Yield the values of each line; add rests of job names to `breaks`."""
    count = len(names)
    name_is_last = names[-1].casefold() == "jobname"
    for number, line in lines:
        cells = line.split("|")
        closed = len(cells) == count + 1 and not cells[-1]  # from sacct -p
        if len(cells) == count or closed or (len(cells) > count and name_is_last):
            yield number, cells
        elif name_is_last and not _STARTS_A_JOB.match(line):
            breaks[number] = line
        else:
            raise SacctError(
                f"{path}: line {number}: {len(cells)} cells, but {count} fields: the line is cut, "
                "or a name holds '|' or a line break; leave such names (JobName, Comment) out of "
                "sacct -o, or name JobName last, or take the line out"
            )
