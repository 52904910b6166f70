"""Tables of text (CSV, TSV, Grid Workloads Format) as dumps.

The first line names the columns. Columns are those of sacct, of a known data set, or of a map, see
`schedlab.traces.tables`. Lines are made those of sacct, with bars between values: only lines with
quotation marks are split in Python.

References
----------
RFC 4180 (CSV); Slurm, sacct(1), --delimiter; Iosup et al., The Grid Workloads Archive, 2008 (text
format: values between blanks, remarks begin with #).
"""

import csv
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv as pacsv

from schedlab.files.io import printable, whole_lines
from schedlab.traces.accounting import joined_cells
from schedlab.traces.columns import ALSO, LINE
from schedlab.traces.content import read_head
from schedlab.traces.slurm.sacct_lines import (
    PART,
    READ,
    Dump,
    SacctError,
    Scanner,
    has_names,
)
from schedlab.traces.slurm.sacct_times import DAY
from schedlab.traces.swf import FIELDS
from schedlab.traces.tables import Map, TableLines, check_map, map_for, maps

#: separators of values, and what they are called
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", "^": "'^'"}
#: names of the first columns of the Grid Workloads Format
_GWF = re.compile(r"[#\s]*JobID\s+SubmitTime\s+WaitTime\b")
_REMARK = re.compile(rb"(?m)^(?:#|JobID\b)[^\n]*")
GWF_COLUMNS = (
    *("JobID", "SubmitTime", "WaitTime", "RunTime", "NProcs", "AverageCPUTimeUsed", "UsedMemory"),
    *("ReqNProcs", "ReqTime", "ReqMemory", "Status", "UserID", "GroupID", "ExecutableID"),
    *("QueueID", "PartitionID", "OrigSiteID", "LastRunSiteID", "JobStructure"),
    *("JobStructureParams", "UsedNetwork", "UsedLocalDiskSpace", "UsedResources", "ReqPlatform"),
    *("ReqNetwork", "ReqLocalDiskSpace", "ReqResources", "VOID", "ProjectID"),
)
#: smaller submit times are seconds from the log's begin
_UNIX = 10**8


@dataclass(frozen=True)
class Heading:
    """First line of a table: names of the columns, what separates them, the line's number.

    `closing`: whether a separator ends each line.
    """

    names: tuple[str, ...]
    separator: str
    line: int
    closing: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The names, and an empty one for what comes after the last separator."""
        return (*self.names, "") if self.closing else self.names


def heading_of(head: bytes) -> Heading | None:
    """Return the heading of a table of text that begins so; None if it has none.

    The separator is that with the most columns.
    """
    text = head.decode("utf-8", "replace")
    lines = text.split("\n" if "\n" in text else "\r")
    number = next((place for place, line in enumerate(lines) if line.strip()), None)
    if number is None:
        return None
    first = lines[number].rstrip("\r")
    splits = [_split(first, separator) for separator in SEPARATORS]
    best = max(splits, key=lambda names: len(names or ()))
    if not best or len(best) < 2:
        return None
    separator = list(SEPARATORS)[splits.index(best)]
    names = tuple(name.strip() for name in best)
    closing = not names[-1]
    return Heading(names[: len(names) - closing], separator, number + 1, closing)


def is_table(head: bytes) -> bool:
    """Return whether a file begins with names of sacct or of a known data set, and not as sacct."""
    heading = heading_of(head)
    if heading is None or (heading.separator == "|" and b'"' not in head.split(b"\n")[0]):
        return False
    return has_names(heading.names) or map_for(heading.names) is not None


def names_of(head: bytes) -> tuple[str, ...]:
    """Return the names of a table's columns; none if a file does not begin as a table."""
    heading = heading_of(head)
    return heading.names if heading else ()


def is_gwf(head: bytes) -> bool:
    """Return whether a file begins as one of the Grid Workloads Archive."""
    lines = head.decode("utf-8", "replace").splitlines()
    return any(_GWF.match(line) for line in lines if line.strip()[:1] in ("#", "J"))


def _split(line: str, separator: str) -> list[str] | None:
    """Return the values of a line, without their quotation marks; None if one is left open."""
    if '"' not in line:
        return line.split(separator)
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        return None


def read_table_lines(
    path: str | os.PathLike[str], columns: Map | None, size: int = PART
) -> Iterator[Dump]:
    """Read a table of text, compressed or not, part by part; see `read_lines` of sacct.

    Without a map, columns are fields of sacct, or those of a known data set.
    """
    heading = heading_of(read_head(path))
    if heading is None:
        raise SacctError(f"{path}: line 1: no names of columns between {', '.join(SEPARATORS)}")
    lines = _table_lines(path, size, heading)
    if columns is None and has_names(heading.names):
        return _sacct_table(path, heading, lines)
    found = columns or map_for(heading.names)
    if found is None:
        raise SacctError(f"{path}: columns {', '.join(heading.names)} are of no known data set")
    check_map(path, found, heading.names)
    _check_names(path, heading)
    return _mapped(path, heading.columns, found, lines)


def read_texts(path: str | os.PathLike[str]) -> tuple[pd.DataFrame, dict[int, str]]:
    """Read a table of text whose columns have the names of SWF's fields.

    Returns columns of numbers, dates or texts, indexed by line, and by line what is wrong with
    those that are left out. Numbers are -1 where a value is missing.
    """
    heading = heading_of(read_head(path))
    assert heading is not None
    _check_names(path, heading)
    parts, left = [], {}
    for text, before, wrong in _table_lines(path, PART, heading):
        table, numbers, cut = _columns_of(text, heading.columns, list(heading.names))
        left |= wrong | {before + line: what for line, what in cut.items()}
        parts.append(table.to_pandas().set_index(numbers + before))
    frame = pd.concat(parts)
    keep = pd.Series(True, frame.index)
    for name in frame:
        texts = frame[name].str.strip()
        values = pd.to_numeric(texts, errors="coerce")
        if name in ("submit", "start") and values.isna().all():
            values = pd.to_datetime(texts, utc=True, errors="coerce", format="ISO8601")
        if ALSO.get(name, name) not in (*FIELDS, "start") or values.isna().all():
            continue  # names of users, or a request
        bad = values.isna() & (texts != "") & keep
        left |= {line: f"column '{name}' is no number: '{printable(texts[line])}'"
                 for line in frame.index[bad]}  # fmt: skip
        keep &= ~bad
        frame[name] = values
    return frame[keep].rename_axis(LINE), left


def read_gwf_lines(path: str | os.PathLike[str], size: int = PART) -> Iterator[Dump]:
    """Read the text format of the Grid Workloads Archive; see `read_lines` of sacct.

    Times that are seconds from the log's begin are counted from the second day of 1970, because
    second 0 of Unix time means that a time is unknown.
    """
    lines = _gwf_lines(path, size)
    return _mapped(path, GWF_COLUMNS, maps()["gwa"], lines, _origin)


#: lines with bars between values, with the number of lines before them, and lines that are wrong
Lines = Iterator[tuple[bytes, int, dict[int, str]]]


def _table_lines(path: str | os.PathLike[str], size: int, heading: Heading) -> Lines:
    bar, separator = b"|", heading.separator.encode()
    before = 0
    for text in whole_lines(path, size):
        count, wrong = text.count(b"\n"), {}
        if (names := min(heading.line - before, count)) > 0:
            text = b"\n" * names + text.split(b"\n", names)[-1]
        quoted = b'"' in text
        lines = text.split(b"\n") if quoted else []
        if separator != bar:
            text = text.replace(bar, b"/").replace(separator, bar)
        if quoted:
            made = text.split(b"\n")
            for place, line in enumerate(lines):
                if b'"' in line:
                    made[place], fault = _unquoted(line, heading.separator)
                    if fault:
                        wrong[before + place + 1] = fault
            text = b"\n".join(made)
        yield text, before, wrong
        before += count


def _unquoted(line: bytes, separator: str) -> tuple[bytes, str | None]:
    """Return a line with bars between values; if it cannot be read, none, and what is wrong."""
    cells = _split(line.decode("utf-8", "backslashreplace").rstrip("\r"), separator)
    if cells is None:
        return b"", "a quotation mark is left open"
    return joined_cells(tuple(cells)).rstrip("\n").encode("utf-8", "replace"), None


def _gwf_lines(path: str | os.PathLike[str], size: int) -> Lines:
    before = 0
    for text in whole_lines(path, size):
        count = text.count(b"\n")
        text = text.replace(b"|", b"/").replace(b"\t", b" ").replace(b"\r", b" ")
        while b"  " in text:
            text = text.replace(b"  ", b" ")
        text = text.replace(b" \n", b"\n").replace(b"\n ", b"\n").removeprefix(b" ")
        if b"#" in text or b"JobID" in text:
            text = _REMARK.sub(b"", text)
        yield text.replace(b" ", b"|"), before, {}
        before += count


def _origin(table: pa.Table) -> int:
    """Return the seconds to add to submit times: a day, if they are none of Unix time."""
    first = next(iter(table["SubmitTime"].to_pylist()[:1]), "")
    return DAY if re.fullmatch(r"-?\d+(\.\d+)?", first) and float(first) < _UNIX else 0


def _sacct_table(path: object, heading: Heading, lines: Lines) -> Iterator[Dump]:
    """Yield the parts of a table whose columns are fields of sacct."""
    fields = {name.casefold(): name for name in READ}
    names = tuple(fields.get(name.casefold(), name) for name in heading.names)
    _check_names(path, heading)
    scanner = Scanner(path, names, True, heading.closing)
    for text, before, wrong in lines:
        yield scanner.scan(text, before, {"line_unreadable": wrong}, _fault(path, wrong))


def _check_names(path: object, heading: Heading) -> None:
    """Raise `SacctError` if a column has no name, or two have one."""
    for place, name in enumerate(heading.names):
        if not name or name in heading.names[:place]:
            wrong = f"column '{name}' is there twice" if name else f"column {place + 1} has no name"
            raise SacctError(f"{path}: line {heading.line}: {wrong}; name each column once")


def _fault(path: object, wrong: dict[int, str]) -> SacctError | None:
    first = min(wrong, default=None)
    if first is None:
        return None
    return SacctError(f"{path}: line {first}: {wrong[first]}; take the line out or repair it")


def _mapped(
    path: object,
    names: Sequence[str],
    found: Map,
    lines: Lines,
    origin_of: Callable[[pa.Table], int] = lambda table: 0,
) -> Iterator[Dump]:
    """Yield the parts of a table with a map of its columns."""
    columns = list(found.of(names).values())
    reader: TableLines | None = None
    for text, before, wrong in lines:
        table, numbers, cut = _columns_of(text, names, columns)
        cut = {before + line: what for line, what in cut.items()}
        if reader is None or not before:
            reader = TableLines(path, found, names, "line", origin_of(table))
        cut |= wrong
        yield reader.dump(table, numbers + before, cut, _fault(path, cut))


def _columns_of(
    text: bytes, names: Sequence[str], columns: list[str]
) -> tuple[pa.Table, np.ndarray, dict[int, str]]:
    """Return the columns of lines as texts, the lines' numbers, and the lines with other counts."""
    others: dict[int, str] = {}
    skipped: list[int] = []

    def skip(row: pacsv.InvalidRow) -> str:
        skipped.append(row.number)
        if row.text.strip():
            others[row.number] = f"{row.actual_columns} values, but {row.expected_columns} columns"
        return "skip"

    # a carriage return within a line would end it
    text = _as_utf8(text.replace(b"\r\n", b"\n").replace(b"\r", b" "))
    ends = np.flatnonzero(np.frombuffer(text, dtype=np.uint8) == ord("\n"))
    blank = 1 + np.flatnonzero(np.diff(ends, prepend=-1) == 1)  # rows of empty values
    lines = len(ends)
    # a line more than there are, so that an empty text is no error
    table = pacsv.read_csv(
        pa.BufferReader(text + b"|" * (len(names) - 1) + b"\n"),
        pacsv.ReadOptions(column_names=list(names), use_threads=False, block_size=len(text) + 4096),
        pacsv.ParseOptions(
            delimiter="|", quote_char=False, ignore_empty_lines=False, invalid_row_handler=skip
        ),
        pacsv.ConvertOptions(
            check_utf8=False,
            column_types=dict.fromkeys(names, pa.string()),
            include_columns=columns,
            strings_can_be_null=False,
        ),
    ).slice(0, max(lines - len(skipped), 0))
    numbers = np.setdiff1d(np.arange(1, lines + 1), np.array(skipped, dtype=np.int64))
    if len(blank):
        table = table.filter(~np.isin(numbers, blank))
        numbers = np.setdiff1d(numbers, blank)
    return table, numbers, others


def _as_utf8(text: bytes) -> bytes:
    """Return a text whose bytes that are no UTF-8 are written as escapes."""
    try:
        text.decode()
    except UnicodeDecodeError:
        return text.decode("utf-8", "backslashreplace").encode()
    return text
