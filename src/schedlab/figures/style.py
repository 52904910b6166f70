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


def save_one(figure: Figure, path: str | Path) -> None:
    """Save `figure` in the format of its suffix without the time of day in it, whole or not."""
    unsaid = {".pdf": {"CreationDate": None, "Producer": None}, ".svg": {"Date": None}}
    with house_style(), whole(path) as draft:
        figure.savefig(draft, metadata=unsaid.get(draft.suffix, {"Software": None}))


def save(figure: Figure, pdf: str | Path, png: str | Path) -> None:
    """Save `figure` as .pdf and .png without the time of day in them, whole or not at all."""
    for path in (pdf, png):
        save_one(figure, path)
