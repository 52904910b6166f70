"""Run all experiments of one item of kellari2025: every scheduler on every workload."""

import logging
from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.cosched.pool import Pool
from schedlab.cosched.schedulers import load_orders
from schedlab.io import read_parquet, write_parquet
from schedlab.logs import logged
from schedlab.papers.kellari2025.runs import measured
from schedlab.papers.kellari2025.sheet import CoExperiment
from schedlab.progress import counted


def simulate_coschedulers(
    cells: Sequence[Mapping],
    pools: Mapping[str, str],
    arrivals: Mapping[str, str],
    threads: int,
    metrics: str,
) -> None:
    """Write a row per experiment, workload and scheduler.

    `pools` are files by name, `arrivals` files with the jobs of a log or model, by experiment.
    """
    rows = [CoExperiment(**row) for row in cells]
    frames = []
    with counted("simulations", sum(row.workloads * len(row.schedulers) for row in rows)) as step:
        for row in rows:
            pool = Pool.from_frame(read_parquet(pools[row.pool]))
            submit = ()
            if row.log is not None:
                submit = read_parquet(arrivals[row.experiment])["submit"].to_numpy(float)
            frames.append(measured(row, pool, submit, threads, step))
            logging.info("%s: %d runs on %s", row.experiment, len(frames[-1]), pool.label)
    filled = [frame for frame in frames if len(frame)]
    write_parquet(pd.concat(filled, ignore_index=True), metrics)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        load_orders(job.params.orders)
        simulate_coschedulers(
            cells=job.params.rows,
            pools=dict(zip(job.params.pools, job.input.pools, strict=True)),
            arrivals=dict(zip(job.params.arrivals, job.input.arrivals, strict=True)),
            threads=job.threads,
            metrics=job.output.metrics,
        )
