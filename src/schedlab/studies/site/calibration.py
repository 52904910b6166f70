"""How far a simulation of a site's own Slurm is from the waits that its log has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd

from schedlab.queue.site_dialect import SiteSlurm
from schedlab.report.words import number_of
from schedlab.studies.site.outages import find_outages
from schedlab.studies.site.record import record_of
from schedlab.traces.slurm.node_changes import COLUMNS, Clock, changes_of, with_processors
from schedlab.traces.slurm.sacct_times import zone_of
from schedlab.workbench.results import SIZE_NAMES, SIZES
from schedlab.workbench.site_results import SiteResult, simulate_site

if TYPE_CHECKING:
    from schedlab.workbench.log import Log

WEEK = 604_800
#: kinds of groups, in the order of the table
KINDS = ("week", "partition", "qos", "size")
#: weeks with fewer jobs are in the table and decide nothing
FEWEST_JOBS = 20
#: share of weeks whose errors are at most `Calibration.high_error`
HIGH = 0.9
GROUPS = [
    "kind", "group", "jobs", "recorded", "simulated", "error",
    "recorded_median", "simulated_median", "median_error",
]  # fmt: skip
#: requests that the site has a default for, and what the default is
DEFAULTED = {
    "partition": "the default partition",
    "qos": "the default QOS of its user",
    "account": "the default account of its user",
}
#: why a log is not calibrated
NOTHING_RECORDED = "nothing recorded, so no calibration: its jobs have no start times"


class NothingRecordedError(ValueError):
    """A log has no waits to compare with."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """A site's own settings on its log, compared with the recorded waits.

    Parameters
    ----------
    result : SiteResult
        Schedule under the site's own settings, with `changes`.
    groups : pandas.DataFrame
        A row for each group of jobs: kind (one of `KINDS`), group, jobs, mean waits ``recorded``
        and ``simulated`` in seconds and their ``error``, then the same of medians. An error is the
        distance of both in parts of the recorded one; see `error_of`.
    weeks : pandas.DataFrame
        The rows of weeks, with ``begin`` (seconds), ``date`` and ``is_held_out``.
    median_error, high_error : float
        Median and 90 % quantile of the errors of mean waits over held-out weeks; nan if there is
        no such week.
    order : float
        Share of pairs of groups (partitions, QOS, sizes) whose mean waits are in the same order in
        both; nan without pairs.
    is_met : bool
        Whether both errors are within the bounds.
    changes : pandas.DataFrame
        What happened to nodes, as `schedlab.traces.slurm.node_changes.COLUMNS`.
    clock : Clock
        Dates of seconds.
    notes : tuple of str
        What the log lacks, and what is taken in its place.
    """

    result: SiteResult
    groups: pd.DataFrame
    weeks: pd.DataFrame
    median_error: float
    high_error: float
    order: float
    is_met: bool
    changes: pd.DataFrame
    clock: Clock
    notes: tuple[str, ...] = ()


def calibrate(
    log: Log,
    slurm: SiteSlurm,
    bounds: Mapping[str, float],
    changes: pd.DataFrame | None = None,
    timezone: str | None = None,
) -> Calibration:
    """Simulate a site's own settings on its log, and compare waits with the recorded ones.

    Parameters
    ----------
    log : Log
        With recorded waits.
    slurm : SiteSlurm
        The site.
    bounds : mapping
        The most that errors of mean waits may be on held-out weeks: ``median`` and ``high``, which
        is the 90 % quantile.
    changes : pandas.DataFrame, optional
        What happened to nodes, see `schedlab.traces.slurm.node_changes.changes_of`; by default it
        is found in the whole log, see `schedlab.studies.site.outages`. Nothing else is fitted.
    timezone : str, optional
        Time zone of dates; by default that of the log, else UTC.

    Raises
    ------
    NothingRecordedError
        The log has no waits.
    ValueError
        No job starts.
    """
    if not (log.frame["wait"] >= 0).any():
        raise NothingRecordedError(f"{log.path}: {NOTHING_RECORDED}")
    log = replace(log, zone=timezone or log.zone)
    slurm = on_clock(slurm, log)
    if changes is None:
        plain = simulate_site(log, slurm)
        changes = find_outages(log, plain, clock_of(log))
        if changes.empty:
            return compare(log, plain, bounds, changes)
    result = simulate_site(log, with_changes(slurm, changes, log))
    return compare(log, result, bounds, changes)


def compare(
    log: Log, result: SiteResult, bounds: Mapping[str, float], changes: pd.DataFrame
) -> Calibration:
    """Compare a simulation with the recorded waits; see `calibrate`."""
    jobs = waits_of(log, result)
    groups = pd.concat([_rows(jobs, kind) for kind in KINDS], ignore_index=True)
    weeks = _weeks(groups, jobs, clock_of(log))
    errors = weeks.loc[weeks["is_held_out"], "error"]
    middle = float(errors.median())
    high = float(errors.quantile(HIGH)) if len(errors) else np.nan
    return Calibration(
        result,
        groups,
        weeks,
        middle,
        high,
        order_of(groups),
        bool(middle <= bounds["median"] and high <= bounds["high"]),
        with_processors(changes, result.site.machine),
        clock_of(log),
        tuple(_notes(log, result)),
    )


def clock_of(log: Log) -> Clock:
    """Return the dates of the seconds of a log's jobs."""
    zone = zone_of(log.zone) if log.zone else ZoneInfo("UTC")
    if log.unix_start is None:
        return Clock(None, zone)
    return Clock(log.unix_start + int(log.frame["submit"].iloc[0]), zone)


def on_clock(slurm: SiteSlurm, log: Log) -> SiteSlurm:
    """Return a site whose controller has the clock of a log."""
    clock = clock_of(log).origin or 0
    return replace(slurm, phases=replace(slurm.phases, clock=clock))


def with_changes(
    slurm: SiteSlurm, changes: pd.DataFrame, log: Log, source: str = "changes"
) -> SiteSlurm:
    """Return a site to whose nodes also happens what rows say, on the clock of a log.

    Raises ConfigError, as `schedlab.traces.slurm.node_changes.changes_of`.
    """
    machine = slurm.site.machine
    more = changes_of(changes.reindex(columns=list(COLUMNS)), machine, clock_of(log), source)
    every = tuple(sorted((*machine.changes, *more), key=lambda change: change.time))
    site = replace(slurm.site, machine=replace(machine, changes=every))
    return replace(on_clock(slurm, log), site=site)


def waits_of(log: Log, result: SiteResult) -> pd.DataFrame:
    """Return a row for each job that starts in both: groups, recorded and simulated wait."""
    of_site, jobs = result.schedule.extras["jobs"], result.log.jobs
    partition = of_site["partition"].to_numpy(dtype=object)
    if jobs.requests is not None:
        asked = np.asarray(jobs.requests.partition.column(), dtype=object)
        partition = np.where(asked == "", partition, asked)
    frame = pd.DataFrame(
        {
            "number": jobs.number,
            "submit": jobs.submit,
            "week": jobs.submit // WEEK,
            "partition": partition,
            "qos": of_site["qos"].to_numpy(dtype=object),
            "size": np.array(SIZE_NAMES, dtype=object)[np.searchsorted(SIZES, jobs.procs)],
            "recorded": result.log.frame["wait"].to_numpy(),
            "simulated": np.asarray(result.waits),
        }
    )
    frame.attrs["floor"] = max(result.site.scheduling.bf_interval, 1)
    known = frame["recorded"] >= 0
    return frame[known].reset_index(drop=True)


def error_of(recorded: pd.Series, simulated: pd.Series, floor: float) -> pd.Series:
    """Return the distance of waits in parts of the recorded ones.

    Recorded waits below the time between two backfill passes (`floor`, in seconds) count as that
    time: a simulation cannot know when passes began.

    >>> error_of(pd.Series([100.0, 2.0]), pd.Series([150.0, 8.0]), 60).tolist()
    [0.5, 0.1]
    """
    return (simulated - recorded).abs() / recorded.clip(lower=floor)


def order_of(groups: pd.DataFrame) -> float:
    """Return the share of pairs of groups of a kind that both waits put in the same order.

    Weeks are no groups here; equal waits agree with equal ones only.
    """
    same, pairs = 0, 0
    for _, rows in groups[groups["kind"] != "week"].groupby("kind"):
        recorded, simulated = (
            np.sign(np.subtract.outer(rows[name].to_numpy(), rows[name].to_numpy()))
            for name in ("recorded", "simulated")
        )
        above = np.triu_indices(len(rows), 1)
        same += int((recorded[above] == simulated[above]).sum())
        pairs += len(above[0])
    return same / pairs if pairs else np.nan


def _rows(jobs: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Return the rows of the groups of a kind."""
    by = jobs.groupby(kind, sort=kind == "week")
    rows = by.agg(
        jobs=("number", "size"),
        recorded=("recorded", "mean"),
        simulated=("simulated", "mean"),
        recorded_median=("recorded", "median"),
        simulated_median=("simulated", "median"),
    ).reset_index(names="group")
    if kind == "size":
        rows = rows.set_index("group").reindex([n for n in SIZE_NAMES if n in set(rows["group"])])
        rows = rows.reset_index()
    elif kind != "week":
        rows = rows.sort_values("jobs", ascending=False, kind="stable", ignore_index=True)
    floor = jobs.attrs["floor"]
    return rows.assign(
        kind=kind,
        error=error_of(rows["recorded"], rows["simulated"], floor),
        median_error=error_of(rows["recorded_median"], rows["simulated_median"], floor),
    )[GROUPS]


def _weeks(groups: pd.DataFrame, jobs: pd.DataFrame, clock: Clock) -> pd.DataFrame:
    """Return the rows of weeks; those of the second half with enough jobs are held out."""
    weeks = groups[groups["kind"] == "week"].reset_index(drop=True)
    begin = weeks["group"].astype("int64") * WEEK
    middle = int(jobs["submit"].max()) / 2 if len(jobs) else 0
    return weeks.assign(
        begin=begin,
        date=[clock.text(second) for second in begin],
        is_held_out=(begin >= middle) & (weeks["jobs"] >= FEWEST_JOBS),
    )


def _notes(log: Log, result: SiteResult) -> Iterator[str]:
    """Yield sentences on what the log lacks."""
    requests = log.jobs.requests
    for name, default in DEFAULTED.items():
        count = 0 if requests is None else int(getattr(requests, name).known().sum())
        if count < len(log):
            missing = f"{len(log) - count:,} of {len(log):,} jobs" if count else "all jobs"
            yield f"the log has no {name} of {missing}: they have {default}"
    if log.unix_start is None:
        yield "the log states no dates: times are seconds from its first submission"
    for why, jobs in result.never.groupby("why", sort=False)["number"]:
        yield f"{len(jobs):,} jobs never start in the simulation, job {jobs.iloc[0]} first: {why}"
    record = record_of(log, result.site.machine)
    if record is not None and record.names:
        job, name = min(record.names.items())
        yield (
            f"{number_of(len(record.names), 'job')} ran on nodes that the site's files do not "
            f"have, job {log.jobs.number[job]} on {name} first: they run on other nodes here, and "
            "none is lost"
        )
    unknown = int((log.frame["wait"] < 0).sum())
    if unknown:
        yield f"{unknown:,} jobs have no recorded wait, and are not compared"
