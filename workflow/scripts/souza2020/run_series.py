"""Submit each workflow repeatedly, a minute apart and over weeks."""

from collections.abc import Mapping

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.progress import counted
from schedlab.flow.scripts import run_script
from schedlab.studies.souza2020 import accuracy
from schedlab.studies.souza2020.runs import Site
from schedlab.studies.souza2020.sheet import APART, SPREAD


def run_series(
    jobs: str,
    shapes: str,
    settings: Mapping,
    learning: Mapping,
    practice: Mapping,
    size: int,
    submissions: Mapping[str, int],
    threads: int,
    stages: str,
) -> None:
    """Write a row per spacing, scale, workflow, submission and stage."""
    site = Site.of(shapes, settings, learning, practice)
    log = Jobs.from_frame(read_parquet(jobs))
    count, spacings = submissions["count"], {APART: submissions["apart"]}
    spacings[SPREAD] = submissions["spread"]
    with counted("instants", site.settings.replicates) as advance:
        found = accuracy.run_series(site, log, size, count, spacings, threads, advance)
    write_parquet(found, stages)


if __name__ == "__main__":
    run_script(run_series, snakemake)  # noqa: F821
