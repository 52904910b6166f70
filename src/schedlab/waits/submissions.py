"""One workflow in a batch system, submitted with one strategy.

Choices that the paper leaves open:

- A stage may be submitted before the one before it, "earlier than even upcoming stages" (section
  4.6). A batch system lets a job depend only on jobs that are there: with dependencies all stages
  before it are submitted with it, and wait.
- A stage that has not been submitted is expected to start when the stages before it end. One that
  has been is expected where its own estimate ends, not before the stages before it end, and not in
  the past.
- Estimates of all stages are made when the workflow is submitted, and again for unsubmitted stages
  whenever a stage of it has started, whose wait has been learned then.
- What is learned from is the time from submission to start, whatever it was that a job waited for.
  With dependencies it is never less than what was left of the stages before it; the paper speaks of
  estimates that deviate towards some that are not optimal (section 4.5).
- Without dependencies an allocation that comes too early idles until the stages before it have
  ended. Of the time that it was asked for too little is left then: it is cancelled and submitted
  again at that instant. What it idled is the overhead; if it ends by itself before, it idled all of
  its time.

References
----------
souza2020, sections 2.2, 3.2, 4.1 and 4.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from schedlab.waits.learner import Geometry

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedlab.waits.environment import Environment
    from schedlab.waits.predictors import Estimator
    from schedlab.waits.strategies import Strategy
    from schedlab.waits.workflows import Stage, Workflow

#: no estimate, or an event that has not happened
NONE = -1
COLUMNS = dict.fromkeys(
    ["cores", "submit", "start", "end", "estimate", "wait", "perceived", "core_seconds",
     "idle_core_seconds", "resubmitted"], "int64"
)  # fmt: skip
COLUMNS = {"stage": "str"} | COLUMNS | {"hit": "bool"}


@dataclass
class _Progress:
    job: int = NONE  # handle of its last submission
    estimate: int = NONE  # of that submission
    submit: int = NONE
    early: int = NONE  # when an allocation came that idles now
    wasted: bool = False  # whether the last submission's came too early
    start: int = NONE  # when the stage itself did
    end: int = NONE
    first: tuple[int, int, int] = (NONE, NONE, NONE)  # submit, estimate, wait of the first one
    idle: int = 0  # seconds
    resubmitted: int = 0


class Submission:
    """One workflow in a batch system.

    Only this object cancels and submits the workflow's jobs. `at` is the workflow's submit time,
    `system` the name of the batch system in the geometries.
    """

    def __init__(
        self,
        workflow: Workflow,
        strategy: Strategy,
        environment: Environment,
        at: int,
        system: str = "cluster",
        estimator: Estimator | None = None,
        geometry: Callable[[Stage], Geometry] | None = None,
    ) -> None:
        if strategy.ahead and estimator is None:
            raise ValueError(f"workflow {workflow.name}: who submits ahead of time must estimate")
        self.workflow = workflow.merged() if strategy.merged else workflow
        self.at = at
        self._strategy, self._environment = strategy, environment
        self._estimator = estimator
        self._geometry_of = geometry or (lambda stage: Geometry(system, stage.cores))
        self._stages = [_Progress() for _ in self.workflow.stages]
        self._by_job: dict[int, int] = {}

    @property
    def done(self) -> bool:
        """Return whether all stages have ended."""
        return all(stage.end != NONE for stage in self._stages)

    def act(self) -> int | None:
        """Submit what is due now; return when something is due next if no event happens before."""
        now = self._environment.now
        if now < self.at:
            return self.at
        while True:
            unsubmitted = [
                stage for stage in self.workflow.order if self._stages[stage].job == NONE
            ]
            dues = {stage: due for stage in unsubmitted if (due := self._due(stage)) is not None}
            number = next((stage for stage in dues if dues[stage] <= now), None)
            if number is None:
                return min(dues.values(), default=None)
            # the due times of later stages change with what is expected of this one now
            self._submit(number)

    def owns(self, job: int) -> bool:
        """Return whether a job belongs to this workflow."""
        return job in self._by_job

    def started(self, job: int) -> None:
        """Record that a job of this workflow has started now."""
        number, now = self._by_job[job], self._environment.now
        stage = self._stages[number]
        if job != stage.job:
            return
        stage.submit = self._environment.submitted(job)
        wait = now - stage.submit
        if self._strategy.ahead:
            self._estimator.observe(self._geometry(number), wait, stage.estimate)
            for other_stage in self._stages:
                other_stage.estimate = NONE if other_stage.job == NONE else other_stage.estimate
        if not stage.resubmitted:
            stage.first = stage.submit, stage.estimate, wait
        if self._free(number):
            stage.start = now
        else:
            stage.early, stage.wasted = now, True

    def ended(self, job: int) -> None:
        """Record that a job of this workflow has ended now."""
        number, now = self._by_job[job], self._environment.now
        stage = self._stages[number]
        if job != stage.job:
            return
        if stage.wasted:
            stage.idle += now - stage.early
            stage.early = NONE
            return
        stage.end = now
        for later in range(len(self._stages)):
            if self._stages[later].wasted and self._free(later):
                self._resubmit(later)

    def rows(self) -> pd.DataFrame:
        """Return a row for each stage, in their order; raise ValueError if not all have ended.

        Times are in seconds. The columns are:

        - stage, cores.
        - submit (first submission), start and end of the stage itself.
        - estimate (`NONE` if there is none) and wait of its first submission.
        - perceived: from the end of the last stage before it, or from the workflow's submission, to
          its start.
        - core_seconds (of the stage), idle_core_seconds (overhead).
        - resubmitted: number of resubmissions.
        - hit: whether the estimate does not exceed the wait.
        """
        return pd.DataFrame(self.records()).astype(COLUMNS)

    def records(self) -> list[dict[str, Any]]:
        """Return the values of `rows` as a dict for each stage, for tables of many workflows."""
        if not self.done:
            raise ValueError(f"workflow {self.workflow.name}: has not ended yet")
        rows = []
        for number, (stage, state) in enumerate(
            zip(self.workflow.stages, self._stages, strict=True)
        ):
            submit, estimate, wait = state.first
            needed = max(
                (self._stages[predecessor].end for predecessor in self.workflow.before[number]),
                default=self.at,
            )
            rows.append(
                {
                    "stage": stage.name,
                    "cores": stage.cores,
                    "submit": submit,
                    "start": state.start,
                    "end": state.end,
                    "estimate": estimate,
                    "wait": wait,
                    "perceived": state.start - needed,
                    "core_seconds": stage.cores * (state.end - state.start),
                    "idle_core_seconds": stage.cores * state.idle,
                    "resubmitted": state.resubmitted,
                    "hit": NONE < estimate <= wait,
                }
            )
        return rows

    def _geometry(self, number: int) -> Geometry:
        return self._geometry_of(self.workflow.stages[number])

    def _free(self, number: int) -> bool:
        return all(
            self._stages[predecessor].end != NONE for predecessor in self.workflow.before[number]
        )

    def _due(self, number: int) -> int | None:
        """Return when to submit a stage; None if that depends on another event."""
        now = self._environment.now
        if self._strategy.at_once:
            return self.at
        if not self._strategy.ahead:
            return now if self._free(number) else None
        stage = self._stages[number]
        if stage.estimate == NONE:
            stage.estimate = self._estimator.estimate(self._geometry(number))
        if not self.workflow.before[number]:
            return self.at
        needed, firm = self._needed(number)
        due = needed - stage.estimate
        return due if firm or due <= now else None

    def _needed(self, number: int) -> tuple[int, bool]:
        """Return the expected end of the stages before a stage, and if time can change it."""
        before = self.workflow.before[number]
        return max(
            (self._expected_end(predecessor) for predecessor in before), default=(self.at, True)
        )

    def _expected_end(self, number: int) -> tuple[int, bool]:
        """Return the expected end of a stage, and whether it is certain, as for `_needed`."""
        stage, now = self._stages[number], self._environment.now
        seconds = self.workflow.stages[number].seconds
        if stage.end != NONE:
            return stage.end, True
        if stage.start != NONE:
            return max(stage.start + seconds, now), True
        needed, firm = self._needed(number)
        if stage.job == NONE:
            return needed + seconds, firm
        if stage.wasted:
            return needed + stage.estimate + seconds, firm
        start, firm = max((needed, firm), (stage.submit + stage.estimate, True), (now, False))
        return start + seconds, firm

    def _submit(self, number: int) -> None:
        """Submit a stage, and with dependencies the unsubmitted stages before it."""
        if self._strategy.dependent:
            for predecessor in self.workflow.before[number]:
                if self._stages[predecessor].job == NONE:
                    self._submit(predecessor)
        stage, environment = self._stages[number], self._environment
        stage.job = environment.submit(self.workflow.stages[number])
        stage.submit, stage.early, stage.wasted = environment.now, NONE, False
        self._by_job[stage.job] = number
        before = [self._stages[stage_before].job for stage_before in self.workflow.before[number]]
        if self._strategy.dependent and not self._free(number):
            environment.depend(stage.job, before)

    def _resubmit(self, number: int) -> None:
        """Resubmit a stage whose allocation came before it could be used."""
        stage = self._stages[number]
        if stage.early != NONE:
            stage.idle += self._environment.now - stage.early
            self._environment.cancel(stage.job)
        stage.resubmitted += 1
        stage.estimate = self._estimator.estimate(self._geometry(number))
        self._submit(number)
