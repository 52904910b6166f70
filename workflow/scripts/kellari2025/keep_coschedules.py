"""Run one experiment of kellari2025 and store its schedules job by job."""

from collections.abc import Mapping

from schedlab.cosched.pool import Pool
from schedlab.cosched.schedulers import load_orders
from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.studies.kellari2025.runs import keep_schedules
from schedlab.studies.kellari2025.sheet import CoSettings


def keep_coschedules(
    settings: Mapping, orders: Mapping[str, str], pool: str, threads: int, schedules: str
) -> None:
    """Write a row per scheduler, workload and job."""
    load_orders(orders)
    drawn_from = Pool.from_frame(read_parquet(pool))
    write_parquet(keep_schedules(CoSettings(**settings), drawn_from, threads), schedules)


if __name__ == "__main__":
    run_script(keep_coschedules, snakemake)  # noqa: F821
