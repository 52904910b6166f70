"""Figure 3: the four best functions over run time, processors and submit time."""

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.learning.regression import read_distribution
from schedlab.report import tables
from schedlab.report.figures.style import save
from schedlab.studies.carastan2017.figures.surfaces import draw_surfaces
from schedlab.studies.carastan2017.tables.digits import in_digits
from schedlab.studies.carastan2017.tables.surfaces import surfaces
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
            fits=job.input.fits,
            distribution=job.input.distribution,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
