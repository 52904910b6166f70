"""Submit each workflow repeatedly, a minute apart and over weeks."""

from collections.abc import Mapping

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.files.progress import counted
from schedlab.studies.souza2020 import accuracy
from schedlab.studies.souza2020.runs import Site
from schedlab.studies.souza2020.sheet import APART, SPREAD


def run_series(
    jobs: str,
    shapes: str,
    cells: Mapping,
    size: int,
    count: int,
    apart: int,
    spread: int,
    threads: int,
    stages: str,
) -> None:
    """Write a row per spacing, scale, workflow, submission and stage."""
    site = Site.of(shapes, **cells)
    log = Jobs.from_frame(read_parquet(jobs))
    spacings = {APART: apart, SPREAD: spread}
    with counted("instants", site.settings.replicates) as advance:
        found = accuracy.run_series(site, log, size, count, spacings, threads, advance)
    write_parquet(found, stages)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        run_series(
            jobs=job.input.jobs,
            shapes=job.input.shapes,
            cells={name: job.params[name] for name in ("settings", "learning", "practice")},
            size=job.params.size,
            **job.params.submissions,
            threads=job.threads,
            stages=job.output.stages,
        )
