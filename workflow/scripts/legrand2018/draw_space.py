"""The space of weights in some periods, two diamonds each: figure 4."""

from collections.abc import Mapping

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.report.figures.style import save
from schedlab.studies.legrand2018.adaptation import diamonds, optima
from schedlab.studies.legrand2018.figures.diamonds import draw_space as draw
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import Surface
from schedlab.studies.legrand2018.tables import about, heading


def draw_space(row: Mapping, surface: str, pdf: str, png: str, csv: str) -> None:
    """Draw the periods that the sheet names and write what is drawn beside it."""
    experiment = PeriodExperiment(**row)
    weeks = Surface.from_frame(read_parquet(surface)).between(*experiment.space)
    drawn = diamonds(weeks)
    title = heading(experiment.label, experiment.source)
    save(draw(drawn, optima(weeks), title), pdf, png)
    tables.write_csv(drawn.assign(**about(experiment)), csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_space(
            row=job.params.row,
            surface=job.input.surface,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
