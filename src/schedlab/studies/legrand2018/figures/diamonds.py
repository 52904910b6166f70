"""Figure 4 of legrand2018: the space of weights, two diamonds a week.

A weight vector lies on the octahedron |q| + |p| + |wait| = 1. Seen from above and from below, this
is a diamond over the weights of p and wait, q <= 0 on the left and q >= 0 on the right.
"""

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from schedlab.report.figures.missing import mark_missing
from schedlab.report.figures.style import ORANGE, titled
from schedlab.studies.legrand2018.figures.findings import spread

COLORS = "cividis_r"  # light is low, as in the paper
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
    """Draw both diamonds of a week, colored by the ratio to the best weights."""
    piece = week["piece"].iloc[0]
    best = optima[optima["piece"] == piece].iloc[0]
    for axes, (side, title) in zip(panels, SIDES.items(), strict=True):
        part = week[week["side"] == side]
        table = part.pivot(index="wait", columns="p", values="ratio")
        mesh = axes.pcolormesh(table.columns, table.index, table.to_numpy(), norm=scale,
                               cmap=COLORS, shading="nearest", rasterized=True)  # fmt: skip
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
