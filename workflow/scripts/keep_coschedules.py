"""Run the experiments of one item of kellari2025 whose schedules are kept job by job."""

from collections.abc import Mapping, Sequence

import pandas as pd

from schedlab.cosched.campaign import kept
from schedlab.cosched.experiments import read_coexperiments
from schedlab.cosched.pool import Pool
from schedlab.cosched.schedulers import load_orders
from schedlab.io import read_parquet, write_parquet
from schedlab.logs import logged


def keep_coschedules(
    sheet: str,
    schema: str,
    names: Sequence[str],
    limit: int | None,
    pools: Mapping[str, str],
    threads: int,
    schedules: str,
) -> None:
    """Write a row per experiment, scheduler, workload and job; `pools` are files by name."""
    sheet_rows = read_coexperiments(sheet, schema)
    rows = [sheet_rows[name].limited(limit) if limit else sheet_rows[name] for name in names]
    read = {name: Pool.from_frame(read_parquet(path)) for name, path in pools.items()}
    frames = [kept(row, read[row.pool], threads) for row in rows]
    write_parquet(pd.concat(frames, ignore_index=True), schedules)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        load_orders(job.params.orders)
        keep_coschedules(
            *(job.input.sheet, job.input.schema, job.params.names, job.params.limit),
            dict(zip(job.params.pools, job.input.pools, strict=True)),
            *(job.threads, job.output.schedules),
        )
