"""Read a pool of co-execution times; if it is not available, Table 4.1 stands in."""

import logging

from schedlab.cosched.pairs import effects
from schedlab.cosched.pool import STAND_IN, read_pool
from schedlab.files.io import write_parquet
from schedlab.flow.scripts import run_script
from schedlab.traces.records import unaltered

COMPLETED = "other pairs by row and column effects"


def make_pool(table4_1: str, pool: str, frame: str, raw: str | None = None) -> None:
    """Write every ordered pair; `raw` is None if the configuration uses no pool."""
    found = read_pool(unaltered(raw), pool) if raw else None
    if not found:
        found = read_pool(table4_1, STAND_IN)
        found = found.completed(effects(found.speedup), COMPLETED)
    logging.info("%s: %d of %d pairs measured", found.label, found.measured.sum(), len(found) ** 2)
    write_parquet(found.to_frame(), frame)


if __name__ == "__main__":
    run_script(make_pool, snakemake)  # noqa: F821
