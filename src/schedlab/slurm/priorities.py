"""What a cluster's order of jobs means for stages that are submitted before they are needed.

Source: slurm.conf(5) of Slurm 22.05 and 24.11, PriorityFlags and SchedulerParameters. A job with a
dependency becomes eligible when that is met. Its age counts from then on, unless ACCRUE_ALWAYS is
set. The backfill scheduler reserves nothing for a job that is not eligible.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping

    from schedlab.slurm.workflow_file import WorkflowFile
    from schedlab.waits.strategies import Strategy

#: minutes that backfilling looks ahead by default
BF_WINDOW = 1440


@dataclass(frozen=True)
class Priorities:
    """Settings of a cluster that decide about early submissions.

    `is_multifactor` is whether jobs are ordered by weighted factors, else by submit time. `ages`
    is whether waiting raises the priority, `accrues` whether it does during a dependency.
    """

    is_multifactor: bool
    ages: bool
    accrues: bool
    backfill: dict[str, str] | None

    @classmethod
    def read(cls, configuration: Mapping[str, str]) -> Self:
        """Return the settings of what ``scontrol show config`` prints, by name."""
        parameters = configuration.get("SchedulerParameters", "").split(",")
        backfill = dict(word.partition("=")[::2] for word in parameters if word.startswith("bf_"))
        return cls(
            configuration.get("PriorityType") == "priority/multifactor",
            int(configuration.get("PriorityWeightAge", "0") or 0) > 0,
            "ACCRUE_ALWAYS" in re.split(r"\W+", configuration.get("PriorityFlags", "")),
            backfill if configuration.get("SchedulerType") == "sched/backfill" else None,
        )

    def sentences(self, strategy: Strategy, described: WorkflowFile) -> list[str]:
        """Return what these settings mean for a strategy and a workflow, one sentence each."""
        if not (strategy.ahead or strategy.at_once):
            return []
        lines = [self._order(strategy)]
        if self.backfill is None:
            return [*lines, "no backfill scheduler: a job starts only after all jobs before it"]
        window = int(self.backfill.get("bf_window", BF_WINDOW) or BF_WINDOW)
        for stage in described.workflow.stages:
            if described.minutes(stage) > window:
                lines.append(
                    f"stage {stage.name!r} asks for {described.minutes(stage)} min, more than "
                    f"bf_window ({window} min): it may not be backfilled"
                )
        most = int(self.backfill.get("bf_max_job_user", 0) or 0)
        if 0 < most < len(described.workflow.stages):
            lines.append(
                f"bf_max_job_user is {most}: of this user's waiting jobs, backfilling looks at no "
                "more"
            )
        return lines

    def _order(self, strategy: Strategy) -> str:
        """Return what early submission gains in the order of the waiting jobs."""
        if not self.is_multifactor:
            return (
                "jobs are ordered by submit time: an early submission gains its place in the queue"
            )
        if not self.ages:
            return (
                "PriorityWeightAge is 0: an early submission raises no priority, other factors "
                "order the jobs"
            )
        if strategy.dependent and not self.accrues:
            return (
                "PriorityFlags has no ACCRUE_ALWAYS: a stage with a dependency does not age: its "
                "early submission gains no priority (naive has no dependencies)"
            )
        return "waiting raises the priority, from the submission on: an early submission gains age"
