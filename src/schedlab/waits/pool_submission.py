"""One workflow in a batch system, whose allocations share the tasks of all stages.

Allocations are submitted as without dependencies (ASA Naive): one for each stage, ahead of time by
its predicted wait. But an allocation that starts early works on the stages before it
(`schedlab.waits.pool`), and is not cancelled. Choices, as the paper has no experiment with it:

- An allocation lasts as long as it requested, unless it is released before. Released allocations
  are cancelled; running allocations of a batch system cannot shrink.
- Another allocation of a stage is submitted, once the stages before it have ended, if its own ones
  have too little time for the waiting tasks and none of them waits in the queue.
- If a stage ends before its own allocation starts, that one is cancelled. The estimator does not
  learn its wait, which never ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from schedlab.waits.pool import NONE, Pool, StageTasks
from schedlab.waits.strategies import STRATEGIES
from schedlab.waits.submissions import Submission
from schedlab.waits.workflows import Stage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from schedlab.waits.environment import Environment
    from schedlab.waits.predictors import Estimator
    from schedlab.waits.requests import Request
    from schedlab.waits.workflows import Workflow

#: name of the strategy
POOL = "Pool"
SUBMITTED_AS = "ASA Naive"


class PoolSubmission(Submission):
    """One workflow whose allocations form a pool; otherwise as `Submission`.

    `tasks` are those of each stage; `request` returns the time that the allocation of a stage
    lasts at most, from cores and run time in seconds.
    """

    def __init__(
        self,
        workflow: Workflow,
        tasks: Sequence[StageTasks],
        request: Request,
        environment: Environment,
        at: int,
        system: str = "cluster",
        estimator: Estimator | None = None,
    ) -> None:
        super().__init__(workflow, STRATEGIES[SUBMITTED_AS], environment, at, system, estimator)
        self._lasts = [request(stage.cores, stage.seconds) for stage in workflow.stages]
        for stage, own, seconds in zip(workflow.stages, tasks, self._lasts, strict=True):
            longest = max(max(one.seconds, one.limit) for one in own.tasks)
            if own.cores > stage.cores or longest > seconds:
                raise ValueError(
                    f"workflow {workflow.name}: stage {stage.name!r}: a task of {own.cores} cores "
                    f"and {longest} s does not fit into {stage.cores} cores and {seconds} s"
                )
        self._pool = Pool(workflow, tasks)
        self._tasks = tuple(tasks)
        self._in_queue: set[int] = set()

    def act(self) -> int | None:
        """Run tasks, release and submit what is due now; return when something is due next."""
        now = self._environment.now
        if now < self.at:
            return self.at
        for job in self._pool.step(now):
            self._environment.cancel(job)
            self._leave(job)
        order = self.workflow.order
        for number in order:
            self._update(number)
        for number in order:
            if self._needs_another(number):
                self._resubmit(number)
        dues = [self._pool.next_end()]
        for number in order:
            if self._stages[number].job == NONE and self._stages[number].end == NONE:
                due = self._due(number)
                if due is not None and due <= now:
                    self._submit(number)
                else:
                    dues.append(due)
        return min((due for due in dues if due is not None), default=None)

    def started(self, job: int) -> None:
        """Record that an allocation of this workflow has started now, and add it to the pool."""
        super().started(job)
        number, now = self._by_job[job], self._environment.now
        stage = self._stages[number]
        # an early allocation is not wasted here, and its wait is known now
        stage.early, stage.wasted, stage.estimate = NONE, False, now - stage.submit
        stage.start = NONE  # known when the stage has ended: other allocations may run its tasks
        self._in_queue.discard(job)
        cores = self.workflow.stages[number].cores
        self._pool.join(job, number, cores, now, now + self._lasts[number])

    def ended(self, job: int) -> None:
        """Record that an allocation has reached its time limit now; cut tasks wait again."""
        self._leave(job)

    def records(self) -> list[dict[str, Any]]:
        """Return rows as `Submission.records`; a stage begins with its first task.

        perceived is the stage's time minus its run time on its own cores: what it waited, and what
        it lost as it ran on fewer cores; negative if it ran on more. It has two more columns:

        - reruns: number of tasks that were cut and rerun.
        - cut_core_seconds: what they had used until then, which idle_core_seconds includes.
        """
        rows = super().records()
        for number, row in enumerate(rows):
            stage, state = self.workflow.stages[number], self._pool.stages[number]
            row["perceived"] += state.end - row["start"] - stage.seconds
            row["core_seconds"] = self._tasks[number].core_seconds
            row["idle_core_seconds"] = self._stages[number].idle
            row |= {"reruns": state.reruns, "cut_core_seconds": state.lost}
        return rows

    def _submit(self, number: int) -> None:
        """Submit an allocation of a stage that lasts as long as it requests."""
        stage, progress = self.workflow.stages[number], self._stages[number]
        progress.job = self._environment.submit(
            Stage(stage.name, stage.cores, self._lasts[number], stage.after)
        )
        progress.submit, progress.wasted = self._environment.now, False
        self._by_job[progress.job] = number
        self._in_queue.add(progress.job)

    def _leave(self, job: int) -> None:
        """Remove an allocation from the pool, and count its idle core-seconds."""
        number = self._by_job[job]
        stage = self._stages[number]
        stage.idle += self._pool.leave(job, self._environment.now)
        if job == stage.job:
            # its stage, unless it ends at this instant, waits for another allocation
            stage.wasted = True

    def _update(self, number: int) -> None:
        """Record a stage that has ended, and cancel its allocation if it has not started."""
        stage, state = self._stages[number], self._pool.stages[number]
        if state.end != NONE and stage.end == NONE:
            stage.start, stage.end = state.begin, state.end
            if stage.job in self._in_queue:
                self._environment.cancel(stage.job)
                self._in_queue.remove(stage.job)

    def _needs_another(self, number: int) -> bool:
        """Return whether a submitted stage needs another allocation now."""
        job = self._stages[number].job
        if job == NONE or job in self._in_queue or not self._pool.is_free(number):
            return False
        return self._pool.is_short(number, self._environment.now)

    def _expected_end(self, number: int) -> tuple[int, bool]:
        """Return the end of a stage, with waiting tasks on its own cores, and if it is sure."""
        if (last := self._pool.last_end(number)) is not None:
            return last, True
        stage, now = self._stages[number], self._environment.now
        if stage.end != NONE or not self._pool.holds(stage.job):
            return super()._expected_end(number)
        start, firm = max(self._needed(number), (stage.submit + stage.estimate, True))
        return max(start + self.workflow.stages[number].seconds, now), firm
