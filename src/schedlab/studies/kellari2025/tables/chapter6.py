"""Make the data of chapter 6 of kellari2025: means, boxes, fronts and correlations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from schedlab.files.io import read_parquet

BASELINE = "Conservative"
TEXTBOOK = "Conservative (textbook)"
# The order of rows in tables 6.1 and 6.2 of the thesis.
SCHEDULERS = [
    *("SJF", "SJF-Co", "SJF-Filler", "Filler", "Pop-Filler", "Popularity", "EASY", "EASY-Co"),
    *("Conservative", "FCFS", "LJF-Co", "LAF-Co", "LJF"),
]
COMPACT = ["FCFS", "EASY", "Conservative", "SJF", "LJF"]
CONFIDENCE = 0.95
# Content of the figures that compare schedulers: one metric, two metrics, or coefficients.
BOXES = {
    "fig6_1": "makespan_speedup",
    "fig6_2": "slowdown",
    "fig6_3": "job_speedup",
    "fig6_5": "weighted_speedup",
    "fig6_6": "slowdown_pp",
    "fig6_7": "slowed",
    "fig6_8": "utilisation",
}
FRONTS = {
    "fig6_11": ("slowdown", "makespan_speedup"),
    "fig6_12": ("slowed", "makespan_speedup"),
    "fig6_13": ("slowdown", "slowed"),
}
COEFFICIENTS = {"fig6_14": ["pearson", "kendall"], "fig6_15": ["spearman"]}
COMPARISONS = [*BOXES, *FRONTS, *COEFFICIENTS]


@dataclass(frozen=True)
class PrintedMetric:
    """A metric of chapter 6: name, published name, table, published decimals, and direction."""

    name: str
    printed: str
    table: str
    decimals: int
    high: bool


METRICS = {
    metric.name: metric
    for metric in (
        PrintedMetric("slowdown", "mean slowdown", "table6_1", 1, False),
        PrintedMetric("slowdown_pp", "mean slowdown pp", "table6_1", 3, False),
        PrintedMetric("slowed", "slowdown (%)", "table6_1", 2, False),
        PrintedMetric("utilisation", "utilization", "table6_1", 3, True),
        PrintedMetric("job_speedup", "mean job speedup", "table6_2", 3, True),
        PrintedMetric("weighted_speedup", "weighted mean job speedup", "table6_2", 3, True),
        PrintedMetric("makespan_speedup", "makespan speedup", "table6_2", 3, True),
    )
}


def half_width(values: pd.Series) -> float:
    """Return the half-width of a mean's 95 % interval; infinite for fewer than two values."""
    # the import takes 0.7 s, which the workflow would need whenever it lists its rules
    from scipy.stats import t as student

    count = len(values)
    if count < 2:
        return np.inf
    quantile = student.ppf(0.5 + CONFIDENCE / 2, count - 1)
    return float(quantile * values.std() / np.sqrt(count))


def read_runs(paths: Iterable[str]) -> pd.DataFrame:
    """Read runs of several files into one table, with speedups; files without runs are skipped."""
    frames = map(read_parquet, paths)
    return with_speedups(pd.concat([frame for frame in frames if len(frame)], ignore_index=True))


def run_on(runs: pd.DataFrame, many: int) -> str:
    """Return a description of the runs, with the number of workloads of the comparisons."""
    return (
        f"On {runs['pool'].iloc[0]}: {runs['workload'].nunique()} and {many} workloads of "
        f"{runs['jobs'].iloc[0]} jobs."
    )


def with_speedups(runs: pd.DataFrame) -> pd.DataFrame:
    """Add makespan speedups over both conservative schedulers; nan where these did not run."""
    keys = ["experiment", "workload"]
    baselines = {"makespan_speedup": BASELINE, "makespan_speedup_textbook": TEXTBOOK}
    for column, baseline in baselines.items():
        base = runs[runs["scheduler"] == baseline].set_index(keys)["makespan"]
        base_makespan = base.reindex(pd.MultiIndex.from_frame(runs[keys])).to_numpy(float)
        runs = runs.assign(**{column: base_makespan / runs["makespan"].to_numpy(float)})
    return runs


def means(runs: pd.DataFrame, custom: Sequence[str] = ()) -> pd.DataFrame:
    """Return the mean of every metric; the thesis's schedulers in its order, then `custom`."""
    columns = [*METRICS, "makespan_speedup_textbook", "slowdown_sd"]
    averages = runs.groupby("scheduler")[columns].mean()
    others = averages.index.difference([*SCHEDULERS, *custom])
    return averages.reindex([*SCHEDULERS, *others, *custom])


def table6(runs: pd.DataFrame, table: str, custom: Sequence[str] = ()) -> pd.DataFrame:
    """Return Table 6.1 or 6.2 with the thesis's rows and columns, then further schedulers."""
    values = means(runs, custom)
    columns = {name: metric.printed for name, metric in METRICS.items() if metric.table == table}
    extra = {
        "table6_1": {"slowdown_sd": "sd of slowdown"},
        "table6_2": {"makespan_speedup_textbook": "makespan speedup (textbook)"},
    }[table]
    columns |= extra
    return values[list(columns)].rename(columns=columns).reset_index()


def box_values(runs: pd.DataFrame, metric: str, custom: Sequence[str] = ()) -> pd.DataFrame:
    """Return the values of a metric in boxplots: scheduler, workload, value.

    The thesis's schedulers come first, then the user-defined ones (`custom`).
    """
    names = [*SCHEDULERS, *custom]
    selected = runs[runs["scheduler"].isin(names)]
    place = selected["scheduler"].map(names.index)
    order = np.lexsort((selected["workload"], place))
    return selected.iloc[order][["scheduler", "workload", metric]].rename(columns={metric: "value"})


def on_front(x: str, y: str, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return whether each run is on the front of the metrics `x` and `y`, given their values."""
    first, second = (
        values if METRICS[name].high else -values for name, values in ((x, first), (y, second))
    )
    optimal = np.zeros(len(first), dtype=bool)
    # By decreasing x, and by decreasing y for equal x: a point is optimal if its y exceeds that of
    # every point before it, or if it equals the optimal point in front of it.
    order = np.lexsort((-second, -first))
    x_sorted, y_sorted = first[order], second[order]
    best = np.concatenate(([-np.inf], np.maximum.accumulate(y_sorted)[:-1]))
    twin = np.zeros(len(order), dtype=bool)
    twin[1:] = (x_sorted[1:] == x_sorted[:-1]) & (y_sorted[1:] == y_sorted[:-1])
    leader = np.maximum.accumulate(np.where(twin, 0, np.arange(len(order))))
    optimal[order] = (y_sorted > best)[leader]
    return optimal


def front(points: pd.DataFrame, x: str, y: str, custom: Sequence[str] = ()) -> pd.DataFrame:
    """Return the points of a Pareto plot, with whether each is on the front."""
    points = points[points["scheduler"].isin([*SCHEDULERS, *custom])]
    optimal = on_front(x, y, *(points[name].to_numpy(float) for name in (x, y)))
    frame = points[["scheduler", "workload", x, y]].assign(optimal=optimal)
    return frame.reset_index(drop=True)


def correlations(runs: pd.DataFrame, method: str, custom: Sequence[str] = ()) -> pd.DataFrame:
    """Return the correlations of the metrics over all schedulers and workloads."""
    available = [name for name in METRICS if name in runs]
    counted = runs[runs["scheduler"].isin([*SCHEDULERS, *custom])][available]
    printed = {name: metric.printed for name, metric in METRICS.items()}
    return counted.corr(method=method).rename(index=printed, columns=printed)
