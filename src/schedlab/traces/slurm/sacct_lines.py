"""Lines of an `sacct` dump: their fields, and the values by field.

A dump is the output of ``sacct -P``: a line per job, values separated by ``|``, and a first line
with the names of the fields unless ``-n`` was given.

References
----------
Slurm, sacct(1); Open XDMoD, configuration of its Slurm shredder (the fields of `XDMOD`).
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from schedlab.files.io import printable, whole_lines
from schedlab.files.threads import ahead
from schedlab.kernels.traces.sacct_scan import LOCAL, scan

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
TIMES = ("Submit", "Eligible", "Start", "End")
SPANS = ("Elapsed", "Timelimit")
#: the kernel's number for what a field of another kind than text holds
KINDS = {
    **{"JobID": 1, "JobIDRaw": 2, "ElapsedRaw": 5},
    **dict.fromkeys(TIMES, 3),
    **dict.fromkeys(SPANS, 4),
}
PART = 1 << 24  # bytes of text that are read at a time, so that memory is used again
_STARTS_A_JOB = re.compile(r"\d+(?:$|[|._+])")


class SacctError(ValueError):
    """A dump cannot be read; the message names the file, the line, the field and the next step."""


@dataclass(frozen=True, eq=False)
class Column:
    """Values of a field on n lines.

    Parameters
    ----------
    values : numpy.ndarray, shape (n,)
        A plain id, number, time or duration, see `schedlab.kernels.traces.sacct_scan.scan`; or -1
        minus the place of the value in `texts`, which all values of other fields are.
    texts : list of str
        Texts without surrounding blanks. Some may be on no line.
    """

    values: np.ndarray
    texts: list[str]

    def at(self, rows: np.ndarray) -> "Column":
        """Return the values of some rows."""
        return Column(self.values[rows], self.texts)

    def map(self, function: Callable[[str], object]) -> np.ndarray:
        """Return what a function makes of each text; every value is one."""
        made = np.array([function(text) for text in self.texts])
        return made[-1 - self.values] if self.texts else np.empty(0, dtype=np.int64)

    def as_texts(self) -> np.ndarray:
        """Return the texts; every value is one."""
        # objects: an array of texts has room for the longest one in every place
        return np.array(self.texts, dtype=object)[-1 - self.values]

    def numbers(self, function: Callable[[str], int]) -> np.ndarray:
        """Return plain values as they are, and what a function makes of each text; int64."""
        return self._where_text(self.values.copy(), function)

    def rows_with(self, condition: Callable[[str], bool]) -> np.ndarray:
        """Return whether there is a text that fulfills a condition."""
        return self._where_text(np.zeros(len(self.values), dtype=bool), condition)

    def _where_text(self, found: np.ndarray, function: Callable[[str], object]) -> np.ndarray:
        has_text = self.values < 0
        if has_text.any():
            made = np.array([function(text) for text in self.texts], dtype=found.dtype)
            found[has_text] = made[-1 - self.values[has_text]]
        return found


@dataclass(frozen=True, eq=False)
class Dump:
    """Lines of a dump that are jobs, or parts of jobs, in n rows; its path is for messages.

    Parameters
    ----------
    lines : numpy.ndarray, shape (n,)
        Their numbers in the file, from 1.
    columns : dict of str to Column
        The fields of `READ` that the dump has.
    tasks : numpy.ndarray, shape (n,)
        The task, if JobID is like ``123_4``, else -1.
    hashes : numpy.ndarray, shape (n, 2)
        Equal for equal ids (JobID and JobIDRaw), and for lines that are equal in `columns`. Other
        lines differ, but for one in 2⁶⁴.
    breaks : dict of int to str
        By number, lines that are not jobs but the rest of a job name with a line break.
    ignored : tuple of str
        Fields that are not used.
    """

    path: str
    lines: np.ndarray
    columns: dict[str, Column]
    tasks: np.ndarray
    hashes: np.ndarray
    breaks: dict[int, str]
    ignored: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.lines)

    def at(self, rows: np.ndarray) -> "Dump":
        """Return some of the rows."""
        return replace(
            self,
            lines=self.lines[rows],
            columns={name: column.at(rows) for name, column in self.columns.items()},
            tasks=self.tasks[rows],
            hashes=self.hashes[rows],
        )

    def first_of(self, *fields: str) -> Column:
        """Return the first of the fields that the dump has; empty texts if it has none."""
        for field in fields:
            if field in self.columns:
                return self.columns[field]
        return Column(np.full(len(self), -1), [""])

    def texts(self, field: str, rows: np.ndarray) -> np.ndarray:
        """Return the texts of some rows, as in the dump; empty ones if it lacks the field."""
        column = self.first_of(field)
        if len(rows) and (column.values[rows] < 0).all():
            return column.at(rows).as_texts()
        return np.array([self._text(field, column, int(row)) for row in rows], dtype=object)

    def _text(self, field: str, column: Column, row: int) -> str:
        value = int(column.values[row])
        if value < 0:
            return column.texts[-1 - value]
        if value >= LOCAL and field in TIMES:
            return str(np.datetime64(value - LOCAL, "s"))
        if field in SPANS:
            days, rest = divmod(value, 86_400)
            clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
            return f"{days}-{clock}" if days else clock
        if field == "JobID" and self.tasks[row] >= 0:
            return f"{value}_{self.tasks[row]}"
        return str(value)

    def fault(self, row: int, field: str, wrong: str, remedy: str) -> SacctError:
        """Return the error that names a value, what is wrong with it and what to do."""
        value = ""
        if field in self.columns:
            value = f" '{printable(self._text(field, self.columns[field], row))}'"
        line = self.lines[row]
        return SacctError(f"{self.path}: line {line}: field {field}{value} {wrong}; {remedy}")


def read_lines(path: str | os.PathLike[str], size: int = PART) -> Iterator[Dump]:
    """Read a dump, gzip compressed or not, with or without a line of field names, part by part.

    Without that line, the number of fields identifies the format: the 26 of `XDMOD`, or the 5 of
    `SHORT`. Names are those of sacct, in any case and order. The trailing ``|`` of ``sacct -p``
    ends the line. A ``|`` in a job name is part of it if the name is the last field. Empty lines
    are skipped. A part has about `size` bytes, and there is at least one; the next one is read
    while one is used. Raises `SacctError` if the fields are unknown or insufficient, a line has a
    wrong number of values, or there is none.
    """
    texts = whole_lines(path, size)
    before, names = 0, None
    for text in texts:
        begin, first = _first_line(text)
        if first:
            line = before + text.count(b"\n", 0, begin) + 1
            names, has_names = _fields(path, line, _decode(first))
            break
        before += text.count(b"\n")
    if names is None:
        raise SacctError(f"{path}: there is no line in it; {REMEDY}")
    scanner = _Scanner(path, names)
    if has_names:
        before = line
        text = text[begin + len(first) + 1 :]
    yield from ahead(scanner.parts(text, texts, before))


def _first_line(text: bytes) -> tuple[int, bytes]:
    """Return the first line that is not blank, and where it begins; empty if there is none."""
    blanks = len(text) - len(text.lstrip())
    begin = text.rfind(b"\n", 0, blanks) + 1
    return begin, text[begin : text.find(b"\n", blanks)] if blanks < len(text) else b""


def _decode(text: bytes) -> str:
    """Return a text; bytes that are not UTF-8 stay distinct."""
    return text.decode("utf-8", "backslashreplace")


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


class _Scanner:
    """Reader of the lines of a dump with known fields."""

    def __init__(self, path: object, names: Sequence[str]) -> None:
        self._path, self._names = path, names
        chosen = _choose_fields(path, names)
        self._fields = tuple(chosen)
        self._places = np.full(len(names), -1, dtype=np.int32)
        self._places[list(chosen.values())] = np.arange(len(chosen))
        self._kinds = np.array([KINDS.get(name, 0) for name in chosen], dtype=np.int32)
        self._name_is_last = names[-1].casefold() == "jobname"
        self._ignored = tuple(name for name in names if name not in chosen)

    def parts(self, text: bytes, texts: Iterator[bytes], before: int) -> Iterator[Dump]:
        """Yield the lines of a text and of further ones, after as many lines as `before`."""
        yield self._scan(text, before)
        before += text.count(b"\n")
        for text in texts:
            yield self._scan(text, before)
            before += text.count(b"\n")

    def _scan(self, text: bytes, before: int) -> Dump:
        newlines, count = text.count(b"\n"), len(self._fields)
        # upper bounds, by the shortest lines; pages of memory that are never written cost nothing
        most = min(newlines, len(text) // len(self._names))
        lines, tasks = np.empty((2, most), dtype=np.int64)
        values = np.empty((count, most), dtype=np.int64)
        hashes = np.empty((most, 2), dtype=np.int64)
        spans = np.empty((count, most, 2), dtype=np.int64)
        slots = np.zeros((count, 1 << most.bit_length()), dtype=np.int32)
        distinct = np.zeros(count, dtype=np.int64)
        odd = np.empty((min(newlines, len(text) // 2), 3), dtype=np.int64)
        rows, odds = scan(
            *(text, self._places, self._kinds, self._name_is_last, lines, values, tasks, hashes),
            *(spans, slots, distinct, odd),
        )
        columns = {}
        for place, name in enumerate(self._fields):
            found = [
                _decode(text[begin:end]).strip()
                for begin, end in spans[place, : distinct[place]].tolist()
            ]
            columns[name] = Column(values[place, :rows], found)
        return Dump(
            str(self._path),
            lines[:rows] + before,
            columns,
            tasks[:rows],
            hashes[:rows],
            self._breaks(text, odd[:odds].tolist(), before),
            self._ignored,
        )

    def _breaks(self, text: bytes, odd: list[list[int]], before: int) -> dict[int, str]:
        """Return the lines that are rests of job names; refuse others."""
        breaks = {}
        for number, begin, end in odd:
            line = _decode(text[begin:end])
            if not self._name_is_last or _STARTS_A_JOB.match(line):
                raise SacctError(
                    f"{self._path}: line {before + number}: {line.count('|') + 1} cells, but "
                    f"{len(self._names)} fields: the line is cut, or a name holds '|' or a line "
                    "break; leave such names (JobName, Comment) out of sacct -o, or name JobName "
                    "last, or take the line out"
                )
            breaks[before + number] = line
        return breaks
