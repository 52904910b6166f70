"""Figures of legrand2018 with one trace: policies by period, and the space of weights."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from schedlab.report.figures.picture import Picture
from schedlab.report.items import Item, item
from schedlab.studies.legrand2018.adaptation import (
    LEARNED,
    by_period,
    diamonds,
    optima,
    pure_by_period,
)
from schedlab.studies.legrand2018.figures.diamonds import draw_space
from schedlab.studies.legrand2018.figures.periods import draw_panels, draw_periods
from schedlab.studies.legrand2018.inputs import (
    LARGE,
    Covered,
    CoveredByTrace,
    Own,
    Row,
    Rows,
    Runs,
    RunsByTrace,
    Search,
    drawn,
    items_of,
)
from schedlab.studies.legrand2018.sheet import PeriodExperiment
from schedlab.studies.legrand2018.tables import about, best_pure, compare_search, shown, stacked

figures = partial(item, section="Figures", apart=True, **LARGE)


def picture_of_periods(
    experiment: PeriodExperiment,
    table: pd.DataFrame,
    ranges: dict[str, Sequence[int]] | None = None,
    notes: pd.Series | None = None,
) -> Picture:
    """Draw the value of each policy in each period of a trace."""
    text_columns = [] if notes is None else [notes.name]
    values = table.drop(columns=text_columns)
    figure = draw_periods(values, experiment.name, experiment.unit.removesuffix("s"), ranges, notes)
    return Picture(figure, shown(experiment, table))


def _learned_and_own(row: PeriodExperiment, surface, pure: pd.DataFrame, own: Sequence[str]):
    """Return mixed policies, SAF, FCFS and yours by period, and the ranges of training and test."""
    table = by_period(surface, pure, row.threshold, row.train)
    ranges = {"training": row.train, "testing": row.test}
    return table.reindex(columns=[*LEARNED, "saf", "fcfs", *own]), ranges


@figures(drawn("best_item"), rule="draw_best")
def best(row: Row, pure: Runs, own: Own) -> Picture:
    """Draw SAF and each period's best pure policy: figures 2, 6, 9 and 12."""
    table = best_pure(pure_by_period(pure, row.threshold), own)
    notes = table["which"].where(table["which"] != "SAF", "")
    return picture_of_periods(row, table, notes=notes)


@figures(drawn("mixed_item"), rule="draw_mixed")
def mixed(row: Row, surface: Covered, pure: Runs, own: Own) -> Picture:
    """Draw mixed policies, SAF and FCFS, period by period: figures 3, 7, 10 and 13."""
    return picture_of_periods(row, *_learned_and_own(row, surface, pure, own))


@figures(
    lambda study: [Item(one, "figure") for one in items_of(study, "space_item")], rule="draw_space"
)
def space(row: Row, surface: Covered) -> Picture:
    """Draw the space of weights in some periods, two diamonds each: figure 4."""
    weeks = surface.between(*row.space)
    sides = diamonds(weeks)
    return Picture(draw_space(sides, optima(weeks), row.name), sides.assign(**about(row)))


@figures(
    lambda study: [Item(one, "figure") for one in items_of(study, "search_item")],
    rule="draw_search",
)
def searched(row: Row, surface: Covered, search: Search) -> Picture:
    """Draw values found by xNES over the best of the grid: figures 5, 8, 11 and 14."""
    return picture_of_periods(row, compare_search(optima(surface), search))


@figures(drawn("months_figure"), rule="draw_months")
def months(rows: Rows, surfaces: CoveredByTrace, pure: RunsByTrace, own: Own) -> Picture:
    """Draw mixed policies, SAF and FCFS by month, one panel a trace: figure 15."""
    panels, frames = [], []
    for place, (row, surface) in enumerate(zip(rows, surfaces, strict=True)):
        runs = pd.concat(pure[place :: len(rows)], ignore_index=True)
        table, ranges = _learned_and_own(row, surface, runs, own)
        letter = f"{row.panel}) " if row.panel else ""
        panels.append((f"{letter}{row.name}", table, ranges))
        frames.append(shown(row, table))
    return Picture(draw_panels(panels, "month"), stacked(frames))
