"""Submit workflows with a set of strategies and estimators, at all instants of a background."""

from collections.abc import Mapping

from schedlab.core.jobs import Jobs
from schedlab.files.io import read_parquet, write_parquet
from schedlab.files.progress import counted
from schedlab.flow.scripts import run_script
from schedlab.studies.souza2020.runs import WAYS, Site, run_all


def run_workflows(
    jobs: str,
    shapes: str,
    settings: Mapping,
    learning: Mapping,
    practice: Mapping,
    size: int,
    ways: str,
    threads: int,
    stages: str,
) -> None:
    """Write a row per replicate, scale, strategy, estimator, workflow and stage."""
    site = Site.of(shapes, settings, learning, practice)
    log = Jobs.from_frame(read_parquet(jobs))
    with counted("instants", site.settings.replicates) as advance:
        found = run_all(site, log, size, threads, advance, WAYS[ways])
    write_parquet(found, stages)


if __name__ == "__main__":
    run_script(run_workflows, snakemake)  # noqa: F821
