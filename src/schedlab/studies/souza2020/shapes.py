"""Shapes of the workflows of souza2020, derived from its published Table 1.

``python -m schedlab.studies.souza2020.shapes published.tsv shapes.tsv`` writes the sheet in
``resources/souza2020``.

A workflow's time is makespan minus wait, separately for Big Job and Per-Stage. These are different
runs: Montage on 320 cores takes 1991 and 1588 s. A workflow that is not one job has the time of
Per-Stage, and the core-hours of Per-Stage determine its parallel share. Core-hours are published as
whole numbers. Equation 1 gives the exact core-hours of Big Job, which show whether they were
truncated or rounded. All values of Montage are rounded (8.84 h to 9), all of BLAST and Statistics
truncated (20.84 h to 20, 665.96 h to 665). Truncating all explains 15 of the 18 values, rounding
all explains 13.

The percentages next to the core-hours of Big Job narrow the values further. They state by how many
whole per cent the exact core-hours exceed the least of Per-Stage and ASA. If Per-Stage has the
least, its core-hours become known about ten times as precisely. If ASA has the least, it is a lower
bound for those of Per-Stage.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from schedlab.report.comparison import read_published
from schedlab.waits.workflows import GROUPS, Stage, Workflow, of_groups, parallel_seconds

COLUMNS = ["workflow", "cores", "groups", "big_job", "seconds"]
COLUMNS += ["parallel", "parallel_low", "parallel_high"]
#: range of the true core-hours around a published whole number, by how it was made whole
READINGS = {"cut": (0.0, 1.0), "rounded": (-0.5, 0.5)}


def shapes(published: pd.DataFrame, percentages: pd.DataFrame) -> pd.DataFrame:
    """Derive time and parallel time of every workflow at every scale."""
    rows = []
    reading_of = readings(published)
    for label, cells in published.iterrows():
        workflow, cores = label.split()[0], int(label.split()[1])
        seconds = _seconds(cells, "Per-Stage")
        percent = percentages["Big Job CH"].get(label)
        low, high = core_hours(cells, cores, reading_of[workflow], percent)
        low, mid, high = (
            round(parallel_seconds(seconds, hours, cores))
            for hours in (low, (low + high) / 2, high)
        )
        kind = GROUPS[workflow]
        rows.append((workflow, cores, kind, _seconds(cells, "Big Job"), seconds, mid, low, high))
    return pd.DataFrame(rows, columns=COLUMNS)


def core_hours(
    cells: Mapping, cores: int, reading: str, percent: str | None
) -> tuple[float, float]:
    """Return the range of Per-Stage's core-hours that all published numbers allow."""
    printed = float(cells["Per-Stage CH"])
    low, high = (printed + off for off in READINGS[reading])
    if percent is None or pd.isna(percent):
        return low, high
    big = cores * _seconds(cells, "Big Job") / 3600
    least, most = (big / (1 + (float(percent) + off) / 100) for off in (0.5, -0.5))
    if printed > float(cells["ASA CH"]):  # the least is ASA's
        most = high
    tight = max(low, least), min(high, most)
    return tight if tight[0] <= tight[1] else (low, high)


def readings(published: pd.DataFrame) -> dict[str, str]:
    """Return which of `READINGS` explains more core-hours of Big Job, by workflow."""
    explained: dict[str, dict[str, int]] = {}
    for label, cells in published.iterrows():
        workflow, cores = label.split()[0], int(label.split()[1])
        over = cores * _seconds(cells, "Big Job") / 3600 - float(cells["Big Job CH"])
        counts = explained.setdefault(workflow, dict.fromkeys(READINGS, 0))
        for name, (low, high) in READINGS.items():
            counts[name] += low <= over < high
    return {workflow: max(own, key=own.__getitem__) for workflow, own in explained.items()}


def _seconds(cells: Mapping, strategy: str) -> int:
    """Return the time of a workflow under a strategy: published makespan minus wait."""
    return int(cells[f"{strategy} makespan"]) - int(cells[f"{strategy} TWT"])


def big_job_of(shape: Mapping) -> Workflow:
    """Make the single job that a row of the sheet describes."""
    return Workflow(shape["workflow"], (Stage("all", shape["cores"], shape["big_job"]),))


def workflow_of(shape: Mapping) -> Workflow:
    """Make the workflow that a row of the sheet describes; stages of a kind share time evenly."""
    seconds, parallel = shape["seconds"], shape["parallel"]
    return of_groups(
        shape["workflow"], shape["groups"], shape["cores"], parallel, seconds - parallel
    )


def read_shapes(path: str | Path) -> pd.DataFrame:
    """Read the sheet of shapes; ValueError for wrong columns or too much parallel time."""
    frame = pd.read_csv(path, sep="\t")
    if list(frame.columns) != COLUMNS:
        raise ValueError(f"{path}: line 1: columns must be {COLUMNS}, are {list(frame.columns)}")
    for line, row in enumerate(frame.itertuples(), start=2):
        if not 0 <= row.parallel <= row.seconds:
            raise ValueError(
                f"{path}: line {line}: column 'parallel': {row.workflow} on {row.cores} cores has "
                f"{row.parallel} s of {row.seconds} s"
            )
    return frame


def typical_seconds(frame: pd.DataFrame, cores: int) -> dict[int, int]:
    """Return the mean time of a stage over the workflows of one scale, by its cores."""
    workflows = [workflow_of(row) for row in frame[frame["cores"] == cores].to_dict("records")]
    stages = [stage for workflow in workflows for stage in workflow.stages]
    seconds_of: dict[int, int] = {}
    for width in (cores, 1):
        times = [stage.seconds for stage in stages if stage.cores == width]
        seconds_of[width] = round(sum(times) / len(times))
    return seconds_of


if __name__ == "__main__":
    shapes(*(read_published(sys.argv[1], item) for item in ("table1", "percentages"))).to_csv(
        sys.argv[2], sep="\t", index=False, lineterminator="\n"
    )
