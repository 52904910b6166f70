"""Read the simulated runs for tables and figures, and compute confidence intervals of means."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from schedlab.core.intervals import block_length, mean_interval, median_interval
from schedlab.core.streams import generator
from schedlab.files.io import read_parquet
from schedlab.report.comparison import compare_table
from schedlab.report.words import joined, listed_workloads
from schedlab.studies.souza2020.runs import KEYS
from schedlab.studies.souza2020.sheet import APART, PAPER, RUNS, SERIES
from schedlab.waits.backtest_predictors import ASA


def join_values(values: pd.Series, form: str) -> str:
    """Join values in a format, each with its name in brackets."""
    return joined(f"{form.format(value)} ({name})" for name, value in values.items())


#: the column of Table 1 that follows from the text alone
COMPARED = "Big Job CH"


def over_instants(values: np.ndarray, stream: np.random.Generator) -> tuple[float, float]:
    """Return the 95 % interval of a mean over instants whose days may overlap.

    `values` has one value an instant, in order of time. They are resampled in blocks of
    `schedlab.core.intervals.block_length`. A single value gives no finite interval.
    """
    return mean_interval(values, stream, block_length(len(values)))


def read_stages(paths: Sequence[str]) -> pd.DataFrame:
    """Read the stages of some experiments."""
    return pd.concat([read_parquet(path) for path in paths], ignore_index=True)


def read_runs(paths: Sequence[str]) -> pd.DataFrame:
    """Read the stages of some experiments, and aggregate them by workflow."""
    return by_workflow(read_stages(paths))


def systems_of(rows: Sequence[Mapping]) -> dict[int, str]:
    """Return the name of the system of each scale, from rows with system and cores."""
    return {int(scale): row["system"] for row in rows for scale in row["cores"]}


def background_of(rows: Sequence[Mapping]) -> str:
    """Name the source of the background load in a sentence, from workload."""
    return f"Background: {listed_workloads(dict.fromkeys(row['workload'] for row in rows))}."


def by_workflow(stages: pd.DataFrame) -> pd.DataFrame:
    """Aggregate stages from `runs.run_all` by workflow, as in section 4.1 of souza2020.

    Columns: replicate, scale, strategy, estimator, workflow; twt (sum of the perceived waits),
    makespan, in seconds; core_hours (of the stages, and idle ones), idle_hours, resubmitted.
    """
    keys = [*KEYS, "workflow"]
    runs = stages.groupby(keys, sort=False).agg(
        at=("at", "first"), end=("end", "max"), twt=("perceived", "sum"),
        core_seconds=("core_seconds", "sum"), idle=("idle_core_seconds", "sum"),
        resubmitted=("resubmitted", "sum"),
    )  # fmt: skip
    runs["makespan"] = runs["end"] - runs["at"]
    runs["core_hours"] = (runs["core_seconds"] + runs["idle"]) / 3600
    runs["idle_hours"] = runs["idle"] / 3600
    columns = ["twt", "makespan", "core_hours", "idle_hours", "resubmitted"]
    return runs[columns].reset_index()


def compare_means(
    printed: pd.DataFrame, table: pd.DataFrame, columns: Sequence[str], reasons: pd.DataFrame
) -> pd.DataFrame:
    """Compare published means with computed ones that have the ends of their intervals.

    The queues of the paper differ, so only the core-hours of Big Job have verdicts: they follow
    from equation 1, whatever the queue.
    """
    computed = table.set_index("run").reindex(printed.index)
    return compare_table(
        printed[list(columns)],
        computed,
        reasons,
        ("run", "column"),
        missing=dict.fromkeys(set(columns) - {COMPARED}, ""),
        more=lambda run, column: {
            end: float(computed.at[run, f"{column} {end}"]) for end in ("low", "high")
        },
        ratios=True,
    )


def realized_wait(item: str, stages: pd.DataFrame) -> tuple[float, float, float]:
    """Return median and interval (s) of the waits of Big Jobs, or of Table 2's WT."""
    if stages.empty:
        return np.nan, np.nan, np.nan
    if item == RUNS:
        runs = by_workflow(stages)
        selected, column = runs[runs["strategy"] == "Big Job"], "twt"
    else:
        wide = stages["cores"] == stages["scale"]
        is_shown = wide & (stages["spacing"] == APART) & (stages["estimator"] == ASA)
        selected = (
            stages[is_shown]
            .groupby([*SERIES, "replicate", "number"], as_index=False)["wait"]
            .mean()
        )
        column = "wait"
    waits = selected.groupby("replicate")[column].apply(list)
    values = np.array(waits.tolist(), dtype=float)
    block = block_length(len(values)) if item == RUNS else 1
    ends = median_interval(values, generator(PAPER, "realised", item), block)
    return float(np.median(values)), *ends
