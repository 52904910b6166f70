"""Tables 3 to 6 of legrand2018: sums over all periods, threshold by threshold."""

from collections.abc import Mapping, Sequence

from schedlab.report.parts import Table
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_runs
from schedlab.studies.legrand2018.tables import by_threshold


def make(item: str, row: Mapping, pure: Sequence[str], own: Sequence[str]) -> dict[str, Table]:
    """Return the table of one trace, with your policies `own`."""
    experiment = PeriodExperiment(**row)
    table = by_threshold(experiment, read_runs(pure), own)
    number = experiment.thresholds_item.removeprefix("table").strip("_").replace("_", " ")
    facts = {"number": number, "trace": ", ".join([experiment.name, *own])}
    facts |= {"periods": f"{experiment.pieces} {experiment.unit}"}
    return {item: Table(table, facts=facts)}
