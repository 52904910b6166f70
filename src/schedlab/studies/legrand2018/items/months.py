"""Mixed policies, SAF and FCFS by month, one panel a trace: figure 15 of legrand2018."""

from collections.abc import Mapping, Sequence

from schedlab.report.figures.picture import Picture
from schedlab.studies.legrand2018.adaptation import LEARNED, read_by_period
from schedlab.studies.legrand2018.figures.periods import draw_panels
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.tables import shown, stacked


def make(
    item: str,
    rows: Sequence[Mapping],
    surfaces: Sequence[str],
    pure: Sequence[str],
    own: Sequence[str],
) -> dict[str, Picture]:
    """Return a panel per trace, with your policies `own`, and the data.

    `pure` are the runs of every trace, then those of each of `own` in the same order.
    """
    panels, frames = [], []
    for place, (row, surface) in enumerate(zip(rows, surfaces, strict=True)):
        experiment = PeriodExperiment(**row)
        table = read_by_period(experiment, surface, pure[place :: len(rows)])
        table = table.reindex(columns=[*LEARNED, "saf", "fcfs", *own])
        letter = f"{experiment.panel}) " if experiment.panel else ""
        title = f"{letter}{experiment.name}"
        panels.append((title, table, {"training": experiment.train, "testing": experiment.test}))
        frames.append(shown(experiment, table))
    return {item: Picture(draw_panels(panels, "month"), stacked(frames))}
