"""Figures 3, 7, 10 and 13: mixed policies beside SAF and FCFS, period by period."""

from collections.abc import Mapping, Sequence

from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.legrand2018.figures.periods import draw_periods
from schedlab.papers.legrand2018.sheet import PeriodExperiment
from schedlab.papers.legrand2018.tables import heading, shown
from schedlab.report import tables
from schedlab.tuning.adaptation import LEARNED, by_period
from schedlab.tuning.surface import Surface


def draw_mixed(row: Mapping, surface: str, pure: str, pdf: str, png: str, csv: str) -> None:
    """Draw one trace and write what is drawn beside it."""
    experiment = PeriodExperiment(**row)
    space = Surface.from_frame(read_parquet(surface))
    table = by_period(space, read_parquet(pure), experiment.threshold, experiment.train)
    table = table.reindex(columns=[*LEARNED, "saf", "fcfs"])
    ranges = {"training": experiment.train, "testing": experiment.test}
    title = heading(experiment.label, experiment.source)
    save(draw_periods(table, title, experiment.split.removesuffix("s"), ranges), pdf, png)
    tables.write_csv(shown(experiment, table), csv)


def draw_all(rows: Sequence[Mapping], *files: Sequence[str]) -> None:
    """Draw every trace; `files` are as for `draw_mixed`, one of each a trace."""
    for row, *own in zip(rows, *files, strict=True):
        draw_mixed(row, *own)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_all(
            *(job.params.rows, job.input.surfaces, job.input.pure),
            *(job.output.pdf, job.output.png, job.output.csv),
        )
