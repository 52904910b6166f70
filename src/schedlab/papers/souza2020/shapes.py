"""Shapes of the workflows of souza2020, derived from what its Table 1 has in print.

``python -m schedlab.papers.souza2020.shapes published.tsv shapes.tsv`` writes the sheet that stands
in ``resources/souza2020``.

A workflow's time is makespan less waiting of its Big Job; the core-hours of Per-Stage, which are
printed as whole ones, tell how much of it runs in parallel. Whether they were cut or rounded is
told by the core-hours of Big Job, which equation 1 gives: all of Montage are rounded (8.84 h to 9),
all of BLAST and Statistics cut (20.84 h to 20, 665.96 h to 665). Cutting alone explains 15 of the
18, rounding alone 13.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.asa.workflows import GROUPS, Workflow, of_groups, parallel_seconds
from schedlab.report.comparison import read_published

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

COLUMNS = ["workflow", "cores", "groups", "seconds", "parallel", "parallel_low", "parallel_high"]
#: how far from a number that is printed in whole hours the one behind it may be: from, up to
READINGS = {"cut": (0.0, 1.0), "rounded": (-0.5, 0.5)}


def shapes(published: pd.DataFrame) -> pd.DataFrame:
    """Derive time and parallel time of every workflow at every scale.

    Parameters
    ----------
    published : DataFrame of str
        Item table1, from `schedlab.report.comparison.read_published`.

    Returns
    -------
    DataFrame
        workflow, cores, groups (of `GROUPS`), seconds (of the whole), parallel (of its parallel
        stages, rounded to whole seconds), and what whole core-hours leave open of it: parallel is
        for those in the middle of what is printed so.
    """
    rows = []
    found = readings(published)
    for label, cells in published.iterrows():
        workflow, cores = label.split()[0], int(label.split()[1])
        seconds = _seconds(cells)
        low, high = READINGS[found[workflow]]
        of_hours = [float(cells["Per-Stage CH"]) + off for off in (low, (low + high) / 2, high)]
        low, mid, high = (round(parallel_seconds(seconds, hours, cores)) for hours in of_hours)
        rows.append((workflow, cores, GROUPS[workflow], seconds, mid, low, high))
    return pd.DataFrame(rows, columns=COLUMNS)


def readings(published: pd.DataFrame) -> dict[str, str]:
    """Tell whether the core-hours of each workflow were cut or rounded to whole ones.

    Parameters
    ----------
    published : DataFrame of str
        As for `shapes`.

    Returns
    -------
    dict of str to str
        For each workflow the one of `READINGS` that explains more of its Big Job's core-hours, the
        first of two that explain as many.
    """
    explained: dict[str, dict[str, int]] = {}
    for label, cells in published.iterrows():
        workflow, cores = label.split()[0], int(label.split()[1])
        over = cores * _seconds(cells) / 3600 - float(cells["Big Job CH"])
        own = explained.setdefault(workflow, dict.fromkeys(READINGS, 0))
        for name, (low, high) in READINGS.items():
            own[name] += low <= over < high
    return {workflow: max(own, key=own.__getitem__) for workflow, own in explained.items()}


def _seconds(cells: Mapping) -> int:
    """Time of a workflow as a Big Job, from what is printed of it."""
    return int(cells["Big Job makespan"]) - int(cells["Big Job TWT"])


def workflow_of(shape: Mapping) -> Workflow:
    """Make the workflow that a row of the sheet describes; kinds share their time evenly."""
    seconds, parallel = shape["seconds"], shape["parallel"]
    return of_groups(
        shape["workflow"], shape["groups"], shape["cores"], parallel, seconds - parallel
    )


def read_shapes(path: str | Path) -> pd.DataFrame:
    """Read the sheet.

    Raises
    ------
    ValueError
        It has other columns, or a workflow's parallel time is not between 0 and its time.
    """
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
    """Return how long a stage takes, by its cores, in the mean over workflows of one scale.

    Parameters
    ----------
    frame : DataFrame
        From `read_shapes`.
    cores : int
        The scale, of one of its rows.

    Returns
    -------
    dict of int to int
        Mean seconds of parallel stages by `cores`, and of sequential ones by 1.
    """
    own = [workflow_of(row) for row in frame[frame["cores"] == cores].to_dict("records")]
    stages = [stage for workflow in own for stage in workflow.stages]
    found: dict[int, int] = {}
    for width in (cores, 1):
        times = [stage.seconds for stage in stages if stage.cores == width]
        found[width] = round(sum(times) / len(times))
    return found


if __name__ == "__main__":
    shapes(read_published(sys.argv[1], "table1")).to_csv(
        sys.argv[2], sep="\t", index=False, lineterminator="\n"
    )
