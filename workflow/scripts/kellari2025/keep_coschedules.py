"""Run the experiments of one item of kellari2025 whose schedules are kept job by job."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.cosched.pool import Pool
from schedlab.cosched.schedulers import load_orders
from schedlab.io import read_parquet, write_parquet
from schedlab.logs import logged
from schedlab.papers.kellari2025.runs import kept
from schedlab.papers.kellari2025.sheet import CoExperiment


def keep_coschedules(
    cells: Sequence[Mapping],
    pools: Mapping[str, str],
    threads: int,
    schedules: str,
) -> None:
    """Write a row per experiment, scheduler, workload and job; `pools` are files by name."""
    rows = [CoExperiment(**row) for row in cells]
    read = {name: Pool.from_frame(read_parquet(path)) for name, path in pools.items()}
    frames = [kept(row, read[row.pool], threads) for row in rows]
    write_parquet(pd.concat(frames, ignore_index=True), schedules)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        load_orders(job.params.orders)
        keep_coschedules(
            cells=job.params.rows,
            pools=dict(zip(job.params.pools, job.input.pools, strict=True)),
            threads=job.threads,
            schedules=job.output.schedules,
        )
