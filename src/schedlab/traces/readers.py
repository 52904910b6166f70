"""Registry of the formats of logs: the content of a file determines its reader, never its name."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from schedlab.core.requests import DEFAULTS, PREFIX
from schedlab.traces.columns import columns_of, has_fields, read_columns, read_header
from schedlab.traces.content import PARQUET, name_binary, name_unreadable, read_head
from schedlab.traces.delimited import (
    is_gwf,
    is_table,
    names_of,
    read_gwf_lines,
    read_table_lines,
    read_texts,
)
from schedlab.traces.parts import OnePart, Parts, joined
from schedlab.traces.pbs import is_pbs, read_pbs_lines
from schedlab.traces.sacct_json import is_sacct_json, read_json_lines
from schedlab.traces.sge import is_sge, read_sge_lines
from schedlab.traces.slurm.sacct import SacctLog, read_sacct
from schedlab.traces.slurm.sacct_lines import Dump, SacctError, has_names, read_lines
from schedlab.traces.slurm.site_events import is_events, read_events
from schedlab.traces.swf import Header, SwfParts
from schedlab.traces.tables import Map, map_for, names_in_parquet, read_parquet_lines

#: smallest number of bars in a line of an sacct dump
BARS = 4
#: name of the Standard Workload Format
SWF = "SWF"


@dataclass(frozen=True, eq=False)
class RawLog:
    """Log as in its file, before cleaning. None: the log does not state the value.

    Parameters
    ----------
    format : str
        Name of the reader.
    parts : Parts
        Jobs with the columns of `schedlab.traces.swf.FIELDS`, -1 if unknown; then further columns
        of the log, see `schedlab.traces.swf.SwfLog.all_fields`.
    processors, longest : int or None
        Size of the machine, and its longest time limit in seconds.
    unix_start, zone : int or None, str or None
        Zero of submit times in seconds of Unix time, and the time zone.
    queues : mapping of int to str
        Names of queues by number.
    """

    format: str
    parts: Parts
    processors: int | None = None
    unix_start: int | None = None
    longest: int | None = None
    queues: Mapping[int, str] = field(default_factory=dict)
    zone: str | None = None

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """All n jobs, by submit time, then by number."""
        return joined(self.parts)


@dataclass(frozen=True)
class Reader:
    """Reader of one format: how it is recognized, and how it is read.

    An accounting has `lines`, which yield its records as fields of sacct: one import makes them
    jobs, with a ledger of every line. Other formats are logs already (`log`).

    Parameters
    ----------
    name : str
        Name of the format, for messages.
    reads, leaves, export : str
        What is read, what is not, and how to get such a file.
    knows : callable
        Whether a file is of this format, from its path and its first bytes, unpacked.
    lines : callable, optional
        Path, map of columns or None, and size of the parts in bytes: parts of the records.
    log : callable, optional
        Path: the log.
    """

    name: str
    reads: str
    leaves: str
    export: str
    knows: Callable[[Path, bytes], bool]
    lines: Callable[[Path, Map | None, int], Iterator[Dump]] | None = None
    log: Callable[[Path], RawLog] | None = None

    def read(self, path: Path) -> RawLog:
        """Read a log; an accounting with default options of its import."""
        if self.log is not None:
            return self.log(path)
        try:
            read = self.read_jobs(path)
        except SacctError as error:
            raise SacctError(f"{error} (options are those of schedlab import-log)") from error
        start = read.header.integer("UnixStartTime")
        return RawLog(self.name, read, None, start, None, *_queues_and_zone(read.header))

    def read_jobs(self, path: Path, columns: Map | None = None, **options: Any) -> SacctLog:
        """Import the jobs of an accounting; for options see `read_sacct`.

        Raises `SacctError` if the format is a log already, which needs no import.
        """
        if self.lines is None:
            raise SacctError(f"{path}: is a log ({self.name}), which needs no import")

        def lines(path: str | os.PathLike[str], size: int) -> Iterator[Dump]:
            assert self.lines is not None
            return self.lines(Path(path), columns, size)

        return read_sacct(path, lines=lines, origin=self.name, **options)


def _read_swf(path: Path) -> RawLog:
    log = SwfParts(path)
    return RawLog(SWF, log, *_numbers_in(log.header), *_queues_and_zone(log.header))


def _numbers_in(header: Header) -> Iterator[int | None]:
    """Yield processors, zero of submit times and longest limit of a header."""
    integers = (header.integer(key) for key in ("MaxProcs", "UnixStartTime", "MaxRuntime"))
    # -1 means unknown everywhere in the format
    return (value if value is not None and value > 0 else None for value in integers)


def _queues_and_zone(header: Header) -> tuple[dict[int, str], str | None]:
    """Return names of queues by number and the time zone, from a header."""
    queues = (re.match(r"(\d+)[\s:]+(\S.*)", entry) for entry in header.values("Queue"))
    zone = next(iter(header.values("TimeZoneString")), None)
    return {int(match[1]): match[2] for match in queues if match}, zone


def _read_parquet(path: Path) -> RawLog:
    jobs, absolute, notes = read_columns(path)
    parts, header = OnePart(jobs, notes), read_header(path)
    if header.lines:
        return RawLog("parquet", parts, *_numbers_in(header), *_queues_and_zone(header))
    return RawLog("parquet", parts, unix_start=0 if absolute else None)


def _read_text_table(path: Path) -> RawLog:
    """Read a table of text with the names of SWF's fields; rows that are none are left out."""
    table, left = read_texts(path)
    jobs, absolute, notes = columns_of(path, table)
    return RawLog(
        "text table", OnePart(jobs, notes + _left_out(left)), unix_start=0 if absolute else None
    )


def _left_out(left: Mapping[int, str]) -> tuple[str, ...]:
    """Return a note on lines that are left out, with the reason of the first."""
    if not left:
        return ()
    first = min(left)
    lines = "1 line is" if len(left) == 1 else f"{len(left):,} lines are"
    return (f"{lines} left out; line {first}: {left[first]}",)


def _read_events(path: Path) -> RawLog:
    """Read submissions of a Slurm simulator; times are seconds from its beginning."""
    events = read_events(path)
    requests = {PREFIX + name: events.jobs[name] for name in DEFAULTS}
    others = [name for name in DEFAULTS if name not in ("user", "partition")]
    fields = events.jobs.drop(columns=others)
    jobs, _, _ = columns_of(path, fields.assign(**requests))
    left = dict(zip(events.ledger["line"], events.ledger["reason"], strict=True))
    return RawLog("events", OnePart(jobs, _left_out(left)))


def _is_dump(path: Path, head: bytes) -> bool:
    """Return whether a file begins as a dump of sacct: with its names of fields, or with bars."""
    first = head.lstrip().partition(b"\n")[0]
    return first.count(b"|") >= BARS or (
        b"|" in first and has_names(first.decode(errors="replace").split("|"))
    )


def _has_map(path: Path, head: bytes) -> bool:
    """Return whether a file is a Parquet table of a known data set."""
    if not head.startswith(PARQUET):
        return False
    names = names_in_parquet(path)
    return not has_fields(names) and map_for(names) is not None


def _may_be_swf(path: Path, head: bytes) -> bool:
    """Return whether one of the first lines begins with a number, or as a line of a header."""
    return re.search(rb"(?m)^[ \t]*(?:;|[-+]?[\d.]+(?:\s|$))", head) is not None


def _without_map(
    read: Callable[[Path, int], Iterator[Dump]],
) -> Callable[[Path, Map | None, int], Iterator[Dump]]:
    return lambda path, columns, size: read(path, size)


#: columns that have the names of the fields of SWF
_OWN = "columns submit, runtime, procs and others with the names of SWF's fields, and requests"
#: a table of text or Parquet with a map of its columns
_MAPPED = "columns of PM100, F-DATA (Fugaku), Kestrel, Eagle and Helios, or of --columns FILE"
#: the first reader that knows a file reads it
READERS = (
    Reader(
        "data set",
        f"Parquet: {_MAPPED}",
        "memory, power and performance",
        "pandas.DataFrame.to_parquet",
        _has_map,
        lines=lambda path, columns, size: read_parquet_lines(path, columns),
    ),
    Reader(
        "parquet",
        f"Parquet: {_OWN}",
        "other columns, which are named",
        "schedlab import-log FILE site.parquet",
        lambda path, head: head.startswith(PARQUET),
        log=_read_parquet,
    ),
    Reader(
        "sacct JSON",
        "jobs of Slurm 21.08 to 24.05: arrays, heterogeneous jobs, resources (tres)",
        "steps; output of squeue --json is for schedlab why",
        "sacct -aX --json -S 2024-01-01 -E 2024-07-01 > dump.json",
        lambda path, head: is_sacct_json(head),
        lines=_without_map(read_json_lines),
    ),
    Reader(
        "PBS",
        "ends of jobs (type E) of OpenPBS, PBS Professional and TORQUE",
        "other records, arrays as a whole",
        "cat $PBS_HOME/server_priv/accounting/2024* > records.txt",
        lambda path, head: is_pbs(head),
        lines=_without_map(read_pbs_lines),
    ),
    Reader(
        "Grid Engine",
        "accounting of SGE, UGE and others with 40 or more values; limits are h_rt",
        "slave tasks of parallel jobs, memory and GPUs, JSON of version 9",
        "cp $SGE_ROOT/$SGE_CELL/common/accounting records.txt",
        lambda path, head: is_sge(head),
        lines=_without_map(read_sge_lines),
    ),
    Reader(
        "GWF",
        "text of the Grid Workloads Archive, 29 values",
        "memory, sites, workflows, SQLite",
        "gunzip TRACE.gwf.gz",
        lambda path, head: is_gwf(head),
        lines=_without_map(read_gwf_lines),
    ),
    Reader(
        "table",
        f"CSV and others (, ; tab ^): fields of sacct, {_MAPPED}",
        "line breaks within quotation marks",
        "sacct -aXP --delimiter=, -o JobID,JobIDRaw,User,... > dump.csv",
        lambda path, head: is_table(head),
        lines=read_table_lines,
    ),
    Reader(
        "sacct",
        "lines of sacct -P or -p, with names of fields or the 26 of Open XDMoD",
        "columns of a fixed width, steps",
        "sacct -aXP -o JobID,JobIDRaw,User,... > dump.txt",
        _is_dump,
        lines=_without_map(read_lines),
    ),
    Reader(
        "events",
        "submissions of the Slurm simulator of the University at Buffalo",
        "other events",
        "events of slurm_sim_tools",
        lambda path, head: is_events(head),
        log=_read_events,
    ),
    Reader(
        "text table",
        f"CSV and others: {_OWN}",
        "other columns, which are named",
        "pandas.DataFrame.to_csv(index=False)",
        lambda path, head: has_fields(names_of(head)),
        log=_read_text_table,
    ),
    Reader(
        SWF,
        "Standard Workload Format 2.2: 18 numbers a job",
        "lines of partial executions of jobs that have a line",
        "schedlab import-log FILE site.swf.gz",
        _may_be_swf,
        log=_read_swf,
    ),
)


def read_log(path: str | os.PathLike[str]) -> RawLog:
    """Read a log of any format of `READERS`, compressed (gzip, xz, bzip2, zstd) or not.

    Raises OSError if the file cannot be opened. Raises ValueError if it violates its format; the
    message names the file, the place in it, and the field.
    """
    return reader_of(path).read(Path(path))


def reader_of(path: str | os.PathLike[str], columns: Map | None = None) -> Reader:
    """Return the reader for a file, from its content; with a map of columns, that of tables.

    Raises ValueError if the file is empty or of no known format; the message names what was looked
    for, and what to do.
    """
    path, head = Path(path), read_head(path)
    if not head.strip():
        raise ValueError(f"{path}: is empty; {_looked_for()}")
    is_parquet = head.startswith(PARQUET)
    if not is_parquet and (binary := name_binary(head)):
        raise ValueError(f"{path}: {binary}; {_looked_for()}")
    if columns is not None:
        return _NAMED["data set" if is_parquet else "table"]
    found = next((reader for reader in READERS if reader.knows(path, head)), None)
    if found is None or found is READERS[-1]:
        if unreadable := name_unreadable(head):
            raise ValueError(f"{path}: {unreadable}; {_looked_for()}")
        if found is None:
            raise ValueError(f"{path}: is of no known format; {_looked_for()}")
    return found


def _looked_for() -> str:
    """Return what a log can be, for a message."""
    names = ", ".join(reader.name for reader in READERS)
    return f"looked for {names}: schedlab formats tells how to export each"


_NAMED = {reader.name: reader for reader in READERS}
