"""Tables 6.1 and 6.2 of kellari2025 as printed beside ours: verdicts, joint tests, orderings."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import chi2
from scipy.stats import t as student

from schedlab.cosched.pool import STAND_IN
from schedlab.papers.kellari2025.tables.chapter6 import (
    BASELINE,
    CONFIDENCE,
    METRICS,
    SCHEDULERS,
    correlations,
    means,
)
from schedlab.report.comparison import ratio_of, read_published, reason_for
from schedlab.report.verdicts import (
    CONSISTENT,
    MATCH,
    NOT_AT_HAND,
    agrees,
    in_interval,
    kendall,
    same_order,
    verdict_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLES = ("table6_1", "table6_2")
# What a match rests on, where it says nothing of the simulation.
BY_DEFINITION = "the same on every workload, by definition"
# Schedulers whose printed means no reading of the rules gives: what is asked of all others together
# leaves them out.
UNMATCHED = ("Popularity", "Pop-Filler")
SAME = 1e-9  # scatter that rounding leaves where a metric cannot vary
FAILS, PASSES = "fails", "passes"


def read_table6(published: str) -> pd.DataFrame:
    """Read the printed means of both tables: texts, metrics as columns under our names."""
    tables = [read_published(published, table) for table in TABLES]
    names = {metric.printed: name for name, metric in METRICS.items()}
    return pd.concat(tables, axis=1).rename(columns=names)[list(METRICS)]


def compare_table6(
    published: pd.DataFrame, ten: pd.DataFrame, thousand: pd.DataFrame, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Every number of tables 6.1 and 6.2 beside ours.

    The thesis's ten workloads were drawn with the clock as seed and are not published, so a mean
    over ten of ours cannot be equal but by chance. What can be asked is whether the printed mean
    could be one of ten workloads like ours: whether it lies in the interval that 95 percent of
    means over ten do, by what the larger number of workloads says of their scatter.

    Parameters
    ----------
    published : DataFrame of str
        From `read_table6`.
    ten, thousand : DataFrame
        Runs with speedups: of the thesis's experiment, and of many more workloads.
    reasons : DataFrame
        From `schedlab.report.comparison.read_reasons`.

    Returns
    -------
    DataFrame
        scheduler, metric (its printed name), published, ours (mean over ten), many (mean over the
        larger number), low and high (the interval for a mean over ten), ratio (ours over
        published), kendall (of the metric's column over the schedulers), verdict, reason (of a
        match: that it could be nothing else, where it could not). On a stand-in for the pool
        nothing is compared.
    """
    ours, many = means(ten), means(thousand)
    spread = thousand.groupby("scheduler")[list(METRICS)].std()
    stand_in = is_stand_in(ten)
    rows = []
    for name, metric in METRICS.items():
        column = ours.loc[published.index, name]
        holds = same_order(published[name], column)
        tau = np.nan if stand_in else kendall(published[name], column)
        for scheduler, printed in published[name].items():
            middle, deviation = many.at[scheduler, name], spread.at[scheduler, name]
            width = _reach(ten, thousand) * deviation
            value = ours.at[scheduler, name]
            row = {"scheduler": scheduler, "metric": metric.printed, "published": printed}
            row |= {"ours": value, "many": middle, "low": middle - width, "high": middle + width}
            if stand_in:
                rows.append(row | _not_compared(ten))
                continue
            inside = in_interval(printed, row["low"], row["high"])
            verdict = verdict_of(agrees(printed, value), holds, inside)
            reason = BY_DEFINITION if verdict == MATCH and deviation < SAME else ""
            if verdict not in (MATCH, CONSISTENT):
                reason = reason_for(reasons, "", scheduler, metric.printed, printed, value)
            ratio = ratio_of(printed, value) if float(printed) else np.nan
            rows.append(
                row | {"ratio": ratio, "kendall": tau, "verdict": verdict, "reason": reason}
            )
    return pd.DataFrame(rows)


def _reach(ten: pd.DataFrame, thousand: pd.DataFrame) -> float:
    """Half of the interval of a mean over as many workloads as the ten, in deviations of one."""
    quantile = student.ppf(0.5 + CONFIDENCE / 2, thousand["workload"].nunique() - 1)
    return float(quantile / np.sqrt(ten["workload"].nunique()))


def _not_compared(runs: pd.DataFrame) -> dict:
    """Return what stands in the place of a verdict where a stand-in for the pool ran."""
    reason = f"ran on {runs['pool'].iloc[0]}"
    return dict.fromkeys(("ratio", "kendall"), np.nan) | {"verdict": NOT_AT_HAND, "reason": reason}


def joint(published: pd.DataFrame, ten: pd.DataFrame, thousand: pd.DataFrame) -> pd.DataFrame:
    """Whether a metric's printed means, all schedulers at once, could be of workloads like ours.

    All schedulers run on the same workloads, so their means move together: each may lie in its
    interval and their differences still be impossible. The schedulers that no reading matches are
    left out, and those for which the metric cannot vary.

    Parameters
    ----------
    published, ten, thousand : DataFrame
        As for `compare_table6`.

    Returns
    -------
    DataFrame
        metric, schedulers (how many are asked of), statistic (gaps between printed and our means,
        squared, over their covariance: of means over so many workloads, and of rounding), p (of a
        chi-square of that many degrees), together (``fails`` below 0.05, or ``passes``), pairs (of
        schedulers), off (how many of these the printed means put further apart, or nearer, than
        95 percent of our workloads by tens do, with rounding at its worst), which. Without numbers
        on a stand-in for the pool.
    """
    if is_stand_in(ten):
        nothing = {"metric": [metric.printed for metric in METRICS.values()]}
        columns = dict.fromkeys(("schedulers", "statistic", "p", "pairs", "off"), np.nan)
        return pd.DataFrame(nothing | columns | {"together": NOT_AT_HAND, "which": ""})
    count, rows = ten["workload"].nunique(), []
    for name, metric in METRICS.items():
        wide = thousand.pivot(index="workload", columns="scheduler", values=name)
        wide = wide[[scheduler for scheduler in SCHEDULERS if scheduler not in UNMATCHED]]
        wide = wide.loc[:, wide.std() > SAME]
        printed, unit = published.loc[wide.columns, name].astype(float), 10.0**-metric.decimals
        gaps = (printed - wide.mean()).to_numpy()
        # The error of a rounded number is as good as uniform over a unit of its last digit.
        rounding = np.eye(len(gaps)) * unit**2 / 12
        scatter = wide.cov().to_numpy() * (1 / count + 1 / len(wide)) + rounding
        statistic = float(gaps @ np.linalg.solve(scatter, gaps))
        chance = float(chi2.sf(statistic, len(gaps)))
        pairs = list(combinations(wide.columns, 2))
        off = [
            f"{first} – {second}"
            for first, second in pairs
            if _is_off(
                printed[first] - printed[second],
                wide[first] - wide[second],
                _reach(ten, thousand),
                unit,
            )
        ]
        rows.append(
            {
                "metric": metric.printed,
                "schedulers": len(gaps),
                "statistic": statistic,
                "p": chance,
                "together": FAILS if chance < 1 - CONFIDENCE else PASSES,
                "pairs": len(pairs),
                "off": len(off),
                "which": ", ".join(off),
            }
        )
    return pd.DataFrame(rows)


def _is_off(gap: float, ours: pd.Series, reach: float, unit: float) -> bool:
    """Whether a printed difference is not one of ours, both numbers rounded by half a unit."""
    return bool(abs(gap - ours.mean()) > reach * ours.std() + unit)


def is_stand_in(runs: pd.DataFrame) -> bool:
    """Whether the runs are not on the pool of the thesis but on its Table 4.1."""
    return bool(runs["pool"].str.startswith(STAND_IN).any())


def orderings(published: pd.DataFrame, ten: pd.DataFrame, thousand: pd.DataFrame) -> pd.DataFrame:
    """Which of the thesis's orderings of two schedulers survive more workloads.

    Parameters
    ----------
    published : DataFrame of str
        From `read_table6`.
    ten, thousand : DataFrame
        Runs with speedups; both schedulers run on the same workloads, so differences are paired.

    Returns
    -------
    DataFrame
        metric (printed name), first and second (the thesis's larger and smaller value), published
        (their difference), ours (over the ten), many, low, high (mean difference over the
        larger number with its 95 percent interval), larger (percent of single workloads on which
        the first is larger), survives: ``yes`` (interval above 0), ``no`` (below 0) or
        ``undecided``. Pairs that are printed equal are not orderings. On a stand-in for the pool
        none is tested, and the printed difference does not stand beside another pool's.
    """
    rows, stand_in = [], is_stand_in(ten)
    for name, metric in METRICS.items():
        wide = {
            key: runs.pivot(index="workload", columns="scheduler", values=name)
            for key, runs in (("ours", ten), ("many", thousand))
        }
        printed = published[name].astype(float)
        for pair in combinations(printed.index, 2):
            first, second = sorted(pair, key=lambda row: -printed[row])
            if printed[first] == printed[second]:
                continue
            gaps = {key: table[first] - table[second] for key, table in wide.items()}
            rows.append(
                {
                    "metric": metric.printed,
                    "first": first,
                    "second": second,
                    "published": np.nan if stand_in else printed[first] - printed[second],
                    "ours": gaps["ours"].mean(),
                }
                | _interval(gaps["many"])
                | ({"survives": NOT_AT_HAND} if stand_in else {})
            )
    return pd.DataFrame(rows)


def _interval(gaps: pd.Series) -> dict:
    """Mean of paired differences, its confidence interval, and what it decides."""
    middle, count = float(gaps.mean()), len(gaps)
    width = 0.0
    if count > 1:
        quantile = student.ppf(0.5 + CONFIDENCE / 2, count - 1)
        width = float(quantile * gaps.std() / np.sqrt(count))
    low, high = middle - width, middle + width
    survives = "yes" if low > 0 else "no" if high < 0 else "undecided"
    found = {"many": middle, "low": low, "high": high, "larger": 100 * float((gaps > 0).mean())}
    return found | {"survives": survives}


def readings(published: pd.DataFrame, runs: pd.DataFrame, labels: pd.Series) -> pd.DataFrame:
    """What each reading of Popularity and Pop-Filler gives, beside the printed means.

    Parameters
    ----------
    published : DataFrame of str
        From `read_table6`.
    runs : DataFrame
        Runs with speedups of all readings, an experiment each.
    labels : Series of str
        What is read how, by experiment.

    Returns
    -------
    DataFrame
        scheduler, reading, then every metric; the first row of each scheduler is what the thesis
        prints, but not on a stand-in for the pool.
    """
    runs = runs[runs["scheduler"] != BASELINE]
    stand_in = is_stand_in(runs)
    rows = []
    for scheduler, own in runs.groupby("scheduler", sort=False):
        if not stand_in:
            values = published.loc[scheduler].astype(float)
            rows.append({"scheduler": scheduler, "reading": "as published", **values})
        for experiment, reading in own.groupby("experiment", sort=False):
            found = reading[list(METRICS)].mean()
            rows.append({"scheduler": scheduler, "reading": labels[experiment], **found})
    printed = {name: metric.printed for name, metric in METRICS.items()}
    return pd.DataFrame(rows).rename(columns=printed)


def compare_correlations(
    published: Sequence[pd.DataFrame],
    ten: pd.DataFrame,
    thousand: pd.DataFrame,
    reasons: pd.DataFrame,
) -> pd.DataFrame:
    """Correlations that section 6.4 prints beside ours.

    Parameters
    ----------
    published : sequence of DataFrame of str
        From `schedlab.report.comparison.read_published`: pairs of metrics by coefficients.
    ten, thousand, reasons
        As for `compare_table6`.

    Returns
    -------
    DataFrame
        metrics, coefficient, published, ours, many, low and high (which hold 95 percent of the
        coefficients over as many workloads as the ten), ratio, verdict, reason.
    """
    stand_in = is_stand_in(ten)
    rows = []
    for table in published:
        for method in table:
            ours, many = correlations(ten, method), correlations(thousand, method)
            low, high = scatter_of_correlations(thousand, ten["workload"].nunique(), method)
            for pair, printed in table[method].items():
                at = tuple(pair.split(" / "))
                value = ours.at[at]
                row = {"metrics": pair, "coefficient": method, "published": printed}
                row |= {"ours": value, "many": many.at[at], "low": low.at[at], "high": high.at[at]}
                if stand_in:
                    rows.append(row | _not_compared(ten))
                    continue
                inside = in_interval(printed, low.at[at], high.at[at])
                verdict = verdict_of(agrees(printed, value), inside=inside)
                known = verdict in (MATCH, CONSISTENT)
                reason = "" if known else reason_for(reasons, "", pair, method, printed, value)
                ratio = ratio_of(printed, value)
                rows.append(row | {"ratio": ratio, "verdict": verdict, "reason": reason})
    return pd.DataFrame(rows).drop(columns="kendall", errors="ignore")


def scatter_of_correlations(
    runs: pd.DataFrame, count: int, method: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Between which coefficients 95 percent of those over `count` workloads lie.

    Parameters
    ----------
    runs : DataFrame
        Runs with speedups of many workloads, taken `count` at a time; those left over are not.
    count : int
        Workloads in a group.
    method : str
        As for `schedlab.papers.kellari2025.tables.chapter6.correlations`.

    Returns
    -------
    low, high : DataFrame
        Square, under the printed names of the metrics.
    """
    every = runs["workload"].nunique()
    count = min(count, every)
    group = runs["workload"].rank(method="dense").astype(int).sub(1) // count
    whole = runs[group < every // count]
    found = [correlations(own, method) for _, own in whole.groupby(group)]
    tail = (1 - CONFIDENCE) / 2
    values = np.stack([table.to_numpy() for table in found])
    like = found[0]
    return tuple(
        pd.DataFrame(np.quantile(values, share, axis=0), like.index, like.columns)
        for share in (tail, 1 - tail)
    )
