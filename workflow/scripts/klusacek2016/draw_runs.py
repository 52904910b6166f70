"""Figures 1, 2, 3, 6, 7 and 8: both schedulers on a whole log."""

from collections.abc import Mapping, Sequence

from schedlab.figures.style import save
from schedlab.logs import logged
from schedlab.papers.klusacek2016.evidence import read_evidence
from schedlab.papers.klusacek2016.figures.drawn import drawn
from schedlab.report import tables


def draw_runs(
    figure: str,
    rows: Sequence[Mapping],
    jobs: Sequence[str],
    starts: Sequence[str],
    pdf: str,
    png: str,
    csv: str,
) -> None:
    """Draw one figure, and write what is drawn."""
    picture, data = drawn(figure, read_evidence(rows, jobs, starts))
    save(picture, pdf, png)
    tables.write_csv(data, csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_runs(
            figure=job.wildcards.figure,
            rows=job.params.rows,
            jobs=job.input.jobs,
            starts=job.input.starts,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
