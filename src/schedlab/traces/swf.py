"""Reader and writer of the Standard Workload Format (SWF), plain or gzip compressed.

A job is a line of 18 whitespace-separated numbers, -1 if unknown. A line that begins with a
semicolon is a comment; most comments of the header have the form ``Key: value``.

References
----------
Feitelson, Tsafrir, Krakov, Experience with using the Parallel Workloads Archive (2014), and the
format's definition, version 2.2.
"""

import gzip
import logging
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.files.io import DamagedError, printable, whole, whole_lines
from schedlab.files.threads import ahead, in_turn
from schedlab.kernels.traces.swf_scan import scan
from schedlab.kernels.traces.swf_text import write_lines
from schedlab.traces.parts import joined
from schedlab.traces.swf_executions import partial_executions, with_executions

logger = logging.getLogger(__name__)

FIELDS = (
    "number",
    "submit",
    "wait",
    "runtime",
    "procs",
    "cpu_time",
    "memory",
    "requested_procs",
    "requested_time",
    "requested_memory",
    "status",
    "user",
    "group",
    "executable",
    "queue",
    "partition",
    "preceding",
    "think_time",
)
DTYPES = {name: np.dtype("f8" if name == "cpu_time" else "i8") for name in FIELDS}
SHORTEST_JOB = 2 * len(FIELDS)  # bytes of a line: one digit and one separator per field
PART = 1 << 26  # bytes of text that are scanned at a time
ROWS = 1 << 16  # jobs that are written at a time, so that memory is used again
WRITERS = 2  # threads that write
WHOLE_LIMIT = 10**18  # whole numbers of a log have at most 18 digits

#: entries of the header that are numbers
NUMBERS = ("MaxProcs", "UnixStartTime", "MaxRuntime")

_ENTRY = re.compile(r"\s*([A-Z][A-Za-z0-9_]*)\s*:\s*(.*?)\s*")
_UNKNOWN = frozenset({"", "-", "-1", "none", "unknown", "n/a"})
#: a whole number, perhaps with commas between thousands, and a remark in brackets
_NUMBER = re.compile(r"(-?\d{1,18}|\d{1,3}(?:,\d{3}){1,5})(?:\s*\(.*\))?")
_FAULTS = {2: "is not a number", 3: "is not a whole number", 4: "is out of range"}


class SwfError(ValueError):
    """A log cannot be read or written; the message names the file, the line and the field."""


@dataclass(frozen=True)
class Header:
    """Comment lines of a log, in order, without their semicolons.

    Lines are entries (``" MaxProcs: 100"``), continuation lines and free remarks.

    Examples
    --------
    >>> header = Header((" MaxProcs: 100", " Queue: 1 short", " Queue: 2 long"))
    >>> header.values("Queue")
    ('1 short', '2 long')
    >>> header.integer("MaxProcs")
    100
    """

    lines: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[tuple[str, str], ...]:
        """Key and value of every ``Key: value`` line, in order; keys may repeat."""
        matches = (_ENTRY.fullmatch(line) for line in self.lines)
        return tuple(match.groups() for match in matches if match)

    def values(self, key: str) -> tuple[str, ...]:
        """Return the values of `key` in order, an empty tuple if the header lacks it."""
        return tuple(value for name, value in self.entries if name == key)

    def integer(self, key: str) -> int | None:
        """Return the number that is the value of `key`, in any case; None if it is unknown.

        A line may have ``=`` instead of the colon. The number may have commas between thousands and
        a remark in brackets: ``1,024 (8 racks)``. Raises `SwfError` if a value is not such a
        number, or the header has several.
        """
        known: int | None = None
        entry = re.compile(rf"\s*{key}\s*[:=]\s*(.*?)\s*", re.IGNORECASE)
        for place, line in enumerate(self.lines, start=1):
            match = entry.fullmatch(line)
            if match is None or match[1].casefold() in _UNKNOWN:
                continue
            where = f"comment line {place}: {key} '{printable(match[1])}'"
            if not (digits := _NUMBER.fullmatch(match[1])):
                raise SwfError(f"{where} is not a whole number; write it with digits only")
            number = int(digits[1].replace(",", ""))
            if known not in (None, number):
                raise SwfError(f"{where}, but above it is {known}; leave one of the lines out")
            known = number
        return known


@dataclass(frozen=True, eq=False)
class SwfLog:
    """Log as read from a file.

    Parameters
    ----------
    header : Header
        Every comment line.
    jobs : pandas.DataFrame, shape (n, 18)
        The columns `FIELDS`, int64 except ``cpu_time`` (float64), by submit time, then by number;
        -1 if unknown.
    notes : tuple of str
        Unusual properties, and how they were handled: columns past the 18th, sorted jobs.
    further : pandas.DataFrame, shape (n, fields past the 18th), optional
        Values that some sites append to the format's fields, as text in the columns ``field19``,
        ``field20``, ...; empty if a line is shorter. No columns by default.
    """

    header: Header
    jobs: pd.DataFrame
    notes: tuple[str, ...]
    further: pd.DataFrame | None = None

    @property
    def all_fields(self) -> pd.DataFrame:
        """The columns of `jobs` and of `further`."""
        return self.jobs if self.further is None else self.jobs.join(self.further)


def read_swf(path: str | os.PathLike[str]) -> SwfLog:
    """Read a log, compressed or not (its first bytes determine it).

    Whole numbers may be written ``123`` or ``123.00``; fractions of times and amounts of memory are
    rounded, with a note. Lines of partial executions (status 2 to 4) are left out, with a note, if
    the log has a line for the whole job. Columns past the 18th are kept as text, with a note. Jobs
    are ordered by submit time, then number; a log in another order is sorted, with a note. Notes
    are also logged. Comment lines between jobs are appended to the header. A log with only comments
    has no rows and the same column types.

    Raises `SwfError` if a line has fewer than 18 fields, a field is not a number, not whole or out
    of range (more than 18 digits), a job number appears twice (the cleaning ledger identifies jobs
    by it), a number of the header is none (`NUMBERS`), or the gzip file is damaged.
    """
    parts = SwfParts(path)
    jobs = joined(parts)
    further = jobs.drop(columns=list(FIELDS)) if len(jobs.columns) > len(FIELDS) else None
    return SwfLog(parts.header, jobs[list(FIELDS)], parts.notes, further)


class SwfParts:
    """Jobs of a log in parts, for logs that do not fit into memory as a whole.

    Iterating yields the parts of the file in order, each as `SwfLog.all_fields`, with its jobs by
    submit time, then number. The next part is unpacked while one is used.
    """

    def __init__(self, path: str | os.PathLike[str], size: int = PART) -> None:
        self._path, self._size = path, size
        self._begin()
        # the header is known from here on
        self._first: tuple[Iterator[bytes], pd.DataFrame] | None = self._read_first()

    def _begin(self) -> None:
        self.header = Header()
        self.notes: tuple[str, ...] = ()
        self.in_order = True
        self._line = 0
        self._wide, self._most, self._jobs, self._rounded = 0, len(FIELDS), 0, 0
        self.pieces = pd.DataFrame({"number": [], "status": []}, dtype="int64")
        self._order = _Order(self._path)

    def _read_first(self) -> tuple[Iterator[bytes], pd.DataFrame]:
        texts = _texts(self._path, self._size)
        return texts, self._scan(next(texts))

    def __iter__(self) -> Iterator[pd.DataFrame]:
        if self._first is None:
            self._begin()
        texts, part = self._first or self._read_first()
        self._first = None
        yield part
        del part
        for text in ahead(texts):
            yield self._scan(text)
        self._order.refuse_duplicates()
        for note in self.notes:
            logger.warning("%s: %s", self._path, note)

    def _scan(self, text: bytes) -> pd.DataFrame:
        """Return the jobs of a part's whole lines, and add to the header and the notes."""
        # upper bounds: jobs by lines and by shortest lines, comments by semicolons
        most_lines = text.count(b"\n")
        # one more row than whole lines, because a truncated last line is stored until its end
        rows = min(most_lines, len(text) // SHORTEST_JOB + 1)
        # pages that are never written cost nothing, so the bound may be too large
        integers = np.empty((len(FIELDS), rows), dtype=np.int64)
        cpu_time = np.empty(rows)
        lines = np.empty(rows, dtype=np.int64)
        comments = np.empty((min(most_lines, text.count(b";")), 2), dtype=np.int64)
        further = np.empty((rows, 2), dtype=np.int64)
        jobs, remarks, wide, most, rounded, fault, line, field, begin, stop = scan(
            text, integers, cpu_time, lines, comments, further
        )
        if fault:
            place = self._line + line
            raise SwfError(_describe(self._path, fault, place, field, text[begin:stop]))
        columns = {
            name: (cpu_time if name == "cpu_time" else integers[place])[:jobs]
            for place, name in enumerate(FIELDS)
        }
        lines, further = lines[:jobs] + self._line, further[:jobs]
        self._line += most_lines
        self._rounded += rounded
        if (pieces := partial_executions(columns, self._order.numbers)).any():
            rows = {name: columns[name][pieces] for name in self.pieces}
            self.pieces = pd.concat([self.pieces, pd.DataFrame(rows)], ignore_index=True)
            columns = {name: values[~pieces] for name, values in columns.items()}
            lines, further = lines[~pieces], further[~pieces]
        self._jobs += jobs
        self._wide += wide
        self._most = max(self._most, most)
        sorted_part = self._order.add(columns["submit"], columns["number"], lines)
        self.in_order = self._order.is_kept
        frame = pd.DataFrame(columns, copy=False)
        if wide:
            frame = frame.join(_further(text, further, most))
        if sorted_part is not None:
            frame = frame.iloc[sorted_part].reset_index(drop=True)
        found = tuple(_decode(text[first:last]) for first, last in comments[:remarks].tolist())
        self.header = Header(self.header.lines + found)
        try:
            for name in NUMBERS if found else ():
                self.header.integer(name)
        except SwfError as error:
            raise SwfError(f"{self._path}: {error}") from error
        wide_note = (
            f"{self._wide} of {self._jobs} jobs have up to {self._most} fields: those past the "
            "18th kept as text"
        )
        rounded_note = f"{self._rounded} values with a fraction: rounded"
        pieces_note = (
            f"{len(self.pieces)} lines of partial executions (status 2 to 4) left out: the lines "
            "of their jobs count"
        )
        self.notes = (
            *((wide_note,) if self._wide else ()),
            *((rounded_note,) if self._rounded else ()),
            *((pieces_note,) if len(self.pieces) else ()),
            *self._order.notes(),
        )
        return frame


class _Order:
    def __init__(self, path: object) -> None:
        self._path = path
        self.numbers: list[np.ndarray] = []  # by part
        self._lines: list[np.ndarray] = []
        self._rises = True
        self._last = -WHOLE_LIMIT, -WHOLE_LIMIT  # submit time and number of the last job
        # by finding: number of places, and line of the first one
        self._places = {"back": (0, 0), "swapped": (0, 0)}

    @property
    def is_kept(self) -> bool:
        """Whether all jobs are in order."""
        return not any(count for count, _ in self._places.values())

    def add(self, submit: np.ndarray, number: np.ndarray, lines: np.ndarray) -> np.ndarray | None:
        """Check a part; return the order of its jobs if they are not in order."""
        self.numbers.append(number.copy())  # a view would keep the whole part
        self._lines.append(lines.astype(np.uint32))
        if not submit.size:
            return None
        further = np.diff(submit, prepend=self._last[0])
        up = np.diff(number, prepend=self._last[1])
        self._rises &= bool((up > 0).all())
        back = further < 0
        swapped = (further == 0) & (up < 0)
        self._last = int(submit[-1]), int(number[-1])
        for name, places in (("back", back), ("swapped", swapped)):
            count, first = self._places[name]
            if not count and places.any():
                first = int(lines[np.argmax(places)])
            self._places[name] = count + int(places.sum()), first
        # whether the first job follows the part before it changes nothing in this part
        wrong = (back | swapped)[1:].any()
        return np.lexsort((number, submit)) if wrong else None

    def notes(self) -> tuple[str, ...]:
        """Return notes on a log that has another order."""
        return tuple(
            f"{finding} in {count} places, first on line {first}: {done}"
            for (count, first), finding, done in zip(
                self._places.values(),
                ("field 2 (submit) goes down", "field 1 (number) goes down at one instant"),
                ("jobs sorted by it", "those jobs sorted by it"),
                strict=True,
            )
            if count
        )

    def refuse_duplicates(self) -> None:
        """Raise an error if a job number appears twice."""
        if self._rises:  # the case for nearly every log
            return
        numbers, lines = np.concatenate(self.numbers), np.concatenate(self._lines)
        order = np.argsort(numbers, kind="stable")
        again = np.flatnonzero(np.diff(numbers[order]) == 0)
        if not again.size:
            return
        earlier, later = order[again[0] : again[0] + 2]
        raise SwfError(
            f"{self._path}: line {lines[later]}: field 1 (number): job {numbers[later]} stands on "
            f"line {lines[earlier]} already"
        )


def write_swf(
    path: str | os.PathLike[str],
    jobs: pd.DataFrame | Iterable[pd.DataFrame],
    header: Header | None = None,
    level: int = 9,
) -> None:
    """Write a log that `read_swf` reads back equal, gzip compressed if `path` ends with .gz.

    The file is written atomically, the header before the jobs; only columns `FIELDS` are written.
    `jobs` may be in parts, at least one. `level` is that of the compression, from 1 (fast) to 9
    (small). Raises `SwfError` if a column is missing, a value is not finite, not whole or out of
    range, or a header line contains a line break.
    """
    remarks = _remarks(path, header or Header()).encode("utf-8", "surrogateescape")
    is_packed = Path(path).suffix == ".gz"

    def content(numbered: tuple[int, pd.DataFrame]) -> bytes | memoryview:
        """Return the text of a part, of the first one after the header."""
        place, part = numbered
        if absent := [name for name in FIELDS if name not in part]:
            raise SwfError(f"{path}: field '{absent[0]}' is missing")
        text = _lines(path, part) if place else remarks + _lines(path, part)
        return gzip.compress(text, level, mtime=0) if is_packed else text  # equal logs, equal files

    parts = enumerate(_slices(jobs) if isinstance(jobs, pd.DataFrame) else jobs)
    with whole(path) as temporary, temporary.open("wb") as file:
        file.writelines(in_turn(content, parts, WRITERS))


def _slices(jobs: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Yield jobs in parts of `ROWS`; at least one."""
    for first in range(0, max(len(jobs), 1), ROWS):
        yield jobs.iloc[first : first + ROWS]


def _texts(path: str | os.PathLike[str], size: int) -> Iterator[bytes]:
    """Yield the file's unpacked text in parts of about `size` bytes that end with a newline."""
    try:
        yield from with_executions(whole_lines(path, size))
    except DamagedError as error:
        raise SwfError(str(error)) from error


def _decode(line: bytes) -> str:
    """Return a comment as text; bytes that are not UTF-8 survive a round trip."""
    return line.removesuffix(b"\r").decode("utf-8", "surrogateescape")


def _describe(path: object, fault: int, line: int, field: int, token: bytes) -> str:
    """Return what is wrong with a field of a line."""
    where = f"{path}: line {line}: field {field} ({FIELDS[field - 1]})"
    if fault == 1:
        return f"{where} is missing: {field - 1} fields, {len(FIELDS)} wanted"
    return f"{where} {_FAULTS[fault]}: '{printable(_decode(token[:40]))}'"


def _further(text: bytes, spans: np.ndarray, most: int) -> pd.DataFrame:
    """Return the jobs' values past the 18th field, as text."""
    names = [f"field{place}" for place in range(len(FIELDS) + 1, most + 1)]
    rows = [_decode(text[first:last]).split() for first, last in spans.tolist()]
    columns = zip(*(row + [""] * (len(names) - len(row)) for row in rows), strict=True)
    return pd.DataFrame(dict(zip(names, columns, strict=True)), dtype=str)


def _remarks(path: object, header: Header) -> str:
    """Return the header's lines for output."""
    for place, line in enumerate(header.lines, start=1):
        if "\n" in line or line.endswith("\r"):
            raise SwfError(f"{path}: header line {place} holds a line break")
    return "".join(f";{line}\n" for line in header.lines)


def _lines(path: object, jobs: pd.DataFrame) -> memoryview:
    values = np.zeros((len(FIELDS), len(jobs)), dtype=np.int64)
    texts, stops = b" ", np.empty(0, dtype=np.int64)
    for place, name in enumerate(FIELDS):
        found = _printable(path, jobs, name)
        if isinstance(found, np.ndarray):
            values[place] = found
        else:
            texts = "".join(found).encode()
            stops = np.cumsum([len(text) for text in found])
    longest = sum(
        max(len(str(values[place].min(initial=0))), len(str(values[place].max(initial=0)))) + 1
        for place in range(len(FIELDS))
    )
    out = np.empty(len(jobs) * longest + len(texts), dtype=np.uint8)
    return out[: write_lines(values, texts, stops, out)].data


def _printable(path: object, jobs: pd.DataFrame, name: str) -> np.ndarray | list[str]:
    """Return the column's values for output: whole numbers or texts."""
    values = jobs[name].to_numpy()
    if name == "cpu_time":
        decimals = values.astype(np.float64)
        if not np.isfinite(decimals).all():
            raise SwfError(f"{path}: field '{name}' holds values that are not finite")
        # whole numbers of up to 15 digits have the same text as integers, but for minus zero
        plain = (decimals == np.floor(decimals)) & (np.abs(decimals) < 1e15)
        if (plain & ~((decimals == 0) & np.signbit(decimals))).all():
            return decimals.astype(np.int64)
        return [repr(value).removesuffix(".0") for value in decimals.tolist()]
    integers = values.astype(np.int64)
    if not np.array_equal(integers, values):
        raise SwfError(f"{path}: field '{name}' holds values that are not whole numbers")
    if integers.size and (integers.min() <= -WHOLE_LIMIT or integers.max() >= WHOLE_LIMIT):
        raise SwfError(f"{path}: field '{name}' holds values that are out of range")
    return integers
