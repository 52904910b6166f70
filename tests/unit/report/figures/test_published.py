"""Marks of published numbers, and the areas of a figure that link to them."""

import json

import numpy as np
import pytest
from PIL import Image

from schedlab.report.figures.style import mark_published, numbers_of, save_one, titled
from schedlab.report.pictures import numbers_in

NUMBERS = ("table4 | CTC | F1", "table4 | CTC | F2", "table4 | CTC | F3")


@pytest.fixture
def figure():
    """A figure with two axes side by side, not drawn yet."""
    with titled(3, "F1 is best on every log of the paper", "All logs") as drawn:
        for axes in drawn.subplots(1, 2):
            axes.set(xlim=(0, 4), ylim=(0, 4))
        yield drawn


def frame_of(figure, axes):
    """Left, top, width and height of axes in per cent of the figure."""
    box = axes.get_position()
    return [100 * end for end in (box.x0, 1 - box.y1, box.width, box.height)]


def test_area_of_a_tick_is_as_wide_as_the_tick_and_as_high_as_its_axes(figure, tmp_path):
    mark_published(figure.axes[1], [1, 3], [2, 5], 0.5, NUMBERS)
    save_one(figure, tmp_path / "fig.png")
    left, top, width, height = frame_of(figure, figure.axes[1])
    expected = [[left + width / 8, top, width / 4, height]]
    expected += [[left + 5 * width / 8, top, width / 4, height]]
    names, areas = zip(
        *((name, area) for name, *area in numbers_in(tmp_path / "fig.png")), strict=True
    )
    assert names == NUMBERS[:2]
    assert np.allclose(areas, expected, atol=0.011)


def test_area_of_a_tick_across_is_as_wide_as_its_axes(figure):
    mark_published(figure.axes[0], [1], [2], 0.5, NUMBERS, across=True)
    figure.draw_without_rendering()
    left, top, width, height = frame_of(figure, figure.axes[0])
    ((name, *area),) = numbers_of(figure)
    assert name == NUMBERS[0]
    assert np.allclose(area, [left, top + 5 * height / 8, width, height / 4], atol=0.011)


def test_number_without_a_value_has_no_area_and_the_others_keep_their_names(figure):
    mark_published(figure.axes[0], [1, 2, 3], [2, np.nan, 2], 0.5, NUMBERS)
    assert [name for name, *_ in numbers_of(figure)] == [NUMBERS[0], NUMBERS[2]]


def test_marks_without_names_have_no_areas(figure, tmp_path):
    mark_published(figure.axes[0], [1], [2], 0.5)
    save_one(figure, tmp_path / "fig.png")
    assert numbers_of(figure) == []
    assert "Numbers" not in Image.open(tmp_path / "fig.png").info
    assert numbers_in(tmp_path / "fig.png") == []


def test_equal_figures_record_equal_numbers(figure, tmp_path):
    mark_published(figure.axes[0], [1], [2], 0.5, NUMBERS)
    for name in ("one", "two"):
        save_one(figure, tmp_path / f"{name}.png")
    one, two = (Image.open(tmp_path / f"{name}.png").info["Numbers"] for name in ("one", "two"))
    assert json.loads(one) == json.loads(two)
