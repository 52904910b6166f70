"""Figure 2: how the scores settle with the number of trials."""

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.report.comparison import read_published
from schedlab.report.figures.style import save
from schedlab.report.tables import write_csv
from schedlab.studies.carastan2017.figures.scores import draw_convergence


def draw_fig2(deviations: str, published: str, pdf: str, png: str, csv: str) -> None:
    """Draw the deviations and the one that the paper prints."""
    rows = read_parquet(deviations)
    printed = read_published(published, "fig2")["normalised standard deviation"]
    save(draw_convergence(rows, (int(printed.index[0]), float(printed.iloc[0]))), pdf, png)
    write_csv(rows, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_fig2(
            deviations=job.input.deviations,
            published=job.input.published,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
