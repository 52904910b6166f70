"""Published scores against both samplers' of the same tuples."""

from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.learning.scores import correlations
from schedlab.logs import logged
from schedlab.papers.carastan2017.figures.scores import draw_samplers as draw
from schedlab.report.tables import write_csv


def draw_samplers(beside: str, pdf: str, png: str, csv: str) -> None:
    """Draw the scatter and write the correlations."""
    rows = read_parquet(beside)
    found = correlations(rows)
    save(draw(rows, found), pdf, png)
    write_csv(found, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_samplers(job.input.beside, *job.output)
