"""A figure as makers of items return it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from schedlab.report.figures.style import save
from schedlab.report.tables import write_csv

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from matplotlib.figure import Figure


class Picture(NamedTuple):
    """A figure, and what is drawn in it; without, a table of its name says it."""

    figure: Figure
    drawn: pd.DataFrame | None = None

    def write(self, item: str, outputs: Mapping[str, str]) -> None:
        """Write .pdf and .png, and the .csv of what is drawn."""
        save(self.figure, outputs[f"{item}_pdf"], outputs[f"{item}_png"])
        if self.drawn is not None:
            write_csv(self.drawn, outputs[f"{item}_csv"])
