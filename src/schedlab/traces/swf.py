"""Reader and writer of the Standard Workload Format (SWF), plain or gzip compressed.

A job is a line of 18 whitespace-separated numbers, -1 if unknown. A line that begins with a
semicolon is a comment; most comments of the header have the form ``Key: value``.

References
----------
Feitelson, Tsafrir, Krakov, Experience with using the Parallel Workloads Archive (2014), and the
format's definition, version 2.2.
"""

from __future__ import annotations

import gzip
import logging
import os
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from schedlab.files.io import DamagedError, printable, read_unpacked, whole
from schedlab.kernels.traces.swf_scan import scan

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
WHOLE_LIMIT = 10**18  # whole numbers of a log have at most 18 digits

_ENTRY = re.compile(r"\s*([A-Z][A-Za-z0-9_]*)\s*:\s*(.*?)\s*")
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
        """Return the number at the start of the first value of `key`, with at most 18 digits."""
        leading = re.match(r"-?\d{1,18}(?!\d)", next(iter(self.values(key)), ""))
        return int(leading[0]) if leading else None


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
    """Read a log, gzip compressed or not (its first bytes determine it).

    Whole numbers may be written ``123`` or ``123.00``. Columns past the 18th are kept as text, with
    a note. Jobs are ordered by submit time, then number; a log in another order is sorted, with a
    note. Notes are also logged. Comment lines between jobs are appended to the header. A log with
    only comments has no rows and the same column types.

    Raises `SwfError` if a line has fewer than 18 fields, a field is not a number, not whole or out
    of range (more than 18 digits), a job number appears twice (the cleaning ledger identifies jobs
    by it), or the gzip file is damaged.
    """
    text = _read_text(path)
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
    jobs, remarks, wide, most, fault, line, field, begin, stop = scan(
        text, integers, cpu_time, lines, comments, further
    )
    if fault:
        raise SwfError(_describe(path, fault, line, field, text[begin:stop]))
    notes = []
    if wide:
        notes.append(
            f"{wide} of {jobs} jobs have up to {most} fields: those past the 18th kept as text"
        )
    columns = {
        name: (cpu_time if name == "cpu_time" else integers[place])[:jobs]
        for place, name in enumerate(FIELDS)
    }
    _refuse_duplicates(path, columns["number"], lines)
    order, order_notes = _in_order(columns["submit"], columns["number"], lines)
    frame = pd.DataFrame(columns, copy=False)
    texts = _further(text, further[:jobs], most) if wide else None
    if order is not None:
        frame = frame.iloc[order].reset_index(drop=True)
        texts = None if texts is None else texts.iloc[order].reset_index(drop=True)
    notes = tuple(notes + order_notes)
    for note in notes:
        logger.warning("%s: %s", path, note)
    spans = comments[:remarks].tolist()
    header = Header(tuple(_decode(text[first:last]) for first, last in spans))
    return SwfLog(header, frame, notes, texts)


def write_swf(
    path: str | os.PathLike[str], jobs: pd.DataFrame, header: Header | None = None
) -> None:
    """Write a log that `read_swf` reads back equal, gzip compressed if `path` ends with .gz.

    The file is written atomically, the header before the jobs; only columns `FIELDS` are written.
    Raises `SwfError` if a column is missing, a value is not finite, not whole or out of range, or a
    header line contains a line break.
    """
    remarks = _remarks(path, header or Header())
    columns = [_printable(path, jobs, name) for name in FIELDS]
    template = " ".join(["%s"] * len(FIELDS)) + "\n"
    body = "".join(template % row for row in zip(*columns, strict=True))
    content = (remarks + body).encode("utf-8", "surrogateescape")
    if Path(path).suffix == ".gz":
        content = gzip.compress(content, mtime=0)  # equal logs give equal files
    with whole(path) as part:
        part.write_bytes(content)


def _read_text(path: str | os.PathLike[str]) -> bytes:
    """Return the file's unpacked text, with a newline at the end of every line."""
    try:
        text = read_unpacked(path)
    except DamagedError as error:
        raise SwfError(str(error)) from error
    if b"\n" not in text:  # lines may end with a carriage return only
        text = text.replace(b"\r", b"\n")
    return text if not text or text.endswith(b"\n") else text + b"\n"


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


def _refuse_duplicates(path: object, numbers: np.ndarray, lines: np.ndarray) -> None:
    """Raise an error if a job number appears twice."""
    if (np.diff(numbers) > 0).all():  # the case for nearly every log
        return
    order = np.argsort(numbers, kind="stable")
    again = np.flatnonzero(np.diff(numbers[order]) == 0)
    if not again.size:
        return
    earlier, later = order[again[0] : again[0] + 2]
    raise SwfError(
        f"{path}: line {lines[later]}: field 1 (number): job {numbers[later]} stands on line "
        f"{lines[earlier]} already"
    )


def _in_order(
    submit: np.ndarray, number: np.ndarray, lines: np.ndarray
) -> tuple[np.ndarray | None, list[str]]:
    """Return the order by submit time and number, and notes, if the log has another order."""
    further = np.diff(submit)
    back = further < 0
    swapped = (further == 0) & (np.diff(number) < 0)
    notes = [
        f"{finding} in {places.sum()} places, first on line {lines[np.argmax(places) + 1]}: {done}"
        for places, finding, done in (
            (back, "field 2 (submit) goes down", "jobs sorted by it"),
            (swapped, "field 1 (number) goes down at one instant", "those jobs sorted by it"),
        )
        if places.any()
    ]
    return np.lexsort((number, submit)) if notes else None, notes


def _remarks(path: object, header: Header) -> str:
    """Return the header's lines for output."""
    for place, line in enumerate(header.lines, start=1):
        if "\n" in line or line.endswith("\r"):
            raise SwfError(f"{path}: header line {place} holds a line break")
    return "".join(f";{line}\n" for line in header.lines)


def _printable(path: object, jobs: pd.DataFrame, name: str) -> list[str] | list[int]:
    """Return the column's values for output."""
    if name not in jobs:
        raise SwfError(f"{path}: field '{name}' is missing")
    values = jobs[name].to_numpy()
    if name == "cpu_time":
        if not np.isfinite(values.astype(np.float64)).all():
            raise SwfError(f"{path}: field '{name}' holds values that are not finite")
        return [repr(value).removesuffix(".0") for value in values.astype(np.float64).tolist()]
    integers = values.astype(np.int64)
    if not np.array_equal(integers, values):
        raise SwfError(f"{path}: field '{name}' holds values that are not whole numbers")
    if integers.size and (integers.min() <= -WHOLE_LIMIT or integers.max() >= WHOLE_LIMIT):
        raise SwfError(f"{path}: field '{name}' holds values that are out of range")
    return integers.tolist()
