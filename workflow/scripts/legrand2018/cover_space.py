"""Simulate every period under every weight vector of the grid."""

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from schedlab.io import read_parquet, write_parquet
from schedlab.logs import logged
from schedlab.tuning import periods


def cover_space(
    pieces: str,
    scales: str,
    scaled: bool,
    numbers: Sequence[int],
    processors: int,
    threshold: int | None,
    points: int,
    threads: int,
    surface: str,
) -> None:
    """Write a row per vector, a column per period; features are as they are unless `scaled`."""
    jobs = periods.read_periods(pieces, numbers)
    divisors = read_parquet(scales)["scale"].to_numpy()[:3] if scaled else np.ones(3)
    part = Path(f"{surface}.part")
    found = periods.cover_space(jobs, processors, divisors, threshold, points, part, threads)
    count = sum(map(len, jobs.values()))
    logging.info("%d vectors, %d periods, %d jobs", len(found.weights), len(found), count)
    write_parquet(found.to_frame(), surface)
    part.unlink(missing_ok=True)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        cover_space(
            *(job.input.pieces, job.input.scales, job.params.scaled, job.params.numbers),
            *(job.params.processors, job.params.threshold, job.params.points),
            *(job.threads, job.output.surface),
        )
