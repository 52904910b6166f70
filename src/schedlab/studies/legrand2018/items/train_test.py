"""Table 2 of legrand2018: sums over the training and the testing periods."""

from collections.abc import Mapping, Sequence

from schedlab.report.parts import Table
from schedlab.studies.legrand2018.adaptation import read_by_period
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.tables import train_and_test


def make(
    item: str, row: Mapping, surface: str, pure: Sequence[str], own: Sequence[str]
) -> dict[str, Table]:
    """Return the table of one trace, with your policies `own`."""
    experiment = PeriodExperiment(**row)
    table = train_and_test(experiment, read_by_period(experiment, surface, pure))
    facts = {"trace": ", ".join([experiment.name, *own]), "unit": experiment.unit}
    facts |= {"train": experiment.train, "test": experiment.test}
    return {item: Table(table, facts=facts)}
