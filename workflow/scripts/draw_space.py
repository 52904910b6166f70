"""Figure 4: the space of weights in some weeks, two diamonds each."""

from collections.abc import Mapping

from schedlab import tables
from schedlab.experiments import PeriodExperiment
from schedlab.figures.diamonds import draw_space as draw
from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.learning.adaptation import diamonds, optima
from schedlab.learning.surface import Surface
from schedlab.logs import logged
from schedlab.period_tables import about, heading


def draw_space(row: Mapping, surface: str, pdf: str, png: str, csv: str) -> None:
    """Draw the weeks that the sheet names and write what is drawn beside it."""
    experiment = PeriodExperiment(**row)
    weeks = Surface.from_frame(read_parquet(surface)).between(*experiment.space)
    drawn = diamonds(weeks)
    title = heading(experiment.label, experiment.source)
    save(draw(drawn, optima(weeks), title), pdf, png)
    tables.write_csv(drawn.assign(**about(experiment)), csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_space(job.params.row, job.input.surface, *job.output)
