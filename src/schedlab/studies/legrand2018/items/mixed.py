"""Mixed policies, SAF and FCFS, period by period: figures 3, 7, 10 and 13 of legrand2018."""

from collections.abc import Mapping, Sequence

from schedlab.report.figures.picture import Picture
from schedlab.studies.legrand2018.adaptation import LEARNED, read_by_period
from schedlab.studies.legrand2018.figures.one_trace import picture_of_periods
from schedlab.studies.legrand2018.sheet import PeriodExperiment


def make(
    item: str, row: Mapping, surface: str, pure: Sequence[str], own: Sequence[str]
) -> dict[str, Picture]:
    """Return the figure of one trace, with your policies `own`."""
    experiment = PeriodExperiment(**row)
    table = read_by_period(experiment, surface, pure)
    table = table.reindex(columns=[*LEARNED, "saf", "fcfs", *own])
    ranges = {"training": experiment.train, "testing": experiment.test}
    return {item: picture_of_periods(experiment, table, ranges)}
