"""Figure that functions that make items return, and how it is saved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from schedlab.report.figures.style import save_one
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
