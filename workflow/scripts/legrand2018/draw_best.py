"""Figures 2, 6, 9 and 12: SAF beside each period's best pure policy."""

from collections.abc import Mapping, Sequence

from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.legrand2018.figures.periods import draw_periods
from schedlab.papers.legrand2018.sheet import PeriodExperiment
from schedlab.papers.legrand2018.tables import best_pure, heading, shown
from schedlab.report import tables
from schedlab.tuning.adaptation import pure_by_period


def draw_best(row: Mapping, pure: str, pdf: str, png: str, csv: str) -> None:
    """Draw one trace and write what is drawn beside it."""
    experiment = PeriodExperiment(**row)
    table = best_pure(pure_by_period(read_parquet(pure), experiment.threshold))
    figure = draw_periods(
        table[["saf", "best pure"]],
        heading(experiment.label, experiment.source),
        experiment.split.removesuffix("s"),
        notes=table["which"].where(table["which"] != "SAF", ""),
    )
    save(figure, pdf, png)
    tables.write_csv(shown(experiment, table), csv)


def draw_all(rows: Sequence[Mapping], *files: Sequence[str]) -> None:
    """Draw every trace; `files` are as for `draw_best`, one of each a trace."""
    for row, *own in zip(rows, *files, strict=True):
        draw_best(row, *own)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_all(
            *(job.params.rows, job.input.pure),
            *(job.output.pdf, job.output.png, job.output.csv),
        )
