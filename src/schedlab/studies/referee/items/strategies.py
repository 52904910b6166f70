"""Compare the strategies' real runs with the simulation of the same load."""

from collections.abc import Sequence
from pathlib import Path

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet
from schedlab.report.parts import Table
from schedlab.slurm.background_load import simulate_under_load
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.studies.referee.strategies import INSTANTS, strategies_table
from schedlab.studies.referee.windows import NODES

DIGITS = {"core_hours": 2, "idle_core_hours": 2}


def make(
    jobs: str, workflow: str, real: Sequence[str], strategies: Sequence[str]
) -> dict[str, Table]:
    """Return a row per strategy and run; `real` are the runs of `strategies`."""
    window = Jobs.from_frame(read_parquet(jobs))
    described = WorkflowFile.read(Path(workflow)).workflow
    stages = {}
    for strategy, path in zip(strategies, real, strict=True):
        stages[strategy, "real"] = read_parquet(path)
        stages[strategy, "simulated"] = simulate_under_load(
            window, described, strategy, INSTANTS, NODES
        )
    table = strategies_table(stages)
    digits = {
        name: next((kept for start, kept in DIGITS.items() if name.startswith(start)), 0)
        for name in table.columns[2:]
    }
    return {"strategies": Table(table, digits)}
