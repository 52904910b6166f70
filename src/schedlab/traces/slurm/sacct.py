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
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

import pandas as pd

from schedlab.traces.slurm.sacct_header import header_of
from schedlab.traces.slurm.sacct_ids import read_ids, read_states
from schedlab.traces.slurm.sacct_ledger import Book
from schedlab.traces.slurm.sacct_limits import PartitionLimits, read_limits
from schedlab.traces.slurm.sacct_lines import Dump, read_lines
from schedlab.traces.slurm.sacct_records import (
    arrivals,
    drop_unfinished,
    jobs_lines,
    merge_components,
    note_limits,
    note_times,
    number_owners,
    processors_of,
    read_elapsed,
    renumber_jobs,
    runtimes,
    statuses,
)
from schedlab.traces.slurm.sacct_requests import lines_with_gpus, read_counts, read_memory
from schedlab.traces.slurm.sacct_times import read_times, zone_of
from schedlab.traces.swf import DTYPES, Header

#: further columns of a dump's raw records, after those of the format
FURTHER = ("entered", "account", "qos", "nodes", "line")


@dataclass(frozen=True, eq=False)
class SacctLog:
    """Dump as read; `ignored` fields of the dump are not used.

    Parameters
    ----------
    header : Header
        Header of the log: zero of its clock, time zone, partitions by number.
    jobs : pandas.DataFrame
        The columns `schedlab.traces.swf.FIELDS` and `FURTHER`, int64 except ``cpu_time``
        (float64), by submit time, then by number; -1 if unknown. Submit is when a job may start,
        ``entered`` when it was submitted, both in seconds from the log's zero. ``queue`` and
        ``partition`` are its partition's number; ``line`` is its line in the dump.
    ledger : pandas.DataFrame
        The fate of every line, see `schedlab.traces.slurm.sacct_ledger.Book.close`.
    lines : pandas.DataFrame
        For every line of the dump, by its number: ``runtime`` (seconds) and ``procs``, -1 if
        unknown or not a job. It gives the losses with dropped lines.
    ignored : tuple of str
        Fields of the dump that are not used.
    gpu_jobs : int
        Number of jobs that had or requested GPUs; 0 if the dump has neither AllocTRES nor ReqTRES.
    """

    header: Header
    jobs: pd.DataFrame
    ledger: pd.DataFrame
    lines: pd.DataFrame
    ignored: tuple[str, ...]
    gpu_jobs: int


def read_sacct(
    path: str | os.PathLike[str],
    *,
    timezone: str | None = None,
    partitions: Mapping[str, PartitionLimits] | None = None,
    default_limit: int | None = None,
    salt: str | None = None,
    processors: int | None = None,
) -> SacctLog:
    """Read a dump of ``sacct -P``, gzip compressed or not, with or without a line of field names.

    For the fields see `schedlab.traces.slurm.sacct_lines.read_lines`. Raises ValueError if the time
    zone is unknown, or the salt is empty. Raises `SacctError` if a line cannot be read, or the dump
    is of several clusters. The message names the file, line and field, and what to do.

    Parameters
    ----------
    timezone : str, optional
        Time zone of local times; not needed for Unix seconds or times with an offset.
    partitions : mapping of str to PartitionLimits, optional
        Limits of partitions, for jobs without a limit of their own.
    default_limit : int, optional
        Limit in seconds of jobs that have no other limit.
    salt : str, optional
        Secret for hashing names of users, groups and accounts; without it, numbers from 1.
    processors : int, optional
        Size of the machine, for the header.
    """
    zone = zone_of(timezone) if timezone else None
    dump = read_lines(path)
    cluster = _one_cluster(dump)
    book = Book()
    lines = jobs_lines(dump, book)
    elapsed = read_elapsed(dump, lines)
    times = read_times(dump, lines, elapsed, zone)
    counts = read_counts(dump, lines)
    ids = read_ids(dump, lines)
    state = read_states(dump, lines)
    limits = read_limits(dump, lines, partitions or {}, default_limit)
    drop_unfinished(dump, book, ids, state, times)
    note_times(dump, book, times)
    note_limits(dump, book, limits)
    runtime = runtimes(dump, book, elapsed, times)
    records = pd.DataFrame(
        {
            "number": ids["number"],
            "runtime": runtime,
            "procs": processors_of(book, runtime, counts),
            "requested_procs": counts["requested"],
            "requested_time": limits.seconds,
            "requested_memory": read_memory(dump, lines, counts),
            "status": statuses(book, state),
            "nodes": counts["nodes"],
        }
    )
    jobs = merge_components(book, arrivals(book, records, times), ids)
    jobs = renumber_jobs(dump, book, jobs[~jobs.index.isin(book.dropped())])
    jobs, names = number_owners(dump, jobs, salt)
    every = dump.cells.index.append(dump.breaks.index).sort_values()
    numbers = ids["number"].copy()
    numbers.loc[jobs.index] = jobs["number"]
    ledger = book.close(Path(path).name, every, numbers)
    jobs, span = _on_the_log_s_clock(jobs.assign(line=jobs.index))
    header = header_of(cluster, span, zone or ZoneInfo("UTC"), names, len(jobs), processors)
    areas = records[["runtime", "procs"]].reindex(every, fill_value=-1)
    with_gpus = numbers[numbers.index.isin(lines_with_gpus(dump))]
    gpu_jobs = int(jobs["number"].isin(with_gpus).sum())
    return SacctLog(header, _records(jobs), ledger, areas, dump.ignored, gpu_jobs)


def _on_the_log_s_clock(jobs: pd.DataFrame) -> tuple[pd.DataFrame, tuple[int, int] | None]:
    """Return jobs with times from the first submission, and Unix times of it and the last end."""
    if jobs.empty:
        return jobs, None
    zero = int(jobs[["submit", "entered"]].min(axis=None))
    ends = jobs["submit"] + jobs[["wait", "runtime"]].clip(lower=0).sum(axis=1)
    shifted = jobs.assign(submit=jobs["submit"] - zero, entered=jobs["entered"] - zero)
    return shifted, (zero, int(ends.max()))


def _records(jobs: pd.DataFrame) -> pd.DataFrame:
    """Return the format's columns and `FURTHER`, in order; -1 for fields that dumps lack."""
    types = DTYPES | dict.fromkeys(FURTHER, "int64")
    jobs = jobs.sort_values(["submit", "number"]).reset_index(drop=True)
    return pd.DataFrame({name: jobs.get(name, -1) for name in types}, jobs.index).astype(types)


def _one_cluster(dump: Dump) -> str:
    """Return the cluster's name, empty if the dump lacks it."""
    if "Cluster" not in dump.cells:
        return ""
    clusters = dump.cells.loc[dump.cells["Cluster"] != "", "Cluster"]
    if clusters.nunique() > 1:
        first, second, *_ = clusters.unique()
        line = int(clusters.index[clusters == second][0])
        raise dump.fault(
            line,
            "Cluster",
            f"is another cluster than '{first}' above it",
            "export one cluster at a time: sacct -M NAME",
        )
    return clusters.iat[0] if len(clusters) else ""
