"""House style of figures, and how to save them so that equal data give equal files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from textwrap import wrap

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from schedlab.files.io import whole

# Okabe and Ito's palette: distinguishable with every kind of color vision.
BLUE, GREEN, ORANGE, GREY = "#0072B2", "#009E73", "#D55E00", "#8a8a8a"
PURPLE, AMBER, SKY = "#CC79A7", "#E69F00", "#56B4E9"
# Color of text outside the data: dark enough to be read on white.
QUIET = "#5b6672"
# Inches: the text width of a page, and of one of two columns. At this size text has its true size.
WIDE, NARROW = 7.0, 3.4
# Points of the smallest text of a figure, and of the finding above it.
SMALL, FINDING = 7.0, 9.0
# Mean widths of letters relative to the font size, bold and regular.
BOLD_LETTER, LETTER = 0.67, 0.56


def house_style() -> AbstractContextManager:
    """Return a context in which matplotlib draws in the house style."""
    with as_file(files("schedlab.report.figures") / "schedlab.mplstyle") as path:
        return matplotlib.rc_context(fname=path)


def canvas(height: float, width: float = WIDE) -> Figure:
    """Return an empty figure of a house width (`WIDE`, `NARROW`) and a height in inches."""
    return Figure(figsize=(width, height), layout="constrained")


def entitle(figure: Figure, finding: str, setting: str = "") -> None:
    """Write the finding above a figure, and below it what was run, small and grey.

    The figure is from `canvas`; its layout leaves space for the text. The finding is a sentence
    from the data of the figure; `setting` is what was run, and on which data.
    """
    width = 72 * figure.get_figwidth()
    above = wrap(finding, int(width / (BOLD_LETTER * FINDING)))
    below = wrap(setting, int(width / (LETTER * SMALL)))
    # blank lines reserve the space of the setting, which has another size and color
    title = figure.suptitle("\n".join([*above, *(" " for _ in below)]), x=0.006, ha="left",
                            size=FINDING, weight="bold", linespacing=1.25)  # fmt: skip
    figure.add_artist(Annotation("\n".join(below), (0, 0), xycoords=title, ha="left", va="bottom",
                                 size=SMALL, color=QUIET))  # fmt: skip


@contextmanager
def titled(height: float, finding: str, setting: str = "") -> Iterator[Figure]:
    """Yield an empty figure of the full width with its title, to draw on in the house style.

    Arguments as in `canvas` and `entitle`.
    """
    with house_style():
        figure = canvas(height)
        entitle(figure, finding, setting)
        yield figure


def legend_below(figure: Figure, axes: Axes, columns: int = 0) -> None:
    """Explain the marks of `axes` below the figure, in one row unless `columns` are given."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns or len(labels))


def save_one(figure: Figure, path: str | Path) -> None:
    """Save `figure` atomically in the format of its suffix, without the time of day.

    A .png records the title of the figure, which pages use as alternative text. The layout is
    computed once, at the resolution of the .png, and all formats share it.
    """
    undated = {".pdf": {"CreationDate": None, "Producer": None}, ".svg": {"Date": None}}
    png_facts = {"Software": None, "Title": " ".join(figure.get_suptitle().split())}
    with house_style(), whole(path) as draft:
        if engine := figure.get_layout_engine():
            screen_dpi, figure.dpi = figure.dpi, matplotlib.rcParams["savefig.dpi"]
            engine.execute(figure)
            figure.dpi = screen_dpi
            figure.set_layout_engine(None)
        figure.savefig(draft, metadata=undated.get(draft.suffix, png_facts))


def save(figure: Figure, pdf: str | Path, png: str | Path) -> None:
    """Save `figure` as .pdf and .png atomically, without the time of day."""
    for path in (pdf, png):
        save_one(figure, path)
