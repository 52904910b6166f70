"""Figure 3: the four best functions over run time, processors and submit time."""

from schedlab import tables
from schedlab.figures.style import save
from schedlab.figures.surfaces import draw_surfaces
from schedlab.io import read_parquet
from schedlab.learning.policy_tables import in_digits, surfaces
from schedlab.learning.regression import read_distribution
from schedlab.logs import logged
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
