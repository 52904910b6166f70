"""The figure of toggles shows every number, its choice and what the text says; files' decimals."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from schedlab.comparison.toggles.effects import summary
from schedlab.comparison.toggles.figures import SHADES, draw_toggles, write_toggles
from schedlab.comparison.toggles.rows import NEW, OLD, STANCES
from toggles_case import numbers_with

# by toggle: ratios of numbers to unchanged ones, whether they are published, what the text says
TRIED = {"window": ([2.0, 1.5, 1.0, 1.2, 0.5, 4.0], "2.00", NEW), "order": ([1.1, 0.95], "", OLD)}


def changes_of(tried):
    """Return changed numbers with the given ratios; all were 2 before."""
    return pd.concat(
        numbers_with([2 * by for by in ratios], name, says, printed)
        for name, (ratios, printed, says) in tried.items()
    )


@pytest.fixture(scope="module")
def drawn():
    changes = changes_of(TRIED)
    table = summary(changes)
    return table, draw_toggles(table, changes, "a finding of this figure")


def points_of(figure, marker):
    """Return the lines of a marker as (x, y) arrays, in the order drawn."""
    lines = [line for line in figure.axes[0].lines if line.get_marker() == marker]
    return [(np.asarray(line.get_xdata()), np.asarray(line.get_ydata())) for line in lines]


def test_a_row_has_a_dot_per_ratio_in_the_color_of_what_the_text_says(drawn):
    table, figure = drawn
    assert table["toggle"].tolist() == ["window", "order"]
    lines = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    colors = dict(zip(STANCES, SHADES, strict=True))
    for line, name in zip(lines, table["toggle"], strict=True):
        ratios, _, says = TRIED[name]
        assert line.get_xdata().tolist() == pytest.approx(sorted(ratios))
        assert to_hex(line.get_color()) == to_hex(colors[says])


def test_dots_of_a_row_are_spread_evenly_about_its_place(drawn):
    _, figure = drawn
    (_, heights), (_, second) = points_of(figure, "o")
    assert heights.tolist() == pytest.approx([-0.24, -0.12, 0, 0.12, 0.24, -0.24])
    assert second.tolist() == pytest.approx([0.76, 0.88])


def test_the_median_of_a_row_is_marked_at_its_place(drawn):
    _, figure = drawn
    (first, place), (second, below) = points_of(figure, "|")
    assert (first[0], place[0]) == pytest.approx((1.35, 0))
    assert (second[0], below[0]) == pytest.approx((1.025, 1))


def test_a_line_marks_no_change_and_all_numbers_are_inside(drawn):
    _, figure = drawn
    axes = figure.axes[0]
    assert axes.lines[-1].get_xdata() == [1, 1]
    low, high = axes.get_xlim()
    assert 0.3 < low < 0.5
    assert 4 < high < 6
    bottom, top = axes.get_ylim()
    assert bottom > 1.24 > -0.24 > top


@pytest.mark.parametrize(
    ("ratios", "low", "high"),
    [([1.0, 1.01], 0.8, 1.25), ([0.85, 1.2], 0.8, 1.25), ([1.0, 3.0], 0.8, 3.0)],
)
def test_small_changes_look_small(ratios, low, high):
    """The axis reaches at least from 0.8 to 1.25."""
    changes = changes_of({"window": (ratios, "", NEW)})
    found = draw_toggles(summary(changes), changes, "a finding of this figure").axes[0].get_xlim()
    assert found[0] == pytest.approx(low, rel=0.15)
    assert found[1] == pytest.approx(high, rel=0.15)
    assert found[0] <= 0.8
    assert found[1] >= 1.25


def test_kept_digits_stand_beside_rows_that_have_published_numbers(drawn):
    _, figure = drawn
    texts = {text.get_text(): text.xy[1] for text in figure.axes[0].texts}
    assert texts == {"1 of 6": 0}
    assert figure.axes[0].get_title("right") == "published digits kept"
    changes = changes_of({"window": ([1.5], "", NEW)})
    without = draw_toggles(summary(changes), changes, "a finding of this figure").axes[0]
    assert (len(without.texts), without.get_title("right")) == (0, "")


@pytest.mark.slow
def test_ratios_and_ranks_have_three_decimals(tmp_path):
    """Two of three policies change places: tau is 1/3. The factor is the square root of 2."""
    changes = numbers_with([4.0, 3.0, 8.0 * 2**0.5], printed="", base=[2.0, 3.0, 8.0])
    made = {
        name: tmp_path / name.replace("_", ".")
        for name in ("moved", "toggles_csv", "toggles_md", "toggles_txt")
    }
    made |= {f"fig_toggles_{kind}": tmp_path / f"fig.{kind}" for kind in ("pdf", "png", "csv")}
    write_toggles(changes, "Table 9", made)
    cells = [cell.strip() for cell in made["toggles_md"].read_text().split("|")]
    assert "1.414" in cells
    assert "0.333" in cells
