"""Score distributions as data: published and simulated scores, and tuples to show.

References
----------
carastan2017, sections 3.2 and 4.1, and its public artefact.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.learning.tuples import TASKS_OF_QUEUE, TASKS_OF_STATE, TaskTuple, tuple_at

if TYPE_CHECKING:
    import os

    from schedlab.core.jobs import Jobs

COLUMNS = {"tuple": "int64", "task": "int64", "runtime": "int64", "procs": "int64"}
COLUMNS |= {"submit": "int64", "score": "float64", "count": "int64"}
PUBLISHED_FIELDS = ("runtime", "procs", "submit", "score")
# Pairs of columns that are compared, the simulated scores first.
PAIRS = (("uniform", "published"), ("uniform", "corrected"), ("artefact", "published"))


def read_published(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read the artefact's score distribution.

    The file has lines ``run time,processors,submit,score`` without a header, 32 per tuple. Lines
    that begin with a semicolon are skipped, so that the placeholder of a missing file has no
    tuples. Columns: tuple, task, runtime, procs, submit, score.
    """
    lines = [line for line in Path(path).read_text().splitlines() if line and line[0] != ";"]
    if len(lines) % TASKS_OF_QUEUE:
        raise ValueError(f"{path}: {len(lines)} lines are no tuples of {TASKS_OF_QUEUE}")
    try:
        rows = np.array([line.split(",") for line in lines], dtype=float)
        rows = rows.reshape(len(lines), len(PUBLISHED_FIELDS))
    except ValueError as error:
        raise ValueError(f"{path}: not four numbers a line: {error}") from None
    frame = pd.DataFrame(rows, columns=list(PUBLISHED_FIELDS))
    for field in PUBLISHED_FIELDS[:3]:
        if (fraction := frame.index[frame[field] % 1 != 0]).size:
            raise ValueError(f"{path}: line {fraction[0] + 1}: field '{field}' is not whole")
    place, task = np.divmod(np.arange(len(frame)), TASKS_OF_QUEUE)
    frame = frame.assign(tuple=place, task=task)
    types = {name: kind for name, kind in COLUMNS.items() if name != "count"}
    return frame[list(types)].astype(types)


def locate(published: pd.DataFrame, jobs: Jobs) -> list[TaskTuple]:
    """Find the tuples of a published distribution, which contains only Q, in their workload.

    Each tuple has 48 consecutive jobs: Q as published, and S, the 16 jobs before it.
    """
    tuples = []
    for number, tasks in published.groupby("tuple"):
        runtime, procs, submit = (tasks[field].to_numpy() for field in PUBLISHED_FIELDS[:3])
        # Start positions of Q, with S before it and all of Q before the end.
        candidates = slice(TASKS_OF_STATE, len(jobs) - TASKS_OF_QUEUE + 1)
        starts = np.flatnonzero(
            (jobs.runtime[candidates] == runtime[0]) & (jobs.procs[candidates] == procs[0])
        )
        for first in starts:
            candidate = tuple_at(jobs, int(first))
            pairs = zip(candidate.columns, (runtime, procs, submit), strict=True)
            if all(np.array_equal(order[TASKS_OF_STATE:], values) for order, values in pairs):
                tuples.append(candidate)
                break
        else:
            raise ValueError(f"published tuple {number} is not in the workload")
    return tuples


def join_published(
    published: pd.DataFrame, uniform: pd.DataFrame, artefact: pd.DataFrame
) -> pd.DataFrame:
    """Join the published scores and those of a simulation of the same tuples.

    Columns: tuple, task, runtime, procs, submit, published, p_first (probability that the
    artefact's shuffle puts a task of this place first, from all its trials), corrected (published
    divided by 32 p_first), uniform, artefact.
    """
    by_place = artefact.groupby("task")["count"].sum()
    p_first = (by_place / by_place.sum()).reindex(published["task"]).to_numpy(dtype=float)
    return published.rename(columns={"score": "published"}).assign(
        p_first=p_first,
        corrected=published["score"].to_numpy() / (TASKS_OF_QUEUE * p_first),
        uniform=uniform["score"].to_numpy(),
        artefact=artefact["score"].to_numpy(),
    )


def correlations(scores: pd.DataFrame) -> pd.DataFrame:
    """Correlate simulated with published scores, tuple by tuple.

    A row per pair of `PAIRS`: simulated, published, tuples, median, low and high (first and third
    quartile over the tuples), pooled (over all tasks of all tuples).
    """
    rows = []
    for simulated, published in PAIRS:
        by_tuple = [tasks[simulated].corr(tasks[published]) for _, tasks in scores.groupby("tuple")]
        low, median, high = (
            np.nanquantile(by_tuple, (0.25, 0.5, 0.75)) if by_tuple else [np.nan] * 3
        )
        pooled = scores[simulated].corr(scores[published]) if by_tuple else np.nan
        rows.append((simulated, published, len(by_tuple), median, low, high, pooled))
    columns = ["simulated", "published", "tuples", "median", "low", "high", "pooled"]
    return pd.DataFrame(rows, columns=columns)


def examples(uniform: pd.DataFrame, artefact: pd.DataFrame, count: int = 4) -> pd.DataFrame:
    """Select tuples of a distribution from flat to steep scores, for figure 1.

    The `count` tuples are at even quantiles of the spread of their uniform scores. Returns their
    rows, with the column sampler first.
    """
    spread = uniform.groupby("tuple")["score"].std().sort_values(kind="stable")
    at = ((np.arange(count) + 0.5) / count * len(spread)).astype(int)
    chosen = spread.index[at] if len(spread) else []
    combined = pd.concat([uniform.assign(sampler="uniform"), artefact.assign(sampler="artefact")])
    # in order from flat to steep, not by number
    parts = [combined[combined["tuple"] == number] for number in chosen] or [combined.iloc[:0]]
    return pd.concat(parts, ignore_index=True)[["sampler", *COLUMNS]]
