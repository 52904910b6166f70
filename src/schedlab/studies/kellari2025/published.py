"""Compare tables 6.1 and 6.2 of kellari2025 with the published ones: verdicts, tests, orderings."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import chi2
from scipy.stats import t as student

from schedlab.core.intervals import interval, joint_chance
from schedlab.cosched.pool import STAND_IN
from schedlab.report.comparison import compare_number, not_compared, read_published
from schedlab.report.verdicts import (
    MATCH,
    NOT_AVAILABLE,
    REJECTED,
    UNEXPLAINED,
    in_interval,
    kendall,
    same_order,
)
from schedlab.studies.kellari2025.tables.chapter6 import (
    BASELINE,
    CONFIDENCE,
    METRICS,
    SCHEDULERS,
    correlations,
    half_width,
    means,
)

TABLES = ("table6_1", "table6_2")
# Reason of a match that would hold without any simulation.
BY_DEFINITION = "the same on every workload, by definition"
# Schedulers whose published means no reading of the rules reproduces; joint tests of the other
# schedulers leave them out.
UNMATCHED = ("Popularity", "Pop-Filler")
SAME = 1e-9  # standard deviation by rounding alone, for a metric that cannot vary
FAILS, PASSES = "fails", "passes"


def read_table6(published: str) -> pd.DataFrame:
    """Read the published means of both tables as text, with schedlab's names of the metrics."""
    tables = [read_published(published, table) for table in TABLES]
    names = {metric.printed: name for name, metric in METRICS.items()}
    return pd.concat(tables, axis=1).rename(columns=names)[list(METRICS)]


def published_means(published: pd.DataFrame, runs: pd.DataFrame, metric: str) -> pd.Series:
    """Return the published means of a metric by scheduler; none if a model replaces the pool.

    `published` is from `read_table6`; `metric` is a key of `METRICS`.
    """
    means_of_metric = published[metric].astype(float)
    return means_of_metric.iloc[:0] if is_stand_in(runs) else means_of_metric


def compare_table6(
    published: pd.DataFrame, ten: pd.DataFrame, thousand: pd.DataFrame, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Compare every number of tables 6.1 and 6.2 with the computed one.

    The thesis drew its ten workloads with the clock as seed and did not publish them. A computed
    mean over ten can equal a published one only by chance. The test is whether the published mean
    could come from ten such workloads. Its interval contains 95 % of means over ten; the scatter
    comes from the larger number of workloads.

    All schedulers run on the same workloads. If the published means of a metric are jointly
    rejected, none of them is consistent; see `joint`. A scheduler that no reading matches is tested
    together with all others.

    `published` is from `read_table6`. `ten` and `thousand` are runs with speedups: of the thesis's
    experiment, and of many more workloads.

    Columns: scheduler, metric (its published name), published, computed (mean over ten), many (mean
    over the larger number), low and high (the interval for a mean over ten), joint (the joint
    p-value of the metric's published means; nan if the metric cannot vary), ratio (computed over
    published), kendall (of the metric's column over the schedulers), verdict, reason. A match that
    holds by definition has this as its reason. On a model in place of the pool nothing is compared.
    """
    computed, many = means(ten), means(thousand)
    spread = thousand.groupby("scheduler")[list(METRICS)].std()
    stand_in = is_stand_in(ten)
    rows = []
    for name, metric in METRICS.items():
        column = computed.loc[published.index, name]
        holds = same_order(published[name], column)
        tau = np.nan if stand_in else kendall(published[name], column)
        together = {} if stand_in else _chances(published, ten, thousand, name)
        for scheduler, printed in published[name].items():
            middle, deviation = many.at[scheduler, name], spread.at[scheduler, name]
            width = _reach(ten, thousand) * deviation
            value = computed.at[scheduler, name]
            row = {"scheduler": scheduler, "metric": metric.printed, "published": printed}
            row |= {"computed": value, "many": middle, "low": middle - width}
            row |= {"high": middle + width, "joint": together.get(scheduler, np.nan)}
            row |= {"ratio": np.nan, "kendall": tau}
            if stand_in:
                rows.append(row | not_compared(_pool_of(ten)))
                continue
            inside = in_interval(printed, row["low"], row["high"])
            consistent, place = (
                inside and not row["joint"] < REJECTED,
                ("", scheduler, metric.printed),
            )
            row |= compare_number(printed, value, reasons, place, holds, consistent)
            if row["verdict"] == MATCH and deviation < SAME:
                row["reason"] = BY_DEFINITION
            row["reason"] = _add_joint_rejection(row["reason"], inside, row["joint"])
            rows.append(row)
    return pd.DataFrame(rows)


def _add_joint_rejection(reason: str, inside: bool, joint: float) -> str:
    """Add to an unknown reason that a number is inside its interval but jointly rejected."""
    if inside and reason.startswith(UNEXPLAINED):
        return f"{reason}: inside its interval, but rejected together with the others ({joint:.2g})"
    return reason


def _chances(
    published: pd.DataFrame, ten: pd.DataFrame, thousand: pd.DataFrame, name: str
) -> dict[str, float]:
    """Return the joint p-value of a metric's published means, by scheduler.

    Schedulers for which the metric cannot vary are left out. The p-value of a scheduler that no
    reading matches is for its mean together with those of all matched schedulers.
    """
    every = [one for one in SCHEDULERS if one not in UNMATCHED]
    chances = dict.fromkeys(every, _chi_square(published, ten, thousand, name, every)[2])
    for scheduler in UNMATCHED:
        chances[scheduler] = _chi_square(published, ten, thousand, name, [*every, scheduler])[2]
    wide = thousand.pivot(index="workload", columns="scheduler", values=name)
    return {one: chance for one, chance in chances.items() if wide[one].std() > SAME}


def _chi_square(
    published: pd.DataFrame,
    ten: pd.DataFrame,
    thousand: pd.DataFrame,
    name: str,
    schedulers: Sequence[str],
) -> tuple[pd.DataFrame, float, float]:
    """Return the metric by workload if it can vary, the statistic of `joint` and its p-value."""
    wide = thousand.pivot(index="workload", columns="scheduler", values=name)[list(schedulers)]
    wide = wide.loc[:, wide.std() > SAME]
    printed, unit = published.loc[wide.columns, name].astype(float), 10.0 ** -METRICS[name].decimals
    gaps = (printed - wide.mean()).to_numpy()
    # The error of a rounded number is nearly uniform over one unit of its last digit.
    rounding = np.eye(len(gaps)) * unit**2 / 12
    count = ten["workload"].nunique()
    scatter = wide.cov().to_numpy() * (1 / count + 1 / len(wide)) + rounding
    statistic = float(gaps @ np.linalg.solve(scatter, gaps))
    return wide, statistic, float(chi2.sf(statistic, len(gaps)))


def _reach(ten: pd.DataFrame, thousand: pd.DataFrame) -> float:
    """Return the half-width of the interval of a mean over the ten, in standard deviations."""
    quantile = student.ppf(0.5 + CONFIDENCE / 2, thousand["workload"].nunique() - 1)
    return float(quantile / np.sqrt(ten["workload"].nunique()))


def _pool_of(runs: pd.DataFrame) -> str:
    """Return why runs on a model in place of the pool are not compared."""
    return f"ran on {runs['pool'].iloc[0]}"


def joint(published: pd.DataFrame, ten: pd.DataFrame, thousand: pd.DataFrame) -> pd.DataFrame:
    """Test jointly whether a metric's published means could come from workloads like schedlab's.

    All schedulers run on the same workloads, so their means are correlated: each may lie in its
    interval although their differences are impossible. Schedulers that no reading matches are left
    out, and those for which the metric cannot vary. Arguments as in `compare_table6`.

    Columns: metric; schedulers (number tested); statistic (squared gaps between published and
    computed means over their covariance, which includes rounding); p (of a chi-square with that
    many degrees of freedom); together (``fails`` below 0.05, or ``passes``); pairs (of schedulers);
    off (number of pairs whose published difference lies outside the 95 % range of computed ones
    over ten workloads, with worst-case rounding); which (these pairs). On a model in place of the
    pool there are no numbers.
    """
    if is_stand_in(ten):
        nothing = {"metric": [metric.printed for metric in METRICS.values()]}
        columns = dict.fromkeys(("schedulers", "statistic", "p", "pairs", "off"), np.nan)
        return pd.DataFrame(nothing | columns | {"together": NOT_AVAILABLE, "which": ""})
    rows, reach = [], _reach(ten, thousand)
    every = [one for one in SCHEDULERS if one not in UNMATCHED]
    for name, metric in METRICS.items():
        wide, statistic, chance = _chi_square(published, ten, thousand, name, every)
        printed, unit = published.loc[wide.columns, name].astype(float), 10.0**-metric.decimals
        pairs = list(combinations(wide.columns, 2))
        off = [
            f"{first} – {second}"
            for first, second in pairs
            if _is_off(printed[first] - printed[second], wide[first] - wide[second], reach, unit)
        ]
        rows.append(
            {
                "metric": metric.printed,
                "schedulers": wide.shape[1],
                "statistic": statistic,
                "p": chance,
                "together": FAILS if chance < REJECTED else PASSES,
                "pairs": len(pairs),
                "off": len(off),
                "which": ", ".join(off),
            }
        )
    return pd.DataFrame(rows)


def _is_off(gap: float, computed: pd.Series, reach: float, unit: float) -> bool:
    """Whether a published difference is outside the computed range, given half-unit rounding."""
    return bool(abs(gap - computed.mean()) > reach * computed.std() + unit)


def is_stand_in(runs: pd.DataFrame) -> bool:
    """Whether the runs used Table 4.1 of the thesis as a model in place of its pool."""
    return bool(runs["pool"].str.startswith(STAND_IN).any())


def orderings(published: pd.DataFrame, ten: pd.DataFrame, thousand: pd.DataFrame) -> pd.DataFrame:
    """Test which of the thesis's orderings of two schedulers hold with more workloads.

    Arguments as in `compare_table6`. Both schedulers run on the same workloads, so differences are
    paired. Pairs with equal published values are not orderings. On a model in place of the pool
    none is tested and no published difference is shown.

    Columns: metric (published name), first and second (the schedulers with the thesis's larger and
    smaller value), published (their difference), computed (over the ten), many, low, high (mean
    difference over the larger number with its 95 % interval), larger (percent of single workloads
    on which the first is larger), survives: ``yes`` (interval above 0), ``no`` (below 0) or
    ``undecided``.
    """
    rows, stand_in = [], is_stand_in(ten)
    for name, metric in METRICS.items():
        wide = {
            key: runs.pivot(index="workload", columns="scheduler", values=name)
            for key, runs in (("computed", ten), ("many", thousand))
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
                    "computed": gaps["computed"].mean(),
                }
                | _interval(gaps["many"])
                | ({"survives": NOT_AVAILABLE} if stand_in else {})
            )
    return pd.DataFrame(rows)


def _interval(gaps: pd.Series) -> dict:
    """Return the mean of paired differences, its confidence interval, and the decision."""
    middle, width = float(gaps.mean()), half_width(gaps)
    low, high = middle - width, middle + width
    survives = "yes" if low > 0 else "no" if high < 0 else "undecided"
    numbers = {"many": middle, "low": low, "high": high, "larger": 100 * float((gaps > 0).mean())}
    return numbers | {"survives": survives}


def readings(published: pd.DataFrame, runs: pd.DataFrame, labels: pd.Series) -> pd.DataFrame:
    """Return the means of each reading of Popularity and Pop-Filler, with the published ones.

    `published` is from `read_table6`. `runs` are those with speedups of all readings, one
    experiment per reading; `labels` describe the reading, by experiment. Columns: scheduler,
    reading, then every metric. The first row of each scheduler has the published values, except on
    a model in place of the pool.
    """
    runs = runs[runs["scheduler"] != BASELINE]
    stand_in = is_stand_in(runs)
    rows = []
    for scheduler, scheduler_runs in runs.groupby("scheduler", sort=False):
        if not stand_in:
            values = published.loc[scheduler].astype(float)
            rows.append({"scheduler": scheduler, "reading": "as published", **values})
        for experiment, reading in scheduler_runs.groupby("experiment", sort=False):
            computed = reading[list(METRICS)].mean()
            rows.append({"scheduler": scheduler, "reading": labels[experiment], **computed})
    printed = {name: metric.printed for name, metric in METRICS.items()}
    return pd.DataFrame(rows).rename(columns=printed)


def compare_correlations(
    published: Sequence[pd.DataFrame],
    ten: pd.DataFrame,
    thousand: pd.DataFrame,
    reasons: pd.DataFrame,
) -> pd.DataFrame:
    """Compare the correlations of section 6.4 with the computed ones.

    `published` are from `schedlab.report.comparison.read_published`: pairs of metrics by
    coefficients. Other arguments as in `compare_table6`.

    Columns: metrics, coefficient, published, computed, many, low and high (range of 95 % of the
    coefficients over as many workloads as the ten), joint, ratio, verdict, reason. joint is the
    joint p-value of all published coefficients of this kind among these, from
    `schedlab.core.intervals.joint_chance`. No coefficient is consistent if they are jointly
    rejected.
    """
    stand_in = is_stand_in(ten)
    rows = []
    for table in published:
        for method in table:
            computed, many = correlations(ten, method), correlations(thousand, method)
            groups = correlations_of_groups(thousand, ten["workload"].nunique(), method)
            pairs = [pair.split(" / ") for pair in table.index]
            rows_of = many.index.get_indexer([first for first, _ in pairs])
            columns_of = many.columns.get_indexer([second for _, second in pairs])
            of_groups = groups[:, rows_of, columns_of]
            together = joint_of_printed(table[method], of_groups)
            for column, (pair, printed) in zip(of_groups.T, table[method].items(), strict=True):
                at = tuple(pair.split(" / "))
                value, (low, high) = computed.at[at], interval(column)
                row = {"metrics": pair, "coefficient": method, "published": printed}
                row |= {"computed": value, "many": many.at[at], "low": low, "high": high}
                row["joint"] = np.nan if stand_in else together
                if stand_in:
                    rows.append(row | not_compared(_pool_of(ten)))
                    continue
                inside = in_interval(printed, low, high)
                consistent, place = inside and together >= REJECTED, ("", pair, method)
                row |= compare_number(printed, value, reasons, place, inside=consistent)
                row["reason"] = _add_joint_rejection(row["reason"], inside, together)
                rows.append(row)
    return pd.DataFrame(rows)


def joint_of_printed(printed: pd.Series, sampled: np.ndarray) -> float:
    """Return the joint p-value of published numbers among drawn ones, rounded to as many digits.

    `sampled` has shape (n, k), as in `schedlab.core.intervals.joint_chance`.
    """
    digits = [max(0, -Decimal(value).as_tuple().exponent) for value in printed]
    rounded = [column.round(places) for column, places in zip(sampled.T, digits, strict=True)]
    return joint_chance(printed.to_numpy(float), np.stack(rounded, axis=1))


def correlations_of_groups(runs: pd.DataFrame, count: int, method: str) -> np.ndarray:
    """Return the correlations over disjoint groups of `count` workloads.

    Workloads left over after the last group are dropped. `method` is as in
    `tables.chapter6.correlations`. The result has shape (groups, metrics, metrics).
    """
    every = runs["workload"].nunique()
    count = min(count, every)
    group = runs["workload"].rank(method="dense").astype(int).sub(1) // count
    whole = runs[group < every // count]
    return np.stack([correlations(own, method) for _, own in whole.groupby(group)])
