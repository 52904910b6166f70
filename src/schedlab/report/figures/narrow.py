"""Figures at the width of a column, for phones: the same panels, below each other."""

from __future__ import annotations

from textwrap import wrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Annotation, Text

from schedlab.report.figures.style import (
    BOLD_LETTER,
    LETTER,
    NARROW,
    entitle,
    has_color_scale,
    house_style,
)

#: share of its height that a row of panels keeps, and inches for more lines of the title
KEPT, WRAPPED = 0.85, 0.4
#: largest number of names next to each other below a panel
MOST_LABELS = 9
#: inches left of a panel
MARGIN = 0.5


def make_narrow(figure: Figure) -> None:
    """Lay out a drawn figure again, at the width `NARROW`.

    Its panels, which are of one grid, come below each other, each with the labels of its row and
    the widest of a row first. Titles and the legends below the figure are wrapped. A figure with a
    color scale keeps its layout: the numbers in its cells have no space in a column.
    """
    panels = _panels(figure)
    if has_color_scale(figure):
        return
    with house_style():
        figure.set_figwidth(NARROW)
        if not panels:  # it only states that a log is not available
            return
        rows = max(axes.get_subplotspec().rowspan.stop for axes in panels)
        figure.set_figheight(KEPT * figure.get_figheight() * len(panels) / rows + WRAPPED)
        figure.set_layout_engine("constrained")
        _wrap_title(figure)
        for axes in panels:
            _label_as_its_row(axes, panels)
        grid = figure.add_gridspec(len(panels), 1)
        for place, axes in enumerate(panels):
            axes.set_subplotspec(grid[place])
            for text in (axes.title, axes._left_title, axes._right_title):
                _wrap(text, NARROW - MARGIN, BOLD_LETTER)
        for legend in list(figure.legends):
            _wrap_legend(figure, legend)
        figure.get_layout_engine().execute(figure)
        for axes in panels:
            height = axes.get_position().height * figure.get_figheight()
            _wrap(axes.yaxis.label, height, LETTER)


def _panels(figure: Figure) -> list[Axes]:
    """Return the axes of the grid, row by row, in a row the widest first."""
    panels = [axes for axes in figure.axes if axes.get_subplotspec() is not None]

    def place(axes: Axes) -> tuple[int, float, int]:
        spec = axes.get_subplotspec()
        return spec.rowspan.start, -round(axes.get_position().width, 1), spec.colspan.start

    return sorted(panels, key=place)


def _label_as_its_row(axes: Axes, panels: list[Axes]) -> None:
    """Give a panel the label of y that its row has, if the row has but one, and labels of ticks."""
    rows = axes.get_subplotspec().rowspan
    row = [other for other in panels if other.get_subplotspec().rowspan == rows]
    labels = {other.get_ylabel() for other in row} - {""}
    if len(labels) == 1:
        axes.set_ylabel(*labels)
    axes.tick_params(labelleft=True, labelbottom=True)
    names = [text for text in axes.get_xticklabels() if text.get_text()[:1].isalpha()]
    if len(names) > MOST_LABELS:
        axes.tick_params("x", labelrotation=90)


def _wrap(text: Text, inches: float, letter: float) -> None:
    """Break a text at a length, for a mean width of letters relative to the font size."""
    letters = int(72 * inches / (letter * text.get_fontsize()))
    words = " ".join(text.get_text().split())
    text.set_text("\n".join(wrap(words, letters, break_on_hyphens=False)))


def _wrap_title(figure: Figure) -> None:
    """Write the title of `entitle` again, for the present width."""
    finding = " ".join(figure.get_suptitle().split())
    setting = ""
    for artist in list(figure.artists):
        if isinstance(artist, Annotation):
            setting = " ".join(artist.get_text().split())
            artist.remove()
    entitle(figure, finding, setting)


def _wrap_legend(figure: Figure, legend: Legend) -> None:
    """Explain the same marks below the figure in as many columns as there is space for."""
    handles = legend.legend_handles
    labels = [text.get_text() for text in legend.get_texts()]
    legend.remove()
    for columns in range(len(labels), 0, -1):
        wrapped = figure.legend(handles, labels, loc="outside lower center", ncols=columns)
        width = wrapped.get_window_extent().width
        if columns == 1 or width <= figure.bbox.width:
            return
        wrapped.remove()
