"""Figure 15: mixed policies beside SAF and FCFS, month by month, four traces."""

from collections.abc import Mapping, Sequence

from schedlab.figures.style import save
from schedlab.io import read_parquet
from schedlab.logs import logged
from schedlab.papers.legrand2018.figures.periods import draw_panels
from schedlab.papers.legrand2018.sheet import PeriodExperiment
from schedlab.papers.legrand2018.tables import heading, shown, stacked
from schedlab.report import tables
from schedlab.tuning.adaptation import LEARNED, by_period
from schedlab.tuning.surface import Surface


def draw_months(
    rows: Sequence[Mapping],
    surfaces: Sequence[str],
    pure: Sequence[str],
    pdf: str,
    png: str,
    csv: str,
) -> None:
    """Draw a panel per trace and write what is drawn beside it."""
    panels, frames = [], []
    for row, surface, runs in zip(rows, surfaces, pure, strict=True):
        experiment = PeriodExperiment(**row)
        space = Surface.from_frame(read_parquet(surface))
        table = by_period(space, read_parquet(runs), experiment.threshold, experiment.train)
        table = table.reindex(columns=[*LEARNED, "saf", "fcfs"])
        letter = experiment.months_item[-1]
        title = f"{letter}) {heading(experiment.label, experiment.source)}"
        panels.append((title, table, {"training": experiment.train, "testing": experiment.test}))
        frames.append(shown(experiment, table))
    save(draw_panels(panels, "month"), pdf, png)
    tables.write_csv(stacked(frames), csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_months(job.params.rows, job.input.surfaces, job.input.pure, *job.output)
