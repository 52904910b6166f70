"""Accuracy of wait predictions: series of submissions of one workflow at one scale, as in Table 2.

Each submission is the workflow under ASA Naive: only without job dependencies can a prediction
that is too long cost core-hours. Submissions follow each other by a minute, as in the paper. The
queue changes little in an hour, so a second series spreads its submissions over weeks.
"""

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy

import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.streams import generator
from schedlab.files.threads import over_threads
from schedlab.queue.sessions import QueueSession
from schedlab.studies.souza2020.runs import STAGES, Site
from schedlab.studies.souza2020.sheet import PAPER
from schedlab.waits.background import DAY, last_known_time, scale_background
from schedlab.waits.strategies import STRATEGIES

STRATEGY = "ASA Naive"
#: seconds added after a series for its last jobs, so that series of two instants share no days
BETWEEN = 2 * DAY


def repeat_workflow(name: str, count: int, seconds: int) -> list[tuple[str, int]]:
    """Return one series: the workflow's name and its offset from the first submission in s."""
    return [(name, place * seconds) for place in range(count)]


def lasting(site: Site, count: int, spacings: Iterable[int]) -> int:
    """Return the seconds from an instant to the last submission of the longest series."""
    return site.practice.lasting(count, max(spacings))


def series(
    site: Site, session: QueueSession, number: int, count: int, spacings: Mapping[str, int]
) -> pd.DataFrame:
    """Submit every workflow at every scale repeatedly, each series in a copy of the queue."""
    records: list[dict] = []
    settings = site.settings
    until = last_known_time(session.now, lasting(site, count, spacings.values()))
    for cores in settings.cores:
        fork = session.fork()
        key = (PAPER, settings.experiment, settings.source, cores, number)
        learners = site.learners(site.warmed(fork, cores, until), key)
        for name in dict.fromkeys(site.shapes["workflow"]):
            for spacing, seconds in spacings.items():
                entering = repeat_workflow(name, count, seconds)
                for estimator, learner in learners.items():
                    rows = site.submissions(
                        fork.fork(), cores, STRATEGIES[STRATEGY], deepcopy(learner), entering, until
                    )
                    keys = {"replicate": number, "scale": cores, "spacing": spacing}
                    records += [row | keys | {"estimator": estimator} for row in rows]
    return pd.DataFrame(records)


def run_series(
    site: Site,
    jobs: Jobs,
    size: int,
    count: int,
    spacings: Mapping[str, int],
    threads: int,
    advance: Callable[[], None] = lambda: None,
) -> pd.DataFrame:
    """Run the series of a row of the sheet at each of its instants; return no rows without jobs."""
    settings = site.settings
    if not len(jobs):
        return pd.DataFrame(columns=[*STAGES, "replicate", "scale", "spacing", "estimator"])
    background = scale_background(jobs, size, settings.processors, settings.load)
    site = site.with_requests(background)
    stream = generator(PAPER, settings.experiment, settings.source, "instants")
    last = lasting(site, count, spacings.values())
    instants = background.instants(settings.replicates, stream, last, last + BETWEEN)
    tables = over_threads(
        lambda one: series(site, one[1], one[0], count, spacings),
        list(enumerate(background.at(instants, last))),
        threads,
        advance,
    )
    return pd.concat(tables, ignore_index=True)
