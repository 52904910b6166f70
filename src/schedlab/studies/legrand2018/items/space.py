"""The space of weights in some periods, two diamonds each: figure 4 of legrand2018."""

from collections.abc import Mapping

from schedlab.report.figures.picture import Picture
from schedlab.studies.legrand2018.adaptation import diamonds, optima
from schedlab.studies.legrand2018.figures.diamonds import draw_space
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_surface
from schedlab.studies.legrand2018.tables import about


def make(item: str, row: Mapping, surface: str) -> dict[str, Picture]:
    """Return the figure of the periods that the sheet names."""
    experiment = PeriodExperiment(**row)
    weeks = read_surface(surface).between(*experiment.space)
    sides = diamonds(weeks)
    figure = draw_space(sides, optima(weeks), experiment.name)
    return {item: Picture(figure, sides.assign(**about(experiment)))}
