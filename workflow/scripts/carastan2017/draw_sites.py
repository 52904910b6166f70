"""The matrix of site policies as a picture."""

import pandas as pd

from schedlab.figures.style import save
from schedlab.logs import logged
from schedlab.papers.carastan2017.figures.sites import draw_sites as draw
from schedlab.report.tables import write_csv


def draw_sites(sites: str, pdf: str, png: str, csv: str) -> None:
    """Draw the ratios of the matrix."""
    matrix = pd.read_csv(sites, dtype={"status": str}).fillna({"status": ""})
    save(draw(matrix), pdf, png)
    write_csv(matrix, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_sites(job.input.sites, *job.output)
