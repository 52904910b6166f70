"""Memory and run time of the workflow's rules: measurements, and requested resources.

``python -m schedlab.flow.measured workflow/measured.tsv papers results/benchmarks`` adds the files
that Snakemake's ``benchmark:`` left in a folder, for a scale. The workflow reads the table and
requests more than was measured, by the headroom defined here.
"""

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from schedlab.files.io import whole

COLUMNS = ("rule", "scale", "jobs", "seconds", "memory")
# the scale with precedence: a rule measured at it ignores measurements at other scales
PAPERS = "papers"
# headroom, as other machines and file systems may be slower, and a killed job is lost completely
TIMES, MEMORIES = 3, 1.5
# in a Slurm job, Snakemake reads the rules twice before the script starts; MB and seconds
START_MEMORY, START_SECONDS = 500, 60
STEP_MB = 100


class MeasuredError(ValueError):
    """A benchmark or the table of measurements cannot be used."""


@dataclass(frozen=True)
class Resources:
    """Requested memory (MB) and run time (minutes) of a rule's job at its first attempt."""

    memory: int
    minutes: int


def read_benchmarks(folder: Path, scale: str) -> pd.DataFrame:
    """Read Snakemake's benchmarks, a row per rule: jobs, longest run (s), memory (MB)."""
    rows = [_read_measured(path, folder) for path in sorted(folder.rglob("*.tsv"))]
    if not rows:
        raise MeasuredError(f"{folder}: there is no benchmark (.tsv) in it")
    jobs = pd.DataFrame(rows, columns=["rule", "seconds", "memory"])
    table = jobs.groupby("rule", as_index=False).agg(
        jobs=("seconds", "size"), seconds=("seconds", "max"), memory=("memory", "max")
    )
    return table.assign(scale=scale)[list(COLUMNS)]


def _read_measured(path: Path, folder: Path) -> tuple[str, float, float]:
    """Return rule, seconds and MB of a benchmark; for several runs the maximum."""
    rule = path.relative_to(folder).parts[0].removesuffix(".tsv")
    try:
        runs = pd.read_csv(path, sep="\t", usecols=["s", "max_rss"]).astype(float)
    except ValueError as error:
        raise MeasuredError(f"{path}: {error}") from error
    # a job that ended before its first sample has no memory; its rule has other jobs
    return rule, float(runs["s"].max()), float(runs["max_rss"].fillna(0).max())


def merge_measured(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Merge tables: the maximum of every rule, at the papers' scale if it was run at that scale."""
    rows = pd.concat(tables, ignore_index=True)
    papers = rows["scale"] == PAPERS
    rows = rows[papers | ~rows["rule"].isin(rows["rule"][papers])]
    most = {"scale": "first", "jobs": "max", "seconds": "max", "memory": "max"}
    return rows.groupby("rule", as_index=False).agg(most)[list(COLUMNS)]


def read_table(path: Path) -> dict[str, Resources]:
    """Read the requested resources of every rule, by name, from a table."""
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
    """Return resources, with headroom, for the longest run time (s) and most memory (MB)."""
    steps = math.ceil((MEMORIES * memory + START_MEMORY) / STEP_MB)
    return Resources(steps * STEP_MB, math.ceil((TIMES * seconds + START_SECONDS) / 60))


def _update(path: Path, scale: str, folders: Iterable[Path]) -> None:
    """Add folders of benchmarks to the table; larger present values stay."""
    tables = [_table(path)] if path.exists() else []
    fresh = merge_measured([*tables, *(read_benchmarks(folder, scale) for folder in folders)])
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
