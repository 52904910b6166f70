"""A figure of one trace, period by period, and what it draws as a table beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.report import tables
from schedlab.report.figures.style import save
from schedlab.studies.legrand2018.figures.periods import draw_periods
from schedlab.studies.legrand2018.tables import heading, shown

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import pandas as pd

    from schedlab.studies.legrand2018.sheet import PeriodExperiment


def write_periods(
    experiment: PeriodExperiment,
    table: pd.DataFrame,
    pdf: str | os.PathLike[str],
    png: str | os.PathLike[str],
    csv: str | os.PathLike[str],
    ranges: dict[str, Sequence[int]] | None = None,
    notes: pd.Series | None = None,
) -> None:
    """Draw what each policy gives in each period of a trace, and write what is drawn.

    Parameters
    ----------
    experiment : PeriodExperiment
        The trace.
    table : DataFrame
        Index piece, a column per policy; a column named as `notes` is written and not drawn.
    pdf, png, csv : path-like
        The files.
    ranges, notes
        As for `schedlab.studies.legrand2018.figures.periods.draw_periods`.
    """
    words = [] if notes is None else [notes.name]
    title = heading(experiment.label, experiment.source)
    drawn = table.drop(columns=words)
    save(draw_periods(drawn, title, experiment.unit.removesuffix("s"), ranges, notes), pdf, png)
    tables.write_csv(shown(experiment, table), csv)
