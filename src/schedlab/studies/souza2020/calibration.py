"""The one calibration of souza2020: the background load at which Big Jobs wait as published.

The load is searched before any ASA run, by this rule alone. Both ends of a fixed range are tried.
If the published median wait lies between the two results, the range is halved by the logarithm of
the load a fixed number of times. Otherwise the published wait is not reached. In both cases the
sheet of experiments keeps the load whose median wait is nearest to the published one. Medians are
used because a few crowded days dominate the mean wait. A load is tried with the Big Jobs of all
workflows and scales of a system. They enter copies of the queue as in the experiments: after the
same warm-up jobs and with the same spacing. The instants differ from those of the experiments, and
there are more of them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice

import numpy as np
import pandas as pd

from schedlab.core.intervals import block_length, median_interval
from schedlab.core.jobs import Jobs
from schedlab.core.streams import generator
from schedlab.files.threads import over_threads
from schedlab.queue.sessions import QueueSession
from schedlab.studies.souza2020 import accuracy
from schedlab.studies.souza2020.runs import Site
from schedlab.studies.souza2020.sheet import PAPER, RUNS
from schedlab.studies.souza2020.tables.accuracy import HOUR
from schedlab.waits.background import (
    Background,
    UnknownError,
    last_known_time,
    scale_background,
    starts_of,
)

#: loads at the two ends of the search
LOW, HIGH = 0.5, 2.0
#: decimal places of a load
DIGITS = 4
#: number of copies of the queue in memory at a time
AT_A_TIME = 16
QUARTILES = (0.25, 0.5, 0.75)
COLUMNS = ["step", "load", "wait", "low", "high", "lower quartile", "upper quartile"]
COLUMNS += ["target", "instants"]
#: columns of the experiments' median wait at the kept load, with its 95 % interval
REALISED = ["realised", "realised low", "realised high"]
#: columns repeated in every step's row
KEPT_WITH = ["experiment", "kept", *REALISED]
REACHED, NOT_REACHED = "reached", "not reached"


def target(published: pd.DataFrame, item: str, cores: tuple[int, ...]) -> float:
    """Return the median of the published waits of Big Jobs at some scales, in seconds."""
    rows_at_cores = [row for row in published.index if int(row.split()[1]) in cores]
    column, unit = ("Big Job TWT", 1) if item == RUNS else ("WT", HOUR)
    return float(published.loc[rows_at_cores, column].astype(float).median()) * unit


def entering(
    site: Site, item: str, count: int, apart: int, spread: int
) -> tuple[list[list[tuple[str, int]]], int]:
    """Return how workflows enter the queue in the experiments of an item."""
    if item == RUNS:
        return [site.entering], site.lasting
    batches = [accuracy.repeat_workflow(name, count, apart) for name, _ in site.entering]
    return batches, accuracy.lasting(site, count, (apart, spread))


def big_job_waits(
    site: Site, session: QueueSession, batches: Sequence[Sequence[tuple[str, int]]], until: int
) -> np.ndarray:
    """Return how long Big Jobs of every scale wait if they enter the queue as the workflows do."""
    waits = []
    for cores in site.settings.cores:
        warm = session.fork()
        site.warmed(warm, cores, until)
        shapes = site.shapes[site.shapes["cores"] == cores].set_index("workflow", drop=False)
        seconds = {name: int(shapes.loc[name, "big_job"]) for name in shapes.index}
        for batch in batches:
            twin = warm.fork()
            n, submit = len(batch), twin.now + np.array([after for _, after in batch])
            times = np.array([seconds[name] for name, _ in batch])
            requested = [site.request(cores, seconds[name]) for name, _ in batch]
            jobs = Jobs(np.arange(n), submit, times, requested, np.full(n, cores))
            handles = twin.submit_jobs(jobs)
            waits.append(starts_of(twin, handles.tolist(), until) - submit)
    return np.concatenate(waits)


def waits_at(
    site: Site,
    background: Background,
    at: np.ndarray,
    batches: Sequence[Sequence[tuple[str, int]]],
    lasting: int,
    threads: int,
) -> np.ndarray:
    """Return `big_job_waits` in seconds at some instants of a background, one row an instant."""
    copies, waits = background.at(at, lasting), []
    # each copy holds weeks of later jobs: memory does not suffice for all copies at once
    while sessions := list(islice(copies, AT_A_TIME)):
        waits += over_threads(
            lambda session: big_job_waits(
                site, session, batches, last_known_time(session.now, lasting)
            ),
            sessions,
            threads,
        )
    return np.array(waits)


def search(
    site: Site,
    jobs: Jobs,
    size: int,
    batches: Sequence[Sequence[tuple[str, int]]],
    lasting: int,
    target_wait: float,
    steps: int,
    instants: int,
    threads: int,
    advance: Callable[[], None] = lambda: None,
) -> pd.DataFrame:
    """Search the load at which the median wait is nearest to `target_wait`, in seconds."""
    settings, rows = site.settings, []

    def wait_at_load(load: float) -> float:
        background = scale_background(jobs, size, settings.processors, load)
        key = (PAPER, settings.experiment, settings.source, "calibration")
        at = background.instants(instants, generator(*key), lasting)
        try:
            waits = waits_at(
                site.with_requests(background), background, at, batches, lasting, threads
            )
        except UnknownError:
            waits = np.array([[np.inf]])
        low, wait, high = (float(one) for one in np.quantile(waits, QUARTILES, method="nearest"))
        ends = median_interval(waits, generator(*key, "interval"), block_length(len(waits)))
        rows.append((len(rows) + 1, load, wait, *ends, low, high, target_wait, instants))
        advance()
        return wait

    low, high = LOW, HIGH
    ends = [wait_at_load(load) for load in (low, high)] if len(jobs) else [np.inf, np.inf]
    if ends[0] <= target_wait <= ends[1]:
        for _ in range(steps - len(ends)):
            load = round(float(np.sqrt(low * high)), DIGITS)
            low, high = (low, load) if wait_at_load(load) > target_wait else (load, high)
    return pd.DataFrame(rows, columns=COLUMNS)


def _nearest(searched: pd.DataFrame) -> int:
    return int((searched["wait"] - searched["target"]).abs().idxmin())


def best(searched: pd.DataFrame) -> float:
    """Return the first load whose median wait is nearest to the wanted one, or nan."""
    return np.nan if searched.empty else float(searched.loc[_nearest(searched), "load"])


def verdict(searched: pd.DataFrame) -> str:
    """Return whether the wanted wait is reached, by the loads from `search`."""
    if searched.empty:
        return ""
    nearest, (low, high) = searched.loc[_nearest(searched)], searched["wait"].iloc[:2]
    target = nearest["target"]
    within = low <= target <= high and nearest["low"] <= target <= nearest["high"]
    return REACHED if within else NOT_REACHED


def result_of(searched: pd.DataFrame) -> str:
    """Return the result of a search, with at least the two ends, as a sentence (waits in s)."""
    row = searched.loc[_nearest(searched)]
    return (
        f"{row['target']:.0f} s published; {row['wait']:.0f} s ({row['low']:.0f} to "
        f"{row['high']:.0f}) computed at {int(row['instants'])} instants; {verdict(searched)}"
    )


def collect_searches(rows: Iterable[Mapping], searches: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate searches, each with the load that the sheet keeps and the runs' wait."""
    parts = []
    for row, search in zip(rows, searches, strict=True):
        part = search.copy()
        columns = {name: row[name] for name in KEPT_WITH}
        columns |= {"found": best(search), "printed wait": verdict(search)}
        for place, (column, value) in enumerate(columns.items()):
            part.insert(place, column, value)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)
