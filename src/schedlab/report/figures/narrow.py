"""Figures at the width of a column, for phones: the same panels, below each other or in pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from textwrap import wrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Annotation, Text

from schedlab.report.figures.faults import too_near
from schedlab.report.figures.style import (
    BOLD_LETTER,
    LETTER,
    NARROW,
    as_saved,
    entitle,
    has_color_scale,
)

#: inches of a panel's labels, and of the marks of a legend
LABELS, MARKS = 0.8, 0.6
#: inches of a panel that is wide enough, and of the names along y if it is not
WIDE_ENOUGH, NAMES = 1.0, 1.5
#: height of a panel in a pair, as a share of its height before
LOWER = 0.8
#: inches of a layout that is not too tall, 1,200 pixels on a phone of 390; in one that is, panels
#: lose up to this share of their height
TALLEST, LOSS = 10.4, 0.3


def narrow_layouts(figure: Figure) -> Iterator[None]:
    """Lay out a drawn figure again, at the width `NARROW`, and yield after each layout.

    In the first layout two panels that share y, or x in one row, are next to each other, a little
    lower than they were; a figure without such panels lacks it. In the last, all come below each
    other, as high as they were. Layouts that would be taller than `TALLEST` have lower panels. If
    they are too tall then too, one with all panels of a row in pairs comes before them.

    Each panel has the labels of its row, and the widest of a row comes first. Titles, labels of
    axes and the legends below the figure are wrapped; unless panels share an axis in a pair, labels
    of ticks that would touch stand upright. A figure with a color scale has no layout: the numbers
    in its cells have no space in a column.
    """
    if has_color_scale(figure):
        return
    with as_saved(figure):
        panels = _panels(figure)
        heights = {axes: _inches(axes)[1] for axes in panels}
        if not panels:  # it only states that a log is not available
            figure.set_figwidth(NARROW)
            for text in figure.texts:
                _wrap(text, NARROW, LETTER)
            yield
            return
    pairs, tight = _in_pairs(panels), _in_pairs(panels, is_tight=True)
    alone = [[axes] for axes in panels]
    is_lower = False
    for rows, share in ((pairs, LOWER), (alone, 1)):
        if rows is pairs and len(pairs) == len(panels):
            continue
        own = {axes: share * height for axes, height in heights.items()}
        is_lower, is_tall = _fit(figure, rows, own)
        if is_tall and len(tight) < len(rows):
            _fit(figure, tight, heights, may_turn=True)
            yield
            _fit(figure, rows, own)
        yield
    if is_lower:
        _lay_out(figure, alone, heights)
        yield


def _fit(
    figure: Figure, rows: list[list[Axes]], heights: Mapping[Axes, float], may_turn: bool = False
) -> tuple[bool, bool]:
    """Lay out the panels, lower if the figure would be taller than `TALLEST`.

    Returns whether they are lower, and whether the figure is too tall still.
    """
    excess = _lay_out(figure, rows, heights, may_turn) - TALLEST
    if excess <= 0:
        return False, False
    loss = excess / sum(max(heights[axes] for axes in row) for row in rows)
    lower = {axes: height * (1 - min(loss, LOSS)) for axes, height in heights.items()}
    _lay_out(figure, rows, lower, may_turn)
    return True, loss > LOSS


def _lay_out(
    figure: Figure, rows: list[list[Axes]], heights: Mapping[Axes, float], may_turn: bool = False
) -> float:
    """Lay out the panels in rows of one or two, with their heights, and return that of the figure.

    Heights are in inches. Labels of ticks stand upright if they `may_turn` and touch.
    """
    panels = [axes for row in rows for axes in row]
    total = [max(heights[axes] for axes in row) for row in rows]
    with as_saved(figure):
        figure.set_size_inches(NARROW, sum(total) + LABELS * (len(rows) + 1))
        figure.set_layout_engine("constrained")
        _wrap_title(figure)
        for axes in panels:
            _label_as_its_row(axes, panels)
        grid = figure.add_gridspec(len(rows), 2, height_ratios=total)
        for place, (row, height) in enumerate(zip(rows, total, strict=True)):
            for column, axes in enumerate(row):
                axes.set_subplotspec(grid[place, column] if len(row) == 2 else grid[place, :])
                if column and (_share("y", *row) or _names(axes) == _names(row[0]) != []):
                    axes.tick_params(labelleft=False)
                is_repeated = column and axes.get_ylabel().split() == row[0].get_ylabel().split()
                axes.yaxis.label.set_visible(not is_repeated)
                for text in _around(axes):  # too long, they would move the panel
                    text.set_visible(False)
                if axes.yaxis.label.get_rotation() == 90:
                    _wrap(axes.yaxis.label, height, LETTER)
        for legend in list(figure.legends):
            _wrap_legend(figure, legend)
        figure.get_layout_engine().execute(figure)
        for axes in (row[0] for row in rows if len(row) == 1):
            if (names := _names(axes)) and _inches(axes)[0] < WIDE_ENOUGH:
                size = axes.get_yticklabels()[0].get_size()
                wrapped = [_wrapped(name, NAMES, LETTER * size) for name in names]
                axes.set_yticks(axes.get_yticks(), wrapped)
        figure.get_layout_engine().execute(figure)
        for row in rows:
            ends = [*(_left(axes) for axes in row[1:]), NARROW]
            for axes, end in zip(row, ends, strict=True):
                _fit_to_width(axes, end, may_turn or len(rows) == len(panels))
        figure.get_layout_engine().execute(figure)
        lacking = sum(total) - sum(_inches(row[0])[1] for row in rows)
        figure.set_figheight(figure.get_figheight() + lacking)
        return figure.get_figheight()


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


def _in_pairs(panels: list[Axes], is_tight: bool = False) -> list[list[Axes]]:
    """Return the panels in rows of one or two; two share y, or share x and were in one row.

    If it `is_tight`, they were in one row, and the second has no other names along y.
    """
    rows: list[list[Axes]] = []
    for axes in panels:
        last = rows[-1] if rows else []
        place, *before = (one.get_subplotspec() for one in (axes, *last))
        in_row = before and place.rowspan == before[0].rowspan
        if is_tight and in_row:
            is_alike = axes.axison and _names(axes) in ([], _names(*last[:1]))
            in_row = is_alike and place.get_gridspec() is before[0].get_gridspec()
        if len(last) == 1 and (
            _share("y", *last, axes) or (in_row and (is_tight or _share("x", *last, axes)))
        ):
            last.append(axes)
        else:
            rows.append([axes])
    return rows


def _share(name: str, one: Axes, other: Axes) -> bool:
    """Return whether two panels have axes and share that of a name, x or y."""
    return one.axison and other.axison and one._shared_axes[name].joined(one, other)


def _names(axes: Axes) -> list[str]:
    """Return the names along y; empty if it has numbers."""
    labels = [text.get_text() for text in axes.get_yticklabels()]
    return labels if any(label[:1].isalpha() for label in labels) else []


def _left(axes: Axes) -> float:
    """Return where a panel begins, in inches from the left."""
    return axes.get_window_extent().x0 / axes.figure.dpi


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
    if len(labels) == 1 and axes.axison and not _names(axes) and not axes.get_ylabel():
        axes.set_ylabel(*labels)
    above = axes.xaxis.get_tick_params().get("labeltop")
    axes.tick_params(labelleft=True, labelbottom=not above)


def _fit_to_width(axes: Axes, end: float, may_turn: bool) -> None:
    """Wrap the texts above and below a panel, which has space up to `end` (inches from the left).

    Labels of ticks that touch stand upright if they `may_turn`.
    """
    box, dpi = axes.get_window_extent(), axes.figure.dpi
    left, middle = box.x0 / dpi, (box.x0 + box.x1) / 2 / dpi
    *titles, label = _around(axes)
    for text in titles:
        _wrap(text, end - left, BOLD_LETTER)
    _wrap(label, 2 * min(middle, end - middle), LETTER)
    for text in (*titles, label):
        text.set_visible(True)
    boxes = [text.get_window_extent() for text in axes.get_xticklabels() if text.get_text()]
    if may_turn and any(too_near(one, other, dpi) for one, other in pairwise(boxes)):
        axes.tick_params("x", labelrotation=90)


def _around(axes: Axes) -> list[Text]:
    """Return the titles of a panel and, last, the label below it."""
    return [axes.title, axes._left_title, axes._right_title, axes.xaxis.label]


def _wrap(text: Text, inches: float, letter: float) -> None:
    """Break a text at a length, for a mean width of letters relative to the font size."""
    text.set_text(_wrapped(text.get_text(), inches, letter * text.get_fontsize()))


def _wrapped(text: str, inches: float, letter: float) -> str:
    """Return a text in lines of a length, for a mean width of letters in points."""
    letters, words = int(72 * inches / letter), text.split()
    # most words are narrower than letters of a mean width, so one that is a little long stays whole
    is_long = max(map(len, words), default=0) > 1.2 * letters
    lines = wrap(" ".join(words), letters, break_long_words=is_long, break_on_hyphens=False)
    return "\n".join(lines)


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
    _wrap(legend.get_title(), NARROW, LETTER)
    legend.remove()
    for columns in range(len(labels), 0, -1):
        wrapped = figure.legend(
            handles,
            labels,
            loc="outside lower center",
            ncols=columns,
            title=legend.get_title().get_text(),
        )
        width = wrapped.get_window_extent().width
        if columns == 1 or width <= figure.bbox.width:
            return
        wrapped.remove()
