"""Run the schedulers of an experiment on its jobs, with every seed."""

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.planning.machine import machine_of
from schedlab.studies.klusacek2016.runs import Workload, run_all
from schedlab.studies.klusacek2016.sheet import PlanSettings


def simulate_plans(
    jobs: str,
    settings: Mapping,
    machine: Sequence[Mapping],
    threads: int,
    code: str,
    outputs: Mapping[str, str],
    waits: str | None = None,
) -> None:
    """Write who ran when in each run, the jobs, what was counted, and which jobs fit on no node."""
    row = PlanSettings(**settings)
    simulated = read_parquet(waits) if waits else None
    workload = Workload.of(row, read_parquet(jobs), machine_of(machine), simulated)
    refused = workload.demand.ledger
    logging.info("%d jobs, %d that fit on no node", len(workload), len(refused))
    part = Path(f"{outputs['starts']}.part")
    starts, counts = run_all(workload, part, code, threads)
    for name, frame in (("jobs", workload.jobs()), ("counts", counts), ("refused", refused)):
        write_parquet(frame, outputs[name])
    write_parquet(starts, outputs["starts"])
    part.unlink(missing_ok=True)


if __name__ == "__main__":
    run_script(simulate_plans, snakemake)  # noqa: F821
