"""Jobs of a Slurm site: import of `sacct` dumps as the raw records of a log.

Every line of a dump is a job, a part of one, or no job; the ledger records which. Nothing is
cleaned here: jobs without a time limit, or jobs cancelled before their start, are ordinary
records.

A job arrives when it may start (Eligible), not when it was submitted, because until then it waits
for other jobs or for its date and not for processors. Both times are kept. Its run time excludes
suspension (Elapsed), and its processors are the allocated ones.

References
----------
Slurm, sacct(1) and heterogeneous_jobs of its documentation; definition of the Standard Workload
Format, version 2.2.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from schedlab.files.progress import counted_and_logged
from schedlab.traces.parts import joined
from schedlab.traces.slurm.sacct_jobs import Gathered
from schedlab.traces.slurm.sacct_ledger import RULES, Ledger
from schedlab.traces.slurm.sacct_limits import PartitionLimits
from schedlab.traces.slurm.sacct_lines import PART, Column, Dump, read_lines
from schedlab.traces.slurm.sacct_records import Options, read_part
from schedlab.traces.slurm.sacct_times import zone_of
from schedlab.traces.swf import DTYPES, ROWS, Header

#: share of unreadable lines from which on not these are at fault, but the export
MOST_UNREADABLE = 0.5
#: further columns of a dump's raw records, after those of the format
FURTHER = ("entered", "account", "qos", "nodes", "line")
NOTES = (
    "Submit times are when jobs could start (Eligible), which waits count from.",
    "A queue is a partition; both fields have its number.",
    "A job that never started has run time 0, and waited until it left the queue.",
    "Users and groups are numbers in place of names.",
)


@dataclass(frozen=True, eq=False)
class SacctLog:
    """Dump as read; `ignored` fields of the dump are not used.

    Parameters
    ----------
    header : Header
        Header of the log: zero of its clock, time zone, partitions by number.
    records : pandas.DataFrame
        As `jobs`, in the narrowest types of whole numbers, with a column for each known field.
    requests : pandas.DataFrame
        What the same jobs ask for: the columns `schedlab.core.requests.COLUMNS` that a job has, and
        the nodes on which they ran (`schedlab.core.requests.RAN_ON`).
    fates : Ledger
        The fate of every line, part by part.
    lost : pandas.DataFrame
        The losses by each rule that dropped lines whose data are on no other line, see
        `schedlab.traces.losses.loss_table`; shares are of the dump's jobs.
    dumped : int
        Number of the dump's jobs.
    ignored : tuple of str
        Fields of the dump that are not used.
    gpu_jobs : int
        Number of jobs that had or requested GPUs; 0 if the dump has neither AllocTRES nor ReqTRES.
    possible_components : int
        Number of jobs that may be components of heterogeneous ones, which only JobID shows; 0 if
        the dump has it.
    """

    header: Header
    records: pd.DataFrame
    requests: pd.DataFrame
    fates: Ledger
    lost: pd.DataFrame
    dumped: int
    ignored: tuple[str, ...]
    gpu_jobs: int
    possible_components: int
    #: the parts are by submit time, then number
    in_order = True

    @property
    def notes(self) -> tuple[str, ...]:
        """How many lines are no jobs of the log, by rule; see `schedlab.traces.parts.Parts`."""
        _, _, by_rule = self.fates.counts()
        dropped = {rule: count for rule, count in by_rule.items() if RULES[rule].drops}
        rules = ", ".join(
            f"{rule} {count:,}" for rule, count in sorted(dropped.items(), key=lambda one: -one[1])
        )
        note = f"lines that are no job or none that ended: {rules} (schedlab import-log)"
        return (note,) if rules else ()

    def __iter__(self) -> Iterator[pd.DataFrame]:
        types = DTYPES | dict.fromkeys(FURTHER, "int64")
        for first in range(0, max(len(self.records), 1), ROWS):
            rows = slice(first, first + ROWS)
            part = self.records.iloc[rows].reset_index(drop=True)
            fields = {name: part.get(name, -1) for name in types}
            requests = self.requests.iloc[rows].reset_index(drop=True)
            yield pd.DataFrame(fields, part.index).astype(types).join(requests)

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """All jobs.

        The columns `schedlab.traces.swf.FIELDS` and `FURTHER`, int64 except ``cpu_time`` (float64),
        then those of `requests`; by submit time, then by number; -1 if unknown. Submit is when a
        job may start, ``entered`` when it was submitted, both in seconds from the log's zero.
        ``queue`` and ``partition`` are its partition's number; ``line`` is its line in the dump.
        """
        return joined(self)

    @cached_property
    def ledger(self) -> pd.DataFrame:
        """The fate of every line, see `schedlab.traces.slurm.sacct_ledger.Ledger`."""
        return self.fates.frame()


def read_sacct(
    path: str | os.PathLike[str],
    *,
    timezone: str | None = None,
    partitions: Mapping[str, PartitionLimits] | None = None,
    default_limit: int | None = None,
    salt: str | None = None,
    processors: int | None = None,
    size: int = PART,
    lines: Callable[[str | os.PathLike[str], int], Iterator[Dump]] = read_lines,
    origin: str = "sacct",
) -> SacctLog:
    """Read a dump of ``sacct -P``, compressed or not, with or without a line of field names.

    For the fields see `schedlab.traces.slurm.sacct_lines.read_lines`. Raises ValueError if the time
    zone is unknown, or the salt is empty. A line that cannot be read is dropped, with a row of the
    ledger. Raises `SacctError` if more than half of the lines cannot be read, times are local ones
    of an unknown zone, or the dump is of several clusters. The message names the file, line and
    field, and what to do.

    Parameters
    ----------
    timezone : str, optional
        Time zone of local times; not needed for Unix seconds, times with an offset, or data sets
        of a known zone.
    partitions : mapping of str to PartitionLimits, optional
        Limits of partitions, for jobs without a limit of their own.
    default_limit : int, optional
        Limit in seconds of jobs that have no other limit.
    salt : str, optional
        Secret for hashing names of users, groups and accounts; without it, numbers from 1.
    processors : int, optional
        Size of the machine, for the header.
    size : int
        Bytes of the dump's text that are read at a time.
    lines, origin : callable, str
        Reader of the lines of another accounting, as dumps, and its name.
    """
    zone = zone_of(timezone) if timezone else None
    options = Options(zone, partitions or {}, default_limit)
    cluster, ignored, gathered = "", (), Gathered()
    count, unreadable, fault = 0, 0, None
    with counted_and_logged(f"lines of {Path(path).name} read", None) as advance:
        for dump in lines(path, size):
            if zone is None and dump.zone:
                zone = zone_of(dump.zone)
                options = replace(options, zone=zone)
            cluster = _one_cluster(dump, cluster)
            part = read_part(dump, options)
            count, unreadable = count + len(part.lines), unreadable + part.unreadable
            fault = fault or part.fault
            if fault and unreadable > count * MOST_UNREADABLE:
                raise fault
            gathered.add(part)
            advance(len(part.lines))
            ignored = tuple(name for name in dump.names if name not in dump.columns)
            del dump, part
    assembled = gathered.assemble(salt)
    header = _header(
        origin,
        cluster,
        assembled.span,
        zone or ZoneInfo("UTC"),
        assembled.partitions,
        len(assembled.records),
        processors,
    )
    return SacctLog(
        header,
        assembled.records,
        assembled.requests,
        Ledger(Path(path).name, assembled.parts),
        assembled.lost,
        assembled.dumped,
        ignored,
        assembled.gpu_jobs,
        assembled.possible_components,
    )


def _one_cluster(dump: Dump, known: str) -> str:
    """Return the cluster's name, empty if the dump lacks it; `known` is from the lines above."""
    column = dump.columns.get("Cluster", Column(np.empty(0, dtype=np.int64), []))
    places = -1 - column.values
    for place in pd.unique(places):
        name = column.texts[place]
        if name and known and name != known:
            raise dump.fault(
                int(np.argmax(places == place)),
                "Cluster",
                f"is another cluster than '{known}' above it",
                "export one cluster at a time: sacct -M NAME",
            )
        known = known or name
    return known


def _header(
    origin: str,
    cluster: str,
    span: tuple[int, int] | None,
    zone: ZoneInfo,
    partitions: Sequence[str],
    jobs: int,
    processors: int | None,
) -> Header:
    """Return the header of a log.

    `span` has the Unix seconds of the log's zero and of its last end, None for a log without jobs.
    """
    entries = [("Version", "2.2")]
    if cluster:
        entries.append(("Computer", cluster))
    entries += [
        ("Conversion", f"from {origin} by schedlab"),
        ("MaxJobs", jobs),
        ("MaxRecords", jobs),
    ]
    if span:
        first, last = (datetime.fromtimestamp(second, zone) for second in span)
        entries += [
            ("UnixStartTime", span[0]),
            ("TimeZoneString", zone.key),
            ("StartTime", f"{first:%Y-%m-%d %H:%M:%S %Z}"),
            ("EndTime", f"{last:%Y-%m-%d %H:%M:%S %Z}"),
        ]
    if processors is not None:
        entries.append(("MaxProcs", processors))
    for key in ("Queue", "Partition"):
        if partitions:
            entries.append((f"Max{key}s", len(partitions)))
        entries += [(key, f"{number} {name}") for number, name in enumerate(partitions, start=1)]
    entries += [("Note", note) for note in NOTES]
    return Header(tuple(f" {key}: {value}" for key, value in entries))
