"""Every figure is printed as wide as it is drawn, with no text below 7 points."""

import matplotlib
import pytest

from schedlab.report.figures.style import NARROW, SMALL, WIDE, canvas, entitle, house_style


def test_the_style_sheet_has_no_text_below_seven_points():
    with house_style():
        sizes = [value for name, value in matplotlib.rcParams.items()
                 if name.endswith("size") and name.split(".")[0] in ("font", "legend")]  # fmt: skip
        sizes += [matplotlib.rcParams[f"{axis}tick.labelsize"] for axis in "xy"]
        sizes += [matplotlib.rcParams[f"axes.{part}size"] for part in ("label", "title")]
    assert min(size for size in sizes if isinstance(size, (int, float)) and size) >= SMALL


def test_canvases_are_as_wide_as_a_page_or_a_column():
    assert canvas(3).get_figwidth() == WIDE == 7.0
    assert canvas(3, NARROW).get_figwidth() == NARROW == 3.4


def written(finding, setting):
    """Title and setting of a drawn figure: texts and boxes in points."""
    with house_style():
        figure = canvas(3)
        entitle(figure, finding, setting)
        figure.subplots()
        figure.draw_without_rendering()
        (note,) = figure.artists
        title = figure._suptitle
        boxes = [each.get_window_extent() for each in (title, note, figure.axes[0])]
    return title, note, boxes, figure


def test_setting_is_between_the_finding_and_the_axes():
    title, note, (above, below, axes), _ = written("finding " * 30, "setting " * 40)
    lines = title.get_text().splitlines()
    assert [line for line in lines if line.strip()] == lines[: len(lines) - 3]
    assert len(note.get_text().splitlines()) == 3
    assert below.y0 == pytest.approx(above.y0)
    assert below.height <= 3 / len(lines) * above.height + 1
    assert axes.y1 < above.y0


def test_no_line_of_a_title_is_wider_than_the_figure():
    _, _, (above, below, _), figure = written("Wide finding MW " * 20, "Wide setting MW " * 30)
    assert max(above.x1, below.x1) <= figure.bbox.width


@pytest.mark.faulty_figures
def test_figure_without_a_setting_has_only_its_finding():
    title, note, _, _ = written("finding", "")
    assert (title.get_text(), note.get_text()) == ("finding", "")
