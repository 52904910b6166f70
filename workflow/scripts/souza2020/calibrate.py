"""Search the load at which the Big Jobs of a system wait as long as published."""

import logging
from collections.abc import Mapping

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.progress import counted
from schedlab.flow.scripts import run_script
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
    search: Mapping,
    threads: int,
    tried: str,
) -> None:
    """Write a row per load that was tried; `search` are the settings of the rule."""
    item, steps, instants = search["item"], search["steps"], search["instants"]
    row = WaitSettings(**settings)
    # there is no learner here
    site = Site(row, read_shapes(shapes), Settings(), Practice(**practice))
    wanted = calibration.target(read_published(published, item), item, row.cores)
    ways = calibration.entering(site, item, **search["series"])
    log = Jobs.from_frame(read_parquet(jobs))
    with counted("loads", steps) as advance:
        found = calibration.search(
            site, log, size, *ways, wanted, steps, instants, threads, advance
        )
    if len(found):
        logging.info("load %g: %s", calibration.best(found), calibration.result_of(found))
    write_parquet(found, tried)


if __name__ == "__main__":
    run_script(calibrate, snakemake)  # noqa: F821
