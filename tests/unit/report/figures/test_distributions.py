"""Boxes need five values, and bars need values that are near each other."""

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle

from schedlab.report.figures.distributions import MOST_RATIO, draw_boxes, draw_heights, is_wide


def drawn(count, **options):
    axes = Figure().subplots()
    draw_boxes(axes, [np.arange(count) + 1.0], [3], 0.6, ["blue"], **options)
    return axes


def test_five_values_have_a_box_and_four_do_not():
    assert [len(drawn(count).patches) for count in (5, 4)] == [1, 0]
    assert isinstance(drawn(5).patches[0], PathPatch)


def test_few_values_are_points_with_their_median():
    axes = drawn(3)
    points, median = axes.lines
    assert points.get_ydata().tolist() == [1, 2, 3]
    assert set(points.get_xdata()) == {3}
    assert list(median.get_ydata()) == [2, 2]
    (median,) = drawn(3, points=False).lines
    assert list(median.get_ydata()) == [2, 2]


def test_box_leaves_outliers_to_the_caller():
    values = [[*range(9), 99.0]]
    for points, count in ((True, 1), (False, 0)):
        axes = Figure().subplots()
        draw_boxes(axes, values, [0], 0.6, ["blue"], points=points)
        marked = [line for line in axes.lines if line.get_marker() == "." and len(line.get_xdata())]
        assert len(marked) == count


@pytest.mark.parametrize(
    ("values", "wide"),
    [
        ([1, MOST_RATIO], False),
        ([1, MOST_RATIO + 1], True),
        ([0, np.nan, 5], False),
        ([-1, 1e9], False),
    ],
)
def test_bars_are_for_values_within_the_factor(values, wide):
    assert is_wide(values) is wide


def test_values_far_apart_are_dots_on_a_logarithmic_axis():
    bars, dots = Figure().subplots(1, 2)
    draw_heights(bars, [0, 1], [4, 40], 0.4, "blue", "a", dots=False)
    draw_heights(dots, [0, 1], [4, 3375], 0.4, "blue", "a", dots=True)
    assert (bars.get_yscale(), dots.get_yscale()) == ("linear", "log")
    assert isinstance(bars.patches[0], Rectangle)
    assert not dots.patches
    assert dots.lines[0].get_ydata().tolist() == [4, 3375]
