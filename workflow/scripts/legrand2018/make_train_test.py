"""Table 2: sums over the training and the testing periods."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.studies.legrand2018.adaptation import by_period
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import Surface, read_runs
from schedlab.studies.legrand2018.tables import ran_on, train_and_test


def make_train_test(
    row: Mapping, surface: str, pure: Sequence[str], own: Sequence[str], csv: str, md: str
) -> None:
    """Write Table 2, with the policies of one's own, as .csv and .md."""
    experiment = PeriodExperiment(**row)
    space = Surface.from_frame(read_parquet(surface))
    policies = by_period(space, read_runs(pure), experiment.threshold, experiment.train)
    table = train_and_test(experiment, policies)
    tables.write_csv(table, csv)
    note = (
        "Sums of the average bounded slowdowns of the training ({}-{}) and the testing ({}-{}) {}."
    ).format(*experiment.train, *experiment.test, experiment.unit)
    title = f"Table 2: mixed and pure policies, {', '.join([ran_on(table), *own])}"
    tables.write_markdown(table, md, title, note)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_train_test(
            row=job.params.row,
            surface=job.input.surface,
            pure=job.input.pure,
            own=job.params.own,
            csv=job.output.csv,
            md=job.output.md,
        )
