"""Run the schedulers of an experiment on many busy intervals of its log."""

from collections.abc import Mapping

import pandas as pd

from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.files.progress import counted
from schedlab.planning.machine import Machine
from schedlab.studies.klusacek2016.periods import run_periods
from schedlab.studies.klusacek2016.sheet import PlanSettings


def simulate_periods(
    jobs: str, waits: str | None, settings: Mapping, machine: pd.DataFrame, threads: int, runs: str
) -> None:
    """Write a row per interval and run."""
    row = PlanSettings(**settings)
    log, clusters = read_parquet(jobs), Machine.from_table(machine)
    simulated = read_parquet(waits) if waits else None
    with counted("intervals", row.piece) as advance:
        found = run_periods(row, log, clusters, simulated, threads, advance)
    write_parquet(found, runs)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        simulate_periods(
            jobs=job.input.jobs,
            waits=job.input.get("waits") or None,
            settings=job.params.settings,
            machine=pd.DataFrame(job.params.machine),
            threads=job.threads,
            runs=job.output.runs,
        )
