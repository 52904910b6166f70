"""Run the workflows of souza2020: a background, instants in it, strategies and estimators.

A replicate is an instant of the background. First, 60 warm-up jobs of each geometry are submitted,
far enough apart not to delay each other; estimators learn from their waits. Then the queue is
copied: in each copy one strategy submits the three workflows of one scale, one after the other. So
all strategies see the same queue, and none affects another.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.streams import generator
from schedlab.files.threads import over_threads
from schedlab.queue.sessions import QueueSession
from schedlab.studies.souza2020.pools import POOLS, Pooling
from schedlab.studies.souza2020.shapes import big_job_of, read_shapes, typical_seconds, workflow_of
from schedlab.studies.souza2020.sheet import PAPER, PERFECT, Practice, WaitSettings
from schedlab.waits.background import Background, last_known_time, scale_background, starts_of
from schedlab.waits.backtest_predictors import (
    ASA,
    BOUND,
    FALLING,
    LAST,
    MEDIAN,
    QUEUE,
    TEST_ONLY,
    learners_of,
)
from schedlab.waits.learner import Geometry, Learner
from schedlab.waits.lookahead import Hindsight, Lookahead, SlurmTest
from schedlab.waits.pool_submission import PoolSubmission
from schedlab.waits.predictors import ByGeometry, Estimator, LastWait, QuantileBound, RunningMedian
from schedlab.waits.requests import Request, request_of, request_run_time
from schedlab.waits.settings import ALTERNATIVES, Settings
from schedlab.waits.simulated_queue import SimulatedQueue
from schedlab.waits.strategies import STRATEGIES, Strategy, drive
from schedlab.waits.submissions import COLUMNS, Submission

NO_ESTIMATOR = "-"
PREDICTORS: dict[str, Callable[[], ByGeometry]] = {
    LAST: lambda: ByGeometry(LastWait),
    MEDIAN: lambda: ByGeometry(RunningMedian),
    BOUND: lambda: ByGeometry(QuantileBound),
}
#: strategy and estimator of every run of a replicate; those of the paper come first
PAPERS = (("Big Job", NO_ESTIMATOR), ("Per-Stage", NO_ESTIMATOR), ("ASA", ASA), ("ASA Naive", ASA))
OTHERS = (
    ("All at once", NO_ESTIMATOR),
    *(
        (strategy, name)
        for name in (FALLING, *PREDICTORS, TEST_ONLY, QUEUE, PERFECT)
        for strategy in ("ASA", "ASA Naive")
    ),
)

EVERY = (*PAPERS, *OTHERS)
#: strategies with published ratios of waits, and the one that needs no estimates
OF_RATIOS = (*PAPERS, OTHERS[0])
#: readings of the pool, whose allocations are submitted by the estimates of Algorithm 1
POOLED = tuple((name, ASA) for name in POOLS)
#: strategies and estimators by the name of their set
WAYS = {"every": EVERY, "ratios": OF_RATIOS, "pools": POOLED}

#: columns of a stage, and of the workflow it belongs to
STAGES = [*COLUMNS, "workflow", "number", "at"]
KEYS = ["replicate", "scale", "strategy", "estimator"]


def learning_of(cells: Mapping) -> Settings:
    """Return the settings of Algorithm 1 from the configuration; by default the tuned policy."""
    values = dict(cells)
    alternatives = values.pop("alternatives")
    return Settings(alternatives=tuple(alternatives or ALTERNATIVES), **values)


@dataclass(frozen=True, eq=False)
class Site:
    """A system with its background, the workflows of its scales, and their requests."""

    settings: WaitSettings
    shapes: pd.DataFrame
    learning: Settings
    practice: Practice
    request: Request = request_run_time

    @classmethod
    def of(cls, shapes: str, settings: Mapping, learning: Mapping, practice: Mapping) -> Self:
        """Make a site from a file of shapes, a row's values and sections of the configuration."""
        return cls(
            WaitSettings(**settings),
            read_shapes(shapes),
            learning_of(learning),
            Practice(**practice),
        )

    def with_requests(self, background: Background) -> Self:
        """Return the site with the requested times that the row defines for this background."""
        return replace(self, request=request_of(self.settings.request, background.jobs))

    @property
    def entering(self) -> list[tuple[str, int]]:
        """Return the workflows of a replicate, and the s from the warm-up to each submission."""
        names = dict.fromkeys(self.shapes["workflow"])
        return [(name, place * self.practice.apart) for place, name in enumerate(names)]

    @cached_property
    def seconds(self) -> dict[int, dict[int, int]]:
        """Return the typical time of a stage by scale and by its cores, from `typical_seconds`."""
        return {cores: typical_seconds(self.shapes, cores) for cores in self.settings.cores}

    @property
    def lasting(self) -> int:
        """Return the seconds from the instant of a replicate to its last submission."""
        return self.practice.lasting(len(self.entering), self.practice.apart)

    def warmed(self, session: QueueSession, cores: int, until: int) -> list[tuple[Geometry, int]]:
        """Submit the warm-up jobs, and advance the session until all of them have started."""
        seconds, practice = self.seconds[cores], self.practice
        widths = [width for _ in range(practice.warm_up) for width in (cores, 1)]
        n = len(widths)
        step = practice.every // 2
        submit = session.now + np.arange(n) * step
        times = [seconds[width] for width in widths]
        requested = [self.request(width, seconds[width]) for width in widths]
        jobs = Jobs(np.arange(n), submit, times, requested, widths)
        handles = session.submit_jobs(jobs)
        starts = starts_of(session, handles.tolist(), until)
        order = np.lexsort((np.arange(n), starts))
        waits = starts - submit
        return [(self.geometry(widths[place]), int(waits[place])) for place in order]

    def geometry(self, cores: int) -> Geometry:
        """Return the geometry of jobs with this many cores on this system."""
        return Geometry(self.settings.experiment, cores)

    def estimators(
        self, observed: Sequence[tuple[Geometry, int]], key: tuple[str | int, ...]
    ) -> dict[str, Estimator]:
        """Return the estimators that learn from experience, trained on these waits."""
        predictors: dict[str, Estimator] = self.learners(observed, key)
        predictors |= {name: make() for name, make in PREDICTORS.items()}
        for name in PREDICTORS:
            for geometry, wait in observed:
                predictors[name].observe(geometry, wait)
        return predictors

    def learners(
        self, observed: Sequence[tuple[Geometry, int]], key: tuple[str | int, ...]
    ) -> dict[str, Learner]:
        """Return learners with either rates, which draw the same numbers; as `estimators`."""
        trained = {name: Learner(own, key) for name, own in learners_of(self.learning).items()}
        for learner in trained.values():
            for geometry, wait in observed:
                learner.observe(geometry, wait)
        return trained

    def asking(self, session: QueueSession, cores: int, until: int) -> dict[str, Estimator]:
        """Return the estimators that inspect the queue at every prediction; as `submissions`."""
        seconds = self.seconds[cores]
        requested = {width: self.request(width, time) for width, time in seconds.items()}
        return {
            TEST_ONLY: SlurmTest(session),
            QUEUE: Lookahead(session, requested),
            PERFECT: Hindsight(session, seconds, requested, until),
        }

    def submissions(
        self,
        session: QueueSession,
        cores: int,
        strategy: Strategy | Pooling,
        estimator: Estimator | None,
        entering: Sequence[tuple[str, int]],
        until: int,
    ) -> list[dict]:
        """Submit workflows of one scale with one strategy, and advance until all have ended."""
        environment = SimulatedQueue(session, until, self.request, self.settings.accrue)
        at = [(name, session.now + seconds) for name, seconds in entering]
        scale_shapes = self.shapes[self.shapes["cores"] == cores].set_index("workflow", drop=False)
        submitted = [
            self._submission(
                scale_shapes.loc[name].to_dict(), strategy, environment, moment, estimator
            )
            for name, moment in at
        ]
        drive(environment, submitted)
        return [
            row | {"workflow": name, "number": number, "at": moment}
            for number, (one, (name, moment)) in enumerate(zip(submitted, at, strict=True))
            for row in one.records()
        ]

    def _submission(
        self,
        shape: Mapping,
        strategy: Strategy | Pooling,
        environment: SimulatedQueue,
        at: int,
        estimator: Estimator | None,
    ) -> Submission:
        common = (environment, at, self.settings.experiment, estimator)
        if isinstance(strategy, Pooling):
            workflow = workflow_of(shape)
            return PoolSubmission(workflow, strategy.tasks_of(workflow), self.request, *common)
        described = big_job_of if strategy.merged else workflow_of
        return Submission(described(shape), strategy, *common)


def replicate(
    site: Site, session: QueueSession, number: int, ways: Sequence[tuple[str, str]]
) -> pd.DataFrame:
    """Run strategies with estimators at one instant."""
    records: list[dict] = []
    until = last_known_time(session.now, site.lasting)
    for cores in site.settings.cores:
        fork = session.fork()
        observed = site.warmed(fork, cores, until)
        key = (PAPER, site.settings.experiment, site.settings.source, cores, number)
        trained = site.estimators(observed, key)
        for strategy, name in ways:
            twin = fork.fork()
            estimator = deepcopy(trained[name]) if name in trained else None
            if name in (TEST_ONLY, QUEUE, PERFECT):
                estimator = site.asking(twin, cores, until)[name]
            chosen_strategy = POOLS[strategy] if strategy in POOLS else STRATEGIES[strategy]
            rows = site.submissions(twin, cores, chosen_strategy, estimator, site.entering, until)
            keys = {"replicate": number, "scale": cores, "strategy": strategy, "estimator": name}
            records += [row | keys for row in rows]
    return pd.DataFrame(records)


def run_all(
    site: Site,
    jobs: Jobs,
    size: int,
    threads: int,
    advance: Callable[[], None] = lambda: None,
    ways: Sequence[tuple[str, str]] = EVERY,
) -> pd.DataFrame:
    """Run all replicates of a row of the sheet, and return rows as `replicate`."""
    settings = site.settings
    if not len(jobs):
        return pd.DataFrame(columns=[*STAGES, *KEYS])
    background = scale_background(jobs, size, settings.processors, settings.load)
    site = site.with_requests(background)
    stream = generator(PAPER, settings.experiment, settings.source, "instants")
    instants = background.instants(settings.replicates, stream, site.lasting)
    things = list(enumerate(background.at(instants, site.lasting)))
    return pd.concat(
        over_threads(lambda one: replicate(site, one[1], one[0], ways), things, threads, advance),
        ignore_index=True,
    )
