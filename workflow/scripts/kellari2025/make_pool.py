"""Read a pool of co-execution times; if it is not available, Table 4.1 stands in."""

import logging

from schedlab.cosched.pairs import effects
from schedlab.cosched.pool import STAND_IN, read_pool
from schedlab.files.io import write_parquet
from schedlab.files.logs import logged
from schedlab.traces.records import unaltered

COMPLETED = "other pairs by row and column effects"


def make_pool(raw: str | None, table4_1: str, name: str, frame: str) -> None:
    """Write every ordered pair; `raw` is None if the configuration uses no pool."""
    pool = read_pool(unaltered(raw), name) if raw else None
    if not pool:
        pool = read_pool(table4_1, STAND_IN)
        pool = pool.completed(effects(pool.speedup), COMPLETED)
    logging.info("%s: %d of %d pairs measured", pool.label, pool.measured.sum(), len(pool) ** 2)
    write_parquet(pool.to_frame(), frame)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_pool(
            raw=job.input.get("raw"),
            table4_1=job.input.table4_1,
            name=job.wildcards.pool,
            frame=job.output.frame,
        )
