"""Run the schedulers of an experiment on many busy intervals of its log."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.progress import counted
from schedlab.flow.scripts import run_script
from schedlab.planning.machine import machine_of
from schedlab.studies.klusacek2016.runs import run_periods
from schedlab.studies.klusacek2016.sheet import PlanSettings


def simulate_periods(
    jobs: str,
    settings: Mapping,
    machine: Sequence[Mapping],
    threads: int,
    runs: str,
    waits: str | None = None,
) -> None:
    """Write a row per interval and run."""
    row = PlanSettings(**settings)
    log, clusters = read_parquet(jobs), machine_of(machine)
    simulated = read_parquet(waits) if waits else None
    with counted("intervals", row.piece) as advance:
        found = run_periods(row, log, clusters, simulated, threads, advance)
    write_parquet(found, runs)


if __name__ == "__main__":
    run_script(simulate_periods, snakemake)  # noqa: F821
