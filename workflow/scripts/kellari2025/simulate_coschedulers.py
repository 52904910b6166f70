"""Run one experiment of kellari2025: every scheduler on every workload."""

import logging
from collections.abc import Mapping

from schedlab.cosched.pool import Pool
from schedlab.cosched.schedulers import load_orders, of_policy
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.progress import counted
from schedlab.flow.scripts import run_script
from schedlab.studies.kellari2025.runs import measure_runs
from schedlab.studies.kellari2025.sheet import CoSettings


def simulate_coschedulers(
    settings: Mapping,
    policies: Mapping[str, str],
    orders: Mapping[str, str],
    pool: str,
    threads: int,
    metrics: str,
    arrivals: str | None = None,
) -> None:
    """Write a row per workload and scheduler; none if the log of the arrivals is not available.

    The schedulers are those of the row, then `policies` by name. `arrivals` has the jobs of a log
    or model whose interarrival times the row uses.
    """
    load_orders(orders)
    row = CoSettings(**settings)
    further = [of_policy(name, expression) for name, expression in policies.items()]
    drawn_from = Pool.from_frame(read_parquet(pool))
    submit = read_parquet(arrivals)["submit"].to_numpy(float) if arrivals else ()
    with counted("simulations", row.workloads * (len(row.schedulers) + len(further))) as step:
        found = measure_runs(row, drawn_from, submit, threads, step, further)
    logging.info("%s: %d runs on %s", row.experiment, len(found), drawn_from.label)
    write_parquet(found, metrics)


if __name__ == "__main__":
    run_script(simulate_coschedulers, snakemake)  # noqa: F821
