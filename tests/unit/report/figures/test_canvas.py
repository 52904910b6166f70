"""Every figure is printed as wide as it is drawn, with no text below 7 points."""

import ast

import matplotlib
import pytest

from schedlab.report.figures.style import NARROW, SMALL, WIDE, canvas, entitle, house_style

# Where figures are drawn; a canvas of its own has but the module of the style.
FOLDERS = ("report/figures", "comparison/toggles", "studies/*20[0-9][0-9]")
SIZES = {"fontsize", "size", "labelsize", "title_fontsize"}
RELATIVE = {"xx-small", "x-small", "small"}


def calls(path):
    """Calls of a module with their keywords."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node, {word.arg: word.value for word in node.keywords}


@pytest.fixture(scope="module")
def modules(root):
    found = [
        path for folder in FOLDERS for path in (root / "src/schedlab").glob(f"{folder}/**/*.py")
    ]
    assert len(found) > 30
    return [path for path in found if "explorer" not in path.parts]


def test_no_module_except_style_sets_a_figure_size(modules):
    own = [path.name for path in modules for _, words in calls(path) if "figsize" in words]
    assert own == ["style.py"]


@pytest.mark.slow
def test_no_text_is_set_below_seven_points(modules):
    small = []
    for path in modules:
        for node, words in calls(path):
            values = [value.value for name, value in words.items()
                      if name in SIZES and isinstance(value, ast.Constant)]  # fmt: skip
            small += [
                f"{path.name}:{node.lineno}"
                for value in values
                if value in RELATIVE or (isinstance(value, (int, float)) and value < SMALL)
            ]
    assert not small


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
