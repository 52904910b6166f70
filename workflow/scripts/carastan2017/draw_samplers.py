"""Published scores against both samplers' of the same tuples."""

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.learning.distributions import correlations
from schedlab.report.figures.style import save
from schedlab.report.tables import write_csv
from schedlab.studies.carastan2017.figures.scores import draw_samplers as draw


def draw_samplers(beside: str, pdf: str, png: str, csv: str) -> None:
    """Draw the scatter and write the correlations."""
    rows = read_parquet(beside)
    found = correlations(rows)
    save(draw(rows, found), pdf, png)
    write_csv(found, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_samplers(
            beside=job.input.beside,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
