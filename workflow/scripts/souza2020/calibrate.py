"""Search the load at which the Big Jobs of a system wait as long as is printed."""

import logging
from collections.abc import Mapping

from schedlab.io import read_parquet, write_parquet
from schedlab.jobs import Jobs
from schedlab.logs import logged
from schedlab.papers.souza2020 import calibration
from schedlab.papers.souza2020.shapes import read_shapes
from schedlab.papers.souza2020.sheet import WaitSettings
from schedlab.progress import counted
from schedlab.report.comparison import read_published


def calibrate(
    jobs: str,
    shapes: str,
    published: str,
    settings: Mapping,
    size: int,
    item: str,
    steps: int,
    instants: int,
    threads: int,
    tried: str,
) -> None:
    """Write a row per load that was tried."""
    row = WaitSettings(**settings)
    wanted = calibration.target(read_published(published, item), item, row.cores)
    log, sheet = Jobs.from_frame(read_parquet(jobs)), read_shapes(shapes)
    with counted("loads", steps) as advance:
        found = calibration.search(row, log, size, sheet, wanted, steps, instants, threads, advance)
    logging.info("load %g", calibration.best(found))
    write_parquet(found, tried)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        calibrate(
            jobs=job.input.jobs,
            shapes=job.input.shapes,
            published=job.input.published,
            settings=job.params.settings,
            size=job.params.size,
            item=job.params.item,
            **job.params.search,
            threads=job.threads,
            tried=job.output.tried,
        )
