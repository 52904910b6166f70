"""Store plans of an experiment and search them, with the paper's rule and with others."""

import logging
from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.progress import counted
from schedlab.flow.scripts import run_script
from schedlab.planning.machine import machine_of
from schedlab.studies.klusacek2016.runs import Workload
from schedlab.studies.klusacek2016.searches import RULES, budgets, keep_plans, search_every_plan
from schedlab.studies.klusacek2016.sheet import PlanSettings


def search_plans(
    jobs: str,
    settings: Mapping,
    machine: Sequence[Mapping],
    plans: int,
    seeds: int,
    budget: int,
    threads: int,
    searches: str,
) -> None:
    """Write the results of every search of every plan, from 10 iterations to the `budget`."""
    row = PlanSettings(**settings)
    found = keep_plans(Workload.of(row, read_parquet(jobs), machine_of(machine)), plans)
    count = sum(map(len, found.values()))
    logging.info("%s: %d plans kept", row.experiment, count)
    looked_at = budgets(row.iterations, budget)
    with counted("searches", count * len(RULES) * seeds) as step:
        table = search_every_plan(found, seeds, looked_at, row.experiment, threads, step)
    write_parquet(table, searches)


if __name__ == "__main__":
    run_script(search_plans, snakemake)  # noqa: F821
