"""Chapter 6 of kellari2025 as numbers: means, boxes, fronts and correlations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from schedlab.files.io import read_parquet

BASELINE = "Conservative"
TEXTBOOK = "Conservative (textbook)"
# The thesis's order of rows in tables 6.1 and 6.2.
SCHEDULERS = [
    *("SJF", "SJF-Co", "SJF-Filler", "Filler", "Pop-Filler", "Popularity", "EASY", "EASY-Co"),
    *("Conservative", "FCFS", "LJF-Co", "LAF-Co", "LJF"),
]
COMPACT = ["FCFS", "EASY", "Conservative", "SJF", "LJF"]
CONFIDENCE = 0.95
# What the figures that compare schedulers show: a metric, two of them, or coefficients over all.
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
    """A metric of chapter 6: its name in print, its table, printed decimals, and what is good."""

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


def read_runs(paths: Iterable[str]) -> pd.DataFrame:
    """Read runs of several files below each other, with speedups; those without runs are passed."""
    frames = map(read_parquet, paths)
    return with_speedups(pd.concat([frame for frame in frames if len(frame)], ignore_index=True))


def run_on(runs: pd.DataFrame, many: int) -> str:
    """Say what was run, and on how many workloads what the tables are held against."""
    return (
        f"On {runs['pool'].iloc[0]}: {runs['workload'].nunique()} and {many} workloads of "
        f"{runs['jobs'].iloc[0]} jobs."
    )


def with_speedups(runs: pd.DataFrame) -> pd.DataFrame:
    """Add the makespan speedup over either conservative scheduler on the same workload.

    Parameters
    ----------
    runs : DataFrame
        From `schedlab.studies.kellari2025.runs.measured`.

    Returns
    -------
    DataFrame
        With the columns makespan_speedup and makespan_speedup_textbook; nan where the experiment
        does not run that baseline.
    """
    keys = ["experiment", "workload"]
    for column, baseline in (
        ("makespan_speedup", BASELINE),
        ("makespan_speedup_textbook", TEXTBOOK),
    ):
        base = runs[runs["scheduler"] == baseline].set_index(keys)["makespan"]
        own = base.reindex(pd.MultiIndex.from_frame(runs[keys])).to_numpy(float)
        runs = runs.assign(**{column: own / runs["makespan"].to_numpy(float)})
    return runs


def means(runs: pd.DataFrame, own: Sequence[str] = ()) -> pd.DataFrame:
    """Mean over the workloads of every metric; a row per scheduler, the thesis's in its order.

    A reader's `own` schedulers stand below all others.
    """
    found = runs.groupby("scheduler")[[*METRICS, "makespan_speedup_textbook", "slowdown_sd"]].mean()
    return found.reindex([*SCHEDULERS, *found.index.difference([*SCHEDULERS, *own]), *own])


def table6(runs: pd.DataFrame, table: str, own: Sequence[str] = ()) -> pd.DataFrame:
    """Table 6.1 or 6.2 with the thesis's rows and columns, the textbook baseline and `own` below.

    Table 6.1 also has the standard deviation of the slowdown over the jobs, which section 2.3.1.2
    speaks of, and Table 6.2 the makespan speedup over textbook conservative backfilling.
    """
    values = means(runs, own)
    columns = {name: metric.printed for name, metric in METRICS.items() if metric.table == table}
    extra = {
        "table6_1": {"slowdown_sd": "sd of slowdown"},
        "table6_2": {"makespan_speedup_textbook": "makespan speedup (textbook)"},
    }[table]
    columns |= extra
    return values[list(columns)].rename(columns=columns).reset_index()


def box_values(runs: pd.DataFrame, metric: str, own: Sequence[str] = ()) -> pd.DataFrame:
    """Values of a metric as the boxplots show them: scheduler, workload, value.

    They are of the thesis's schedulers, then of a reader's `own`.
    """
    names = [*SCHEDULERS, *own]
    shown = runs[runs["scheduler"].isin(names)]
    place = shown["scheduler"].map(names.index)
    order = np.lexsort((shown["workload"], place))
    return shown.iloc[order][["scheduler", "workload", metric]].rename(columns={metric: "value"})


def front(points: pd.DataFrame, x: str, y: str, own: Sequence[str] = ()) -> pd.DataFrame:
    """Points of a Pareto plot, with whether each is on the front.

    Parameters
    ----------
    points : DataFrame
        Runs with speedups.
    x, y : str
        Keys of `METRICS`.
    own : sequence of str
        A reader's schedulers that are shown beside the thesis's.

    Returns
    -------
    DataFrame
        scheduler, workload, x, y, optimal: no other point is as good in both and better in one.
    """
    points = points[points["scheduler"].isin([*SCHEDULERS, *own])]
    signs = [1 if METRICS[name].high else -1 for name in (x, y)]
    first, second = (
        points[name].to_numpy(float) * sign for name, sign in zip((x, y), signs, strict=True)
    )
    optimal = np.zeros(len(points), dtype=bool)
    # By falling x, and by falling y where x is equal: a point is optimal if its y beats that of
    # every larger x, or if it is a twin of the optimal point in front of it.
    order = np.lexsort((-second, -first))
    x_sorted, y_sorted = first[order], second[order]
    best = np.concatenate(([-np.inf], np.maximum.accumulate(y_sorted)[:-1]))
    twin = np.zeros(len(order), dtype=bool)
    twin[1:] = (x_sorted[1:] == x_sorted[:-1]) & (y_sorted[1:] == y_sorted[:-1])
    leader = np.maximum.accumulate(np.where(twin, 0, np.arange(len(order))))
    optimal[order] = (y_sorted > best)[leader]
    frame = points[["scheduler", "workload", x, y]].assign(optimal=optimal)
    return frame.reset_index(drop=True)


def correlations(runs: pd.DataFrame, method: str, own: Sequence[str] = ()) -> pd.DataFrame:
    """Correlation of the metrics over all schedulers and workloads, as figures 6.14 and 6.15.

    Parameters
    ----------
    runs : DataFrame
        Runs with speedups; metrics that it lacks are left out.
    method : {"pearson", "kendall", "spearman"}
        Coefficient.
    own : sequence of str
        A reader's schedulers that count beside the thesis's.

    Returns
    -------
    DataFrame
        Square, under the printed names of the metrics.
    """
    known = [name for name in METRICS if name in runs]
    counted = runs[runs["scheduler"].isin([*SCHEDULERS, *own])][known]
    printed = {name: metric.printed for name, metric in METRICS.items()}
    return counted.corr(method=method).rename(index=printed, columns=printed)
