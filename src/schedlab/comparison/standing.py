"""Standings of schedulers by a metric: ratios to EASY with intervals, and mean ranks."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import friedmanchisquare, rankdata, studentized_range

from schedlab.comparison.schedulers import REFERENCE
from schedlab.comparison.settings import ARENA
from schedlab.core.intervals import (
    chance_above,
    chance_below,
    holm,
    interval,
    ratios_of_means,
    resampled_shares,
)
from schedlab.core.metrics import METRICS
from schedlab.core.streams import generator
from schedlab.core.windows import WHOLE

#: significance level
LEVEL = 0.05
BETTER, WORSE, OPEN = "better", "worse", "open"
#: smallest number of schedulers for a Friedman test
FEWEST = 3


@dataclass(frozen=True, eq=False)
class Standing:
    """Standings of schedulers over all logs, by a metric of `schedlab.core.metrics.window_metrics`.

    Parameters
    ----------
    means : DataFrame
        Mean over a log's windows: a row per scheduler, a column per log; nan if it did not run.
    ratios : DataFrame
        Index scheduler; ratio (to EASY or another reference, geometric mean over logs), low, high
        (95 %, from resampled blocks of neighboring windows within each log, shared by all
        schedulers), chance (Holm-adjusted two-sided p-value), verdict.
    ranks : Series
        Mean rank over windows, 1 the best, of schedulers that ran on every log.
    blocks : int
        Number of windows that were ranked.
    difference : float
        Critical difference: larger differences of mean ranks are significant (Nemenyi, 5 %).
    friedman : float
        p-value of Friedman's test of no difference at all; nan with fewer than three schedulers.
    left_out : tuple of str
        Logs without a ratio: with one window, or with so few windows with values that a
        scheduler's mean over windows, or over resampled windows, is 0.
    """

    metric: str
    means: pd.DataFrame
    ratios: pd.DataFrame
    ranks: pd.Series
    blocks: int
    difference: float
    friedman: float
    left_out: tuple[str, ...]


def compare_by_metric(results: pd.DataFrame, metric: str, reference: str = REFERENCE) -> Standing:
    """Compare schedulers by one metric of the results of all logs, as ratios to `reference`."""
    logs = by_log(results, metric)
    order = list(dict.fromkeys(results["scheduler"]))
    means = pd.DataFrame({log: table.mean() for log, table in logs.items()}).reindex(order)
    whole = [name for name in order if all(name in table for table in logs.values())]
    sign = -1 if METRICS[metric].more else 1  # the best has rank 1
    windows = [rankdata(sign * table[whole].to_numpy(), axis=1) for table in logs.values()]
    ranked = np.vstack(windows) if windows else np.empty((0, len(whole)))
    changes = {log: changes_of(log, table, reference) for log, table in logs.items()}
    left_out = tuple(
        log
        for log, log_changes in changes.items()
        if len(logs[log]) == 1 or not np.isfinite(log_changes).all(axis=None)
    )
    complete = {log: log_changes for log, log_changes in changes.items() if log not in left_out}
    return Standing(
        metric,
        means,
        _ratios(complete, order, metric, reference),
        pd.Series(ranked.mean(axis=0) if len(ranked) else np.nan, whole, dtype=float),
        len(ranked),
        nemenyi(len(whole), len(ranked)),
        _friedman(ranked),
        left_out,
    )


def ranges_of_ranks(ranks: pd.Series, difference: float) -> pd.DataFrame:
    """Return the columns low and high: half a critical difference below and above each mean rank.

    Schedulers differ significantly if their ranges are disjoint. No rank is below 1 or above the
    number of ranked schedulers, so the ranges end there.

    >>> ranges_of_ranks(pd.Series([1.2, 2.0, 2.8]), 1.0)
       low  high
    0  1.0   1.7
    1  1.5   2.5
    2  2.3   3.0
    """
    half = difference / 2
    return pd.DataFrame({"low": ranks - half, "high": ranks + half}).clip(1, ranks.count())


def nemenyi(schedulers: int, blocks: int) -> float:
    """Return the critical difference of mean ranks at a level of 5 %, see Demšar (JMLR 7, 2006).

    >>> round(nemenyi(4, 14), 2)
    1.25
    """
    if schedulers < 2 or not blocks:
        return np.nan
    quantile = studentized_range.ppf(1 - LEVEL, schedulers, np.inf) / np.sqrt(2)
    return float(quantile * np.sqrt(schedulers * (schedulers + 1) / (6 * blocks)))


def orders_that_survive(standings: Mapping[str, Standing]) -> pd.DataFrame:
    """Return which schedulers are significantly better than which others by every metric.

    A bool table: whether the row's mean rank is less than the column's by more than the critical
    difference, for every metric. Only schedulers that ran on every log.
    """
    ahead_by_all = None
    for standing in standings.values():
        rank = standing.ranks.to_numpy()
        ahead = pd.DataFrame(
            rank[:, None] + standing.difference < rank[None, :],
            standing.ranks.index,
            standing.ranks.index,
        )
        ahead_by_all = ahead if ahead_by_all is None else ahead_by_all & ahead
    return ahead_by_all


def by_log(results: pd.DataFrame, metric: str) -> dict[str, pd.DataFrame]:
    """Return a metric's windows (rows) by schedulers (columns), for each log that has any.

    Windows in which the metric is unknown for a scheduler are left out.
    """
    logs = {}
    for log, rows in results[results["window"] != WHOLE].groupby("experiment", sort=False):
        table = rows.pivot(index="window", columns="scheduler", values=metric)
        table = table[list(dict.fromkeys(rows["scheduler"]))].dropna()
        if len(table):
            logs[str(log)] = table
    return logs


def _friedman(ranked: np.ndarray) -> float:
    # if all ranks are equal, the test would divide by 0
    if ranked.shape[1] < FEWEST or len(ranked) < 2 or (ranked == ranked[:, :1]).all():
        return np.nan
    return float(friedmanchisquare(*ranked.T).pvalue)


def changes_of(log: str, table: pd.DataFrame, reference: str) -> pd.DataFrame:
    """Return logarithms of the ratios of means over windows to a reference's mean.

    `table` is from `by_log`. `log` is the key of the random stream: all metrics of a log use the
    same resampled windows. The result has a column per scheduler. Its first row is of the windows
    themselves, the others of resampled ones (`schedlab.core.intervals.resampled_shares`).
    """
    shares = resampled_shares(len(table), generator(ARENA, "windows", log))
    ratios = ratios_of_means(table.to_numpy(), shares, list(table).index(reference))
    with np.errstate(divide="ignore", invalid="ignore"):
        return pd.DataFrame(np.log(ratios), columns=table.columns)


def _ratios(
    logs: Mapping[str, pd.DataFrame], order: list[str], metric: str, reference: str
) -> pd.DataFrame:
    """Return the ratio of each scheduler over the logs on which it ran, with its interval."""
    rows = [
        _ratio(
            [changes[name] for changes in logs.values() if name in changes], METRICS[metric].more
        )
        for name in order
    ]
    frame = pd.DataFrame(
        rows, order, ["ratio", "low", "high", "better", "worse"], dtype=float
    ).rename_axis("scheduler")
    rivals = frame.index[(frame.index != reference) & frame["ratio"].notna()]
    chance = pd.Series(np.nan, frame.index)
    chance[rivals] = holm(frame.loc[rivals, ["better", "worse"]].min(axis=1).to_numpy())
    ahead = np.where(frame["better"] < frame["worse"], BETTER, WORSE)
    verdict = pd.Series(np.where(chance < LEVEL, ahead, OPEN), frame.index)
    verdict[frame.index == reference] = ""
    return frame[["ratio", "low", "high"]].assign(chance=chance, verdict=verdict)


def _ratio(changes: list[pd.Series], more: bool) -> tuple[float, ...]:
    """Return geometric mean over logs, its interval, and p-values of being no better, no worse."""
    if not changes:
        return (np.nan,) * 5
    means = np.mean(changes, axis=0)
    exact, resampled = means[0], means[1:]
    below, above = chance_below(resampled, 0.0), chance_above(resampled, 0.0)
    better, worse = (above, below) if more else (below, above)
    return np.exp(exact), *np.exp(interval(resampled)), better, worse
