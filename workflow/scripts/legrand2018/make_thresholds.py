"""Sums over all periods, threshold by threshold: Tables 3 to 6."""

from collections.abc import Mapping, Sequence

from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_runs
from schedlab.studies.legrand2018.tables import by_threshold, ran_on


def make_thresholds(
    row: Mapping, pure: Sequence[str], own: Sequence[str], csv: str, md: str
) -> None:
    """Write the table of one trace, with the policies of one's own."""
    experiment = PeriodExperiment(**row)
    table = by_threshold(experiment, read_runs(pure), own)
    tables.write_csv(table, csv)
    number = experiment.thresholds_item.removeprefix("table").strip("_").replace("_", " ")
    title = f"Table {number}: thresholds, {', '.join([ran_on(table), *own])}"
    note = f"Sums of the average bounded slowdowns of {experiment.pieces} {experiment.unit}."
    tables.write_markdown(table, md, title, note)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_thresholds(
            row=job.params.row,
            pure=job.input.pure,
            own=job.params.own,
            csv=job.output.csv,
            md=job.output.md,
        )
