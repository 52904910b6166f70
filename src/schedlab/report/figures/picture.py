"""Figure that functions that make items return, and how it is saved."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pandas as pd
from matplotlib.figure import Figure

from schedlab.files.io import whole
from schedlab.report.figures.faults import faults_of
from schedlab.report.figures.narrow import narrow_layouts
from schedlab.report.figures.style import drawn_as, save_one
from schedlab.report.pictures import with_narrow
from schedlab.report.tables import write_csv


class Picture(NamedTuple):
    """Figure and its data; without `drawn`, a table of the same name has the data."""

    figure: Figure
    drawn: pd.DataFrame | None = None

    def write(self, item: str, outputs: Mapping[str, str]) -> None:
        """Write .pdf and .png as `save`, and the .csv of the data."""
        save(self.figure, outputs[f"{item}_pdf"], outputs[f"{item}_png"])
        if self.drawn is not None:
            write_csv(self.drawn, outputs[f"{item}_csv"])


def save(figure: Figure, pdf: str | Path, png: str | Path) -> None:
    """Save a figure as .pdf and .png atomically, without the time of day; log its faults.

    The .png records the variant for phones, the first of `narrow_layouts` without faults, if there
    is one. The figure is then that variant.
    """
    save_one(figure, pdf)
    content, log = drawn_as(figure, "png"), logging.getLogger(__name__)
    for fault in faults_of(figure, is_drawn=True):
        log.warning("%s: %s", Path(png).stem, fault)
    faults = []
    for _ in narrow_layouts(figure):
        narrow = drawn_as(figure, "png")
        if not (faults := faults_of(figure, is_drawn=True)):
            content = with_narrow(content, narrow)
            break
    if faults:
        log.info("%s has the same layout on phones: %s", Path(png).stem, "; ".join(faults))
    with whole(png) as draft:
        draft.write_bytes(content)
