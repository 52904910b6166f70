"""Simulate every period under every weight vector of the grid."""

import logging
from collections.abc import Sequence
from pathlib import Path

from schedlab.files.io import read_parquet, write_parquet
from schedlab.flow.scripts import run_script
from schedlab.studies.legrand2018 import periods


def cover_space(
    pieces: str,
    scales: str,
    scaling: str,
    numbers: Sequence[int],
    processors: int,
    threshold: int | None,
    tau: float,
    points: int,
    threads: int,
    code: str,
    surface: str,
) -> None:
    """Write a row per vector, a column per period; `scaling` is a column of the scales."""
    jobs = periods.read_periods(pieces, numbers)
    divisors = read_parquet(scales)[scaling].to_numpy()[:3]
    part = Path(f"{surface}.part")
    settings = (processors, divisors, threshold, points)
    found = periods.cover_space(jobs, *settings, part, code, threads, tau)
    count = sum(map(len, jobs.values()))
    logging.info("%d vectors, %d periods, %d jobs", len(found.weights), len(found), count)
    write_parquet(found.to_frame(), surface)
    part.unlink(missing_ok=True)


if __name__ == "__main__":
    run_script(cover_space, snakemake)  # noqa: F821
