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
from schedlab.tables import NOT_AT_HAND, POLICY_COLUMNS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DIALECTS = {
    "artefact": (BLUE, "artefact dialect: window of 32 tasks"),
    "full": (GREEN, "full dialect: whole queue"),
}
POLICIES = list(POLICY_COLUMNS.values())
BOX_WIDTH = 0.34
PANEL_SIZE = (9.6, 3.0)  # inches, both axes of a panel


def draw_boxplots(boxes: pd.DataFrame) -> Figure:
    """Draw the panels of one figure below each other.

    Parameters
    ----------
    boxes : DataFrame
        From `schedlab.tables.boxes`.

    Returns
    -------
    Figure
        One row of two axes per panel; a panel whose log is not at hand says so in the place of
        its boxes.
    """
    panels = sorted(boxes["panel"].unique())
    width, height = PANEL_SIZE
    with house_style():
        figure = Figure(figsize=(width, height * len(panels) + 0.5), layout="constrained")
        figure.get_layout_engine().set(h_pad=0.1, w_pad=0.06, hspace=0.02, wspace=0.03)
        grid = figure.subplots(len(panels), 2, squeeze=False)
        for panel, (linear, logarithmic) in zip(panels, grid, strict=True):
            drawn = boxes[boxes["panel"] == panel]
            linear.set_title(f"{panel}) {drawn['title'].iloc[0]}")
            for axes in (linear, logarithmic):
                _draw_panel(axes, drawn)
            _linear_axis(linear, drawn)
            _logarithmic_axis(logarithmic, drawn)
        handles = _legend_handles(boxes["dialect"].unique())
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles))
    return figure


def _draw_panel(axes: Axes, drawn: pd.DataFrame) -> None:
    """Boxes, medians and sequences of every dialect at the places of the policies."""
    axes.set_xticks(range(len(POLICIES)), POLICIES)
    axes.set_xlim(-0.6, len(POLICIES) - 0.4)
    if not (drawn["n"] > 0).any():
        axes.text(0.5, 0.5, NOT_AT_HAND, transform=axes.transAxes, ha="center", va="center",
                  color=GREY, fontsize=13)  # fmt: skip
        axes.set_yticks([])
        return
    for dialect, (colour, _) in DIALECTS.items():
        own = drawn[(drawn["dialect"] == dialect) & (drawn["n"] > 0)]
        places = [_place(policy, dialect) for policy in own["policy"]]
        stats = own.rename(
            columns={"median": "med", "whisker_low": "whislo", "whisker_high": "whishi"}
        )
        axes.bxp(
            stats[["med", "q1", "q3", "whislo", "whishi"]].to_dict("records"),
            positions=places,
            widths=BOX_WIDTH,
            manage_ticks=False,
            showfliers=False,
            patch_artist=True,
            boxprops={"facecolor": (colour, 0.25), "edgecolor": colour, "linewidth": 0.9},
            medianprops={"color": ORANGE, "linewidth": 1.8, "solid_capstyle": "butt"},
            whiskerprops={"color": colour, "linewidth": 0.9},
            capprops={"color": colour, "linewidth": 0.9},
        )
        for place, values in zip(places, own["values"], strict=True):
            values = _numbers(values)
            axes.scatter(np.full(len(values), place), values, s=7, color=colour, alpha=0.55,
                         linewidths=0, zorder=3)  # fmt: skip


def _place(policy: str, dialect: str) -> float:
    """Where on the x axis the box of a policy in a dialect stands."""
    return POLICIES.index(policy) + (-0.2 if dialect == "artefact" else 0.2)


def _numbers(joined: str) -> np.ndarray:
    return np.array([float(value) for value in joined.split(";") if value])


def _linear_axis(axes: Axes, drawn: pd.DataFrame) -> None:
    """Give the paper's axis: from zero to above the highest whisker, values beyond written."""
    axes.set_ylabel("Average Bounded Slowdown")
    if not (drawn["n"] > 0).any():
        return
    top = 1.12 * drawn["whisker_high"].max()
    axes.set_ylim(0, top)
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    for box in drawn[drawn["n"] > 0].itertuples():
        above = sorted(value for value in _numbers(box.values) if value > top)
        if above:
            place = _place(box.policy, box.dialect)
            colour = DIALECTS[box.dialect][0]
            axes.plot(place, top, marker="^", ms=4, color=colour, clip_on=False)
            axes.annotate("\n".join(f"{value:,.0f}" for value in above[::-1]), (place, top),
                          xytext=(0, -5), textcoords="offset points", ha="center", va="top",
                          fontsize=6, color=colour)  # fmt: skip


def _logarithmic_axis(axes: Axes, drawn: pd.DataFrame) -> None:
    """Give a logarithmic axis from 1, the least that a bounded slowdown can be."""
    if not (drawn["n"] > 0).any():
        return
    axes.set_yscale("log")
    highest = max(_numbers(values).max() for values in drawn["values"] if values)
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
