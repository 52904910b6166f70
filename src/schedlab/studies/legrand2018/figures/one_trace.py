"""Figures of legrand2018 with one trace: policies by period, and the space of weights.

A weight vector lies on the octahedron |q| + |p| + |wait| = 1. Seen from above and from below, this
is a diamond over the weights of p and wait, q <= 0 on the left and q >= 0 on the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from schedlab.report.figures.picture import Picture, mark_missing
from schedlab.report.figures.style import ORANGE, titled
from schedlab.report.items import Item, item
from schedlab.studies.legrand2018.adaptation import (
    LEARNED,
    by_period,
    diamonds,
    optima,
    pure_by_period,
)
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


def spread(space: pd.DataFrame) -> str:
    """Return a sentence: by how much the values of weights differ within a week.

    Expects the columns piece and avebsld, at least one row.

    >>> import pandas as pd
    >>> spread(pd.DataFrame({"piece": [1, 1, 2, 2], "avebsld": [2.0, 3.0, 1.0, 4.0]}))
    'In a week the worst weights have 1.5 to 4.0 times the slowdown of the best'
    """
    by_week = space.groupby("piece")["avebsld"].agg(["min", "max"])
    ratios = by_week["max"] / by_week["min"]
    return (
        f"In a week the worst weights have {ratios.min():.1f} to {ratios.max():.1f} times the "
        "slowdown of the best"
    )


SCALE = "cividis_r"  # light is low, as in the paper
SIDES = {"q <= 0": "q ≤ 0: largest first", "q >= 0": "q ≥ 0: smallest first"}


def draw_space(space: pd.DataFrame, optima: pd.DataFrame, title: str) -> Figure:
    """Draw the average bounded slowdown over the space of weights of a trace."""
    pieces = list(space["piece"].unique())
    if not pieces:
        with titled(1.5, title) as figure:
            mark_missing(figure.subplots())
        return figure
    rows = -(-len(pieces) // 2)
    best = space.groupby("piece")["avebsld"].min()
    ratios = space.assign(ratio=space["avebsld"] / space["piece"].map(best))
    scale = LogNorm(1, max(ratios["ratio"].max(), 1.01))
    with titled(2.3 * rows + 0.7, spread(space), title) as figure:
        # a narrow empty column is between the two weeks of a row
        grid = figure.subplots(rows, 5, width_ratios=[1, 1, 0.15, 1, 1], squeeze=False)
        for axes in grid[:, 2]:
            axes.set_axis_off()
        panels = grid[:, [0, 1, 3, 4]].reshape(2 * rows, 2)
        for axes in panels[len(pieces) :].ravel():
            axes.set_axis_off()
        for pair, piece in zip(panels, pieces, strict=False):
            mesh = _draw_week(pair, ratios[ratios["piece"] == piece], optima, scale)
        bar = figure.colorbar(mesh, ax=list(grid.ravel()), location="bottom", shrink=0.6, aspect=45)
        bar.outline.set_visible(False)
        bar.set_label("slowdown over that of the best weights of the week")
        bar.ax.xaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5)))
        bar.ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.4g}"))
        bar.ax.xaxis.set_minor_formatter(NullFormatter())
    return figure


def _draw_week(
    panels: Sequence[Axes], week: pd.DataFrame, optima: pd.DataFrame, scale: LogNorm
) -> QuadMesh:
    piece = week["piece"].iloc[0]
    best = optima[optima["piece"] == piece].iloc[0]
    for axes, (side, title) in zip(panels, SIDES.items(), strict=True):
        part = week[week["side"] == side]
        table = part.pivot(index="wait", columns="p", values="ratio")
        mesh = axes.pcolormesh(table.columns, table.index, table.to_numpy(), norm=scale,
                               cmap=SCALE, shading="nearest", rasterized=True)  # fmt: skip
        if (best["q"] >= 0) == (side == "q >= 0"):
            axes.plot(best["p"], best["wait"], "o", ms=5, color=ORANGE, mec="white", mew=0.9)
        axes.set_title(title, size=7, weight="normal", loc="center")
        _diamond(axes)
    panels[0].set_ylabel("weight of wait")
    panels[1].tick_params(labelleft=False)
    panels[0].annotate(f"week {piece}: {best['value']:,.2f} at best", (0, 1.22), weight="bold",
                       xycoords="axes fraction", size=8)  # fmt: skip
    return mesh


def _diamond(axes: Axes) -> None:
    axes.plot([0, 1, 0, -1, 0], [-1, 0, 1, 0, -1], color="#4a4a4a", linewidth=0.7)
    axes.set(aspect="equal", xlim=(-1.04, 1.04), ylim=(-1.04, 1.04), xticks=[-1, 0, 1])
    axes.set(yticks=[-1, 0, 1], xlabel="weight of p")
    axes.grid(False)
    axes.spines[:].set_visible(False)


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
