"""The house style of figures, and saving them so that equal data give equal files."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import TYPE_CHECKING

import matplotlib

from schedlab.io import whole

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from matplotlib.figure import Figure

# Okabe and Ito's palette: told apart with every kind of colour vision.
BLUE, GREEN, ORANGE, GREY = "#0072B2", "#009E73", "#D55E00", "#8a8a8a"
PURPLE, AMBER, SKY = "#CC79A7", "#E69F00", "#56B4E9"


def house_style() -> AbstractContextManager:
    """Return a context in which matplotlib draws in the house style."""
    with as_file(files("schedlab.figures") / "schedlab.mplstyle") as path:
        return matplotlib.rc_context(fname=path)


def save(figure: Figure, pdf: str | Path, png: str | Path) -> None:
    """Save `figure` as .pdf and .png without the time of day in them, whole or not at all."""
    with house_style():
        with whole(pdf) as draft:
            figure.savefig(draft, metadata={"CreationDate": None, "Producer": None})
        with whole(png) as draft:
            figure.savefig(draft, metadata={"Software": None})
