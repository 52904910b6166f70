"""Readings of the pool: how the stages of the workflows are divided into tasks.

The paper describes a pool over several allocations (section 3.1), and no experiment with it. Its
text decides some of what a simulation needs, and the rest is chosen here:

- Sequential stages use one core (section 2), so each is one task.
- Parallel stages of Montage and BLAST are divided into tasks on one core. Figure 1 shows Montage's
  as independent tasks; BLAST "splits an input file into several smaller files and then uses
  parallel tasks" (section 4.3). Groups of stages, such as 1 and 2 of Montage, count as one.
- Those of Statistics stay whole: it spends most of its time on "communication among the parallel
  tasks" (section 4.3), which therefore run at the same time. Alternative: divided as well.
- The number of tasks is not published. With one task a core, all of a stage run at once, and an
  allocation that comes later finds nothing to do. The more tasks, the more it can take. Chosen: 4
  on each core, one after the other. Alternatives: 1 and 16.
- A task's limit is its run time. Alternative: none, so that ends of allocations may cut tasks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from schedlab.waits.pool import divide, keep_whole
from schedlab.waits.pool_submission import POOL

if TYPE_CHECKING:
    from schedlab.waits.pool import StageTasks
    from schedlab.waits.workflows import Stage, Workflow

#: workflows whose parallel stages need all of their cores at once
COUPLED = frozenset({"Statistics"})
#: limit of a task without a limit, in seconds: any allocation is long enough
NO_LIMIT = 1


@dataclass(frozen=True)
class Pooling:
    """A reading of the pool.

    `parts` are tasks on each core of a divided stage, `whole` workflows whose parallel stages are
    not divided. `limited`: tasks go only to allocations that outlive them.
    """

    parts: int = 4
    whole: frozenset[str] = COUPLED
    limited: bool = True

    def tasks_of(self, workflow: Workflow) -> list[StageTasks]:
        """Return the tasks of each stage of a workflow."""
        return [self._divide(stage, workflow.name) for stage in workflow.stages]

    def _divide(self, stage: Stage, name: str) -> StageTasks:
        is_whole = stage.cores == 1 or name in self.whole
        divided = keep_whole(stage) if is_whole else divide(stage, self.parts)
        if self.limited:
            return divided
        tasks = tuple(replace(one, limit=NO_LIMIT) for one in divided.tasks)
        return replace(divided, tasks=tasks)


#: readings by name, the chosen one first
POOLS = {
    POOL: Pooling(),
    "Pool, 1 task a core": Pooling(parts=1),
    "Pool, 16 tasks a core": Pooling(parts=16),
    "Pool, Statistics divided": Pooling(whole=frozenset()),
    "Pool, no limits of tasks": Pooling(limited=False),
}
