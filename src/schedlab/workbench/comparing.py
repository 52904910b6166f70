"""Several policies on the same windows of a log, and what can be said of their differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pandas as pd

from schedlab.config import check_known
from schedlab.intervals import RESAMPLES, interval, resampled_places
from schedlab.jobs import Jobs, Schedule
from schedlab.metrics import bounded_slowdown
from schedlab.policies import Policy
from schedlab.progress import counted
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.simulation import Run, simulate_many
from schedlab.queue.slurm import default_reservations
from schedlab.traces.splitting import DAY, sequences
from schedlab.workbench.log import Log
from schedlab.workbench.results import RECORDED, policy_of
from schedlab.workloads.streams import generator

METRICS = {"slowdown": "mean bounded slowdown (10 s)", "wait": "mean wait, s"}
# With fewer windows even a sign test that all of them agree on has p > 0.05, and an interval from
# resampling them is far too narrow: nothing is said.
FEWEST_WINDOWS = 6
#: a mean that another order of ties moves by this share is told
MOVED = 0.05
DAYS = 15


@dataclass(frozen=True, eq=False)
class Comparison:
    """Policies on the same windows.

    Parameters
    ----------
    table : DataFrame
        A row a policy, by label: mean and median over windows of the metric, ratio of the mean to
        the first policy's, low and high of its 95 % interval, verdict (better, worse, open,
        too few windows; empty for the first policy).
    windows : DataFrame
        The metric of each window (row) under each policy (column).
    ties : DataFrame
        mean under each policy where the first of equal jobs starts first, and where the last does,
        columns first and last; no rows where ties were not looked at.
    warnings : tuple of str
        Where the order of ties moves what the table says.
    metric : str
        A key of `METRICS`.
    days, seed : int
        Length of a window; what windows are resampled with.
    """

    table: pd.DataFrame
    windows: pd.DataFrame
    ties: pd.DataFrame
    warnings: tuple[str, ...]
    metric: str
    days: int
    seed: int

    def against(self, label: str) -> pd.DataFrame:
        """Return `table` with another policy in the first one's place."""
        rest = [name for name in self.windows if name != label]
        return _table(self.windows[[label, *rest]], _resampled(len(self.windows), self.seed))

    def __repr__(self) -> str:
        return self.table.to_string(float_format="{:.2f}".format)


def windows_of(log: Log, days: int) -> list[np.ndarray]:
    """Cut a log into whole windows; each is simulated from an empty machine.

    Parameters
    ----------
    log : Log
        With at least one window's time.
    days : int
        Length of a window.

    Returns
    -------
    list of ndarray of int64
        Places of the jobs of each window.

    Raises
    ------
    ValueError
        The log is shorter than a window.
    """
    piece = sequences(log.jobs.submit, days, head=1)
    count = int(piece.max(initial=-1)) + 1
    if not count:
        length = log.jobs.submit[-1] / DAY
        raise ValueError(
            f"{log.path}: {length:.1f} days of submissions have no whole window of {days} days; "
            "give fewer --days"
        )
    return [np.flatnonzero(piece == number) for number in range(count)]


def compare(
    log: Log,
    policies: Sequence[str | Policy],
    backfill: str | Policy | None = None,
    reservations: str | None = None,
    compression: str | None = None,
    threshold: int | None = None,
    days: int = DAYS,
    metric: str = "slowdown",
    threads: int = 1,
    seed: int = 0,
    backfills: Mapping[str, str | Policy] = MappingProxyType({}),
    dialect: str = "full",
) -> Comparison:
    """Compare policies on the windows of a log, all against the first one.

    Parameters
    ----------
    log : Log
        From `schedlab.load_log`.
    policies : sequence of str or Policy
        Names, or expressions; at least two, none twice.
    backfill, reservations, compression, threshold
        As for `schedlab.simulate`, of all policies.
    days : int
        Length of a window.
    metric : {"slowdown", "wait"}
        What is averaged over the jobs of a window.
    threads : int
        Windows at a time; the result does not depend on it.
    seed : int
        Another number resamples other windows.
    backfills : mapping of str to str or Policy
        Order of backfilling of those that have one of their own, by label.
    dialect : str
        As for `schedlab.simulate`. The order of equal jobs is varied in the dialect full alone.

    Returns
    -------
    Comparison
        With the log's own schedule as the last row where all its waits are known.

    Raises
    ------
    ValueError
        Fewer than two policies, one twice, an unknown metric, or a log without a whole window.
    """
    check_known(metric, METRICS, "metric")
    orders = [policy_of(policy) for policy in policies]
    labels = [order.label for order in orders]
    if len(labels) < 2:
        raise ValueError("give at least two policies: the first is what the others are held to")
    if twice := [label for label in labels if labels.count(label) > 1]:
        raise ValueError(f"policy {twice[0]} is given twice")
    places = windows_of(log, days)
    pieces = [log.jobs.take(place).rebased() for place in places]
    seconds = {label: backfills.get(label, backfill) for label in labels}
    base = dialect_of(dialect)
    reservations = reservations or default_reservations(base)
    settings = {"threshold": threshold, "reservations": reservations, "compression": compression}
    kinds = {"first": base} | ({"last": dialect_of("lifo")} if dialect == "full" else {})
    means = {}
    with counted("policies, orders of ties", len(kinds) * len(orders)) as advance:
        for ties, kind in kinds.items():
            for order in orders:
                second = seconds[order.label]
                second = None if second is None else policy_of(second)
                runs = [
                    Run(jobs, log.processors, order, second, dialect=kind, **settings)
                    for jobs in pieces
                ]
                found = simulate_many(runs, threads)
                means[ties, order.label] = [
                    _mean(jobs, schedule, metric)
                    for jobs, schedule in zip(pieces, found, strict=True)
                ]
                advance()
    first = pd.DataFrame({label: means["first", label] for label in labels})
    resampled = _resampled(len(places), seed)
    table = _table(first, resampled)
    ties, warnings = pd.DataFrame(columns=["first", "last"], dtype="float64"), ()
    if "last" in kinds:
        last = pd.DataFrame({label: means["last", label] for label in labels})
        other = _table(last, resampled)
        ties = pd.DataFrame({"first": table["mean"], "last": other["mean"]})
        warnings = tuple(_moved(table, other))
    if (log.frame["wait"] >= 0).all():
        first[RECORDED] = _recorded(log, places, metric)
        table = _table(first, resampled)
    return Comparison(table, first, ties, warnings, metric, days, seed)


def _resampled(windows: int, seed: int) -> np.ndarray:
    """Draw windows anew, the same ones for every policy."""
    return resampled_places(windows, RESAMPLES, generator("compare", seed))


def _mean(jobs: Jobs, schedule: Schedule, metric: str) -> float:
    """Mean of the metric over the jobs of a window."""
    if metric == "wait":
        return float((schedule.start - jobs.submit).mean())
    return float(bounded_slowdown(jobs, schedule).mean())


def _recorded(log: Log, places: list[np.ndarray], metric: str) -> list[float]:
    """Mean of the metric in the log's own schedule, window by window."""
    _, schedule = log.as_recorded()
    return [
        _mean(log.jobs.take(place), Schedule(schedule.start[place], schedule.end[place]), metric)
        for place in places
    ]


def _table(windows: pd.DataFrame, resampled: np.ndarray) -> pd.DataFrame:
    """Return the rows of a comparison; resamples draw the same windows for all policies."""
    values = windows.to_numpy()
    means, bootstrap = values.mean(0), values[resampled].mean(1)
    rows = []
    for column, mean in enumerate(means):
        ratio, verdict, ends = mean / means[0] if means[0] else np.nan, "", (np.nan, np.nan)
        if column:
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios = bootstrap[:, column] / bootstrap[:, 0]
            ends = interval(ratios) if len(values) > 1 else (-np.inf, np.inf)
            verdict = _verdict(*ends, len(values))
        rows.append((mean, np.median(values[:, column]), ratio, *ends, verdict))
    columns = ["mean", "median", "ratio", "low", "high", "verdict"]
    return pd.DataFrame(rows, columns=columns, index=windows.columns).rename_axis("policy")


def _verdict(low: float, high: float, windows: int) -> str:
    """Say what an interval of a ratio to the first policy leaves."""
    if windows < FEWEST_WINDOWS:
        return "too few windows"
    if high < 1:
        return "better"
    return "worse" if low > 1 else "open"


def _moved(first: pd.DataFrame, last: pd.DataFrame) -> list[str]:
    """Say where the order of equal jobs moves what a table says."""
    said = []
    best = [table["mean"].idxmin() for table in (first, last)]
    if best[0] != best[1]:
        said.append(
            f"{best[0]} has the smallest mean when the first of equal jobs starts first, {best[1]} "
            "when the last does"
        )
    for label in first.index:
        old, new = first.loc[label], last.loc[label]
        if old["verdict"] != new["verdict"]:
            said.append(
                f"{label} is {old['verdict']} when the first of equal jobs starts first, "
                f"{new['verdict']} when the last does"
            )
        elif abs(new["mean"] - old["mean"]) > MOVED * old["mean"]:
            said.append(
                f"{label}: mean {old['mean']:,.2f} when the first of equal jobs starts first, "
                f"{new['mean']:,.2f} when the last does"
            )
    return said
