"""Readers of logs in any known format, which the content of a file determines."""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import pandas as pd

from schedlab.core.requests import DEFAULTS, PREFIX
from schedlab.traces.columns import columns_of, read_columns, read_header
from schedlab.traces.content import PARQUET, name_unreadable, read_head
from schedlab.traces.parts import OnePart, Parts, joined
from schedlab.traces.pbs import is_pbs, read_pbs_lines
from schedlab.traces.slurm.sacct import read_sacct
from schedlab.traces.slurm.sacct_lines import SacctError, has_names
from schedlab.traces.slurm.site_events import is_events, read_events
from schedlab.traces.swf import Header, SwfParts

#: smallest number of bars in a line of an sacct dump
BARS = 4


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
    """Reader of one format; its name is for messages.

    ``knows(head)``: whether a file whose unpacked content begins so has this format.
    """

    name: str
    knows: Callable[[bytes], bool]
    read: Callable[[Path], RawLog]


def _read_swf(path: Path) -> RawLog:
    log = SwfParts(path)
    return RawLog("swf", log, *_numbers_in(log.header), *_queues_and_zone(log.header))


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


def _read_sacct(path: Path) -> RawLog:
    """Read a dump of Slurm's accounting with default import options."""
    try:
        read = read_sacct(path)
    except SacctError as error:
        raise SacctError(
            f"{error} (options are those of schedlab import-sacct, which makes a log of a dump)"
        ) from error
    start = read.header.integer("UnixStartTime")
    return RawLog("sacct", read, None, start, None, *_queues_and_zone(read.header))


def _read_pbs(path: Path) -> RawLog:
    """Read PBS's accounting."""
    read = read_sacct(path, lines=read_pbs_lines, origin="PBS")
    start = read.header.integer("UnixStartTime")
    return RawLog("pbs", read, None, start, None, *_queues_and_zone(read.header))


def _read_parquet(path: Path) -> RawLog:
    jobs, absolute, notes = read_columns(path)
    parts, header = OnePart(jobs, notes), read_header(path)
    if header.lines:
        return RawLog("parquet", parts, *_numbers_in(header), *_queues_and_zone(header))
    return RawLog("parquet", parts, unix_start=0 if absolute else None)


def _read_events(path: Path) -> RawLog:
    """Read submissions of a Slurm simulator; times are seconds from its beginning."""
    events = read_events(path)
    requests = {PREFIX + name: events.jobs[name] for name in DEFAULTS}
    others = [name for name in DEFAULTS if name not in ("user", "partition")]
    fields = events.jobs.drop(columns=others)
    jobs, _, _ = columns_of(path, fields.assign(**requests))
    left = events.ledger
    notes = (
        (f"{len(left):,} lines are left out; line {left['line'][0]}: {left['reason'][0]}",)
        if len(left)
        else ()
    )
    return RawLog("events", OnePart(jobs, notes))


def _is_dump(head: bytes) -> bool:
    """Return whether a file begins as a dump of sacct: with its names of fields, or with bars."""
    first = head.lstrip().partition(b"\n")[0]
    return first.count(b"|") >= BARS or (
        b"|" in first and has_names(first.decode(errors="replace").split("|"))
    )


#: the first reader that knows a file reads it; the last one accepts any file
READERS = (
    Reader("parquet", lambda head: head.startswith(PARQUET), _read_parquet),
    Reader("sacct", _is_dump, _read_sacct),
    Reader("events", is_events, _read_events),
    Reader("pbs", is_pbs, _read_pbs),
    Reader("swf", lambda head: True, _read_swf),
)


def read_log(path: str | os.PathLike[str]) -> RawLog:
    """Read a log of any format of `READERS`, gzip compressed or not.

    Raises OSError if the file cannot be opened. Raises ValueError if it violates its format; the
    message names the file, the place in it, and the field.
    """
    return reader_of(path).read(Path(path))


def reader_of(path: str | os.PathLike[str]) -> Reader:
    """Return the reader for a file."""
    head = read_head(path)
    reader = next(reader for reader in READERS if reader.knows(head))
    if reader.name not in ("parquet", "pbs") and (unreadable := name_unreadable(head)):
        raise ValueError(f"{path}: {unreadable}")
    return reader
