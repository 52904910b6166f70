"""Figures 5, 8, 11 and 14: what xNES finds beside the coverage of the space."""

from collections.abc import Mapping, Sequence

from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.legrand2018.figures.periods import draw_periods
from schedlab.papers.legrand2018.sheet import PeriodExperiment
from schedlab.papers.legrand2018.tables import heading, searched, shown
from schedlab.report import tables
from schedlab.tuning.adaptation import optima
from schedlab.tuning.surface import Surface


def draw_search(row: Mapping, surface: str, search: str, pdf: str, png: str, csv: str) -> None:
    """Draw one trace and write what is drawn beside it."""
    experiment = PeriodExperiment(**row)
    best = optima(Surface.from_frame(read_parquet(surface)))
    table = searched(best, read_parquet(search))
    title = heading(experiment.label, experiment.source)
    save(draw_periods(table, title, experiment.split.removesuffix("s")), pdf, png)
    tables.write_csv(shown(experiment, table), csv)


def draw_all(rows: Sequence[Mapping], *files: Sequence[str]) -> None:
    """Draw every trace; `files` are as for `draw_search`, one of each a trace."""
    for row, *own in zip(rows, *files, strict=True):
        draw_search(row, *own)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_all(
            *(job.params.rows, job.input.surfaces, job.input.searches),
            *(job.output.pdf, job.output.png, job.output.csv),
        )
