"""Compare tables 6.1 and 6.2 of kellari2025 with the published ones: verdicts, tests, orderings."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Annotated

import numpy as np
import pandas as pd
from scipy.stats import chi2
from scipy.stats import t as student

from schedlab.core.intervals import interval, joint_chance
from schedlab.cosched.pool import STAND_IN
from schedlab.report.comparison import (
    compare_number,
    not_compared,
    published_of,
    read_published,
    reasons_of,
)
from schedlab.report.items import From, Given, Item, item, resource
from schedlab.report.parts import Table
from schedlab.report.verdicts import (
    MATCH,
    NOT_AVAILABLE,
    REJECTED,
    UNEXPLAINED,
    in_interval,
    kendall,
    same_order,
)
from schedlab.studies.kellari2025.inputs import SMALL, Own, Table6Runs, labels_of, runs_of, with_own
from schedlab.studies.kellari2025.tables.chapter6 import (
    BASELINE,
    COMPACT,
    CONFIDENCE,
    METRICS,
    correlations,
    half_width,
    means,
    read_runs,
    run_on,
    table6,
)

TABLES = ("table6_1", "table6_2")
# Reason of a match that would hold without any simulation.
BY_DEFINITION = "the same on every workload, by definition"
# Schedulers whose published means no reading of the rules reproduces.
UNMATCHED = ("Popularity", "Pop-Filler")
# Metrics that a scheduler's row determines alone: the makespan speedup needs that of Conservative.
ROW_METRICS = [name for name in METRICS if name != "makespan_speedup"]
# Range and joint p-value of coefficients with the unmatched schedulers at their published means.
AT_PUBLISHED = ("low_at", "high_at", "joint_at")
SAME = 1e-9  # standard deviation by rounding alone, for a metric that cannot vary
FAILS, PASSES = "fails", "passes"


def read_table6(published: str) -> pd.DataFrame:
    """Read the published means of both tables as text, with schedlab's names of the metrics."""
    tables = [read_published(published, table) for table in TABLES]
    names = {metric.printed: name for name, metric in METRICS.items()}
    return pd.concat(tables, axis=1).rename(columns=names)[list(METRICS)]


def published_means(published: pd.DataFrame, runs: pd.DataFrame, metric: str) -> pd.Series:
    """Return the published means of a metric by scheduler; none if a model replaces the pool."""
    means_of_metric = published[metric].astype(float)
    return means_of_metric.iloc[:0] if is_stand_in(runs) else means_of_metric


def compare_means(
    published: pd.DataFrame, ten: pd.DataFrame, thousand: pd.DataFrame, reasons: pd.DataFrame
) -> pd.DataFrame:
    """Compare every number of tables 6.1 and 6.2 with the computed one, under the published name.

    The thesis drew its ten workloads with the clock as seed and did not publish them. A computed
    mean over ten can equal a published one only by chance. The test is whether the published mean
    could come from ten such workloads. Its interval contains 95 % of means over ten; the scatter
    comes from the larger number of workloads.

    If the means of a row that are inside their intervals are jointly rejected, none of them is
    consistent; see `joint`. Of a scheduler that no reading matches, the whole row is tested. On a
    model in place of the pool nothing is compared.
    """
    computed, many = means(ten), means(thousand)
    spread = thousand.groupby("scheduler")[list(METRICS)].std()
    stand_in = is_stand_in(ten)
    tests = pd.DataFrame() if stand_in else joint(published, ten, thousand).set_index("scheduler")
    rows = []
    for name, metric in METRICS.items():
        column = computed.loc[published.index, name]
        holds = same_order(published[name], column)
        tau = np.nan if stand_in else kendall(published[name], column)
        for scheduler, printed in published[name].items():
            middle, deviation = many.at[scheduler, name], spread.at[scheduler, name]
            width = _reach(ten, thousand) * deviation
            value = computed.at[scheduler, name]
            row = {"scheduler": scheduler, "metric": metric.printed, "published": printed}
            row |= {"computed": value, "many": middle, "low": middle - width}
            row |= {"high": middle + width, "joint": np.nan, "ratio": np.nan, "kendall": tau}
            if stand_in:
                rows.append(row | not_compared(_pool_of(ten)))
                continue
            if name in ROW_METRICS and deviation > SAME:
                row["joint"] = tests.at[scheduler, "p" if scheduler in UNMATCHED else "p_inside"]
            inside = in_interval(printed, row["low"], row["high"])
            consistent = inside and not row["joint"] < REJECTED
            place = ("", scheduler, metric.printed)
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


def _test_row(
    published: pd.DataFrame,
    ten: pd.DataFrame,
    thousand: pd.DataFrame,
    scheduler: str,
    inside: bool = False,
) -> tuple[int, float, float]:
    """Return number of means, statistic and p-value of the joint test of a scheduler's means.

    Means that cannot vary are left out; with `inside`, also those outside their own intervals. One
    mean alone has no joint test.
    """
    many = thousand[thousand["scheduler"] == scheduler][ROW_METRICS]
    many = many.loc[:, many.std() > SAME]
    if inside:
        width = _reach(ten, thousand) * many.std()
        ends = zip(many.mean() - width, many.mean() + width, strict=True)
        places = zip(published.loc[scheduler, many.columns], ends, strict=True)
        many = many.loc[:, [in_interval(printed, *pair) for printed, pair in places]]
    if many.shape[1] < 2:
        return many.shape[1], np.nan, np.nan
    units = np.array([10.0 ** -METRICS[name].decimals for name in many])
    gaps = (published.loc[scheduler, many.columns].astype(float) - many.mean()).to_numpy()
    # The error of a rounded number is nearly uniform over one unit of its last digit.
    count = ten["workload"].nunique()
    scatter = many.cov().to_numpy() * (1 / count + 1 / len(many)) + np.diag(units**2 / 12)
    statistic = float(gaps @ np.linalg.solve(scatter, gaps))
    return len(gaps), statistic, float(chi2.sf(statistic, len(gaps)))


def _reach(ten: pd.DataFrame, thousand: pd.DataFrame) -> float:
    """Return the half-width of the interval of a mean over the ten, in standard deviations."""
    quantile = student.ppf(0.5 + CONFIDENCE / 2, thousand["workload"].nunique() - 1)
    return float(quantile / np.sqrt(ten["workload"].nunique()))


def _pool_of(runs: pd.DataFrame) -> str:
    """Return why runs on a model in place of the pool are not compared."""
    return f"ran on {runs['pool'].iloc[0]}"


def joint(published: pd.DataFrame, ten: pd.DataFrame, thousand: pd.DataFrame) -> pd.DataFrame:
    """Test row by row whether a scheduler's means could come from workloads like schedlab's.

    No test goes across rows: they do not come from the same workloads, see `identity`. So the
    makespan speedup, whose baseline is another row, is in none. On a model in place of the pool
    there are no numbers.
    """
    if is_stand_in(ten):
        columns = dict.fromkeys(("means", "statistic", "p", "inside", "p_inside"), np.nan)
        return pd.DataFrame({"scheduler": published.index, **columns, "together": NOT_AVAILABLE})
    rows = []
    for scheduler in published.index:
        means_tested, statistic, chance = _test_row(published, ten, thousand, scheduler)
        inside, _, chance_inside = _test_row(published, ten, thousand, scheduler, inside=True)
        row = {"scheduler": scheduler, "means": means_tested, "statistic": statistic, "p": chance}
        row |= {"together": FAILS if chance < REJECTED else PASSES}
        rows.append(row | {"inside": inside, "p_inside": chance_inside})
    return pd.DataFrame(rows)


def identity(published: pd.DataFrame, thousand: pd.DataFrame, count: int) -> pd.DataFrame:
    """Return a number that is the same for all schedulers on one set of workloads, from each row.

    By their definitions, utilization times weighted mean job speedup over makespan speedup is the
    work of the jobs over all cores times the makespan of Conservative. `count`: workloads of a set.
    """
    names = ("utilisation", "weighted_speedup", "makespan_speedup")
    half = [0.5 * 10.0 ** -METRICS[name].decimals for name in names]
    rows = []
    for scheduler, printed in published[list(names)].astype(float).iterrows():
        exact = (False, scheduler in COMPACT, scheduler == BASELINE)
        width = np.where(exact, 0, half)
        low, high = printed.to_numpy() - width, printed.to_numpy() + width
        limits = (low[0] * low[1] / high[2], high[0] * high[1] / low[2])
        rows.append({"scheduler": scheduler, "low": limits[0], "high": limits[1]})
    averages = [runs.groupby("scheduler")[list(names)].mean() for runs in _groups(thousand, count)]
    averages = pd.concat(averages, keys=range(len(averages)))
    constant = (averages[names[0]] * averages[names[1]] / averages[names[2]]).unstack()
    constant = constant[list(published.index)]
    spread = float((constant.max(axis=1) - constant.min(axis=1)).max())
    computed = constant.iloc[0].to_numpy()
    return pd.DataFrame(rows).assign(computed=computed, spread=spread)


def contradiction(table: pd.DataFrame) -> str:
    """Return whether one number fits all published rows of `identity`, as sentences."""
    spread = table["spread"].iloc[0]
    start = (
        "On one set of workloads, utilization times weighted mean job speedup over makespan "
        "speedup is one number for all schedulers (computed rows differ by at most "
        f"{spread:.5f})."
    )
    high, low = table.loc[table["high"].idxmin()], table.loc[table["low"].idxmax()]
    if low["low"] <= high["high"] + spread:
        return f"{start} The published rows do not contradict this."
    return (
        f"{start} No number fits all published rows, however they were rounded: it is at most "
        f"{high['high']:.5f} for {high['scheduler']} and at least {low['low']:.5f} for "
        f"{low['scheduler']}. So the rows do not come from one set of workloads, or not with these "
        "definitions."
    )


def is_stand_in(runs: pd.DataFrame) -> bool:
    """Whether the runs used Table 4.1 of the thesis as a model in place of its pool."""
    return bool(runs["pool"].str.startswith(STAND_IN).any())


def orderings(published: pd.DataFrame, ten: pd.DataFrame, thousand: pd.DataFrame) -> pd.DataFrame:
    """Test which of the thesis's orderings of two schedulers hold with more workloads.

    Both schedulers run on the same workloads, so differences are paired. Pairs with equal published
    values are not orderings. On a model in place of the pool none is tested.
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
    middle, width = float(gaps.mean()), half_width(gaps)
    low, high = middle - width, middle + width
    survives = "yes" if low > 0 else "no" if high < 0 else "undecided"
    numbers = {"many": middle, "low": low, "high": high, "larger": 100 * float((gaps > 0).mean())}
    return numbers | {"survives": survives}


def readings(published: pd.DataFrame, runs: pd.DataFrame, labels: pd.Series) -> pd.DataFrame:
    """Return the means of each reading of Popularity and Pop-Filler, the published ones first.

    One experiment per reading; `labels` describe them. A model in place of the pool has no first
    row.
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
    means: pd.DataFrame,
    ten: pd.DataFrame,
    thousand: pd.DataFrame,
    reasons: pd.DataFrame,
) -> pd.DataFrame:
    """Compare the correlations of section 6.4 with the computed ones.

    No coefficient is consistent if those of its kind are jointly rejected. A difference has a known
    reason only if it depends on the unmatched schedulers: with these at their published means, the
    coefficient is in its interval, and all of its kind are not jointly rejected.
    """
    stand_in = is_stand_in(ten)
    shifted = thousand if stand_in else at_published_means(thousand, means)
    count, rows = ten["workload"].nunique(), []
    for table in published:
        for method in table:
            computed, many = correlations(ten, method), correlations(thousand, method)
            pairs = [pair.split(" / ") for pair in table.index]
            rows_of = many.index.get_indexer([first for first, _ in pairs])
            columns_of = many.columns.get_indexer([second for _, second in pairs])
            as_run, as_shifted = (
                correlations_of_groups(runs, count, method)[:, rows_of, columns_of]
                for runs in (thousand, shifted)
            )
            together = joint_of_printed(table[method], as_run)
            together_at = joint_of_printed(table[method], as_shifted)
            groups = zip(as_run.T, as_shifted.T, table[method].items(), strict=True)
            for column, column_at, (pair, printed) in groups:
                at = tuple(pair.split(" / "))
                value, (low, high), ends_at = computed.at[at], interval(column), interval(column_at)
                row = {"metrics": pair, "coefficient": method, "published": printed}
                row |= {"computed": value, "many": many.at[at], "low": low, "high": high}
                row["joint"] = np.nan if stand_in else together
                row |= dict.fromkeys(AT_PUBLISHED, np.nan)
                if stand_in:
                    rows.append(row | not_compared(_pool_of(ten)))
                    continue
                row |= dict(zip(AT_PUBLISHED, (*ends_at, together_at), strict=True))
                inside = in_interval(printed, low, high)
                consistent, place = inside and together >= REJECTED, ("", pair, method)
                depends = in_interval(printed, *ends_at) and together_at >= REJECTED
                known = reasons if depends else reasons.iloc[:0]
                row |= compare_number(printed, value, known, place, inside=consistent)
                row["reason"] = _add_joint_rejection(row["reason"], inside, together)
                rows.append(row)
    return pd.DataFrame(rows)


def at_published_means(runs: pd.DataFrame, means: pd.DataFrame) -> pd.DataFrame:
    """Return runs whose unmatched schedulers are shifted to their published means, by metric."""
    shifted = runs.copy()
    for scheduler in UNMATCHED:
        chosen, names = shifted["scheduler"] == scheduler, list(METRICS)
        shift = means.loc[scheduler, names].astype(float) - shifted.loc[chosen, names].mean()
        shifted.loc[chosen, names] += shift
    return shifted


def joint_of_printed(printed: pd.Series, sampled: np.ndarray) -> float:
    """Return the joint p-value of published numbers among drawn ones, rounded to as many digits.

    `sampled` has shape (n, k), as in `schedlab.core.intervals.joint_chance`.
    """
    digits = [max(0, -Decimal(value).as_tuple().exponent) for value in printed]
    rounded = [column.round(places) for column, places in zip(sampled.T, digits, strict=True)]
    return joint_chance(printed.to_numpy(float), np.stack(rounded, axis=1))


def correlations_of_groups(runs: pd.DataFrame, count: int, method: str) -> np.ndarray:
    """Return the correlations over disjoint groups of `count` workloads, without the rest."""
    return np.stack([correlations(group, method) for group in _groups(runs, count)])


def _groups(runs: pd.DataFrame, count: int) -> list[pd.DataFrame]:
    every = runs["workload"].nunique()
    count = min(count, every)
    group = runs["workload"].rank(method="dense").astype(int).sub(1) // count
    whole = runs[group < every // count]
    return [own for _, own in whole.groupby(group)]


@item(
    lambda study: with_own(study, ["table6_1", "table6_2"]),
    section="Chapter 6", rule="make_table6", apart=True, **SMALL,
)  # fmt: skip
def make_table6(
    item: str,
    runs: Table6Runs,
    own: Own,
    many: Annotated[
        int, Given(lambda study, _: max(row.workloads for row in study.of_item("orderings")))
    ],
) -> Table:
    """Return the table with `own` schedulers; `many` is the number of workloads compared with."""
    means = table6(runs, item.removesuffix("_own"), own)
    return Table(means, 3, {"on": run_on(runs, many)})


@item(
    "table6_comparison", "joint", Item("identity", "table text"), "table6_readings", "orderings",
    "correlations_comparison", section="Chapter 6",
)  # fmt: skip
def compare_table6(
    ten: Table6Runs,
    many: Annotated[pd.DataFrame, From(lambda study, _: runs_of(study, "orderings"), read_runs)],
    read_again: Annotated[
        pd.DataFrame, From(lambda study, _: runs_of(study, "readings"), read_runs)
    ],
    labels: Annotated[Mapping[str, str], Given(lambda study, _: labels_of(study, "readings"))],
    means: Annotated[pd.DataFrame, From(resource("published.tsv"), read_table6)],
    pearson: Annotated[pd.DataFrame, published_of("fig6_14")],
    spearman: Annotated[pd.DataFrame, published_of("fig6_15")],
    reasons: Annotated[pd.DataFrame, reasons_of("table6")],
    reasons_of_figure: Annotated[pd.DataFrame, reasons_of("fig6_14")],
) -> dict[str, Table | tuple[Table, str]]:
    """Compare chapter 6 with the published tables, and test it on more workloads."""
    tables = {
        "table6_comparison": compare_means(means, ten, many, reasons),
        "table6_readings": readings(means, read_again, pd.Series(labels)),
        "joint": joint(means, ten, many),
        "orderings": orderings(means, ten, many),
        "correlations_comparison": compare_correlations(
            [pearson, spearman], means, ten, many, reasons_of_figure
        ),
        "identity": identity(means, many, ten["workload"].nunique()),
    }
    on = run_on(ten, many["workload"].nunique())
    made = {
        name: Table(table, 5 if name == "identity" else 3, {"on": on})
        for name, table in tables.items()
    }
    return made | {"identity": (made["identity"], contradiction(tables["identity"]))}
