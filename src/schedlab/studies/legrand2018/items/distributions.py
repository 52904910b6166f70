"""Figure 1 of legrand2018: distributions of the weekly averages of the pure policies."""

from collections.abc import Mapping, Sequence

from schedlab.report.figures.picture import Picture
from schedlab.studies.legrand2018.adaptation import pure_by_period
from schedlab.studies.legrand2018.figures.by_trace import draw_distributions
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.surface import read_runs
from schedlab.studies.legrand2018.tables import policy_label, stacked, with_trace


def make(item: str, rows: Sequence[Mapping], pure: Sequence[str]) -> dict[str, Picture]:
    """Return a panel per trace with its data.

    `pure` are the runs of every trace, then those of each of your policies in the same order.
    """
    frames, titles = [], {}
    for place, row in enumerate(rows):
        experiment, runs = PeriodExperiment(**row), read_runs(pure[place :: len(rows)])
        titles[experiment.label] = experiment.name
        table = pure_by_period(runs, experiment.threshold)
        values = table.rename(columns=policy_label).reset_index()
        long = values.melt("piece", var_name="policy", value_name="avebsld")
        frames.append(with_trace(experiment, long))
    values_by_trace = stacked(frames)
    return {item: Picture(draw_distributions(values_by_trace, titles), values_by_trace)}
