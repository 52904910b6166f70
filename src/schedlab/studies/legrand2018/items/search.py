"""Values found by xNES over the best of the grid: figures 5, 8, 11 and 14 of legrand2018."""

from collections.abc import Mapping

from schedlab.files.io import read_parquet
from schedlab.report.figures.picture import Picture
from schedlab.studies.legrand2018.adaptation import optima
from schedlab.studies.legrand2018.figures.one_trace import picture_of_periods
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_surface
from schedlab.studies.legrand2018.tables import compare_search


def make(item: str, row: Mapping, surface: str, search: str) -> dict[str, Picture]:
    """Return the figure of one trace."""
    best = optima(read_surface(surface))
    table = compare_search(best, read_parquet(search))
    return {item: picture_of_periods(PeriodExperiment(**row), table)}
