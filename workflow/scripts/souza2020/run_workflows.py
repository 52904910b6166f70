"""Submit workflows with every strategy and every estimator, at all instants of a background."""

from collections.abc import Mapping

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.logs import logged
from schedlab.files.progress import counted
from schedlab.studies.souza2020.runs import EVERY, OF_RATIOS, Site, run_all


def run_workflows(
    jobs: str,
    shapes: str,
    cells: Mapping,
    size: int,
    ratios_only: bool,
    threads: int,
    stages: str,
) -> None:
    """Write a row per replicate, scale, strategy, estimator, workflow and stage."""
    site = Site.of(shapes, **cells)
    log = Jobs.from_frame(read_parquet(jobs))
    with counted("instants", site.settings.replicates) as advance:
        ways = OF_RATIOS if ratios_only else EVERY
        found = run_all(site, log, size, threads, advance, ways)
    write_parquet(found, stages)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        run_workflows(
            jobs=job.input.jobs,
            shapes=job.input.shapes,
            cells={name: job.params[name] for name in ("settings", "learning", "practice")},
            size=job.params.size,
            ratios_only=job.params.ratios_only,
            threads=job.threads,
            stages=job.output.stages,
        )
