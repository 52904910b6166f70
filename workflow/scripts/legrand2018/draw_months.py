"""Mixed policies beside SAF and FCFS, month by month, a trace a panel: figure 15."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.report import tables
from schedlab.report.figures.style import save
from schedlab.studies.legrand2018.adaptation import LEARNED, by_period
from schedlab.studies.legrand2018.figures.periods import draw_panels
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import Surface, read_runs
from schedlab.studies.legrand2018.tables import heading, shown, stacked


def draw_months(
    rows: Sequence[Mapping],
    surfaces: Sequence[str],
    pure: Sequence[str],
    own: Sequence[str],
    pdf: str,
    png: str,
    csv: str,
) -> None:
    """Draw a panel per trace, with the policies of one's own, and write what is drawn beside it.

    `pure` are the runs of every trace, and after them as many again for each of `own`.
    """
    panels, frames = [], []
    for place, (row, surface) in enumerate(zip(rows, surfaces, strict=True)):
        experiment, runs = PeriodExperiment(**row), read_runs(pure[place :: len(rows)])
        space = Surface.from_frame(read_parquet(surface))
        table = by_period(space, runs, experiment.threshold, experiment.train)
        table = table.reindex(columns=[*LEARNED, "saf", "fcfs", *own])
        letter = f"{experiment.panel}) " if experiment.panel else ""
        title = f"{letter}{heading(experiment.label, experiment.source)}"
        panels.append((title, table, {"training": experiment.train, "testing": experiment.test}))
        frames.append(shown(experiment, table))
    save(draw_panels(panels, "month"), pdf, png)
    tables.write_csv(stacked(frames), csv)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        draw_months(
            rows=job.params.rows,
            surfaces=job.input.surfaces,
            pure=job.input.pure,
            own=job.params.own,
            pdf=job.output.pdf,
            png=job.output.png,
            csv=job.output.csv,
        )
