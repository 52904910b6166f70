"""What xNES finds beside the coverage of the space: figures 5, 8, 11 and 14."""

from collections.abc import Mapping

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.studies.legrand2018.adaptation import optima
from schedlab.studies.legrand2018.figures.one_trace import write_periods
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import Surface
from schedlab.studies.legrand2018.tables import searched


def draw_search(row: Mapping, surface: str, search: str, pdf: str, png: str, csv: str) -> None:
    """Draw one trace and write what is drawn beside it."""
    best = optima(Surface.from_frame(read_parquet(surface)))
    table = searched(best, read_parquet(search))
    write_periods(PeriodExperiment(**row), table, pdf, png, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_search(
            row=job.params.row,
            surface=job.input.surface,
            search=job.input.search,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
