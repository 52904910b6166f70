"""Store the moves of Random Search that one run of an experiment accepted."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.planning.machine import machine_of
from schedlab.studies.klusacek2016.runs import Workload
from schedlab.studies.klusacek2016.sheet import PlanSettings


def keep_moves(jobs: str, settings: Mapping, machine: Sequence[Mapping], moves: str) -> None:
    """Write the moves of the first seed, in the format of `PlanSession.schedule`."""
    row = PlanSettings(**settings)
    workload = Workload.of(row, read_parquet(jobs), machine_of(machine))
    write_parquet(workload.moves(seed=0), moves)


if __name__ == "__main__":
    run_script(keep_moves, snakemake)  # noqa: F821
