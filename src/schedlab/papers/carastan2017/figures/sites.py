"""The matrix of site policies: trained on one log, tested on another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter, NullFormatter

from schedlab.figures.style import BLUE, GREY, ORANGE, house_style
from schedlab.learning.regimes import FEWEST_WINDOWS, REGIMES

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MOST = 4.0  # ratios beyond this, or below its inverse, have the last colour
COLUMN, ROW = 1.25, 0.44  # inches


def draw_sites(matrix: pd.DataFrame) -> Figure:
    """Draw the ratios to the best of F1 to F4, a panel a regime.

    Parameters
    ----------
    matrix : DataFrame
        From `schedlab.papers.carastan2017.tables.sites.matrix`.

    Returns
    -------
    Figure
        A cell per policy (rows: where it was learned, or its name) and tested log (columns) with
        the ratio and its interval; an asterisk where that does not hold 1 and there are at least
        `FEWEST_WINDOWS` windows; a frame around each site's own policy.
    """
    sites = list(matrix["tested"].unique())
    names = [*sites, *(name for name in matrix["trained"].unique() if name not in sites)]
    size = (2.4 + COLUMN * len(sites), 1.4 + 2 * (1.0 + ROW * len(names)))
    with house_style():
        figure = Figure(figsize=size, layout="constrained")
        colours = _colours()
        panels = figure.subplots(len(REGIMES), 1)
        for axes, regime in zip(panels, REGIMES, strict=True):
            axes.set_title(regime.label)
            _draw_cells(axes, matrix[matrix["regime"] == regime.name], names, sites, colours)
        panels[-1].set_xlabel("tested on the second half of")
        figure.supxlabel("framed: a site's own policy; in brackets: 95 % interval over resamples "
                         "of the windows,\nand of the tuples where framed; * it leaves 1 out, with "
                         f"at least {FEWEST_WINDOWS} windows: one in twenty does by chance",
                         size=8.5, color=GREY)  # fmt: skip
        bar = figure.colorbar(colours, ax=list(panels), shrink=0.5, aspect=30, extend="both")
        bar.set_label("median bounded slowdown / best of F1–F4 there")
        bar.set_ticks([0.25, 0.5, 1, 2, 4])
        bar.ax.yaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
        bar.ax.yaxis.set_minor_formatter(NullFormatter())
        bar.ax.minorticks_off()
    return figure


def _draw_cells(
    axes: Axes, cells: pd.DataFrame, names: list[str], sites: list[str], colours: ScalarMappable
) -> None:
    """Draw one regime."""
    for cell in cells.itertuples():
        x, y = sites.index(cell.tested), names.index(cell.trained)
        missing = bool(cell.status)
        colour = "#f2f2f2" if missing else colours.to_rgba(cell.ratio)
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="white", linewidth=1.5))
        if missing:
            axes.text(x + 0.5, y + 0.5, cell.status, color=GREY, fontsize=6.5, ha="center",
                      va="center")  # fmt: skip
            continue
        # Dark cells have white text (luminance as in ITU-R BT.601).
        ink = "black" if np.dot(colour[:3], (0.299, 0.587, 0.114)) > 0.45 else "white"
        sure = cell.windows >= FEWEST_WINDOWS and not cell.low <= 1 <= cell.high
        interval = f"\n[{_short(cell.low)}, {_short(cell.high)}]"
        axes.text(x + 0.5, y + 0.5, f"{_short(cell.ratio)}{'*' * sure}{interval}", color=ink,
                  fontsize=7.5, ha="center", va="center", linespacing=1.15)  # fmt: skip
    for place, site in enumerate(sites):
        axes.add_patch(Rectangle((place + 0.02, names.index(site) + 0.03), 0.96, 0.94, fill=False,
                                 edgecolor="black", linewidth=1.2))  # fmt: skip
    axes.axhline(len(sites), color="black", linewidth=1.5)
    axes.set(xlim=(0, len(sites)), ylim=(len(names), 0))
    axes.set_xticks(np.arange(len(sites)) + 0.5, [_two_lines(site) for site in sites])
    axes.set_yticks(np.arange(len(names)) + 0.5, [_two_lines(name) for name in names])
    axes.set_ylabel("trained on the first half of")
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)


def _two_lines(site: str) -> str:
    """Put a model's label below its name."""
    return site.replace(" [", "\n[")


def _short(ratio: float) -> str:
    """Two decimals below ten, none above a hundred."""
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}" if ratio < 100 else f"{ratio:.0f}"


def _colours() -> ScalarMappable:
    """Return the map of ratios: blue below 1, white at it, orange above."""
    shades = LinearSegmentedColormap.from_list("ratio", [BLUE, "white", ORANGE])
    return ScalarMappable(LogNorm(1 / MOST, MOST), shades)
