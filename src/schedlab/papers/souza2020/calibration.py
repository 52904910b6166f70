"""The one calibration of souza2020: the load of a background at which Big Jobs wait as printed.

The search is a bisection of the load, by its logarithm, a stated number of steps between stated
ends: the mean wait of the Big Jobs of all workflows and scales of a system, each submitted to a
copy of the queue at every one of the same instants, is held against the mean that is printed. It
knows of no ASA, and the load that it comes to is kept in the sheet of experiments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.asa.background import scaled, starts_of
from schedlab.papers.souza2020.shapes import workflow_of
from schedlab.papers.souza2020.sheet import PAPER, RUNS
from schedlab.threads import over_threads
from schedlab.workloads.streams import generator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from schedlab.jobs import Jobs
    from schedlab.papers.souza2020.sheet import WaitSettings
    from schedlab.queue.sessions import QueueSession

#: ends of the search
LOW, HIGH = 0.5, 2.0
#: loads are kept with so many digits after the point
DIGITS = 4
COLUMNS = ["step", "load", "wait", "target", "instants"]
HOUR = 3600


def target(published: pd.DataFrame, item: str, cores: tuple[int, ...]) -> float:
    """Return the mean wait in seconds that is printed of the Big Jobs of some scales.

    Parameters
    ----------
    published : DataFrame of str
        That item, from `schedlab.report.comparison.read_published`.
    item : str
        `RUNS`: mean TWT of Big Job; else mean real WT, which is printed in hours.
    cores : tuple of int
        The scales of one system.
    """
    own = [row for row in published.index if int(row.split()[1]) in cores]
    column, unit = ("Big Job TWT", 1) if item == RUNS else ("WT", HOUR)
    return float(published.loc[own, column].astype(float).mean()) * unit


def big_job_waits(session: QueueSession, shapes: pd.DataFrame, cores: tuple[int, ...]) -> list[int]:
    """Return how long each Big Job of some scales waits, each alone in a copy of the queue."""
    waits = []
    for shape in shapes[shapes["cores"].isin(cores)].to_dict("records"):
        twin, job = session.fork(), workflow_of(shape).merged().stages[0]
        handle = twin.submit(job.seconds, job.cores)
        waits.append(int(starts_of(twin, [handle])[0]) - session.now)
    return waits


def search(
    settings: WaitSettings,
    jobs: Jobs,
    size: int,
    shapes: pd.DataFrame,
    wanted: float,
    steps: int,
    instants: int,
    threads: int,
    advance: Callable[[], None] = lambda: None,
) -> pd.DataFrame:
    """Search the load at which the mean wait is as wanted.

    Parameters
    ----------
    settings : WaitSettings
        The row whose load is sought; its own is not looked at.
    jobs : Jobs
        Of the log.
    size : int
        Processors of the log's machine.
    shapes : DataFrame
        From `schedlab.papers.souza2020.shapes.read_shapes`.
    wanted : float
        Mean wait in seconds.
    steps, instants : int
        Of the bisection, and at which Big Jobs are submitted.
    threads : int
        The results do not depend on it.
    advance : callable, optional
        Called after each step.

    Returns
    -------
    DataFrame
        `COLUMNS`, a row per step: load, mean wait and the wanted one in seconds. None without jobs.
    """
    low, high = LOW, HIGH
    rows = []
    steps = steps if len(jobs) else 0
    for step in range(1, steps + 1):
        load = round(float(np.sqrt(low * high)), DIGITS)
        background = scaled(jobs, size, settings.processors, load)
        stream = generator(PAPER, settings.experiment, settings.source, "calibration")
        at = background.instants(instants, stream)
        found = over_threads(
            lambda session: big_job_waits(session, shapes, settings.cores),
            list(background.at(at)),
            threads,
        )
        wait = float(np.mean(found))
        rows.append((step, load, wait, wanted, instants))
        low, high = (low, load) if wait > wanted else (load, high)
        advance()
    return pd.DataFrame(rows, columns=COLUMNS)


def best(tried: pd.DataFrame) -> float:
    """Return the load whose mean wait is nearest to the wanted one, the first of several.

    Parameters
    ----------
    tried : DataFrame
        From `search`; nan where nothing was tried.
    """
    if tried.empty:
        return np.nan
    return float(tried["load"][(tried["wait"] - tried["target"]).abs().idxmin()])


def collected(kept: Mapping[str, float], tried: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Put searches together, each with the load that the sheet keeps.

    Parameters
    ----------
    kept : mapping of str to float
        By experiment, in the order of the searches.
    tried : iterable of DataFrame
        From `search`.

    Returns
    -------
    DataFrame
        experiment, kept, found (from `best`), and `COLUMNS`.
    """
    parts = []
    for (name, load), own in zip(kept.items(), tried, strict=True):
        part = own.copy()
        for place, (column, value) in enumerate(
            {"experiment": name, "kept": load, "found": best(own)}.items()
        ):
            part.insert(place, column, value)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)
