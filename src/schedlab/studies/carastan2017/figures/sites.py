"""Draw the matrix of site policies: learned on one log, tested on another."""

from typing import Annotated

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, LogNorm, to_rgb, to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import FuncFormatter

from schedlab.core.markers import NOT_AVAILABLE
from schedlab.learning.regimes import FEWEST_WINDOWS, REGIMES
from schedlab.report.figures.picture import Picture, log_not_available
from schedlab.report.figures.style import BLUE, ORANGE, QUIET, titled
from schedlab.report.items import From, item
from schedlab.report.words import number_of
from schedlab.studies.carastan2017.inputs import DRAWING


def significant(matrix: pd.DataFrame) -> str:
    """Return at how many sites the site's policy is better or worse than the best of F1 to F4."""
    local_policies = matrix[(matrix["trained"] == matrix["tested"]) & (matrix["status"] == "")]
    verdicts = []
    for regime, cells in local_policies.groupby("regime", sort=False):
        enough = cells["windows"] >= FEWEST_WINDOWS
        better, worse = enough & (cells["high"] < 1), enough & (cells["low"] > 1)
        counts = f"better at {better.sum()} and worse at {worse.sum()} of {len(cells)} sites"
        if not (better | worse).any():
            counts = f"no significant difference at {number_of(enough.sum(), 'site')}"
            if not enough.any():
                counts = "too few windows at each site"
        verdicts.append(f"{counts} ({regime})")
    if not verdicts:
        return "No policy learned on a site’s log is compared with the best of F1–F4"
    return f"Site policies compared with the best of F1–F4: {'; '.join(verdicts)}"


MOST = 100.0  # ratios above this, or below its inverse, have the end colors of the scale
ROW = 0.3  # inches
# Position on the scale at which a ratio of 2 has half of the end color, and 1/2 likewise.
TWICE = 0.5 + 0.5 * np.log(2) / np.log(MOST)


NOTE = (
    "Framed: a site's own policy. In brackets: 95 % interval over resamples of the windows, and of "
    "the tuples where framed. Tinted: that interval leaves 1 out, which one in twenty does by "
    f"chance. *: fewer than {FEWEST_WINDOWS} windows, too few to decide."
)


def _read_matrix(path: str) -> pd.DataFrame:
    return pd.read_csv(path, dtype={"status": str}).fillna({"status": ""})


@item(
    lambda study: ["fig_sites", *(["fig_sites_own"] if study.config["policies"] else [])],
    kind="figure", section="Site policies", rule="draw_sites", apart=True, **DRAWING,
)  # fmt: skip
def fig_sites(
    matrix: Annotated[
        pd.DataFrame,
        From(lambda study, item: study.shown(f"{item.removeprefix('fig_')}.csv"), _read_matrix),
    ],
) -> Picture:
    """Draw the ratios of the matrix."""
    return Picture(draw_sites(matrix), matrix)


def draw_sites(matrix: pd.DataFrame) -> Figure:
    """Draw the ratios to the best of F1 to F4, one panel per regime, from `tables.sites.matrix`."""
    # logs that are not available have neither a row nor a column
    absent = matrix.groupby("tested")["status"].agg(lambda status: (status == NOT_AVAILABLE).all())
    gone = list(absent.index[absent])
    matrix = matrix[~matrix["tested"].isin(gone) & ~matrix["trained"].isin(gone)]
    if matrix.empty:
        return log_not_available("every site")
    sites = list(matrix["tested"].unique())
    names = [*sites, *(name for name in matrix["trained"].unique() if name not in sites)]
    without = f" Not available: {', '.join(gone)}." if gone else ""
    with titled(1.6 + 2 * (0.65 + ROW * len(names)), significant(matrix), NOTE + without) as figure:
        colors = _colors()
        panels = figure.subplots(len(REGIMES), 1)
        for axes, regime in zip(panels, REGIMES, strict=True):
            axes.set_title(regime.label)
            _draw_cells(axes, matrix[matrix["regime"] == regime.name], names, sites, colors)
        panels[-1].set_xlabel("tested on the second half of")
        bar = figure.colorbar(colors, ax=list(panels), location="bottom", shrink=0.6, aspect=40,
                              extend="both")  # fmt: skip
        bar.set_label("median bounded slowdown over that of the best of F1–F4 there")
        bar.set_ticks([0.01, 0.1, 0.5, 1, 2, 10, 100])
        bar.ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
        bar.ax.minorticks_off()
    return figure


def _draw_cells(
    axes: Axes, cells: pd.DataFrame, names: list[str], sites: list[str], colors: ScalarMappable
) -> None:
    for cell in cells.itertuples():
        x, y = sites.index(cell.tested), names.index(cell.trained)
        missing = bool(cell.status)
        sure = not missing and not cell.low <= 1 <= cell.high
        color = colors.to_rgba(cell.ratio) if sure else to_rgba("#f2f2f2" if missing else "white")
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=color, edgecolor="#e2e2e2", linewidth=0.6))
        if missing:
            axes.text(x + 0.5, y + 0.5, cell.status, color=QUIET, fontsize=7, ha="center",
                      va="center")  # fmt: skip
            continue
        # Dark cells have white text (luminance as in ITU-R BT.601).
        ink = "black" if np.dot(color[:3], (0.299, 0.587, 0.114)) > 0.45 else "white"
        few = "*" if cell.windows < FEWEST_WINDOWS else ""
        interval = f"\n[{_short(cell.low)}, {_short(cell.high)}]"
        axes.text(x + 0.5, y + 0.5, f"{_short(cell.ratio)}{few}{interval}", color=ink,
                  fontsize=7, ha="center", va="center", linespacing=1.15)  # fmt: skip
    for place, site in enumerate(sites):
        axes.add_patch(Rectangle((place + 0.02, names.index(site) + 0.03), 0.96, 0.94, fill=False,
                                 edgecolor="black", linewidth=1.2))  # fmt: skip
    axes.axhline(len(sites), color="black", linewidth=1.5)
    axes.set(xlim=(0, len(sites)), ylim=(len(names), 0))
    axes.set_xticks(np.arange(len(sites)) + 0.5, [_two_lines(site) for site in sites])
    axes.set_yticks(np.arange(len(names)) + 0.5, [_two_lines(name) for name in names])
    # the lower rows are not learned from these logs
    axes.set_ylabel("learned on the\nfirst half of", y=1 - len(sites) / len(names) / 2)
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)


def _two_lines(site: str) -> str:
    """Put a model's label below its name."""
    return site.replace(" [", "\n[")


def _short(ratio: float) -> str:
    """Format a ratio: two decimals below ten, none from a hundred."""
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}" if ratio < 100 else f"{ratio:.0f}"


def _colors() -> ScalarMappable:
    """Return the color map of ratios: blue below 1, white at 1, orange above."""
    half = [tuple((1 + channel) / 2 for channel in to_rgb(color)) for color in (BLUE, ORANGE)]
    steps = [(0, BLUE), (1 - TWICE, half[0]), (0.5, "white"), (TWICE, half[1]), (1, ORANGE)]
    shades = LinearSegmentedColormap.from_list("ratio", steps)
    return ScalarMappable(LogNorm(1 / MOST, MOST), shades)
