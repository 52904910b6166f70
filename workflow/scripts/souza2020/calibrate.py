"""Search the load at which the Big Jobs of a system wait as long as published."""

import logging
from collections.abc import Mapping

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.files.progress import counted
from schedlab.report.comparison import read_published
from schedlab.studies.souza2020 import calibration
from schedlab.studies.souza2020.runs import Site
from schedlab.studies.souza2020.shapes import read_shapes
from schedlab.studies.souza2020.sheet import Practice, WaitSettings
from schedlab.waits.settings import Settings


def calibrate(
    jobs: str,
    shapes: str,
    published: str,
    settings: Mapping,
    practice: Mapping,
    size: int,
    item: str,
    steps: int,
    instants: int,
    series: Mapping,
    threads: int,
    tried: str,
) -> None:
    """Write a row per load that was tried."""
    row = WaitSettings(**settings)
    # there is no learner here
    site = Site(row, read_shapes(shapes), Settings(), Practice(**practice))
    wanted = calibration.target(read_published(published, item), item, row.cores)
    ways = calibration.entering(site, item, **series)
    log = Jobs.from_frame(read_parquet(jobs))
    with counted("loads", steps) as advance:
        found = calibration.search(
            site, log, size, *ways, wanted, steps, instants, threads, advance
        )
    if len(found):
        logging.info("load %g: %s", calibration.best(found), calibration.result_of(found))
    write_parquet(found, tried)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        calibrate(
            jobs=job.input.jobs,
            shapes=job.input.shapes,
            published=job.input.published,
            settings=job.params.settings,
            practice=job.params.practice,
            size=job.params.size,
            **job.params.search,
            threads=job.threads,
            tried=job.output.tried,
        )
