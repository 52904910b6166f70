"""When the waiting jobs of a site's present queue start: many simulations from now on.

Each draws how much of their limits jobs use, when the next passes come, and which jobs are
submitted. Draws depend on the seed, the simulation and the jobs of each user alone: other settings
see the same ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pandas as pd

from schedlab.core.jobs import Jobs
from schedlab.core.requests import DEFAULTS, Requests
from schedlab.core.streams import generator
from schedlab.files.threads import over_threads
from schedlab.policies import Policy
from schedlab.queue.site_dialect import Points
from schedlab.queue.site_problem import FOREVER
from schedlab.queue.site_run import step
from schedlab.traces.slurm.sacct_times import zone_of
from schedlab.workbench.site_queue import HALF, STOPPING, SiteQueue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from schedlab.kernels.site.site import SiteKernel
    from schedlab.queue.site_problem import SiteProblem
    from schedlab.workbench.log import Log

DAY, WEEK = 86_400, 7 * 86_400
#: simulations, and the days that they last at most
RUNS, MOST_DAYS = 32, 28
#: a user's own jobs decide how long they run if there are so many
ENOUGH = 10
#: probability that a job ran as much of its limit as its user's job before it. That is the rank
#: correlation of the two within users: 0.38 to 0.87 on eight logs, 0.5 in the middle
ALIKE = 0.5
#: instants between two looks at who has started
PART = 200
#: shares of the simulations between which a start is, and its middle
LOW, MIDDLE, HIGH = 0.1, 0.5, 0.9


@dataclass(frozen=True, eq=False)
class Past:
    """What past jobs tell of the next ones; made by `past_of`.

    `shares` are the parts of their limits that jobs ran, by user, and of all jobs at "". `jobs`
    have submit times from 0 on, `span` is the time in which they came, `start` the local time of
    second 0, -1 if it is not known.
    """

    shares: dict[str, np.ndarray]
    jobs: Jobs
    span: int
    start: int = -1

    def share(self, user: str, least: float, draw: float) -> float:
        """Return a user's share of the limit above a least one, by a draw from 0 to 1."""
        for name in (user, ""):
            known = self.shares.get(name, np.zeros(0))
            longer = known[np.searchsorted(known, least, side="right") :]
            if len(known) >= (ENOUGH if name else 1) and len(longer):
                return float(longer[int(draw * len(longer))])
        return 1.0

    def submissions(self, now: int, seconds: int, draw: float) -> Jobs:
        """Return the jobs of another time of the log, with seconds after `now` as submit times.

        That time is of the same hour of the week, if the log has enough weeks and its clock is
        known. A log that is too short is repeated.
        """
        weeks = self.span // WEEK
        if self.start >= 0 and weeks >= 2:
            first = int(draw * weeks) * WEEK + (now - self.start) % WEEK
        else:
            first = int(draw * self.span)
        submit = self.jobs.submit
        rounds = np.arange(-(-seconds // self.span) + 1)
        after = np.add.outer(rounds * self.span, (submit - first) % self.span).ravel()
        place = np.tile(np.arange(len(submit)), len(rounds))
        chosen = np.flatnonzero((after > 0) & (after < seconds))
        chosen = chosen[np.argsort(after[chosen], kind="stable")]
        jobs, place = self.jobs, place[chosen]
        assert jobs.requests is not None
        columns = (jobs.runtime[place], jobs.estimate[place], jobs.procs[place])
        return Jobs(place, after[chosen], *columns, jobs.requests.take(place))


def past_of(log: Log) -> Past:
    """Return what a log's jobs tell of the next ones."""
    start = -1
    if log.unix_start is not None:
        first = log.unix_start + int(log.frame["submit"].iloc[0])
        ahead = datetime.fromtimestamp(first, UTC).astimezone(zone_of(log.zone or "UTC"))
        start = first + int(ahead.utcoffset().total_seconds())
    return past_of_jobs(log.jobs, start)


def past_of_jobs(jobs: Jobs, start: int = -1) -> Past:
    """Return what jobs tell; `start` is the local time of second 0 of their submit times."""
    requests = jobs.requests or Requests.from_frame(pd.DataFrame(index=range(len(jobs))))
    share = np.minimum(jobs.runtime / np.maximum(jobs.estimate, 1), 1.0)
    users = pd.Series(share).groupby(np.asarray(requests.user.column(), dtype=object))
    shares = {str(name): np.sort(part.to_numpy()) for name, part in users if name}
    span = max(int(jobs.submit[-1]) + 1, 1)
    return Past(shares | {"": np.sort(share)}, replace(jobs, requests=requests), span, start)


@dataclass(frozen=True, eq=False)
class Forecast:
    """Starts of the waiting jobs of a queue: seconds on its clock, shape (simulations, jobs).

    -1: the job does not start in the time that is simulated, or runs already. `latest` are those
    if all jobs run until their limits and none is submitted.
    """

    queue: SiteQueue
    starts: np.ndarray
    latest: np.ndarray

    def interval(self, job: int) -> tuple[float, float, float]:
        """Return until when a job starts in 10, 50 and 90 % of the simulations; inf: not."""
        starts = self.starts[:, job]
        return interval_of(np.where(starts < 0, np.inf, starts))


def interval_of(values: np.ndarray) -> tuple[float, float, float]:
    """Return the values that a tenth, half and nine tenths do not exceed."""
    low, middle, high = np.quantile(values, (LOW, MIDDLE, HIGH), method="inverted_cdf").tolist()
    return low, middle, high


class Given(NamedTuple):
    """A policy whose order becomes points of priority, and those of the first waiting job."""

    policy: Policy
    points: int


@dataclass(frozen=True, eq=False)
class Future:
    """A possible future of a queue: run times of its jobs, jobs that come, and the next passes.

    `parts` are those of the periods of both schedulers after which their next passes come.
    """

    runtime: np.ndarray
    later: Jobs | None
    parts: tuple[float, float] = HALF


def futures(queue: SiteQueue, past: Past | None, runs: int, seed: int, days: int) -> list[Future]:
    """Return possible futures; without a past, run times are drawn evenly up to the limits.

    A job has the draw of its user's job before it, with probability `ALIKE`. Jobs come in them if
    the past is at least a week, which has the rhythm of days.
    """
    made = []
    for run in range(runs):
        runtime, draws = queue.jobs.estimate.copy(), dict[str, float]()
        for job, (name, user) in enumerate(
            zip(queue.entries["id"], queue.entries["user"], strict=True)
        ):
            limit, elapsed = int(runtime[job]), int(queue.elapsed[job])
            least = min(elapsed / limit, 1.0)
            new, alike = generator("why", seed, run, str(name)).random(2).tolist()
            draw = draws[user] = new if alike >= ALIKE else draws.get(user, new)
            share = past.share(user, least, draw) if past else least + (1 - least) * draw
            runtime[job] = min(max(round(share * limit), elapsed + 1), limit)
        later = None
        if past and past.span >= WEEK:
            draw = float(generator("why", seed, run).random())
            now = queue.now + queue.origin
            later = past.submissions(now, days * DAY, draw)
            later = replace(later, submit=queue.now + later.submit)
        first, second = generator("why passes", seed, run).random(2).tolist()
        made.append(Future(runtime, later, (first, second)))
    return made


def forecast(
    queue: SiteQueue,
    ways: Sequence[Future],
    days: int = MOST_DAYS,
    job: int | None = None,
    threads: int = 1,
    given: Given | None = None,
) -> Forecast:
    """Simulate futures of a queue; with a `job`, each ends when it has started."""
    starts = over_threads(lambda way: start_times(queue, way, days, job, given), ways, threads)
    latest = start_times(queue, Future(queue.jobs.estimate, None), days, job, given)
    return Forecast(queue, np.array(starts).reshape(len(ways), len(queue.jobs)), latest)


def start_times(
    queue: SiteQueue, way: Future, days: int, job: int | None = None, given: Given | None = None
) -> np.ndarray:
    """Return the starts of the queue's jobs in a future; -1: not in so many days, or before."""
    problem, points = problem_of_future(queue, way), None
    if given:
        jobs = joined(queue.jobs, way.later) if way.later else queue.jobs
        points = Points(problem, jobs, given.policy, given.points)
    kernel = queue.kernel(problem, given=points, parts=way.parts)
    waits = np.flatnonzero(~queue.runs) if job is None else np.array([job])
    until = queue.now + days * DAY
    advance(kernel, until, lambda starts: bool((starts[waits] >= 0).all()), points)
    starts = kernel.starts()[: len(queue.jobs)]
    return np.where(queue.runs, -1, starts)


def problem_of_future(queue: SiteQueue, way: Future) -> SiteProblem:
    """Return the arrays of a queue in a future."""
    if way.later is None:
        return replace(queue.problem, holds=way.runtime + STOPPING)
    jobs = replace(queue.jobs, runtime=way.runtime)
    return queue.problem_with(joined(jobs, way.later))


def advance(
    kernel: SiteKernel,
    until: int,
    is_over: Callable[[np.ndarray], bool],
    points: Points | None = None,
) -> None:
    """Simulate until a time, or until the starts are as wanted; a policy may give points."""
    is_left = True
    while is_left and kernel.next < until and not is_over(kernel.starts()):
        if points is None:
            is_left = kernel.advance(PART, until)
        else:
            is_left = kernel.advance(FOREVER, min(kernel.due, until)) and step(kernel, points)


def joined(first: Jobs, later: Jobs) -> Jobs:
    """Return jobs and later ones as one, numbered by their places; these depend on none."""
    frames = []
    for jobs in (first, later):
        assert jobs.requests is not None
        texts = {
            name: np.asarray(value.column(), dtype=object) if isinstance(default, str) else value
            for name, default in DEFAULTS.items()
            for value in [getattr(jobs.requests, name)]
        }
        frames.append(pd.DataFrame(texts))
    arrays = int(frames[0]["array"].max()) + 1
    frames[1]["array"] = frames[1]["array"].where(
        frames[1]["array"] < 0, frames[1]["array"] + arrays
    )
    frames[1] = frames[1].assign(after="", begin=-1, reservation="")
    columns = [
        np.concatenate([getattr(first, name), getattr(later, name)])
        for name in ("submit", "runtime", "estimate", "procs")
    ]
    numbers = np.arange(len(first) + len(later))
    return Jobs(numbers, *columns, Requests.from_frame(pd.concat(frames, ignore_index=True)))
