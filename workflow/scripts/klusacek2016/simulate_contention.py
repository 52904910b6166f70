"""Simulate a whole log under Orig-BF; its waits determine the busy intervals."""

import pandas as pd

from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.planning.machine import Machine
from schedlab.studies.klusacek2016.intervals import contention


def simulate_contention(
    jobs: str, machine: pd.DataFrame, log: str, memory: str | None, waits: str
) -> None:
    """Write number, start and cluster of each job."""
    frame = read_parquet(jobs)
    write_parquet(contention(frame, Machine.from_table(machine), log, memory), waits)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        simulate_contention(
            jobs=job.input.jobs,
            machine=pd.DataFrame(job.params.machine),
            log=job.wildcards.source,
            memory=job.params.memory,
            waits=job.output.waits,
        )
