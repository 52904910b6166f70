"""Table 4 with one cell of its rows changed at a time, number beside number."""

import logging
from collections.abc import Mapping, Sequence
from functools import partial

from schedlab.io import write_parquet
from schedlab.logs import logged
from schedlab.papers.carastan2017.sheet import Experiment
from schedlab.papers.carastan2017.toggles import TOGGLES, numbers_of, read_printed
from schedlab.toggles.runs import run_toggles
from schedlab.toggles.sources import Workloads


def toggle_table4(
    rows: Sequence[Mapping],
    sources: Mapping[str, Mapping],
    published: str,
    models: bool,
    threads: int,
    moved: str,
) -> None:
    """Write a row per toggle and number of the experiments that are at hand."""
    experiments = [Experiment(**row) for row in rows]
    run = partial(numbers_of, workloads=Workloads.of(sources))
    printed = read_printed(experiments, published, models)
    table = run_toggles(experiments, TOGGLES, run, printed, threads)
    logging.info("%d toggles, %d numbers", table["toggle"].nunique(), len(table))
    write_parquet(table, moved)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        toggle_table4(
            rows=job.params.rows,
            sources=job.params.sources,
            published=job.input.published,
            models=job.params.models,
            threads=job.threads,
            moved=job.output.moved,
        )
