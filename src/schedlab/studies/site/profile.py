"""Tables of a site's workload: sizes, times, users, queues and arrivals."""

from typing import Any

import numpy as np
import pandas as pd

from schedlab.core.splitting import DAY, WEEK
from schedlab.studies.site.settings import local_times
from schedlab.traces.slurm.sacct_ledger import DROPPED
from schedlab.workbench.log import Log
from schedlab.workbench.results import RECORDED, size_classes

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
HOUR = 3600
#: bins of the accuracy histogram: run time in per cent of the estimate
ACCURACY = np.arange(0, 101, 5)


def facts(log: Log, timezone: str | None) -> pd.DataFrame:
    """Return the facts of a log, a row each: what, value (text), and of, what it refers to."""
    jobs, frame = log.jobs, log.frame
    times, zone = local_times(log, timezone)
    span = int(jobs.submit[-1])
    hours = core_hours(log)
    used = jobs.runtime / np.maximum(jobs.estimate, 1)
    users = frame.loc[frame["user"] >= 0, "user"]
    heavy = hours.groupby(users).sum().nlargest(10).sum() / max(hours.sum(), 1e-9)
    waits = frame.loc[frame["wait"] >= 0, "wait"]
    rows = [
        ("jobs", f"{len(log):,} jobs", "after cleaning"),
        ("machine", f"{log.processors:,} processors", "all partitions together"),
        ("first to last submission", _lasting(span), _dates(times, zone)),
        ("users", f"{users.nunique():,} users", _known(len(users), len(log))),
        ("work", f"{hours.sum():,.0f} core-hours", "processors times run time"),
        (
            "offered load",
            # all jobs are submitted at once
            f"{hours.sum() * HOUR / (log.processors * span):.1%}" if span else "–",
            "core-hours over the machine's, from first to last submission",
        ),
        ("processors of a job", _spread(jobs.procs), "median, mean and largest over jobs"),
        ("run time", _spread(jobs.runtime, " s"), "median, mean and longest over jobs"),
        ("estimate", _spread(jobs.estimate, " s"), "median, mean and longest over jobs"),
        (
            "share of the estimate that is used",
            f"{np.median(used):.1%}, {used.mean():.1%}",
            "median and mean over jobs",
        ),
        (
            "share of the ten largest users",
            f"{heavy:.1%}" if len(users) else "–",
            "of the core-hours",
        ),
        (
            f"wait, {RECORDED}",
            f"{waits.median():,.0f} s, {waits.mean():,.0f} s, {waits.quantile(0.95):,.0f} s"
            if len(waits)
            else "–",
            f"median, mean and 95th percentile over the {len(waits):,} jobs of which it is known",
        ),
    ]
    return pd.DataFrame(rows, columns=["what", "value", "of"])


def core_hours(log: Log) -> pd.Series:
    """Return the core-hours of each job, shape (n,)."""
    return pd.Series(log.jobs.runtime * log.jobs.procs / HOUR, log.frame.index)


def sizes(log: Log) -> pd.DataFrame:
    """Return percentages of jobs and of core-hours by size class, smallest first."""
    hours = core_hours(log).to_numpy()
    keys = pd.Index(size_classes(log.jobs.procs), name="processors")
    grouped = pd.DataFrame({"jobs": 1, "core_hours": hours}, keys).groupby(level=0).sum()
    order = sorted(grouped.index, key=lambda name: int(name.split("–")[0]))
    shares = 100 * grouped / grouped.sum().replace(0, np.nan)
    return shares.loc[order].rename(columns=lambda name: f"{name} %").reset_index()


def quantiles(log: Log) -> pd.DataFrame:
    """Return the percentiles of run times, estimates and known waits in s over the jobs."""
    at = np.arange(101)
    columns = {"run time": log.jobs.runtime, "estimate": log.jobs.estimate}
    waits = log.frame.loc[log.frame["wait"] >= 0, "wait"].to_numpy()
    if len(waits):
        columns[f"wait, {RECORDED}"] = waits
    percentiles = {name: np.percentile(values, at) for name, values in columns.items()}
    return pd.DataFrame({"per cent of jobs": at} | percentiles)


def accuracy(log: Log) -> pd.DataFrame:
    """Return percentages of jobs by the share of the estimate that they use, in steps of 5 %."""
    used = 100 * log.jobs.runtime / np.maximum(log.jobs.estimate, 1)
    counts, _ = np.histogram(np.clip(used, 0, 100), ACCURACY)
    return pd.DataFrame({
        "from %": ACCURACY[:-1], "to %": ACCURACY[1:], "jobs %": 100 * counts / len(log),
    })  # fmt: skip


def load_by_week(log: Log) -> pd.DataFrame:
    """Return the load of the jobs submitted in each week, in per cent of the machine's time.

    The load of an incomplete last week refers to its actual length.
    """
    week = log.jobs.submit // WEEK
    area = np.bincount(week, log.jobs.runtime * log.jobs.procs)
    lengths = np.full(len(area), WEEK)
    lengths[-1] = max(int(log.jobs.submit[-1]) - (len(area) - 1) * WEEK, 1)
    load = 100 * area / (log.processors * lengths)
    # a last week of less than a day is too short for a load
    if lengths[-1] < DAY:
        load[-1] = np.nan
    return pd.DataFrame({
        "week": np.arange(1, len(area) + 1), "load %": load, "jobs": np.bincount(week),
    })  # fmt: skip


def arrivals(log: Log, timezone: str | None) -> pd.DataFrame:
    """Return mean jobs an hour by weekday (a row each) and hour of the day (columns 0 to 23).

    The mean is over all hours from the first to the last submission; nan for hours that do not
    occur. No rows if the log does not state the origin of its times.
    """
    times, _ = local_times(log, timezone)
    columns = ["weekday", *map(str, range(24))]
    if times is None:
        return pd.DataFrame(columns=columns)
    hours = pd.date_range(times.min().floor("h", ambiguous=True, nonexistent="shift_forward"),
                          times.max(), freq="h")  # fmt: skip
    came, had = np.zeros((7, 24)), np.zeros((7, 24))
    np.add.at(came, (times.dt.day_of_week, times.dt.hour), 1)
    np.add.at(had, (hours.day_of_week, hours.hour), 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(had > 0, came / had, np.nan)
    table = pd.DataFrame(mean, columns=columns[1:])
    table.insert(0, "weekday", WEEKDAYS)
    return table


def queues(log: Log) -> pd.DataFrame:
    """Return a row a queue or partition, most core-hours first; no rows if the log has no queues.

    Columns: queue; jobs, core_hours and its share in per cent; users; medians over its jobs:
    processors, run time and estimate in s, used (of the estimate, per cent), wait in s (nan if no
    wait is known).
    """
    jobs = log.jobs
    has_queue = log.frame["queue"].to_numpy() >= 0
    frame = pd.DataFrame({
        "queue": log.frame["queue"],
        "user": log.frame["user"].where(log.frame["user"] >= 0),
        "core_hours": core_hours(log),
        "processors": jobs.procs,
        "run time": jobs.runtime,
        "estimate": jobs.estimate,
        "used %": 100 * jobs.runtime / np.maximum(jobs.estimate, 1),
        "wait": log.frame["wait"].where(log.frame["wait"] >= 0),
    })[has_queue]  # fmt: skip
    grouped = frame.groupby("queue")
    table = grouped.agg(jobs=("user", "size"), core_hours=("core_hours", "sum"))
    table["core-hours %"] = 100 * table["core_hours"] / max(core_hours(log).sum(), 1e-9)
    table["users"] = grouped["user"].nunique()
    for column in ("processors", "run time", "estimate", "used %", "wait"):
        table[column] = grouped[column].median()
    table = table.sort_values("core_hours", ascending=False).reset_index()
    table["queue"] = [log.queues.get(number, str(number)) for number in table["queue"]]
    return table


def lost(log: Log, ledger: str | None = None) -> pd.DataFrame:
    """Return what the import and cleaning drop and change, rule by rule.

    `ledger` is that of the import, from `schedlab site init`. Columns: step (import, cleaning),
    rule; dropped and changed: lines of the dump, or jobs; jobs % and core-hours %: share of the log
    that cleaning drops.
    """
    table = _count_by_rule(log.ledger, log.ledger["after"].isna(), "number")
    shares = log.lost.reindex(table.index)
    table["jobs %"] = 100 * shares["jobs_share"].fillna(0).astype(float)
    table["core-hours %"] = 100 * shares["hours_share"].fillna(0).astype(float)
    tables = {"cleaning": table}
    if ledger is not None:
        entries = pd.read_csv(ledger, dtype=str, keep_default_na=False)
        entries = entries[entries["rule"] != ""]
        tables = {"import": _count_by_rule(entries, entries["fate"] == DROPPED, "line")} | tables
    return pd.concat(tables, names=["step"]).reset_index()


def _count_by_rule(entries: pd.DataFrame, dropped: pd.Series, unit: str) -> pd.DataFrame:
    """Count the dropped and the changed lines or jobs (`unit`) in a ledger, rule by rule."""
    counts = entries.groupby(["rule", dropped], sort=False)[unit].nunique().unstack(fill_value=0)
    table = counts.reindex(columns=[True, False], fill_value=0)
    return table.set_axis(["dropped", "changed"], axis=1).rename_axis("rule")


def lost_in_all(log: Log) -> dict[str, Any]:
    """Return the shares of jobs and core-hours that cleaning drops, the jobs left, and remedies."""
    shares = log.lost[["jobs_share", "hours_share"]].sum()
    return shares.to_dict() | {"jobs": len(log), "remedies": log.remedies}


def _spread(values: np.ndarray, unit: str = "") -> str:
    return f"{np.median(values):,.0f}{unit}, {values.mean():,.0f}{unit}, {values.max():,}{unit}"


def _lasting(span: int) -> str:
    return f"{span / DAY:,.1f} days" if span >= DAY else f"{span / HOUR:.2f} hours"


def _known(count: int, jobs: int) -> str:
    return f"known of {count:,} of {jobs:,} jobs"


def _dates(times: pd.Series | None, zone: str) -> str:
    if times is None:
        return "the log does not say what its times count from"
    return f"{times.min():%Y-%m-%d} to {times.max():%Y-%m-%d}, {zone}"
