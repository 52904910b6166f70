"""Table 2: sums over the training and the testing periods."""

from collections.abc import Mapping

from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.legrand2018.sheet import PeriodExperiment
from schedlab.papers.legrand2018.tables import ran_on, train_and_test
from schedlab.report import tables
from schedlab.tuning.adaptation import by_period
from schedlab.tuning.surface import Surface


def make_train_test(row: Mapping, surface: str, pure: str, csv: str, md: str) -> None:
    """Write Table 2 as .csv and .md."""
    experiment = PeriodExperiment(**row)
    space = Surface.from_frame(read_parquet(surface))
    policies = by_period(space, read_parquet(pure), experiment.threshold, experiment.train)
    table = train_and_test(experiment, policies)
    tables.write_csv(table, csv)
    note = (
        "Sums of the average bounded slowdowns of the training ({}-{}) and the testing ({}-{}) {}."
    ).format(*experiment.train, *experiment.test, experiment.split)
    title = f"Table 2: mixed and pure policies, {ran_on(table)}"
    tables.write_markdown(table, md, title, note)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_train_test(
            job.params.row, job.input.surface, job.input.pure, job.output.csv, job.output.md
        )
