"""Simulate a whole log under Orig-BF; its waits determine the busy intervals."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.planning.machine import machine_of
from schedlab.studies.klusacek2016.intervals import contention


def simulate_contention(
    jobs: str, machine: Sequence[Mapping], source: str, memory: str | None, waits: str
) -> None:
    """Write number, start and cluster of each job."""
    frame = read_parquet(jobs)
    write_parquet(contention(frame, machine_of(machine), source, memory), waits)


if __name__ == "__main__":
    run_script(simulate_contention, snakemake)  # noqa: F821
