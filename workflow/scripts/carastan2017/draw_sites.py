"""The matrix of site policies as a picture."""

import pandas as pd

from schedlab.files.logs import logged
from schedlab.report.figures.style import save
from schedlab.report.tables import write_csv
from schedlab.studies.carastan2017.figures.sites import draw_sites as draw


def draw_sites(sites: str, pdf: str, png: str, csv: str) -> None:
    """Draw the ratios of the matrix."""
    matrix = pd.read_csv(sites, dtype={"status": str}).fillna({"status": ""})
    save(draw(matrix), pdf, png)
    write_csv(matrix, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_sites(
            sites=job.input.sites,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
