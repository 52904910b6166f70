"""Figures 4 to 9 of carastan2017: boxplots of the average bounded slowdown over the sequences.

Every panel is drawn twice, side by side: on the paper's axis, linear from zero, where boxes and
distances can be held against the published figure, and on a logarithmic axis, where the small
boxes can be read as well. The linear axis ends a little above the highest whisker; the sequences
above it are written at its upper edge, as the paper does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

from schedlab.figures.style import BLUE, GREEN, GREY, ORANGE, house_style
from schedlab.report.verdicts import NOT_AT_HAND

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

DIALECTS = {
    "artefact": (BLUE, "artefact dialect: window of 32 tasks"),
    "full": (GREEN, "full dialect: whole queue"),
}
BOX_WIDTH = 0.34
# Inches, both axes of a panel: the paper's eight policies; every further one makes it wider.
PANEL_SIZE, PANEL_POLICIES, POLICY_WIDTH = (9.6, 3.0), 8, 0.9
MISSING_HEIGHT = 1.0  # inches
LONGEST_NAME = 6  # characters that fit below a box; a reader's own policies may have more


def draw_boxplots(boxes: pd.DataFrame) -> Figure:
    """Draw the panels of one figure below each other.

    Parameters
    ----------
    boxes : DataFrame
        From `schedlab.papers.carastan2017.tables.boxes.boxes`.

    Returns
    -------
    Figure
        One row of two axes per panel; a panel whose log is not at hand says so in the place of
        its boxes.
    """
    panels = [panel for _, panel in boxes.groupby("panel")]
    places = {name: place for place, name in enumerate(filter(None, boxes["policy"].unique()))}
    width = PANEL_SIZE[0] + POLICY_WIDTH * max(len(places) - PANEL_POLICIES, 0)
    heights = [PANEL_SIZE[1] if (panel["n"] > 0).any() else MISSING_HEIGHT for panel in panels]
    with house_style():
        figure = Figure(figsize=(width, sum(heights) + 0.5), layout="constrained")
        figure.get_layout_engine().set(h_pad=0.1, w_pad=0.06, hspace=0.02, wspace=0.03)
        grid = figure.add_gridspec(len(panels), 2, height_ratios=heights)
        for row, panel in enumerate(panels):
            if (panel["n"] > 0).any():
                axes = (figure.add_subplot(grid[row, column]) for column in (0, 1))
                _draw_panel(*axes, panel, places)
            else:
                _say_missing(figure.add_subplot(grid[row, :]), panel)
        figure.align_ylabels()
        handles = _legend_handles(boxes["dialect"].unique())
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    return figure


def _title(panel: pd.DataFrame) -> str:
    return f"{panel['panel'].iloc[0]}) {panel['title'].iloc[0]}"


def _say_missing(axes: Axes, panel: pd.DataFrame) -> None:
    """Keep the place of a panel without data, and say why it is empty."""
    axes.set_title(_title(panel))
    axes.set(xticks=[], yticks=[], facecolor="#f5f5f5")
    axes.spines[:].set_visible(False)
    axes.text(0.5, 0.5, NOT_AT_HAND, transform=axes.transAxes, ha="center", va="center",
              color=GREY, fontsize=12)  # fmt: skip


def _draw_panel(
    linear: Axes, logarithmic: Axes, panel: pd.DataFrame, places: Mapping[str, int]
) -> None:
    """Draw the same boxes on the paper's axis and on a logarithmic one."""
    panel = panel[panel["n"] > 0]
    linear.set_title(_title(panel))
    linear.set_ylabel("Average Bounded Slowdown")
    logarithmic.set_title("logarithmic axis", loc="right", color=GREY, weight="normal",
                          size="medium")  # fmt: skip
    for axes in (linear, logarithmic):
        axes.set_xticks(range(len(places)), places)
        if max(map(len, places)) > LONGEST_NAME:
            for label in axes.get_xticklabels():
                label.set(rotation=30, rotation_mode="anchor", ha="right")
        axes.set_xlim(-0.6, len(places) - 0.4)
        for dialect in DIALECTS:
            _draw_boxes(axes, panel[panel["dialect"] == dialect], dialect, places)
    _linear_axis(linear, panel, places)
    _logarithmic_axis(logarithmic, panel)


def _draw_boxes(axes: Axes, boxes: pd.DataFrame, dialect: str, places: Mapping[str, int]) -> None:
    """Boxes, medians and sequences of one dialect at the places of the policies."""
    colour, _ = DIALECTS[dialect]
    positions = [_position(places[policy], dialect) for policy in boxes["policy"]]
    stats = boxes.rename(
        columns={"median": "med", "whisker_low": "whislo", "whisker_high": "whishi"}
    )
    line = {"color": colour, "linewidth": 0.9}
    axes.bxp(
        stats[["med", "q1", "q3", "whislo", "whishi"]].to_dict("records"),
        positions=positions,
        widths=BOX_WIDTH,
        manage_ticks=False,
        showfliers=False,
        patch_artist=True,
        boxprops={"facecolor": (colour, 0.25), "edgecolor": colour, "linewidth": 0.9},
        medianprops={"color": ORANGE, "linewidth": 1.8, "solid_capstyle": "butt"},
        whiskerprops=line,
        capprops=line,
    )
    for position, joined in zip(positions, boxes["values"], strict=True):
        values = _numbers(joined)
        axes.scatter(np.full(len(values), position), values, s=7, color=colour, alpha=0.55,
                     linewidths=0, zorder=3)  # fmt: skip


def _position(place: int, dialect: str) -> float:
    """Where on the x axis the box of a policy in a dialect stands."""
    return place + (-0.2 if dialect == "artefact" else 0.2)


def _numbers(joined: str) -> np.ndarray:
    return np.array([float(value) for value in joined.split(";") if value])


def _linear_axis(axes: Axes, panel: pd.DataFrame, places: Mapping[str, int]) -> None:
    """Set the paper's axis: from zero to above the highest whisker, values beyond written."""
    top = 1.2 * panel["whisker_high"].max()
    axes.set_ylim(0, top)
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    for box in panel.itertuples():
        above = sorted(value for value in _numbers(box.values) if value > top)
        if above:
            colour = DIALECTS[box.dialect][0]
            position = _position(places[box.policy], box.dialect)
            axes.plot(position, top, marker="^", ms=4, color=colour, clip_on=False)
            # From the middle of the policy outwards, so that two dialects do not overlap.
            side = -1 if box.dialect == "artefact" else 1
            axes.annotate("\n".join(f"{value:,.0f}" for value in above[::-1]),
                          (places[box.policy], top), xytext=(2 * side, -5),
                          textcoords="offset points", ha="right" if side < 0 else "left",
                          va="top", fontsize=6, color=colour)  # fmt: skip


def _logarithmic_axis(axes: Axes, panel: pd.DataFrame) -> None:
    """Set a logarithmic axis from 1, the least that a bounded slowdown can be."""
    highest = max(_numbers(joined).max() for joined in panel["values"])
    axes.set_yscale("log")
    axes.set_ylim(0.9, 1.6 * highest)
    axes.yaxis.set_major_locator(LogLocator(10))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _legend_handles(dialects: list[str]) -> list[Patch | Line2D]:
    boxes = [
        Patch(facecolor=(colour, 0.25), edgecolor=colour, label=words)
        for dialect, (colour, words) in DIALECTS.items()
        if dialect in dialects
    ]
    median = Line2D([], [], color=ORANGE, linewidth=1.8, label="median")
    point = Line2D([], [], color=GREY, marker="o", ms=3.5, linestyle="", label="one sequence")
    return [*boxes, median, point]
