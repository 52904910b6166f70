"""Memory and run time of the workflow's rules: what was measured, and what is asked for.

``python -m schedlab.flow.measured workflow/measured.tsv papers results/benchmarks``

takes in the files that Snakemake's ``benchmark:`` left in a folder, as those of a scale. The
workflow reads the table and asks for more than was measured, by the headroom that stands here.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.files.io import whole

if TYPE_CHECKING:
    from collections.abc import Iterable

COLUMNS = ("rule", "scale", "jobs", "seconds", "memory")
# The scale of which a rule's numbers are; a rule measured at the papers' forgets the others.
PAPERS = "papers"
# Other machines are slower and their file systems too; a job that is cut off costs all of it.
TIMES, MEMORIES = 3, 1.5
# Snakemake reads the rules twice in a job of Slurm's before the script starts, in MB and seconds.
START_MEMORY, START_SECONDS = 500, 60
STEP_MB = 100


class MeasuredError(ValueError):
    """A benchmark or the table of what was measured cannot be used."""


@dataclass(frozen=True)
class Resources:
    """What a job of a rule asks for at its first attempt.

    Parameters
    ----------
    memory : int
        In MB.
    minutes : int
        Run time.
    """

    memory: int
    minutes: int


def read_benchmarks(folder: Path, scale: str) -> pd.DataFrame:
    """Read a folder of Snakemake's benchmarks, a file or a folder of files per rule.

    Parameters
    ----------
    folder : Path
        ``<results>/benchmarks`` of a run.
    scale : str
        The scale of the run.

    Returns
    -------
    DataFrame
        COLUMNS, a row per rule: its jobs, the longest (s) and the largest resident set (MB).

    Raises
    ------
    MeasuredError
        There is no benchmark in the folder, or one lacks a number.
    """
    rows = [_measured(path, folder) for path in sorted(folder.rglob("*.tsv"))]
    if not rows:
        raise MeasuredError(f"{folder}: there is no benchmark (.tsv) in it")
    jobs = pd.DataFrame(rows, columns=["rule", "seconds", "memory"])
    table = jobs.groupby("rule", as_index=False).agg(
        jobs=("seconds", "size"), seconds=("seconds", "max"), memory=("memory", "max")
    )
    return table.assign(scale=scale)[list(COLUMNS)]


def _measured(path: Path, folder: Path) -> tuple[str, float, float]:
    """Return rule, seconds and MB of a benchmark; of several runs the most."""
    rule = path.relative_to(folder).parts[0].removesuffix(".tsv")
    try:
        runs = pd.read_csv(path, sep="\t", usecols=["s", "max_rss"]).astype(float)
    except ValueError as error:
        raise MeasuredError(f"{path}: {error}") from error
    # a job that ended before its first sample has no memory; its rule has others
    return rule, float(runs["s"].max()), float(runs["max_rss"].fillna(0).max())


def merged(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Make one table of several: the most of every rule, at the papers' scale where it was run.

    Parameters
    ----------
    tables : iterable of DataFrame
        COLUMNS each.

    Returns
    -------
    DataFrame
        COLUMNS, a row per rule, by name.
    """
    rows = pd.concat(tables, ignore_index=True)
    papers = rows["scale"] == PAPERS
    rows = rows[papers | ~rows["rule"].isin(rows["rule"][papers])]
    most = {"scale": "first", "jobs": "max", "seconds": "max", "memory": "max"}
    return rows.groupby("rule", as_index=False).agg(most)[list(COLUMNS)]


def read_table(path: Path) -> dict[str, Resources]:
    """Read what every rule asks for from the table of what was measured.

    Parameters
    ----------
    path : Path
        Tab-separated, COLUMNS.

    Returns
    -------
    dict of str to Resources
        By name of the rule.

    Raises
    ------
    MeasuredError
        A column is missing, a rule stands there twice, or a number is none or not positive.
    """
    table = _table(path)
    return {row.rule: request(row.seconds, row.memory) for row in table.itertuples()}


def _table(path: Path) -> pd.DataFrame:
    """Read and check the table."""
    table = pd.read_csv(path, sep="\t")
    if list(table.columns) != list(COLUMNS):
        raise MeasuredError(f"{path}: its columns are not {', '.join(COLUMNS)}")
    for field in ("seconds", "memory"):
        numbers = pd.to_numeric(table[field], errors="coerce")
        if len(wrong := table["rule"][~(numbers > 0)]):
            raise MeasuredError(f"{path}: rule '{wrong.iloc[0]}': {field} is no positive number")
    if len(twice := table["rule"][table["rule"].duplicated()]):
        raise MeasuredError(f"{path}: rule '{twice.iloc[0]}' stands in it twice")
    return table


def request(seconds: float, memory: float) -> Resources:
    """Return what a job asks for of which so much was measured.

    Parameters
    ----------
    seconds : float
        The longest run.
    memory : float
        The largest resident set, in MB.

    Returns
    -------
    Resources
        With headroom: whole steps of memory, whole minutes.
    """
    steps = math.ceil((MEMORIES * memory + START_MEMORY) / STEP_MB)
    return Resources(steps * STEP_MB, math.ceil((TIMES * seconds + START_SECONDS) / 60))


def _update(path: Path, scale: str, folders: Iterable[Path]) -> None:
    """Take folders of benchmarks into the table; what stands there stays where it is more."""
    tables = [_table(path)] if path.exists() else []
    fresh = merged([*tables, *(read_benchmarks(folder, scale) for folder in folders)])
    if unseen := list(fresh["rule"][fresh["memory"] <= 0]):
        raise MeasuredError(f"no job of {', '.join(unseen)} lasted until its memory was sampled")
    with whole(path) as part:
        fresh.round({"seconds": 1, "memory": 1}).to_csv(part, sep="\t", index=False)


if __name__ == "__main__":
    table, scale, *folders = sys.argv[1:]
    try:
        _update(Path(table), scale, map(Path, folders))
    except (MeasuredError, OSError) as error:
        sys.exit(str(error))
