"""Simulate every period under every weight vector of the grid."""

import logging
from collections.abc import Sequence
from pathlib import Path

from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.files.resume import digest_of
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
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        cover_space(
            pieces=job.input.pieces,
            scales=job.input.scales,
            scaling=job.wildcards.scaling,
            numbers=job.params.numbers,
            processors=job.params.processors,
            threshold=job.params.threshold,
            tau=job.params.tau,
            points=job.params.points,
            threads=job.threads,
            code=digest_of([job.params.environment, job.params.code]).hex(),
            surface=job.output.surface,
        )
