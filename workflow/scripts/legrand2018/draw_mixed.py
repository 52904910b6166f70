"""Mixed policies beside SAF and FCFS, period by period: figures 3, 7, 10 and 13."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.studies.legrand2018.adaptation import LEARNED, by_period
from schedlab.studies.legrand2018.figures.one_trace import write_periods
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import Surface, read_runs


def draw_mixed(
    row: Mapping,
    surface: str,
    pure: Sequence[str],
    own: Sequence[str],
    pdf: str,
    png: str,
    csv: str,
) -> None:
    """Draw one trace, with the policies of one's own, and write what is drawn beside it."""
    experiment = PeriodExperiment(**row)
    space = Surface.from_frame(read_parquet(surface))
    table = by_period(space, read_runs(pure), experiment.threshold, experiment.train)
    table = table.reindex(columns=[*LEARNED, "saf", "fcfs", *own])
    ranges = {"training": experiment.train, "testing": experiment.test}
    write_periods(experiment, table, pdf, png, csv, ranges)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_mixed(
            row=job.params.row,
            surface=job.input.surface,
            pure=job.input.pure,
            own=job.params.own,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
