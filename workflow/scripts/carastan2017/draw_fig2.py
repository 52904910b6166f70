"""Figure 2: how the scores settle with the number of trials."""

from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.carastan2017.figures.scores import draw_convergence
from schedlab.report.comparison import read_published
from schedlab.report.tables import write_csv


def draw_fig2(deviations: str, published: str, pdf: str, png: str, csv: str) -> None:
    """Draw the deviations and the one that the paper prints."""
    rows = read_parquet(deviations)
    printed = read_published(published, "fig2")["normalised standard deviation"]
    save(draw_convergence(rows, (int(printed.index[0]), float(printed.iloc[0]))), pdf, png)
    write_csv(rows, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_fig2(job.input.deviations, job.input.published, *job.output)
