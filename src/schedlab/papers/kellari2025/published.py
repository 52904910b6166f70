"""Tables 6.1 and 6.2 of kellari2025 as printed beside ours: verdicts, orderings, readings."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from scipy.stats import t as student

from schedlab.cosched.pool import STAND_IN
from schedlab.papers.kellari2025.tables.chapter6 import (
    BASELINE,
    CONFIDENCE,
    METRICS,
    correlations,
    means,
)
from schedlab.report.comparison import agrees, read_published, reason_for
from schedlab.report.verdicts import DIFFERS, MATCH, NOT_AT_HAND, ORDERING_HOLDS

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLES = ("table6_1", "table6_2")
# What a match rests on, where it is not equal digits.
BY_DEFINITION = "the same on every workload, by definition"
IN_INTERVAL = "not equal as printed, but in the 95 % interval of a mean over as many workloads"


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
        published), verdict, reason (of a match: what it rests on, where ours is not equal as
        printed or cannot be anything else). ``match``: the printed mean is in the interval, or
        equal to ours as printed. ``ordering holds``: not, but the scheduler has the printed rank in
        its column. On a stand-in for the pool nothing is compared.
    """
    ours, many = means(ten), means(thousand)
    spread = thousand.groupby("scheduler")[list(METRICS)].std()
    count = ten["workload"].nunique()
    degrees = max(thousand["workload"].nunique() - 1, 1)
    reach = student.ppf(0.5 + CONFIDENCE / 2, degrees) / np.sqrt(count)
    stand_in = is_stand_in(ten)
    rows = []
    for name, metric in METRICS.items():
        column = published[name].astype(float)
        ranks = column.rank(), ours.loc[column.index, name].rank()
        for scheduler, printed in published[name].items():
            middle, width = many.at[scheduler, name], reach * spread.at[scheduler, name]
            value = ours.at[scheduler, name]
            inside = abs(float(printed) - middle) <= width + 0.5 * 10.0**-metric.decimals
            equal = agrees(printed, value)
            verdict, reason = MATCH, "" if equal else IN_INTERVAL
            if equal and spread.at[scheduler, name] < 1e-9:  # what is left of rounding
                reason = BY_DEFINITION
            if stand_in:
                verdict, reason = NOT_AT_HAND, f"ran on {ten['pool'].iloc[0]}"
            elif not (inside or equal):
                holds = ranks[0][scheduler] == ranks[1][scheduler]
                verdict = ORDERING_HOLDS if holds else DIFFERS
                reason = reason_for(reasons, "", scheduler, metric.printed)
            rows.append(
                {
                    "scheduler": scheduler,
                    "metric": metric.printed,
                    "published": printed,
                    "ours": value,
                    "many": middle,
                    "low": middle - width,
                    "high": middle + width,
                    "ratio": value / float(printed) if float(printed) else np.nan,
                    "verdict": verdict,
                    "reason": reason,
                }
            )
    return pd.DataFrame(rows)


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
        (their difference), ten (ours over the ten), many, low, high (mean difference over the
        larger number with its 95 percent interval), larger (percent of single workloads on which
        the first is larger), survives: ``yes`` (interval above 0), ``no`` (below 0) or
        ``undecided``. Pairs that are printed equal are not orderings.
    """
    rows = []
    for name, metric in METRICS.items():
        wide = {
            key: runs.pivot(index="workload", columns="scheduler", values=name)
            for key, runs in (("ten", ten), ("many", thousand))
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
                    "published": printed[first] - printed[second],
                    "ten": gaps["ten"].mean(),
                }
                | _interval(gaps["many"])
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
        prints.
    """
    runs = runs[runs["scheduler"] != BASELINE]
    rows = []
    for scheduler, own in runs.groupby("scheduler", sort=False):
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
    """Correlations that section 6.4 prints beside ours; columns as of `compare_table6`, but many.

    ``match``: equal to the printed digit, one unit of the last allowed; ``ordering holds``: of the
    same sign, or both within 0.1 of 0.
    """
    stand_in = is_stand_in(ten)
    rows = []
    for table in published:
        for method in table:
            ours, many = correlations(ten, method), correlations(thousand, method)
            for pair, printed in table[method].items():
                value = ours.at[tuple(pair.split(" / "))]
                verdict, reason = MATCH, ""
                if stand_in:
                    verdict, reason = NOT_AT_HAND, f"ran on {ten['pool'].iloc[0]}"
                elif not agrees(printed, value):
                    near = max(abs(value), abs(float(printed))) < 0.1
                    same = near or np.sign(value) == np.sign(float(printed))
                    verdict = ORDERING_HOLDS if same else DIFFERS
                    reason = reason_for(reasons, "", pair, method)
                rows.append(
                    {
                        "metrics": pair,
                        "coefficient": method,
                        "published": printed,
                        "ours": value,
                        "many": many.at[tuple(pair.split(" / "))],
                        "ratio": value / float(printed),
                        "verdict": verdict,
                        "reason": reason,
                    }
                )
    return pd.DataFrame(rows)
