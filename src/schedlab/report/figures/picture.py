"""Figure that functions that make items return, how it is saved, and what it is without data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from schedlab.core.markers import NOT_AVAILABLE
from schedlab.report.figures.style import QUIET, canvas, house_style, save_one
from schedlab.report.tables import write_csv


class Picture(NamedTuple):
    """Figure and its data; without `drawn`, a table of the same name has the data."""

    figure: Figure
    drawn: pd.DataFrame | None = None

    def write(self, item: str, outputs: Mapping[str, str], words: object) -> None:
        """Write .pdf and .png as `save`, and the .csv of the data."""
        save(self.figure, outputs[f"{item}_pdf"], outputs[f"{item}_png"])
        if self.drawn is not None:
            write_csv(self.drawn, outputs[f"{item}_csv"])


def save(figure: Figure, pdf: str | Path, png: str | Path) -> None:
    """Save a figure as .pdf and .png atomically, without the time of day."""
    save_one(figure, pdf)
    save_one(figure, png)


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
