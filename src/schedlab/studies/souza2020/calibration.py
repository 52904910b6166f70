"""The one calibration of souza2020: the load of a background at which Big Jobs wait as printed.

The load is searched before any ASA is run, and by this rule alone: both ends of a stated range are
tried; if the median of the printed waits lies between what is found there, the range is halved by
the logarithm of the load a stated number of times, and the load tried whose median wait is nearest
to the printed one is kept in the sheet of experiments. Medians, for a few crowded days have most of
all waiting, and a mean tells of them alone. If it does not, it is not reached, and the end
that is nearer is kept. A load is tried with the Big Jobs of all workflows and scales of a system,
which enter copies of the queue just as they do where results come from: after the same jobs before,
and as far apart. The instants are others, and more.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.intervals import block_length, median_interval
from schedlab.core.jobs import Jobs
from schedlab.core.streams import generator
from schedlab.files.threads import over_threads
from schedlab.studies.souza2020 import accuracy
from schedlab.studies.souza2020.sheet import PAPER, RUNS
from schedlab.studies.souza2020.tables.accuracy import HOUR
from schedlab.waits.background import UnknownError, known_until, scaled, starts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from schedlab.queue.sessions import QueueSession
    from schedlab.studies.souza2020.runs import Site
    from schedlab.waits.background import Background

#: ends of the search
LOW, HIGH = 0.5, 2.0
#: loads are kept with so many digits after the point
DIGITS = 4
#: copies of the queue
AT_A_TIME = 16
QUARTILES = (0.25, 0.5, 0.75)
COLUMNS = ["step", "load", "wait", "low", "high", "lower quartile", "upper quartile"]
COLUMNS += ["target", "instants"]
#: median wait of the runs at the load that is kept
REALISED = ["realised", "realised low", "realised high"]
#: what stands beside every step
BESIDE = ["experiment", "kept", *REALISED]
REACHED, NOT_REACHED = "reached", "not reached"


def target(published: pd.DataFrame, item: str, cores: tuple[int, ...]) -> float:
    """Return the median of the waits in seconds that are printed of the Big Jobs of some scales.

    Parameters
    ----------
    published : DataFrame of str
        That item, from `schedlab.report.comparison.read_published`.
    item : str
        `RUNS`: TWT of Big Job; else mean real WT, which is printed in hours.
    cores : tuple of int
        The scales of one system.
    """
    own = [row for row in published.index if int(row.split()[1]) in cores]
    column, unit = ("Big Job TWT", 1) if item == RUNS else ("WT", HOUR)
    return float(published.loc[own, column].astype(float).median()) * unit


def entering(
    site: Site, item: str, count: int, apart: int, spread: int
) -> tuple[list[list[tuple[str, int]]], int]:
    """Return how workflows enter the queue where the results of an item come from.

    Parameters
    ----------
    site : Site
        Where.
    item : str
        `RUNS`: one of each in one copy of the queue; else a series of each in a copy of its own.
    count, apart, spread : int
        Of the series: submissions, and seconds between them, as in the paper and over weeks.

    Returns
    -------
    batches : list of list of (str, int)
        What enters one copy: names, and how many seconds after the jobs before.
    lasting : int
        Seconds from an instant to the last submission, over weeks where there are series: the log
        is used as far as results use it.
    """
    if item == RUNS:
        return [site.entering], site.lasting
    batches = [accuracy.repeated(name, count, apart) for name, _ in site.entering]
    return batches, accuracy.lasting(site, count, (apart, spread))


def big_job_waits(
    site: Site, session: QueueSession, batches: Sequence[Sequence[tuple[str, int]]], until: int
) -> np.ndarray:
    """Return how long Big Jobs of every scale wait that enter as workflows do.

    Parameters
    ----------
    site : Site
        Where.
    session : QueueSession
        Its queue at an instant; it stays as it is.
    batches : sequence of sequence of (str, int)
        From `entering`.
    until : int
        Until when it is known who comes, in seconds.

    Returns
    -------
    ndarray of int64, shape (n,)
        By scale, batch and place in it, in seconds.

    Raises
    ------
    UnknownError
        One of them has not started by then.
    """
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
            asked = [site.request(cores, seconds[name]) for name, _ in batch]
            jobs = Jobs(np.arange(n), submit, times, asked, np.full(n, cores))
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
    """Return `big_job_waits` at some instants of a background: in seconds, a row each."""
    copies, found = background.at(at, lasting), []
    # each knows weeks of jobs to come: there is no room for all of them at a time
    while some := list(islice(copies, AT_A_TIME)):
        found += over_threads(
            lambda session: big_job_waits(
                site, session, batches, known_until(session.now, lasting)
            ),
            some,
            threads,
        )
    return np.array(found)


def search(
    site: Site,
    jobs: Jobs,
    size: int,
    batches: Sequence[Sequence[tuple[str, int]]],
    lasting: int,
    wanted: float,
    steps: int,
    instants: int,
    threads: int,
    advance: Callable[[], None] = lambda: None,
) -> pd.DataFrame:
    """Search the load at which the median wait is as wanted.

    Parameters
    ----------
    site : Site
        The row whose load is sought, its own is not looked at; who learns is not asked.
    jobs : Jobs
        Of the log.
    size : int
        Processors of the log's machine.
    batches, lasting
        From `entering`.
    wanted : float
        Median wait in seconds.
    steps : int
        Loads that are tried at most: the two ends, and then halves.
    instants : int
        At which Big Jobs are submitted under each load.
    threads : int
        The results do not depend on it.
    advance : callable, optional
        Called after each step.

    Returns
    -------
    DataFrame
        `COLUMNS`, a row per step, the ends first: load, median wait with its 95 % interval over
        instants, quartiles, and the wanted one in seconds. Infinite, with an interval that says
        nothing, where somebody waits longer than is known who comes. None without jobs.
    """
    settings, rows = site.settings, []

    def tried(load: float) -> float:
        background = scaled(jobs, size, settings.processors, load)
        key = (PAPER, settings.experiment, settings.source, "calibration")
        at = background.instants(instants, generator(*key), lasting)
        try:
            found = waits_at(site.among(background), background, at, batches, lasting, threads)
        except UnknownError:
            found = np.array([[np.inf]])
        low, wait, high = (float(one) for one in np.quantile(found, QUARTILES, method="nearest"))
        ends = median_interval(found, generator(*key, "interval"), block_length(len(found)))
        rows.append((len(rows) + 1, load, wait, *ends, low, high, wanted, instants))
        advance()
        return wait

    low, high = LOW, HIGH
    ends = [tried(load) for load in (low, high)] if len(jobs) else [np.inf, np.inf]
    if ends[0] <= wanted <= ends[1]:
        for _ in range(steps - len(ends)):
            load = round(float(np.sqrt(low * high)), DIGITS)
            low, high = (low, load) if tried(load) > wanted else (load, high)
    return pd.DataFrame(rows, columns=COLUMNS)


def _nearest(tried: pd.DataFrame) -> int:
    return int((tried["wait"] - tried["target"]).abs().idxmin())


def best(tried: pd.DataFrame) -> float:
    """Return the load whose median wait is nearest to the wanted one, the first of several.

    Parameters
    ----------
    tried : DataFrame
        From `search`; nan where nothing was tried.
    """
    return np.nan if tried.empty else float(tried.loc[_nearest(tried), "load"])


def verdict(tried: pd.DataFrame) -> str:
    """Say whether the wanted wait is reached.

    Parameters
    ----------
    tried : DataFrame
        From `search`.

    Returns
    -------
    str
        `REACHED` where the wanted wait lies between those at the two ends, and in the interval of
        the median at the load that `best` says, ends counted; else `NOT_REACHED`. Empty where
        nothing was tried.
    """
    if tried.empty:
        return ""
    one, (low, high) = tried.loc[_nearest(tried)], tried["wait"].iloc[:2]
    wanted = one["target"]
    within = low <= wanted <= high and one["low"] <= wanted <= one["high"]
    return REACHED if within else NOT_REACHED


def told(tried: pd.DataFrame) -> str:
    """Say what was found, as the sheet keeps it beside the load: a wait in seconds.

    Parameters
    ----------
    tried : DataFrame
        From `search`, with at least the two ends.
    """
    one = tried.loc[_nearest(tried)]
    return (
        f"{one['target']:.0f} s printed; {one['wait']:.0f} s ({one['low']:.0f} to "
        f"{one['high']:.0f}) at {int(one['instants'])} instants; {verdict(tried)}"
    )


def collected(rows: Iterable[Mapping], tried: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Put searches together, each beside what the sheet keeps and what the runs came to.

    Parameters
    ----------
    rows : iterable of mapping
        By name, what each search stands beside: experiment, kept, realised and its ends.
    tried : iterable of DataFrame
        From `search`.

    Returns
    -------
    DataFrame
        `BESIDE`, found (from `best`), printed wait (from `verdict`), and `COLUMNS`.
    """
    parts = []
    for beside, own in zip(rows, tried, strict=True):
        part = own.copy()
        known = {name: beside[name] for name in BESIDE}
        known |= {"found": best(own), "printed wait": verdict(own)}
        for place, (column, value) in enumerate(known.items()):
            part.insert(place, column, value)
        parts.append(part)
    return pd.concat(parts, ignore_index=True)
