"""Figure that functions that make items return."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from schedlab.report.figures.faults import faults_of
from schedlab.report.figures.narrow import make_narrow
from schedlab.report.figures.style import save, save_one
from schedlab.report.tables import write_csv


class Picture(NamedTuple):
    """Figure and its data; without `drawn`, a table of the same name has the data."""

    figure: Figure
    drawn: pd.DataFrame | None = None

    def write(self, item: str, outputs: Mapping[str, str]) -> None:
        """Write .pdf and .png, and the .csv of the data; log the faults of the figure.

        If the item has a narrow figure, write it too; the figure is then no longer the wide one.
        """
        save(self.figure, outputs[f"{item}_pdf"], outputs[f"{item}_png"])
        self._log_faults(outputs[f"{item}_png"])
        if narrow := outputs.get(f"{item}_narrow.png"):
            make_narrow(self.figure)
            save_one(self.figure, narrow)
            self._log_faults(narrow)
        if self.drawn is not None:
            write_csv(self.drawn, outputs[f"{item}_csv"])

    def _log_faults(self, saved: str) -> None:
        """Log the faults of the figure as saved."""
        for fault in faults_of(self.figure, is_drawn=True):
            logging.getLogger(__name__).warning("%s: %s", Path(saved).stem, fault)
