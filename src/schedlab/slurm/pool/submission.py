"""Submission of a workflow whose stages with tasks share the pool's workers.

Allocations are submitted as early as by the strategy without dependencies. That of a stage with
tasks works from its start on, for whatever stage has tasks that are ready. So it is never wasted,
and is submitted again only if tasks are left that suit no worker. That of a stage with a command
idles if it comes early, as without a pool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.waits.submissions import NONE, Submission

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from schedlab.slurm.pool.queue import PoolQueue
    from schedlab.waits.learner import Geometry
    from schedlab.waits.predictors import Estimator
    from schedlab.waits.strategies import Strategy
    from schedlab.waits.workflows import Stage, Workflow


class PoolSubmission(Submission):
    """Submission of a workflow, some of whose stages are `with_tasks`, to a queue with a pool."""

    def __init__(
        self,
        workflow: Workflow,
        strategy: Strategy,
        queue: PoolQueue,
        at: int,
        system: str,
        estimator: Estimator,
        geometry: Callable[[Stage], Geometry],
        with_tasks: Collection[str],
    ) -> None:
        super().__init__(workflow, strategy, queue, at, system, estimator, geometry)
        self._numbers = {stage.name: number for number, stage in enumerate(workflow.stages)}
        self._pooled = {self._numbers[name] for name in with_tasks}
        self._waiting: set[int] = set()  # allocations of the pool that have not begun
        self._given_up: set[int] = set()  # stages of workflows that have failed

    @property
    def done(self) -> bool:
        """Whether all stages have ended but those given up."""
        return all(
            stage.end != NONE or number in self._given_up
            for number, stage in enumerate(self._stages)
        )

    def started(self, job: int) -> None:
        """Record that a job has started; the start of an allocation is that of no stage."""
        number = self._by_job[job]
        stage = self._stages[number]
        start = stage.start
        super().started(job)
        if number in self._pooled:
            stage.start, stage.early, stage.wasted = start, NONE, False
            self._waiting.discard(job)

    def ended(self, job: int) -> None:
        """Record that a job has ended; the end of an allocation is that of no stage."""
        if self._by_job[job] not in self._pooled:
            super().ended(job)

    def stage_begun(self, name: str) -> None:
        """Record that the first task of a stage was given to a worker."""
        self._stages[self._numbers[name]].start = self._environment.now

    def stage_ended(self, name: str) -> None:
        """Record that all tasks of a stage have succeeded."""
        number, now = self._numbers[name], self._environment.now
        stage = self._stages[number]
        stage.end = now
        for job in sorted(self._waiting):
            if self._by_job[job] == number:
                self._environment.cancel(job)
                self._waiting.discard(job)
        if stage.first == (NONE, NONE, NONE):  # others' allocations were there before
            submit = stage.start if stage.job == NONE else stage.submit
            stage.first = submit, stage.estimate if stage.job != NONE else NONE, now - submit
        for later, state in enumerate(self._stages):
            if state.wasted and self._free(later):
                self._resubmit(later)

    def stage_starved(self, name: str) -> None:
        """Submit another allocation for a stage: tasks are left that suit no worker."""
        self._resubmit(self._numbers[name])

    def allocation_idle(self, job: int) -> None:
        """Cancel an allocation that no task needs any more."""
        self._environment.cancel(job)

    def give_up(self, names: Collection[str]) -> None:
        """Submit no more of some stages; cancel jobs, but not allocations that run."""
        self._given_up |= {self._numbers[name] for name in names}
        for job, number in self._by_job.items():
            if number in self._given_up and (number not in self._pooled or job in self._waiting):
                self._environment.cancel(job)
                self._waiting.discard(job)

    def _due(self, number: int) -> int | None:
        if number in self._given_up or self._stages[number].end != NONE:
            return None
        return super()._due(number)

    def _submit(self, number: int) -> None:
        super()._submit(number)
        if number in self._pooled:
            self._waiting.add(self._stages[number].job)
