"""A figure of one trace of legrand2018, with its data as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.report.figures.picture import Picture
from schedlab.studies.legrand2018.figures.periods import draw_periods
from schedlab.studies.legrand2018.tables import shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from schedlab.studies.legrand2018.sheet import PeriodExperiment


def picture_of_periods(
    experiment: PeriodExperiment,
    table: pd.DataFrame,
    ranges: dict[str, Sequence[int]] | None = None,
    notes: pd.Series | None = None,
) -> Picture:
    """Draw the value of each policy in each period of a trace.

    `table` has the index piece and a column per policy; a column with the name of `notes` is only
    written. `ranges` and `notes` are as for `figures.periods.draw_periods`.
    """
    text_columns = [] if notes is None else [notes.name]
    values = table.drop(columns=text_columns)
    figure = draw_periods(values, experiment.name, experiment.unit.removesuffix("s"), ranges, notes)
    return Picture(figure, shown(experiment, table))
