"""Placeholders for figures and panels whose log is not available."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from schedlab.core.markers import NOT_AVAILABLE
from schedlab.report.figures.style import QUIET, canvas, house_style


def log_not_available(source: str) -> Figure:
    """Draw a figure that only states that a log is not available."""
    with house_style():
        figure = canvas(1.2)
        note = f"{source[:1].upper()}{source[1:]}: {NOT_AVAILABLE}"
        figure.text(0.5, 0.5, note, ha="center", color=QUIET)
    return figure


def mark_missing(axes: Axes) -> None:
    """Draw an empty panel that states why it has no data."""
    axes.set(xticks=[], yticks=[], facecolor="#f5f5f5")
    axes.spines[:].set_visible(False)
    axes.text(0.5, 0.5, NOT_AVAILABLE, transform=axes.transAxes, ha="center", va="center",
              color=QUIET, fontsize=9)  # fmt: skip
