"""Episodes of a log for learners: what they see, what it costs, and which jobs they are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from numbers import Integral
from operator import index
from os import PathLike
from threading import Lock
from typing import NoReturn

import numpy as np

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import METRICS, Counted, Metric, slowdown_of, utilisation_of
from schedlab.files.known_words import nearest
from schedlab.kernels.queue.choices import MACHINE, MOST_SEEN, Episodes
from schedlab.policies import Policy, get
from schedlab.policies.features import KnownJobs, check_features, table_of
from schedlab.queue.choices import COMMIT, EASY, STRICT
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.limits import check_machine
from schedlab.workbench.log import Log, load_log

#: default inputs: sizes that are alike on machines and logs of any kind
FEATURES = ("wait", "stretch", "fits", "procs", "log_estimate", "log_procs", "log_area")
#: dialects in which a learner can choose
LEARNED = ("full", "lifo", "rlscheduler")
Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Scenario:
    """A log and the way in which a learner schedules its queue.

    Parameters
    ----------
    log : Log or path
        The log; each episode begins with an empty machine.
    jobs : int, default 256
        Jobs of an episode: a window of the log, drawn at random.
    windows : sequence of (int, int), optional
        Instead of these, episodes that are drawn from: the places of their first job and behind
        their last, from 0 on. Leave out here what is held out for a test.
    seen : int, default 128
        Waiting jobs that are seen, 1 to 128.
    order : str, default "fcfs"
        Static policy that says which ones if more wait, and their order.
    features : sequence of str
        Inputs of each job, from `schedlab.policies.features.FEATURES`.
    dialect : {"full", "lifo", "rlscheduler"}
        As in `schedlab.queue.dialects`.
    reservations : {"head", "none"}
        EASY backfilling or strict order. With EASY, the first chosen job that does not fit has the
        reservation, and from then on only jobs can be chosen that do not delay it.
    metric : str, default "bsld"
        Metric of `schedlab.core.metrics.METRICS` over the jobs of an episode. The rewards of an
        episode add up to minus its value, or to its value if more is better.

    Raises
    ------
    ValueError
        A setting is invalid; the message names it.
    """

    log: Log | str | PathLike[str]
    jobs: int = 256
    windows: Sequence[tuple[int, int]] | None = None
    seen: int = MOST_SEEN
    order: str = "fcfs"
    features: Sequence[str] = FEATURES
    dialect: str = "full"
    reservations: str = "head"
    metric: str = "bsld"

    def __post_init__(self) -> None:
        if not isinstance(self.log, Log):
            object.__setattr__(self, "log", load_log(self.log))
        object.__setattr__(self, "features", tuple(self.features))
        check_features(self.features)
        if not (isinstance(self.seen, Integral) and 1 <= self.seen <= MOST_SEEN):
            raise ValueError(f"seen is {self.seen} jobs, must be an integer from 1 to {MOST_SEEN}")
        for name, value, known in (
            ("dialect", self.dialect, LEARNED),
            ("reservations", self.reservations, ("head", "none")),
            ("metric", self.metric, METRICS),
        ):
            if value not in known:
                raise ValueError(
                    f"{name} is '{value}'{nearest(value, known)}, must be one of {', '.join(known)}"
                )
        if self.policy.order != "static":
            raise ValueError(f"order is '{self.order}', must be a policy that does not change")
        if DIALECTS[self.dialect].commits and self.reservations == "none":
            raise ValueError(f"dialect {self.dialect} always backfills: reservations must be head")
        jobs = self.log.jobs
        check_machine(jobs, self.log.processors)
        if self.windows is not None:
            object.__setattr__(self, "windows", tuple(map(self.checked, self.windows)))
            if not self.windows:
                raise ValueError("windows is empty, must have a window at least")
        elif not (isinstance(self.jobs, Integral) and 1 <= self.jobs <= len(jobs)):
            raise ValueError(
                f"jobs is {self.jobs}, must be an integer from 1 to {len(jobs)}, as the log has"
            )

    @property
    def policy(self) -> Policy:
        """The order in which jobs are seen."""
        return get(self.order)

    @property
    def rule(self) -> int:
        """Rule of the kernel."""
        if DIALECTS[self.dialect].commits:
            return COMMIT
        return EASY if self.reservations == "head" else STRICT

    @cached_property
    def shapes(self) -> dict[str, tuple[tuple[int, ...], type]]:
        """Shape and type of the arrays of an observation, of one episode."""
        return {
            "jobs": ((self.seen, len(self.features)), np.float32),
            "mask": ((self.seen + 1,), np.int8),
            "machine": ((len(MACHINE),), np.float32),
        }

    def checked(self, window: Sequence[int]) -> tuple[int, int]:
        """Return a window; raise ValueError if the log does not have it."""
        count = len(self.log.jobs)
        try:
            first, end = map(index, window)
        except (TypeError, ValueError):
            first = end = -1
        if not 0 <= first < end <= count:
            raise ValueError(
                f"window {window}, must be the integer places of its first job and behind its "
                f"last, within the {count} jobs of the log"
            )
        return first, end

    def draw(self, random: np.random.Generator) -> tuple[int, int]:
        """Return the first job of a random episode and the one behind its last."""
        if self.windows is not None:
            return self.windows[int(random.integers(len(self.windows)))]
        first = int(random.integers(len(self.log.jobs) - self.jobs + 1))
        return first, first + self.jobs


def costs_of(metric: Metric, jobs: Jobs) -> np.ndarray | None:
    """Return what a second of wait costs and where it begins; None if a metric has no such form.

    The sum over jobs of ``max(slope * wait + offset, least)`` is then the metric of all jobs, times
    their number, or times the area of all for the response time.

    Returns
    -------
    ndarray of float64, shape (3, n), or None
        Slope, offset and least cost.
    """
    costs = np.zeros((3, len(jobs)))
    if metric.name == "bsld":
        # the definition at two waits at which it is a line
        low, high = np.full(len(jobs), 1e5), np.full(len(jobs), 2e5)
        costs[0] = (slowdown_of(high, jobs.runtime) - slowdown_of(low, jobs.runtime)) / 1e5
        costs[1] = slowdown_of(low, jobs.runtime) - costs[0] * 1e5
        costs[2] = 1
    elif metric.name == "wait":
        costs[0] = 1
    elif metric.name == "response":
        costs[0] = jobs.procs * jobs.runtime
        costs[1] = costs[0] * jobs.runtime
    else:
        return None
    return costs


class Batch:
    """Episodes of one scenario side by side: one call takes a decision in each.

    Parameters
    ----------
    scenario : Scenario
        The log and the settings.
    count : int
        Number of episodes at a time.
    threads : int
        Threads of a step.
    out : mapping of str to ndarray, optional
        Arrays ``jobs``, ``mask`` and ``machine`` for the observations, of the shapes of
        `Scenario.shapes` behind an axis of `count`; the kernel writes into them. Read them
        only: the next step does not renew what has not changed.
    """

    def __init__(
        self, scenario: Scenario, count: int, threads: int = 1, out: Arrays | None = None
    ) -> None:
        if count < 1 or threads < 1:
            raise ValueError(f"there are {count} episodes and {threads} threads, must be 1 or more")
        self.scenario, self.count = scenario, count
        self.observation = _arrays(scenario, count, out)
        self.reward, self.over = np.zeros(count), np.zeros(count, dtype=np.uint8)
        self.windows = [(0, 0)] * count
        jobs, log = scenario.log.jobs, scenario.log
        self._metric = METRICS[scenario.metric]
        costs = costs_of(self._metric, jobs)
        self._dense = costs is not None
        table, moving = table_of(
            KnownJobs.of_frame(jobs, log.processors, log.frame), scenario.features
        )
        self.kernel = Episodes(
            *(jobs.submit, jobs.runtime, jobs.estimate, jobs.procs, log.processors),
            scenario.rule,
            DIALECTS[scenario.dialect].ties == "lifo",
            np.stack([scenario.policy.scores(jobs), np.zeros(len(jobs))]),
            np.zeros((3, len(jobs))) if costs is None else costs,
            np.ascontiguousarray(table),
            moving,
            self.observation["jobs"],
            self.observation["mask"].view(np.uint8),
            self.observation["machine"],
            self.reward,
            self.over,
        )
        self.scale, self.value = np.ones(count), np.zeros(count)
        size = -(-count // threads)
        self._parts = [(first, min(first + size, count)) for first in range(0, count, size)]
        self._pool = ThreadPoolExecutor(threads) if len(self._parts) > 1 else None
        # a part that a thread has not begun when Ctrl-C interrupts its step is of an earlier turn
        self._turn: object = None
        self._locks = [Lock() for _ in self._parts]

    def begin(self, place: int, window: tuple[int, int]) -> None:
        """Begin the episode of a window."""
        self._finish()
        self.windows[place] = window
        part = slice(*window)
        weight = float(window[1] - window[0])
        if self._metric.name == "response":
            jobs = self.scenario.log.jobs
            weight = float((jobs.procs[part] * jobs.runtime[part]).sum()) or 1.0
        self.scale[place] = 1 / weight
        self.value[place] = self.over[place] = 0
        self.kernel.begin(place, *window)

    def step(self, actions: np.ndarray) -> int:
        """Take an action in each episode; return how many are over.

        Raises
        ------
        ValueError
            An action cannot be taken; the message names the episode and the action, and no episode
            has changed.
        """
        self._finish()
        if np.asarray(actions).dtype.kind not in "iu":
            raise ValueError(f"actions are {np.asarray(actions).dtype}, must be integers")
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != (self.count,):
            raise ValueError(f"actions have the shape {chosen.shape}, must be ({self.count},)")
        faulty = self.kernel.find_faulty(chosen)
        if faulty >= 0:
            raise ValueError(self._refusal(faulty, int(chosen[faulty])))
        if self._pool:
            turn = self._turn = object()
            part = partial(self._step_part, turn, chosen)
            try:
                over = sum(self._pool.map(part, self._parts, self._locks))
            finally:
                self._finish()
        else:
            over = self.kernel.step(chosen, 0, self.count)
        if self._dense:
            self.reward *= self.scale
            self.value -= self.reward
        else:
            self.reward[:] = 0
            for place in np.flatnonzero(self.over) if over else ():
                self.value[place] = self.metric(place)
                self.reward[place] = self.value[place] * (1 if self._metric.more else -1)
        return over

    def _step_part(
        self, turn: object, chosen: np.ndarray, part: tuple[int, int], lock: Lock
    ) -> int:
        with lock:
            return self.kernel.step(chosen, *part) if turn is self._turn else 0

    def _finish(self) -> None:
        """Wait for the threads of a step, also of one that Ctrl-C interrupted."""
        self._turn = None
        for lock in self._locks:
            with lock:
                pass

    def metric(self, place: int) -> float:
        """Return the metric of an episode that is over."""
        jobs, schedule = self.schedule(place)
        users = np.full(len(jobs), -1)
        if "user" in self.scenario.log.frame:
            users = self.scenario.log.frame["user"].to_numpy()[slice(*self.windows[place])]
        time = int(jobs.submit[0]), int(jobs.submit[-1]) + 1
        in_use = utilisation_of(jobs, schedule, self.scenario.log.processors, *time)
        # a metric that has no value, such as of users that are not known, rewards nothing
        value = self._metric.function(Counted(jobs, users, schedule, in_use))
        return float(np.nan_to_num(value))

    def schedule(self, place: int) -> tuple[Jobs, Schedule]:
        """Return the jobs of an episode that is over, and their schedule; times are the log's."""
        if not self.over[place]:
            raise ValueError(f"episode {place} is not over: take all its decisions before")
        jobs = self.scenario.log.jobs.take(slice(*self.windows[place]))
        start = self.kernel.starts(place)
        return jobs, Schedule(start, start + jobs.runtime)

    def _refusal(self, place: int, action: int) -> str:
        """Return why an action cannot be taken."""
        seen = self.scenario.seen
        if self.over[place] or self.windows[place] == (0, 0):
            return f"episode {place} is over, or has not begun: call reset"
        action_of = f"episode {place}: action {action}"
        if not 0 <= action <= seen:
            return f"{action_of} is not from 0 to {seen}"
        if action == seen:
            return f"{action_of} chooses no job, but nothing happens later: choose a job"
        waiting = self.kernel.waiting(place)
        if action >= len(waiting):
            return f"{action_of} is masked: {len(waiting)} waiting jobs are seen"
        number = self.scenario.log.jobs.number[waiting[action]]
        return f"{action_of} is masked: job {number} would delay the reservation or does not fit"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Raise TypeError: the kernel's memory is neither copied nor pickled."""
        raise TypeError(
            "episodes cannot be copied or pickled: make an environment with the same settings, and "
            "reset it to the same window"
        )

    def close(self) -> None:
        """End the threads; later steps need none."""
        if self._pool:
            self._pool.shutdown(wait=False)
            self._pool = None


def _arrays(scenario: Scenario, count: int, out: Arrays | None) -> dict[str, np.ndarray]:
    """Return the arrays of the observations: new ones, or those of the caller."""
    arrays = {}
    for name, (shape, kind) in scenario.shapes.items():
        array = np.zeros((count, *shape), kind) if out is None else out.get(name)
        if (
            not isinstance(array, np.ndarray)
            or (array.shape, array.dtype) != ((count, *shape), kind)
            or not (array.flags.c_contiguous and array.flags.writeable)
        ):
            given = "is missing" if array is None else f"is {type(array).__name__}"
            if isinstance(array, np.ndarray):
                given = f"is {array.dtype} of {array.shape}"
            raise ValueError(
                f"out['{name}'] {given}, must be a writeable contiguous array of "
                f"{np.dtype(kind)} of {(count, *shape)}"
            )
        array[:] = 0  # the kernel clears no more than it has written
        arrays[name] = array
    return arrays
