"""Plan of a run before anything is submitted: when stages are expected to be submitted and start.

The strategy itself makes the plan, in a queue in which each job waits as long as is predicted now;
if waits are learned, it is the most likely one. The learner's state does not change.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from schedlab.slurm.capacity import Partition, check_capacity
from schedlab.slurm.client import Slurm
from schedlab.slurm.predictors import LEARNED, check_predictor, make_estimator
from schedlab.slurm.priorities import Priorities
from schedlab.slurm.strategies import STRATEGIES, check_tasks_run
from schedlab.waits.strategies import drive
from schedlab.waits.submissions import Submission

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

    from schedlab.slurm.workflow_file import WorkflowFile
    from schedlab.waits.learner import Geometry, Learner
    from schedlab.waits.workflows import Stage


@dataclass(frozen=True)
class Plan:
    """Expected course of a run.

    `stages` has a row for each stage: stage, cores, limit_min (requested, in minutes), submit,
    start and end in seconds from the beginning, wait in seconds and known (whether there is a
    prediction of its wait; else it counts as 0). `notes` are sentences about the cluster.
    """

    workflow: str
    strategy: str
    system: str
    stages: pd.DataFrame
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the plan as a dict for JSON."""
        names = ("workflow", "strategy", "system")
        facts = {name: getattr(self, name) for name in names}
        return facts | {"stages": self.stages.to_dict("records"), "notes": list(self.notes)}


def plan_run(
    described: WorkflowFile,
    strategy: str,
    learner: Learner,
    slurm: Slurm | None = None,
    predictor: str = LEARNED,
) -> Plan:
    """Return the plan of a run by one of `schedlab.slurm.strategies.STRATEGIES`; submit nothing.

    `predictor` is one of `schedlab.slurm.predictors.PREDICTORS`. Raises the errors of
    `schedlab.slurm.run.prepare_run`, and the learner's if its file is damaged.
    """
    check_tasks_run(described, strategy)
    check_predictor(predictor, strategy)
    slurm = Slurm() if slurm is None else slurm
    queue = slurm.system(described.partition)
    check_capacity(described, strategy, Partition.read(slurm.partitions(described.partition)))
    system = described.system(queue, os.environ.get("SBATCH_QOS"))
    geometry = partial(described.geometry, system)
    if predictor == LEARNED:
        expected = _Expected(lambda of: _most_likely(learner, of))
    else:
        expected = _Expected(make_estimator(predictor, learner, slurm, described, system).estimate)
    expected_queue = _ExpectedQueue(geometry, expected)
    submission = Submission(
        *(described.workflow, STRATEGIES[strategy], expected_queue, 0, system, expected, geometry)
    )
    drive(expected_queue, [submission])
    rows = submission.rows()
    stages = submission.workflow.stages
    rows["limit_min"] = [described.minutes(stage) for stage in stages]
    rows["known"] = [expected.is_known(geometry(stage)) for stage in stages]
    priorities = Priorities.read(slurm.configuration())
    return Plan(
        described.workflow.name,
        strategy,
        system,
        rows[["stage", "cores", "limit_min", "submit", "start", "end", "wait", "known"]],
        tuple(priorities.sentences(STRATEGIES[strategy], described)),
    )


def _most_likely(learner: Learner, geometry: Geometry) -> int | None:
    """Return the most likely wait, in seconds; None if all alternatives are as likely."""
    chances = learner.chances(geometry)
    if max(chances.values()) == min(chances.values()):
        return None
    return max(chances, key=chances.__getitem__)


class _Expected:
    """Estimator of the waits that `predict` returns now, which learns nothing."""

    def __init__(self, predict: Callable[[Geometry], int | None]) -> None:
        self._predict = cache(predict)

    def is_known(self, geometry: Geometry) -> bool:
        """Return whether there is a prediction."""
        return self._predict(geometry) is not None

    def estimate(self, geometry: Geometry) -> int:
        """Return the predicted wait, in seconds; 0 if there is no prediction."""
        return self._predict(geometry) or 0

    def observe(self, geometry: Geometry, wait: float, estimate: int | None = None) -> None:
        """Learn nothing."""


@dataclass
class _Job:
    """A job in the expected queue; times are in seconds."""

    submit: int
    ready: int
    seconds: int
    blockers: tuple[int, ...] = ()
    start: int | None = None
    ended: bool = False


class _ExpectedQueue:
    """Queue in which each job waits as long as expected, and at least for its dependencies."""

    def __init__(self, geometry: Callable[[Stage], Geometry], expected: _Expected) -> None:
        self.now = 0
        self._geometry, self._expected = geometry, expected
        self._jobs: list[_Job] = []
        self._news: tuple[list[int], list[int]] = ([], [])

    def submit(self, stage: Stage) -> int:
        """Submit a job now."""
        ready = self.now + self._expected.estimate(self._geometry(stage))
        self._jobs.append(_Job(self.now, ready, stage.seconds))
        return len(self._jobs) - 1

    def submitted(self, job: int) -> int:
        """Return when a job was submitted."""
        return self._jobs[job].submit

    def depend(self, job: int, blockers: Sequence[int]) -> None:
        """Make a job wait for the ends of others."""
        self._jobs[job].blockers = tuple(blockers)

    def cancel(self, job: int) -> bool:
        """Cancel a job; return False if it has ended."""
        was, self._jobs[job].ended = self._jobs[job].ended, True
        return not was

    def advance(self, until: int | None) -> None:
        """Advance to the next start or end, or to `until`."""
        times = [time for job in self._jobs if (time := self._next(job)) is not None]
        time = min([*times, until] if until is not None else times, default=None)
        if time is None:
            return
        self.now = time
        for number, job in enumerate(self._jobs):
            if self._next(job) == time:
                if job.start is None:
                    job.start = time
                    self._news[0].append(number)
                else:
                    job.ended = True
                    self._news[1].append(number)

    def read(self) -> tuple[list[int], list[int]]:
        """Return the jobs that have started, and that have ended, since the last call."""
        news, self._news = self._news, ([], [])
        return news

    def _next(self, job: _Job) -> int | None:
        """Return when a job starts or ends next; None if it has ended or depends on others."""
        if job.ended or not all(self._jobs[blocker].ended for blocker in job.blockers):
            return None
        return max(job.ready, self.now) if job.start is None else job.start + job.seconds
