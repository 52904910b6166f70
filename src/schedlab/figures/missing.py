"""A figure in the place of one whose log is not at hand."""

from __future__ import annotations

from matplotlib.figure import Figure

from schedlab.figures.style import GREY, house_style
from schedlab.markers import NOT_AT_HAND


def not_at_hand(source: str) -> Figure:
    """Draw nothing but the words that a log is not at hand."""
    with house_style():
        figure = Figure(figsize=(6, 1.2))
        figure.text(0.5, 0.5, f"{source}: {NOT_AT_HAND}", ha="center", color=GREY)
    return figure
