"""Tables 3 to 6: sums over all periods, threshold by threshold."""

from collections.abc import Mapping, Sequence

from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.legrand2018.sheet import PeriodExperiment
from schedlab.papers.legrand2018.tables import by_threshold, ran_on
from schedlab.report import tables


def make_thresholds(row: Mapping, pure: str, csv: str, md: str) -> None:
    """Write one of the tables as .csv and .md."""
    experiment = PeriodExperiment(**row)
    table = by_threshold(experiment, read_parquet(pure))
    tables.write_csv(table, csv)
    number = experiment.thresholds_item.removeprefix("table")
    title = f"Table {number}: thresholds, {ran_on(table)}"
    note = f"Sums of the average bounded slowdowns of {experiment.pieces} {experiment.split}."
    tables.write_markdown(table, md, title, note)


def make_all(rows: Sequence[Mapping], *files: Sequence[str]) -> None:
    """Write the table of each trace; `files` are as for `make_thresholds`, one of each a trace."""
    for row, *own in zip(rows, *files, strict=True):
        make_thresholds(row, *own)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_all(job.params.rows, job.input.pure, job.output.csv, job.output.md)
