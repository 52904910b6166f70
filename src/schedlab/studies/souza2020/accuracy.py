"""How well waits are estimated: series of submissions of one workflow at one scale, as of Table 2.

Each submission is the workflow under ASA Naive, for only where nothing holds a stage back can a
prediction that is too long cost anything. Submissions follow each other by a minute, as in the
paper, and, because the queue changes little in an hour, also hours apart, over weeks.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

import pandas as pd

from schedlab.core.streams import generator
from schedlab.files.threads import over_threads
from schedlab.studies.souza2020.runs import STAGES
from schedlab.studies.souza2020.sheet import PAPER
from schedlab.waits.background import DAY, known_until, scaled
from schedlab.waits.strategies import STRATEGIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from schedlab.core.jobs import Jobs
    from schedlab.queue.sessions import QueueSession
    from schedlab.studies.souza2020.runs import Site

STRATEGY = "ASA Naive"
#: what the jobs of a series wait and run besides, so that series of two instants share no days
BETWEEN = 2 * DAY


def repeated(name: str, count: int, seconds: int) -> list[tuple[str, int]]:
    """Return a series of one workflow: its name and how many s from the first, each time."""
    return [(name, place * seconds) for place in range(count)]


def lasting(site: Site, count: int, spacings: Iterable[int]) -> int:
    """Return the seconds from an instant to the last submission of the longest series."""
    return site.practice.lasting(count, max(spacings))


def series(
    site: Site, session: QueueSession, number: int, count: int, spacings: Mapping[str, int]
) -> pd.DataFrame:
    """Submit every workflow of every scale time and again, each alone in a copy of the queue.

    Parameters
    ----------
    site : Site
        Where.
    session : QueueSession
        Its queue at the instant.
    number : int
        Of the replicate.
    count : int
        Submissions of a series.
    spacings : mapping of str to int
        By name, seconds from one submission to the next.

    Returns
    -------
    DataFrame
        A row per spacing, scale, workflow, estimator (Algorithm 1 with either rates), submission
        and stage, as `Site.submissions`.
    """
    found = []
    settings = site.settings
    until = known_until(session.now, lasting(site, count, spacings.values()))
    for cores in settings.cores:
        own = session.fork()
        key = (PAPER, settings.experiment, settings.source, cores, number)
        learners = site.learners(site.warmed(own, cores, until), key)
        for name in dict.fromkeys(site.shapes["workflow"]):
            for spacing, seconds in spacings.items():
                entering = repeated(name, count, seconds)
                for estimator, learner in learners.items():
                    rows = site.submissions(
                        own.fork(), cores, STRATEGIES[STRATEGY], deepcopy(learner), entering, until
                    )
                    keys = {"replicate": number, "scale": cores, "spacing": spacing}
                    found.append(rows.assign(**keys, estimator=estimator))
    return pd.concat(found, ignore_index=True)


def run_series(
    site: Site,
    jobs: Jobs,
    size: int,
    count: int,
    spacings: Mapping[str, int],
    threads: int,
    advance: Callable[[], None] = lambda: None,
) -> pd.DataFrame:
    """Run the series of a row of the sheet at each of its instants; none without jobs.

    Series of two instants share no days of the log, but for what their last jobs wait beyond
    `BETWEEN`.

    Raises
    ------
    ValueError
        The log is too short for so many of them.
    UnknownError
        What was submitted last has not ended when the log does.
    """
    settings = site.settings
    if not len(jobs):
        return pd.DataFrame(columns=[*STAGES, "replicate", "scale", "spacing", "estimator"])
    background = scaled(jobs, size, settings.processors, settings.load)
    site = site.among(background)
    stream = generator(PAPER, settings.experiment, settings.source, "instants")
    last = lasting(site, count, spacings.values())
    instants = background.instants(settings.replicates, stream, last, last + BETWEEN)
    found = over_threads(
        lambda one: series(site, one[1], one[0], count, spacings),
        list(enumerate(background.at(instants, last))),
        threads,
        advance,
    )
    return pd.concat(found, ignore_index=True)
