"""SAF and each period's best pure policy: figures 2, 6, 9 and 12 of legrand2018."""

from collections.abc import Mapping, Sequence

from schedlab.report.figures.picture import Picture
from schedlab.studies.legrand2018.adaptation import pure_by_period
from schedlab.studies.legrand2018.figures.one_trace import picture_of_periods
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_runs
from schedlab.studies.legrand2018.tables import best_pure


def make(item: str, row: Mapping, pure: Sequence[str], own: Sequence[str]) -> dict[str, Picture]:
    """Return the figure of one trace, with your policies `own`."""
    experiment = PeriodExperiment(**row)
    table = best_pure(pure_by_period(read_runs(pure), experiment.threshold), own)
    notes = table["which"].where(table["which"] != "SAF", "")
    return {item: picture_of_periods(experiment, table, notes=notes)}
