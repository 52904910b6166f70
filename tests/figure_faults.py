"""Find faults of a drawn figure: small text, covered data, ticks between whole numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.collections import Collection, PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from schedlab.core.markers import NOT_AVAILABLE
from schedlab.report.figures.style import COLORS, NARROW, SMALL, WIDE, as_saved

#: fewest words of a title that is a sentence
FEWEST_WORDS = 4
#: pixels by which a text may reach beyond the figure or into its neighbor
TOLERANCE = 1.0
#: share of the lower or narrower one of two texts that the other may cover
COVERED = 1 / 3
#: least inches between labels of ticks in a row
GAP = 0.03
#: an axis whose label begins with one of these counts things
COUNTED = re.compile(
    r"(?:number of )?(?:jobs|users?|weeks?|months?|iterations?|trials|cases?|complaints?|ranks?"
    r"|node|tasks?|place|jobs in the plan|complaints|processors of a job)(?:$|[ ,(])"
)
#: unless its label has one of these
NOT_COUNTED = re.compile("%|mean")
#: what is no number for a reader: a hyphen as minus, and values that are not finite
UNREADABLE = re.compile(r"(?<![\w.–\-])-\d|(?<!\w)-?(?:nan|inf)(?!\w)|[−-]0\.0+(?!\d)")


def faults_of(figure: Figure, is_drawn: bool = False) -> list[str]:
    """Return the faults of a figure, one sentence each; empty if it has none.

    The figure has a house width and a sentence as its title. No text is smaller than `SMALL`,
    outside of the figure, or over its neighbor on an axis or among the data. An axis that counts
    has ticks at whole numbers only. A legend covers neither data nor text and gives names the
    colors of `COLORS`. A figure that only states that a log is not available needs no title.

    `is_drawn` is whether its .png was saved last, and it has not changed since.
    """
    if figure.get_layout_engine() is not None:
        figure.draw_without_rendering()
        return _faults_of_drawn(figure)
    # it was laid out for the .png, and perhaps written in another format since
    with as_saved(figure):
        if not is_drawn:
            figure.draw_without_rendering()
        return _faults_of_drawn(figure)


def _faults_of_drawn(figure: Figure) -> list[str]:
    hidden = {text for axes in figure.axes for text in _labels_out_of_view(axes)}
    texts = [text for text in figure.findobj(Text) if _is_shown(text) and text not in hidden]
    faults = [*_of_canvas(figure), *_of_texts(figure, texts)]
    for axes in figure.axes:
        faults += _of_notes(axes)
        for axis in (axes.xaxis, axes.yaxis):
            faults += _of_axis(axis)
    for legend in _legends(figure):
        faults += _of_legend(legend, figure)
        box, own = legend.get_window_extent(), set(legend.findobj(Text))
        faults += [
            f"a legend covers the text {text.get_text().strip()!r}"
            for text in texts
            if text not in own and _overlap(box, text.get_window_extent())
        ]
    return list(dict.fromkeys(faults))


def _is_shown(artist: Artist) -> bool:
    if isinstance(artist, Text) and not artist.get_text().strip():
        return False
    return artist.get_visible()


def _of_canvas(figure: Figure) -> Iterator[str]:
    """Check width and title."""
    if figure.get_figwidth() not in (WIDE, NARROW):
        yield f"it is {figure.get_figwidth():g} inches wide, not {WIDE:g} or {NARROW:g}"
    title = " ".join(figure.get_suptitle().split())
    is_note = all(_states_absence(axes.texts) for axes in figure.axes)
    if len(title.split()) < FEWEST_WORDS and not is_note:
        yield f"its title is no finding: {title!r}"


def _states_absence(texts: Iterable[Text]) -> bool:
    return any(NOT_AVAILABLE in text.get_text() for text in texts)


def _of_texts(figure: Figure, texts: Iterable[Text]) -> Iterator[str]:
    """Check size, place and numbers of each text."""
    inside = figure.bbox
    for text in texts:
        words = text.get_text().strip()
        if text.get_size() < SMALL:
            yield f"text of {text.get_size():g} points: {words!r}"
        if "$" not in words and UNREADABLE.search(words):
            yield f"a number that is not readable: {words!r}"
        box = text.get_window_extent()
        ends = (inside.x0 - box.x0, box.x1 - inside.x1, inside.y0 - box.y0, box.y1 - inside.y1)
        if max(ends) > TOLERANCE:
            yield f"text outside of the figure: {words!r}"


def _of_notes(axes: Axes) -> Iterator[str]:
    """Check that texts among the data do not cover each other."""
    # matplotlib does not draw an annotation of a place outside of the axes
    notes = [
        text
        for text in axes.texts
        if _is_shown(text) and not (isinstance(text, Annotation) and not text._check_xy())
    ]
    boxes = np.array([Text.get_window_extent(note).get_points() for note in notes])
    boxes = boxes.reshape(-1, 2, 2)
    low, high = boxes[:, 0], boxes[:, 1]
    common = np.minimum(high[:, None], high) - np.maximum(low[:, None], low)
    smaller = np.minimum((high - low)[:, None], high - low)
    for one, other in np.argwhere(np.triu((common > COVERED * smaller).all(axis=2), 1)):
        names = (notes[place].get_text().strip() for place in (one, other))
        yield "the text {!r} covers {!r}".format(*names)


def _labels_out_of_view(axes: Axes) -> Iterator[Text]:
    """Yield the labels of ticks outside the limits of their axis, which are not drawn."""
    for axis in (axes.xaxis, axes.yaxis):
        low, high = sorted(axis.get_view_interval())
        slack = 1e-9 * (high - low)
        for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
            if not axes.axison or not low - slack <= tick.get_loc() <= high + slack:
                yield from (tick.label1, tick.label2)


def _of_axis(axis: Axis) -> Iterator[str]:
    """Check that ticks of counts are whole numbers, and that labels do not overlap."""
    if not axis.get_visible() or not axis.axes.get_visible() or not axis.axes.axison:
        return
    low, high = sorted(axis.get_view_interval())
    label = axis.get_label_text()
    shown = [
        (place, text)
        for place, text in zip(axis.get_majorticklocs(), axis.get_majorticklabels(), strict=False)
        if low <= place <= high and _is_shown(text)
    ]
    is_count = COUNTED.match(label) and not NOT_COUNTED.search(label)
    if is_count and any(not float(place).is_integer() for place, _ in shown):
        yield f"ticks between whole numbers on the axis {label!r}"
    upright = [text for _, text in shown if text.get_rotation() % 90 == 0]
    boxes = sorted((text.get_window_extent() for text in upright), key=lambda box: (box.x0, box.y0))
    if axis.axis_name == "y":
        boxes.sort(key=lambda box: box.y0)
    in_row = axis.axis_name == "x" and not any(text.get_rotation() for text in upright)
    for one, other in pairwise(boxes):
        if _overlap(one, other):
            yield f"labels of ticks overlap on the axis {label!r}"
            return
        if in_row and too_near(one, other, axis.get_figure(root=True).dpi):
            yield f"labels of ticks touch on the axis {label!r}"
            return


def too_near(one: Bbox, other: Bbox, dpi: float) -> bool:
    """Return whether the labels of two ticks, in a row from left to right, touch or nearly do."""
    along = min(one.y1, other.y1) - max(one.y0, other.y0)
    return along > TOLERANCE and other.x0 - one.x1 < GAP * dpi


def _overlap(one: Bbox, other: Bbox) -> bool:
    across = min(one.x1, other.x1) - max(one.x0, other.x0)
    along = min(one.y1, other.y1) - max(one.y0, other.y0)
    return min(across, along) > TOLERANCE


def _legends(figure: Figure) -> list[Legend]:
    return [legend for legend in figure.findobj(Legend) if legend.get_visible()]


def _of_legend(legend: Legend, figure: Figure) -> Iterator[str]:
    """Check that a legend covers no data, and that names have their colors and a look each."""
    box, looks = legend.get_window_extent(), {}
    for axes in figure.axes:
        if axes.get_visible() and any(_covers(box, artist) for artist in axes.get_children()):
            yield f"a legend covers data of the axes {axes.get_title(loc='left')!r}"
    for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
        name, look = text.get_text(), _look(handle)
        # what a name means may follow it
        color = COLORS.get(name.partition(":")[0])
        if color and to_hex(color) not in look:
            yield f"{name!r} has the color {look[0]}, not {to_hex(color)}"
        if look in looks:
            yield f"{looks[look]!r} and {name!r} look the same"
        looks[look] = name


def _look(handle: Artist) -> tuple:
    """Return what tells an entry of a legend from the others."""
    if isinstance(handle, Line2D):
        face = to_hex(handle.get_markerfacecolor(), keep_alpha=False)
        if str(handle.get_markerfacecolor()) == "none":
            face = "none"
        style, marker = handle.get_linestyle(), str(handle.get_marker())
        size = (handle.get_linewidth(), handle.get_markersize())
        return to_hex(handle.get_color()), face, style, marker, size
    if isinstance(handle, Patch):
        edge, face = (to_hex(each) for each in (handle.get_edgecolor(), handle.get_facecolor()))
        alpha = handle.get_facecolor()[3]
        return face, edge, handle.get_hatch(), handle.get_linestyle(), alpha
    if isinstance(handle, Collection):
        faces = [*handle.get_facecolor(), *handle.get_edgecolor()]
        return *(to_hex(face) for face in faces), str(handle.get_linestyle())
    return (id(handle),)


def _covers(box: Bbox, artist: Artist) -> bool:
    """Return whether a box covers a part of a line, bar, area or point of some axes."""
    axes = artist.axes
    if axes is None or not artist.get_visible():
        return False
    seen = Bbox.intersection(box, axes.bbox)
    if seen is None or min(seen.width, seen.height) <= TOLERANCE:
        return False
    if isinstance(artist, Line2D):
        return _line_crosses(seen, artist)
    if isinstance(artist, PathCollection):
        places = artist.get_offset_transform().transform(np.ma.filled(artist.get_offsets(), np.nan))
        return bool(len(places)) and bool(_inside(seen, places).any())
    if isinstance(artist, Collection):
        paths = (artist.get_transform().transform_path(path) for path in artist.get_paths())
        return any(len(path) and path.intersects_bbox(seen, filled=True) for path in paths)
    if isinstance(artist, Patch):
        path = artist.get_transform().transform_path(artist.get_path())
        return bool(path.intersects_bbox(seen, filled=artist.get_fill()))
    return False


def _line_crosses(box: Bbox, line: Line2D) -> bool:
    if not len(line.get_xdata()):
        return False
    path = line.get_transform().transform_path(line.get_path())
    if line.get_linestyle() in ("None", "", " "):
        return bool(_inside(box, path.vertices).any())
    return bool(path.intersects_bbox(box, filled=False))


def _inside(box: Bbox, places: np.ndarray) -> np.ndarray:
    x, y = places[:, 0], places[:, 1]
    return (box.x0 < x) & (x < box.x1) & (box.y0 < y) & (y < box.y1)
