"""Figures at the width of a column, for phones: the same panels, below each other."""

from __future__ import annotations

from itertools import pairwise
from textwrap import wrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Annotation, Text

from schedlab.report.figures.style import (
    BOLD_LETTER,
    LETTER,
    NARROW,
    as_saved,
    entitle,
    has_color_scale,
)

#: inches of a panel's labels, of the marks of a legend, and of the gap between labels of ticks
LABELS, MARKS, GAP = 0.8, 0.6, 0.03


def make_narrow(figure: Figure) -> bool:
    """Lay out a drawn figure again, at the width `NARROW`, and return whether it has that layout.

    Its panels come below each other, as high as they were, each with the labels of its row and the
    widest of a row first. Titles, labels of axes and the legends below the figure are wrapped, and
    labels of ticks that would touch stand upright. A figure with a color scale keeps its layout:
    the numbers in its cells have no space in a column.
    """
    if has_color_scale(figure):
        return False
    with as_saved(figure):
        panels = _panels(figure)
        heights = [_inches(axes)[1] for axes in panels]
        figure.set_figwidth(NARROW)
        if not panels:  # it only states that a log is not available
            for text in figure.texts:
                _wrap(text, NARROW, LETTER)
            return True
        figure.set_figheight(sum(heights) + LABELS * (len(panels) + 1))
        figure.set_layout_engine("constrained")
        _wrap_title(figure)
        for axes in panels:
            _label_as_its_row(axes, panels)
        grid = figure.add_gridspec(len(panels), 1, height_ratios=heights)
        for place, (axes, height) in enumerate(zip(panels, heights, strict=True)):
            axes.set_subplotspec(grid[place])
            for text in _around(axes):  # too long, they would move the panel
                text.set_visible(False)
            if axes.yaxis.label.get_rotation() == 90:
                _wrap(axes.yaxis.label, height, LETTER)
        for legend in list(figure.legends):
            _wrap_legend(figure, legend)
        figure.get_layout_engine().execute(figure)
        for axes in panels:
            _fit_to_width(axes)
        figure.get_layout_engine().execute(figure)
        lacking = sum(heights) - sum(_inches(axes)[1] for axes in panels)
        figure.set_figheight(figure.get_figheight() + lacking)
    return True


def _inches(axes: Axes) -> tuple[float, float]:
    """Return width and height of the place of a panel."""
    width, height = axes.get_position(original=True).size * axes.figure.bbox.size
    return width / axes.figure.dpi, height / axes.figure.dpi


def _panels(figure: Figure) -> list[Axes]:
    """Return the panels, row by row, in a row the widest first, a subfigure at a time.

    Empty places of the grid are removed.
    """

    def place(axes: Axes) -> tuple[float, float, int, float, int]:
        spec, part = axes.get_subplotspec(), axes.figure.bbox
        within = spec.rowspan.start, -round(_inches(axes)[0], 1), spec.colspan.start
        return -round(part.y1), round(part.x0), *within

    for axes in list(figure.axes):
        if not (axes.axison or axes.has_data() or axes.texts):
            axes.remove()
    return sorted((one for one in figure.axes if one.get_subplotspec() is not None), key=place)


def _label_as_its_row(axes: Axes, panels: list[Axes]) -> None:
    """Give a panel the labels of ticks, and the label of y that its row has, if it has but one.

    A panel with names along y needs none.
    """
    spec = axes.get_subplotspec()
    places = [other.get_subplotspec() for other in panels]
    labels = {
        other.get_ylabel()
        for other, place in zip(panels, places, strict=True)
        if place.get_gridspec() is spec.get_gridspec() and place.rowspan == spec.rowspan
    } - {""}
    named = any(text.get_text()[:1].isalpha() for text in axes.get_yticklabels())
    if len(labels) == 1 and axes.axison and not named and not axes.get_ylabel():
        axes.set_ylabel(*labels)
    above = axes.xaxis.get_tick_params().get("labeltop")
    axes.tick_params(labelleft=True, labelbottom=not above)


def _fit_to_width(axes: Axes) -> None:
    """Wrap the texts above and below a panel, and set labels of ticks upright if they touch."""
    box, dpi = axes.get_window_extent(), axes.figure.dpi
    left, middle = box.x0 / dpi, (box.x0 + box.x1) / 2 / dpi
    *titles, label = _around(axes)
    for text in titles:
        _wrap(text, NARROW - left, BOLD_LETTER)
    _wrap(label, 2 * min(middle, NARROW - middle), LETTER)
    for text in (*titles, label):
        text.set_visible(True)
    boxes = [text.get_window_extent() for text in axes.get_xticklabels() if text.get_text()]
    if any(other.x0 - one.x1 < GAP * dpi for one, other in pairwise(boxes)):
        axes.tick_params("x", labelrotation=90)


def _around(axes: Axes) -> list[Text]:
    """Return the titles of a panel and, last, the label below it."""
    return [axes.title, axes._left_title, axes._right_title, axes.xaxis.label]


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
    for text in legend.get_texts():
        _wrap(text, NARROW - MARKS, LETTER)
    labels = [text.get_text() for text in legend.get_texts()]
    legend.remove()
    for columns in range(len(labels), 0, -1):
        wrapped = figure.legend(handles, labels, loc="outside lower center", ncols=columns)
        width = wrapped.get_window_extent().width
        if columns == 1 or width <= figure.bbox.width:
            return
        wrapped.remove()
