"""Lines of an `sacct` dump: their fields, and the values by field.

A dump is the output of ``sacct -P``: a line per job, values separated by ``|``, and a first line
with the names of the fields unless ``-n`` was given.

References
----------
Slurm, sacct(1); Open XDMoD, configuration of its Slurm shredder (the fields of `XDMOD`).
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from schedlab.files.io import printable, whole_lines
from schedlab.files.threads import ahead
from schedlab.kernels.traces.sacct_scan import LOCAL, scan
from schedlab.traces.content import name_unreadable, read_head

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
    *("ReqNodes", "Constraints", "Reservation", "NodeList", "SubmitLine"),
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
#: no duration in seconds, time since 1970 or number of processors is as large: it is 272 years
NO_NUMBER = 1 << 33
PART = 1 << 24  # bytes of text that are read at a time, so that memory is used again
_STARTS_A_JOB = re.compile(r"\d+(?:$|[|._+])")


@dataclass(frozen=True)
class Check:
    """Check of a field's values: whether a text can be read, and what to do if not.

    Plain numbers are less than `NO_NUMBER`.
    """

    field: str
    can_read: Callable[[str], bool]
    wrong: str
    remedy: str


class SacctError(ValueError):
    """A dump cannot be read; the message names the file, the line, the field and the next step."""


@dataclass(frozen=True, eq=False)
class Column:
    """Values of a field on n lines."""

    #: plain ids, numbers, times, durations (see `scan`); or -1 minus the place in `texts`
    values: np.ndarray
    texts: list[str]  # without surrounding blanks; some may be on no line

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
    """Lines of a dump that are jobs, or parts of jobs, in n rows; its path is for messages."""

    path: str
    lines: np.ndarray  # their numbers in the file, from 1
    columns: dict[str, Column]  # the fields of `READ` that the dump has
    tasks: np.ndarray  # 4 of a JobID ``123_4``, else -1
    hashes: np.ndarray  # (n, 2): of ids (JobID and JobIDRaw), and of all `columns`
    breaks: dict[int, str]  # by number, lines that are the rest of a job name with a line break
    cut: dict[int, str]  # by number, other lines with more or fewer values than there are fields
    names: tuple[str, ...]
    is_named: bool  # whether a line of names comes first; else their number identifies them
    closing: bool  # whether a ``|`` ends each line
    #: of other formats, lines that are no job, by rule and number; the first that cannot be read
    others: Mapping[str, Mapping[int, str]] = field(default_factory=dict)
    fault_of_others: SacctError | None = None
    place: str = "line"  # what `lines` count
    #: names of the columns in the file, by field, if they are others
    named: Mapping[str, str] = field(default_factory=dict)
    zone: str | None = None  # of local times, if the format says it

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
        for name in fields:
            if name in self.columns:
                return self.columns[name]
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
            return clock(value)
        if field == "JobID" and self.tasks[row] >= 0:
            return f"{value}_{self.tasks[row]}"
        return str(value)

    def fault(self, row: int, field: str, wrong: str, remedy: str) -> SacctError:
        """Return the error that names a value, what is wrong with it and what to do."""
        line, value = self.lines[row], self.value(row, field)
        return SacctError(f"{self.path}: {self.place} {line}: {value} {wrong}; {remedy}")

    def value(self, row: int, field: str) -> str:
        """Return the name of a field and its value."""
        if field not in self.columns:
            return f"field {field}"
        name = f"column {self.named[field]}" if field in self.named else f"field {field}"
        return f"{name} '{printable(self._text(field, self.columns[field], row))}'"

    def cells(self, line: str) -> int:
        """Return the number of values in a line."""
        return line.count("|") + (not self.closing or not line.endswith("|"))

    def unreadable(self, line: int, wrong: str, remedy: str) -> SacctError:
        """Return the error that names a line that cannot be read."""
        if not self.is_named:
            remedy = (
                f"without a line of names, {len(self.names)} values are read as "
                f"{', '.join(self.names)}; if they are others, run sacct without -n"
            )
        if self.named:
            remedy = f"correct it, or take the {self.place} out"
        return SacctError(f"{self.path}: {self.place} {line}: {wrong}; {remedy}")


def read_lines(path: str | os.PathLike[str], size: int = PART) -> Iterator[Dump]:
    """Read a dump, compressed or not, with or without a line of field names, part by part.

    Without that line, the number of fields identifies the format: the 26 of `XDMOD`, or the 5 of
    `SHORT`. Names are those of sacct, in any case and order. If the line of names ends with the
    ``|`` of ``sacct -p``, all do; without names, most of the first lines decide. A ``|`` in a job
    name is part of it if the name is the last field. A part has about `size` bytes, and there is
    at least one; the next one is read while one is used.
    """
    head = read_head(path)
    if unreadable := name_unreadable(head):
        raise SacctError(f"{path}: {unreadable}")
    texts = whole_lines(path, size)
    before, names = 0, None
    for text in texts:
        begin, first = _first_line(text)
        if first:
            line = before + text.count(b"\n", 0, begin) + 1
            closing = first.rstrip().endswith(b"|") and _most_are_closed(head)
            names, has_names, closing = _fields(path, line, _decode(first), closing)
            break
        before += text.count(b"\n")
    if names is None:
        raise SacctError(f"{path}: there is no line in it; {REMEDY}")
    scanner = Scanner(path, names, has_names, closing)
    if has_names:
        before = line
        text = text[begin + len(first) + 1 :]
    yield from ahead(scanner.parts(text, texts, before))


def clock(seconds: int) -> str:
    """Return a duration as sacct writes it, ``[DD-]HH:MM:SS``."""
    days, rest = divmod(seconds, 86_400)
    text = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days}-{text}" if days else text


def _first_line(text: bytes) -> tuple[int, bytes]:
    """Return the first line that is not blank, and where it begins; empty if there is none."""
    blanks = len(text) - len(text.lstrip())
    begin = text.rfind(b"\n", 0, blanks) + 1
    return begin, text[begin : text.find(b"\n", blanks)] if blanks < len(text) else b""


def _most_are_closed(head: bytes) -> bool:
    """Return whether most of the first lines end with a bar, which a job name may do as well."""
    lines = head.splitlines()
    lines = lines[:-1] if len(lines) > 1 else lines  # the last one may be cut
    ends = [line.rstrip().endswith(b"|") for line in lines if line.strip()]
    return 2 * sum(ends) > len(ends)


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "backslashreplace")


def _fields(
    path: object, number: int, line: str, closing: bool
) -> tuple[tuple[str, ...], bool, bool]:
    """Return the names of the fields, if this line has them, and if a ``|`` ends lines."""
    cells = [cell.strip() for cell in line.split("|")]
    if has_names(cells):
        closing = not cells[-1]
        read = {name.casefold(): name for name in READ}
        names = tuple(read.get(cell.casefold(), cell) for cell in cells[: len(cells) - closing])
        if not all(names):
            raise SacctError(
                f"{path}: line {number}: field {names.index('') + 1} has no name; export it again"
            )
        if twice := [name for name in names if names.count(name) > 1]:
            raise SacctError(
                f"{path}: line {number}: field {twice[0]} is named twice; name it once in sacct -o"
            )
        return names, True, closing
    # a job name, the last field of the long list, may contain the separator
    length = min(len(cells), max(KNOWN))
    lengths = (length, length - 1) if closing else (length,)
    names = next((KNOWN[count] for count in lengths if count in KNOWN), None)
    if names is None:
        raise SacctError(
            f"{path}: line {number}: {len(cells)} cells and no names of fields: only dumps of "
            f"{' or '.join(map(str, sorted(KNOWN)))} fields are known without; run sacct without "
            "-n, so that its first line names them"
        )
    return names, False, closing and len(cells) > len(names)


def has_names(cells: Iterable[str]) -> bool:
    """Return whether a line contains names of fields."""
    return not {"jobid", "jobidraw"}.isdisjoint(cell.strip(" \ufeff").casefold() for cell in cells)


def _choose_fields(path: object, names: Iterable[str]) -> dict[str, int]:
    """Return the fields to read and their places; refuse a dump that lacks a needed one."""
    for alternatives in NEEDED:
        if not set(alternatives) & set(names):
            raise SacctError(
                f"{path}: field {' or '.join(alternatives)} is missing; name it in sacct -o, or "
                f"{REMEDY}"
            )
    return {name: place for place, name in enumerate(names) if name in READ}


class Scanner:
    """Reader of the lines of a dump with known fields."""

    def __init__(self, path: object, names: tuple[str, ...], is_named: bool, closing: bool) -> None:
        self._path, self._names, self._is_named = path, names, is_named
        chosen = _choose_fields(path, names)
        self._fields = tuple(chosen)
        self._places = np.full(len(names), -1, dtype=np.int32)
        self._places[list(chosen.values())] = np.arange(len(chosen))
        self._kinds = np.array([KINDS.get(name, 0) for name in chosen], dtype=np.int32)
        self._name_is_last = names[-1].casefold() in ("jobname", "submitline")
        self._closing = closing

    def parts(self, text: bytes, texts: Iterator[bytes], before: int) -> Iterator[Dump]:
        """Yield the lines of a text and of further ones, after as many lines as `before`."""
        yield self.scan(text, before)
        before += text.count(b"\n")
        for text in texts:
            yield self.scan(text, before)
            before += text.count(b"\n")

    def scan(
        self,
        text: bytes,
        before: int,
        others: Mapping[str, Mapping[int, str]] = MappingProxyType({}),
        fault: SacctError | None = None,
    ) -> Dump:
        """Return the lines of a text after as many as `before`; blank ones are not counted."""
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
            *(text, self._places, self._kinds, self._name_is_last, self._closing),
            *(lines, values, tasks, hashes, spans, slots, distinct, odd),
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
            *self._other_lines(text, odd[:odds].tolist(), before),
            self._names,
            self._is_named,
            self._closing,
            others,
            fault,
        )

    def _other_lines(
        self, text: bytes, odd: list[list[int]], before: int
    ) -> tuple[dict[int, str], dict[int, str]]:
        """Return the lines that are rests of job names, and cut ones."""
        breaks, cut = {}, {}
        for number, begin, end in odd:
            line = _decode(text[begin:end])
            if has_names(line.split("|")):
                raise other_names(self._path, before + number)
            is_rest = self._name_is_last and not _STARTS_A_JOB.match(line)
            (breaks if is_rest else cut)[before + number] = line
        return breaks, cut


def other_names(path: object, line: int) -> SacctError:
    """Return the error for a line of names within a dump that differs from its first one."""
    return SacctError(
        f"{path}: line {line}: other names of fields than on the first line; import the dump from "
        "here on by itself, or export both parts with the same sacct -o"
    )
