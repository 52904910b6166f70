"""Figure 3: the four best functions over run time, processors and submit time."""

from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.learning.regression import read_distribution
from schedlab.logs import logged
from schedlab.papers.carastan2017.figures.surfaces import draw_surfaces
from schedlab.papers.carastan2017.tables.learned import in_digits, surfaces
from schedlab.report import tables
from schedlab.traces.records import unaltered


def draw_fig3(fits: str, distribution: str, pdf: str, png: str, csv: str) -> None:
    """Draw the paper's fits and write what is drawn beside it."""
    made = read_parquet(fits)
    drawn = surfaces(made[made["fitter"] == "paper"], read_distribution(unaltered(distribution)))
    save(draw_surfaces(drawn), pdf, png)
    tables.write_csv(in_digits(drawn, {"score": ".9f"}), csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_fig3(
            *(job.input.fits, job.input.distribution),
            *(job.output.pdf, job.output.png, job.output.csv),
        )
