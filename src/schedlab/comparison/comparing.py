"""Comparison of several policies on the same log, with significance of their differences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pandas as pd

from schedlab.comparison.losers import find_losers
from schedlab.core.intervals import interval, ratios_of_means, resampled_shares
from schedlab.core.jobs import Schedule, submitted_in
from schedlab.core.metrics import (
    CONTEST,
    METRICS,
    TAU,
    Metric,
    compute_metrics,
    shown_in,
    tail_metrics,
)
from schedlab.core.splitting import DAY
from schedlab.core.streams import generator
from schedlab.core.windows import Window, backlog, is_overload, whole, windows_of
from schedlab.files.known_words import check_known
from schedlab.files.progress import counted
from schedlab.learning.weights.guarded import too_long
from schedlab.policies import Policy
from schedlab.policies.functions import decides
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.dialects import Dialect
from schedlab.queue.reservations import Compression, Reservations
from schedlab.queue.simulation import Run, simulate_many
from schedlab.queue.slurm import default_reservations
from schedlab.workbench.log import Log
from schedlab.workbench.results import RECORDED, policy_of, reservations_of

#: the default metric, and its name here
USUAL = "slowdown"
# With fewer windows, even a sign test with complete agreement has p > 0.05, and a resampled
# interval is far too narrow. Then there is no verdict.
FEWEST_WINDOWS = 6
#: a relative change of a mean by another order of ties that causes a warning
MOVED = 0.05
DAYS = 15
#: largest accepted multiple of the first policy's longest wait, see `too_long`
LONGEST_WAIT = 3.0


@dataclass(frozen=True, eq=False)
class Comparison:
    """Comparison of policies on the same log.

    Parameters
    ----------
    table : DataFrame
        A row per policy, by label: mean and median over windows of the metric, ratio of the mean
        to the first policy's, low and high of its 95 % interval, verdict (better, worse, open, too
        few windows; empty for the first policy). The log's own schedule has a ratio only if the
        waits of the first policy reproduce its waits (`reproduces`).
    windows : DataFrame
        The metric of each window (row) under each policy (column).
    tails : DataFrame
        A row per policy, over all counted jobs: `schedlab.core.metrics.tail_metrics` and the worst
        user's bounded slowdown; times, the longest wait over the first policy's; and the class of
        jobs whose mean wait in seconds grows most compared with the first policy ("" if none
        grows).
    ties : DataFrame
        Mean under each policy if the first of equal jobs starts first (column first), and if the
        last does (column last). No rows if ties were not varied.
    warnings : tuple of str
        Warnings about too long waits, a growing backlog, and effects of tie order on the table.
    metric : str
        A name of `metrics_by_name`.
    days, seed : int
        Length of a window; seed of the resampling of windows.
    """

    table: pd.DataFrame
    windows: pd.DataFrame
    tails: pd.DataFrame
    ties: pd.DataFrame
    warnings: tuple[str, ...]
    metric: str
    days: int
    seed: int

    def against(self, label: str) -> pd.DataFrame:
        """Return `table` with another policy as the reference."""
        rivals = [name for name in self.windows if name != label]
        more = metrics_by_name()[self.metric].more
        return _table(
            self.windows[[label, *rivals]], _resample_windows(len(self.windows), self.seed), more
        )

    def __repr__(self) -> str:
        return str(self.table.to_string(float_format="{:.2f}".format))


def metrics_by_name() -> dict[str, Metric]:
    """Return the metrics that policies can be compared by, the default one first.

    Those that depend on few jobs are, as the others, computed in each window.
    """
    return {USUAL: METRICS["bsld"]} | shown_in(CONTEST)


def heading_of(metric: str) -> str:
    """Return the column heading of a metric.

    >>> heading_of("slowdown"), heading_of("wait")
    ('mean bounded slowdown (10 s)', 'mean wait, s')
    """
    definition = metrics_by_name()[metric]
    bound = f" ({TAU} s)" if "slowdown" in definition.label else ""
    return f"{definition.label}{bound}" + (f", {definition.unit}" if definition.unit else "")


def counted_windows(log: Log, days: int, begin: int | None = None) -> list[Window]:
    """Cut a log into windows of `days`; each begins with the queue that the previous one left.

    The first window begins at second `begin`; by default the first `days` days are warm-up. Raises
    ValueError if there is no whole window.
    """

    def windows_of_length(days: int) -> list[Window]:
        return windows_of(log.jobs.submit, days, days * DAY if begin is None else begin)

    windows = windows_of_length(days)
    if not windows:
        length, before = log.jobs.submit[-1] / DAY, days if begin is None else begin / DAY
        shorter = [
            fewer for fewer in range(1, min(days, int(length) + 1)) if windows_of_length(fewer)
        ]
        remedy = (
            f"give --days {shorter[-1]} or less"
            if shorter
            else "schedlab simulate compares policies on the whole log, without windows"
        )
        raise ValueError(
            f"{log.path}: {length:.1f} days of submissions have no whole window of {days} days "
            f"after {before:.1f} days of warm-up; {remedy}"
        )
    return windows


def compare(
    log: Log,
    policies: Sequence[str | Policy | Callable[..., object]],
    backfill: str | Policy | None = None,
    reservations: Reservations | None = None,
    compression: Compression | None = None,
    threshold: int | None = None,
    days: int = DAYS,
    metric: str = USUAL,
    threads: int = 1,
    seed: int = 0,
    backfills: Mapping[str, str | Policy] = MappingProxyType({}),
    begin: int | None = None,
    dialect: str | Dialect = "full",
) -> Comparison:
    """Compare policies on a log, all with the first one.

    Each policy runs once over the whole log. Jobs are assigned to windows by submission. By default
    the first `days` days are warm-up.

    Parameters
    ----------
    log : Log
        From `schedlab.load_log`.
    policies : sequence of str, Policy or callable
        At least two different names, expressions or functions, as for `schedlab.simulate`.
    backfill, reservations, compression, threshold
        As for `schedlab.simulate`, for all policies.
    days : int
        Length of a window.
    metric : str
        Name of `metrics_by_name`: the metric of each window.
    threads : int
        Number of runs at a time; the result does not depend on it.
    seed : int
        Seed of the resampling of windows.
    backfills : mapping of str to str or Policy
        Order of backfilling by label, for policies whose backfilling order is their own.
    begin : int, optional
        Second at which the first window begins, as for `counted_windows`.
    dialect : str
        As for `schedlab.simulate`. The order of equal jobs is varied only in the dialect full.

    Returns
    -------
    Comparison
        The log's own schedule is the last row if all its waits are known.

    Raises
    ------
    ValueError
        Fewer than two policies, a duplicate, an unknown metric, or a log without a whole window.
    """
    check_known(metric, metrics_by_name(), "metric")
    orders = [policy_of(policy, log.frame) for policy in policies]
    labels = [order.label for order in orders]
    if len(labels) < 2:
        raise ValueError("give at least two policies: the others are compared with the first")
    if twice := [label for label in labels if labels.count(label) > 1]:
        raise ValueError(f"policy {twice[0]} is given twice")
    windows = counted_windows(log, days, begin)
    seconds = {
        label: None if second is None else policy_of(second, log.frame)
        for label in labels
        for second in [backfills.get(label, backfill)]
    }
    base = dialect_of(dialect)
    reservations = reservations or default_reservations(base)
    kinds = {"first": base} | ({"last": dialect_of("lifo")} if dialect == "full" else {})
    schedules: dict[str, dict[str, Schedule]] = {}
    with counted("policies, orders of ties", len(kinds)) as advance:
        for ties, kind in kinds.items():
            # a function that makes decisions has no ties to break
            varied = [order for order in orders if ties == "first" or not decides(order)]
            runs = [
                Run(
                    *(log.jobs, log.processors, order, seconds[order.label]),
                    dialect=kind,
                    reservations=reservations_of(order, reservations),
                    threshold=threshold,
                    compression=compression,
                )
                for order in varied
            ]
            results = zip(varied, simulate_many(runs, threads), strict=True)
            by_policy = {order.label: schedule for order, schedule in results}
            schedules[ties] = schedules.get("first", {}) | by_policy
            advance()
    frames = {
        ties: pd.DataFrame({
            label: _by_window(log, schedule, windows, metric)
            for label, schedule in by_policy.items()
        }).dropna(ignore_index=True)  # windows without a job
        for ties, by_policy in schedules.items()
    }  # fmt: skip
    first = frames["first"]
    if first.empty:
        raise ValueError(f"{log.path}: {heading_of(metric)} is not known in any window")
    resampled = _resample_windows(len(first), seed)
    more = metrics_by_name()[metric].more
    table = _table(first, resampled, more)
    tails = _tails(log, schedules["first"], windows)
    warnings = [
        *_warn_of_long_waits(tails),
        *_overload(log, schedules["first"][labels[0]], windows),
    ]
    ties = pd.DataFrame(columns=["first", "last"], dtype="float64")
    if "last" in frames:
        last_table = _table(frames["last"], resampled, more)
        ties = pd.DataFrame({"first": table["mean"], "last": last_table["mean"]})
        effects = _tie_warnings(table, last_table, more)
        warnings += [f"the order of equal jobs moves this: {effect}" for effect in effects]
    if (log.frame["wait"] >= 0).all():
        _, schedule = log.as_recorded()
        recorded = _by_window(log, schedule, windows, metric)
        first[RECORDED] = [value for value in recorded if not np.isnan(value)]
        table = _table(first, resampled, more)
        simulated, real = (
            np.array(_by_window(log, compared_schedule, windows, "wait"))
            for compared_schedule in (schedules["first"][labels[0]], schedule)
        )
        if not reproduces(simulated, real):
            table.loc[RECORDED, ["ratio", "low", "high"]] = np.nan
            table.loc[RECORDED, "verdict"] = ""
    return Comparison(table, first, tails, ties, tuple(warnings), metric, days, seed)


#: a mean wait this share away from the recorded one does not reproduce it
ERROR = 0.25


def reproduces(simulated: np.ndarray, recorded: np.ndarray) -> bool:
    """Return whether simulated waits reproduce recorded ones, on the later half of the windows.

    Only then is the ratio of another policy to the recorded schedule meaningful: a log does not
    contain limits, partitions, priorities and outages. Both arrays have the mean wait in each
    window, in seconds (float64, shape (w,)); nan in windows without jobs.

    Examples
    --------
    >>> reproduces(np.array([9.0, 80.0]), np.array([1.0, 100.0]))
    True
    >>> reproduces(np.array([9.0, 74.0]), np.array([1.0, 100.0]))
    False
    """
    later = slice(len(recorded) // 2, None)
    real = np.nanmean(recorded[later]) if len(recorded) else np.nan
    if not real > 0:
        return False
    return bool(abs(np.nanmean(simulated[later]) / real - 1) <= ERROR)


def _by_window(log: Log, schedule: Schedule, windows: list[Window], metric: str) -> list[float]:
    """Return the mean of the metric over the jobs of each window."""
    users, name = log.frame["user"].to_numpy(), metrics_by_name()[metric].name
    return [
        compute_metrics(log.jobs, users, schedule, log.processors, window.begin, window.end)[name]
        for window in windows
    ]


def _tails(log: Log, schedules: Mapping[str, Schedule], windows: list[Window]) -> pd.DataFrame:
    """Return the worst cases of each policy, for `Comparison.tails`."""
    span, users, jobs = whole(windows), log.frame["user"].to_numpy(), log.jobs
    rows = {
        label: compute_metrics(jobs, users, schedule, log.processors, span.begin, span.end)
        for label, schedule in schedules.items()
    }
    tails = pd.DataFrame.from_dict(rows, orient="index")[[*tail_metrics(), "worst_user"]]
    first = next(iter(schedules))
    longest = tails["max_wait"]
    tails["times"] = longest / longest[first] if longest[first] else np.nan
    inside = submitted_in(jobs, span.begin, span.end)
    lost = find_losers("", jobs, users, schedules, inside, first).set_index("scheduler")
    tails["group"] = lost["group"]
    tails["group_wait"], tails["first_wait"] = lost["wait"], lost["easy_wait"]
    return tails.rename_axis("policy")


def _warn_of_long_waits(tails: pd.DataFrame) -> list[str]:
    first = tails.index[0]
    return [
        f"{label} lets a job wait {row['max_wait'] / DAY:,.1f} days, {row['times']:.1f} times "
        f"{first}'s longest wait: do not run it without a guard (--threshold, or an ageing policy)"
        for label, row in tails.iterrows()
        if too_long(row["max_wait"], tails.loc[first, "max_wait"], LONGEST_WAIT)
    ]


def _overload(log: Log, schedule: Schedule, windows: list[Window]) -> list[str]:
    """Return a warning if the backlog grows: waits then depend on the length of the log."""
    span = whole(windows)
    before, after = (
        backlog(log.jobs, schedule, log.processors, at) for at in (span.begin, span.end)
    )
    if not is_overload(before, after, span.end - span.begin):
        return []
    return [
        f"the log asks for more than the machine can do: the backlog grows from "
        f"{before / DAY:.1f} to {after / DAY:.1f} days of the whole machine, so that waits depend "
        "on the length of the log"
    ]


def _resample_windows(windows: int, seed: int) -> np.ndarray:
    """Return the shares of windows in resampled means, the same for every policy."""
    return resampled_shares(windows, generator("compare", seed))


def _table(windows: pd.DataFrame, shares: np.ndarray, more: bool = False) -> pd.DataFrame:
    """Return the rows of a comparison; all policies share the resampled windows."""
    values = windows.to_numpy()
    means, ratios, rows = values.mean(0), ratios_of_means(values, shares), []
    for column, mean in enumerate(means):
        ratio, verdict, ends = mean / means[0] if means[0] else np.nan, "", (np.nan, np.nan)
        if column:
            ends = interval(ratios[1:, column]) if len(values) > 1 else (-np.inf, np.inf)
            verdict = _verdict(*ends, len(values), more)
        rows.append((mean, np.median(values[:, column]), ratio, *ends, verdict))
    columns = ["mean", "median", "ratio", "low", "high", "verdict"]
    return pd.DataFrame(rows, columns=columns, index=windows.columns).rename_axis("policy")


def _verdict(low: float, high: float, windows: int, more: bool = False) -> str:
    """Return the verdict for the interval of a ratio to the first policy."""
    if windows < FEWEST_WINDOWS:
        return "too few windows"
    below, above = high < 1, low > 1
    if not (below or above):
        return "open"
    return "better" if above == more else "worse"


def _tie_warnings(first: pd.DataFrame, last: pd.DataFrame, more: bool = False) -> list[str]:
    """Return warnings about effects of the order of equal jobs on a table."""
    warnings = []
    best = [table["mean"].agg("idxmax" if more else "idxmin") for table in (first, last)]
    if best[0] != best[1]:
        warnings.append(
            f"{best[0]} has the {'largest' if more else 'smallest'} mean when the first of equal "
            f"jobs starts first, {best[1]} when the last does"
        )
    for label in first.index:
        old, new = first.loc[label], last.loc[label]
        if old["verdict"] != new["verdict"]:
            warnings.append(
                f"{label} is {old['verdict']} when the first of equal jobs starts first, "
                f"{new['verdict']} when the last does"
            )
        elif abs(new["mean"] - old["mean"]) > MOVED * old["mean"]:
            warnings.append(
                f"{label}: mean {old['mean']:,.2f} when the first of equal jobs starts first, "
                f"{new['mean']:,.2f} when the last does"
            )
    return warnings
