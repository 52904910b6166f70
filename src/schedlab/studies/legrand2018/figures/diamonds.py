"""Figure 4 of legrand2018: the space of weights, two diamonds a week.

A weight vector lies on the octahedron |q| + |p| + |wait| = 1. Seen from above and from below, this
is a diamond over the weights of p and wait, q <= 0 on the left and q >= 0 on the right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from schedlab.report.figures.missing import mark_missing
from schedlab.report.figures.style import ORANGE, titled
from schedlab.studies.legrand2018.figures.findings import spread

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLORS = "cividis_r"  # light is low, as in the paper
SIDES = {"q <= 0": "q ≤ 0: largest first", "q >= 0": "q ≥ 0: smallest first"}


def draw_space(space: pd.DataFrame, optima: pd.DataFrame, title: str) -> Figure:
    """Draw the average bounded slowdown over the space of weights of a trace.

    `space` has the columns piece, side (keys of `SIDES`), p, wait, avebsld. `optima` has piece, q,
    p, wait, value and ties of each piece's best vector.
    """
    pieces = list(space["piece"].unique())
    if not pieces:
        with titled(1.5, title) as figure:
            mark_missing(figure.subplots())
        return figure
    rows = -(-len(pieces) // 2)
    with titled(2.2 * rows + 0.5, spread(space), title) as figure:
        for place, cell in enumerate(figure.subfigures(rows, 2, squeeze=False).ravel()):
            if place < len(pieces):
                _draw_week(cell, space[space["piece"] == pieces[place]], optima)
    return figure


def _draw_week(figure: Figure, week: pd.DataFrame, optima: pd.DataFrame) -> None:
    """Draw both diamonds of a week, with the same color scale."""
    piece = week["piece"].iloc[0]
    best = optima[optima["piece"] == piece].iloc[0]
    low, high = week["avebsld"].min(), week["avebsld"].max()
    scale = LogNorm(low, max(high, 1.0001 * low))
    figure.suptitle(f"week {piece}: {best['value']:,.2f} at best", size=8, weight="bold")
    panels = figure.subplots(1, 2)
    for axes, (side, title) in zip(panels, SIDES.items(), strict=True):
        part = week[week["side"] == side]
        table = part.pivot(index="wait", columns="p", values="avebsld")
        mesh = axes.pcolormesh(table.columns, table.index, table.to_numpy(), norm=scale,
                               cmap=COLORS, shading="nearest", rasterized=True)  # fmt: skip
        if (best["q"] >= 0) == (side == "q >= 0"):
            axes.plot(best["p"], best["wait"], "o", ms=5, color=ORANGE, mec="white", mew=0.9)
        axes.set_title(title, size=7, weight="normal", loc="center")
        _diamond(axes)
    panels[0].set_ylabel("weight of wait")
    bar = figure.colorbar(mesh, ax=list(panels), shrink=0.85, pad=0.02, aspect=18)
    bar.outline.set_visible(False)
    bar.ax.yaxis.set_major_locator(LogLocator(10, subs=(1, 2, 5)))
    bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.4g}"))
    bar.ax.yaxis.set_minor_formatter(NullFormatter())
    if not np.any((np.asarray(bar.get_ticks()) >= low) & (np.asarray(bar.get_ticks()) <= high)):
        bar.set_ticks([low, high], labels=[f"{low:,.4g}", f"{high:,.4g}"])


def _diamond(axes: Axes) -> None:
    axes.plot([0, 1, 0, -1, 0], [-1, 0, 1, 0, -1], color="#4a4a4a", linewidth=0.7)
    axes.set(aspect="equal", xlim=(-1.04, 1.04), ylim=(-1.04, 1.04), xticks=[-1, 0, 1])
    axes.set(yticks=[-1, 0, 1], xlabel="weight of p")
    axes.grid(False)
    axes.spines[:].set_visible(False)
