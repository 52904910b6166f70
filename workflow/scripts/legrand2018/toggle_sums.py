"""Tables 2 to 6 with one cell of their rows changed at a time, number beside number."""

import logging
from collections.abc import Mapping, Sequence

from schedlab.io import write_parquet
from schedlab.logs import logged
from schedlab.papers.legrand2018.sheet import PeriodExperiment
from schedlab.papers.legrand2018.tables import threshold_label
from schedlab.papers.legrand2018.toggles import (
    TOGGLES,
    numbers_of,
    read_printed,
    tables_alone,
)
from schedlab.toggles.runs import run_toggles
from schedlab.toggles.sources import Workloads


def toggle_sums(
    rows: Sequence[Mapping],
    sources: Mapping[str, Mapping],
    published: str,
    owners: str,
    halved: str,
    threads: int,
    moved: str,
) -> None:
    """Write a row per toggle and number; `halved` is the experiment that Table 2 is of."""
    experiments = [tables_alone(PeriodExperiment(**row)) for row in rows]
    workloads = Workloads.of(sources)
    columns = {
        row.experiment: [threshold_label(threshold) for threshold in row.thresholds]
        for row in experiments
    }

    def run(row: PeriodExperiment):
        return numbers_of(row, workloads, columns[row.experiment], row.experiment == halved)

    printed = read_printed(experiments, published, owners, halved)
    table = run_toggles(experiments, TOGGLES, run, printed, threads)
    logging.info("%d toggles, %d numbers", table["toggle"].nunique(), len(table))
    write_parquet(table, moved)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        toggle_sums(
            rows=job.params.rows,
            sources=job.params.sources,
            published=job.input.published,
            owners=job.input.owners,
            halved=job.params.halved,
            threads=job.threads,
            moved=job.output.moved,
        )
