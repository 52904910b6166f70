"""Compute the data of figures 1 to 8, as tidy tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.studies.klusacek2016.evidence import NAMES
from schedlab.studies.klusacek2016.users.dissatisfaction import acceptable_wait

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from schedlab.studies.klusacek2016.evidence import Evidence, SchedulerRun

HOUR = 3600
DAY = 24 * HOUR
#: classes of jobs: the inclusive upper bound of each, and its label
PROCESSORS = {1: "1", 2: "2", 4: "3–4", 8: "5–8", 16: "9–16", 32: "17–32", 64: "33–64"}
WIDER = "> 64"
LIMITS = {
    HOUR: "≤ 1 h", 2 * HOUR: "1–2 h", 4 * HOUR: "2–4 h", 12 * HOUR: "4–12 h", DAY: "12–24 h",
    2 * DAY: "1–2 d", 7 * DAY: "2–7 d",
}  # fmt: skip
LONGER = "> 7 d"
#: what jobs are classed by: a column, the classes, and the last class
CLASSES = {"processors": ("procs", PROCESSORS, WIDER), "walltime": ("requested", LIMITS, LONGER)}
#: hours at which a cumulative distribution of waits is evaluated
WAIT_HOURS = np.concatenate(([0], np.geomspace(1 / 60, 1000, 200)))
#: values at which a cumulative distribution of normalized user wait times is evaluated
NUWT_VALUES = np.concatenate(([0], np.geomspace(1e-5, 100, 200)))


def bars(logs: Iterable[Evidence], measures: Sequence[str]) -> pd.DataFrame:
    """Return means of metrics over the seeds, for each experiment and scheduler."""
    rows = []
    for evidence in logs:
        for scheduler, name in NAMES.items():
            for measure in measures:
                spread = f"{measure}_sd"
                has_spread = spread in evidence.metrics
                values = evidence.of(scheduler, measure)
                row = {"users": evidence.row["users"], "scheduler": name, "measure": measure}
                row |= {"value": float(values.mean()), "over_seeds": float(values.std())}
                row["spread"] = evidence.mean(scheduler, spread) if has_spread else np.nan
                rows.append(row)
    return pd.DataFrame(rows)


def by_class(evidence: Evidence) -> pd.DataFrame:
    """Return the mean wait of classes of jobs, by processors and by requested time."""
    rows = []
    for by, (column, classes, beyond) in CLASSES.items():
        names = [*classes.values(), beyond]
        for scheduler, name in NAMES.items():
            runs = evidence.runs[scheduler]
            which = np.searchsorted(list(classes), runs[0].jobs[column])
            sums = sum(np.bincount(which, ran.wait, len(names)) for ran in runs)
            count = np.bincount(which, minlength=len(names))
            for place in np.flatnonzero(count):
                hours = sums[place] / count[place] / len(runs) / HOUR
                rows.append((by, names[place], int(count[place]), name, hours))
    return pd.DataFrame(rows, columns=["by", "class", "jobs", "scheduler", "hours"])


def by_seed(ran: SchedulerRun, by: str) -> pd.Series:
    """Return the mean wait in s of each class of jobs in one run; `by` as in `by_class`."""
    column, classes, beyond = CLASSES[by]
    names = np.array([*classes.values(), beyond])
    which = np.searchsorted(list(classes), ran.jobs[column])
    return pd.Series(ran.wait).groupby(names[which]).mean().reindex(names).dropna()


def cumulative(evidence: Evidence, of: str) -> pd.DataFrame:
    """Return the share of jobs or users at or below each value, averaged over the seeds.

    `of` is "wait" (of jobs, in hours) or "nuwt" (normalized wait times of users).
    """
    values = {"wait": WAIT_HOURS, "nuwt": NUWT_VALUES}[of]
    rows = []
    for scheduler, name in NAMES.items():
        runs = evidence.runs[scheduler]
        shares = np.mean([_shares(ran, of, values) for ran in runs], axis=0)
        rows.append(pd.DataFrame({"scheduler": name, "value": values, "share": shares}))
    return pd.concat(rows, ignore_index=True)


def _shares(ran: SchedulerRun, of: str, values: np.ndarray) -> np.ndarray:
    ordered = np.sort(ran.wait / HOUR if of == "wait" else ran.nuwt.to_numpy())
    return np.searchsorted(ordered, values, side="right") / len(ordered)


def by_user(evidence: Evidence, of: str) -> pd.DataFrame:
    """Return a value of each user under both schedulers, averaged over the seeds."""
    columns = {}
    for scheduler, name in NAMES.items():
        runs = evidence.runs[scheduler]
        users = pd.Index(np.unique(evidence.jobs["user"]), name="user")
        values = [
            (ran.nuwt if of == "nuwt" else ran.complaints["user"].value_counts()).reindex(users)
            for ran in runs
        ]
        columns[name] = sum(each.fillna(0) for each in values) / len(runs)
    table = pd.DataFrame(columns)
    order = list(NAMES.values())
    return table.sort_values(order, ascending=False, kind="stable").reset_index()


def complaint_sizes(evidence: Evidence) -> pd.DataFrame:
    """Return sizes of all complaints of the first seed, largest first: scheduler, rank, size."""
    rows = []
    for scheduler, name in NAMES.items():
        sizes = np.sort(evidence.runs[scheduler][0].complaints["size"].to_numpy())[::-1]
        ranks = np.arange(1, len(sizes) + 1)
        rows.append(pd.DataFrame({"scheduler": name, "rank": ranks, "size": sizes}))
    return pd.concat(rows, ignore_index=True)


def tolerance() -> pd.DataFrame:
    """Return acceptable waits by processors and walltime, in hours; figure 8 (left)."""
    procs = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    hours = np.unique(np.concatenate((np.geomspace(0.25, 24 * 31, 120), [3, 7, 24, 168])))
    limits = np.round(hours * HOUR).astype(np.int64)
    table = pd.DataFrame({"processors": procs}).merge(pd.DataFrame({"limit": limits}), how="cross")
    acceptable = acceptable_wait(table["processors"], table["limit"]) / HOUR
    return table.assign(walltime=table.pop("limit") / HOUR, acceptable=acceptable)
