"""A figure or a panel in the place of one whose log is not at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from schedlab.core.markers import NOT_AT_HAND
from schedlab.report.figures.style import QUIET, canvas, house_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def not_at_hand(source: str) -> Figure:
    """Draw nothing but the words that a log is not at hand."""
    with house_style():
        figure = canvas(1.2)
        figure.text(0.5, 0.5, f"{source}: {NOT_AT_HAND}", ha="center", color=QUIET)
    return figure


def say_missing(axes: Axes) -> None:
    """Keep the place of a panel without data, and say why it is empty."""
    axes.set(xticks=[], yticks=[], facecolor="#f5f5f5")
    axes.spines[:].set_visible(False)
    axes.text(0.5, 0.5, NOT_AT_HAND, transform=axes.transAxes, ha="center", va="center",
              color=QUIET, fontsize=9)  # fmt: skip
