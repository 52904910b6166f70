"""Strategies of `schedlab asa run`: those of the simulations, and the pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.slurm.client import SlurmError
from schedlab.waits import strategies
from schedlab.waits.pool_submission import POOL

if TYPE_CHECKING:
    from schedlab.slurm.workflow_file import WorkflowFile

#: allocations of the pool are submitted like those without dependencies
STRATEGIES = {**strategies.STRATEGIES, POOL: strategies.Strategy(ahead=True)}
#: names for the command line and for files
TYPED = {**strategies.TYPED, "pool": POOL}


def check_tasks_run(described: WorkflowFile, strategy: str) -> None:
    """Raise `SlurmError` if stages have tasks and the strategy no pool, or the reverse."""
    name = described.workflow.name
    if strategy != POOL and described.members:
        names = ", ".join(member.name for member in described.members)
        raise SlurmError(f"workflows {names}: one run of several needs a pool: --strategy pool")
    if strategy != POOL and described.tasks:
        stage = next(iter(described.tasks))
        raise SlurmError(
            f"workflow {name}: stage {stage!r} has tasks, which strategy pool alone runs: "
            "--strategy pool"
        )
    if strategy != POOL:
        return
    if not described.tasks:
        raise SlurmError(
            f"workflow {name}: strategy pool needs a stage with tasks; each stage has a command"
        )
    from schedlab.slurm.pool.credentials import check_installed

    check_installed()
