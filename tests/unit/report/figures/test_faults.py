"""The check of figures finds each fault, and nothing in a figure just inside of its limits."""

import numpy as np
import pandas as pd
import pytest

from checked_figures import check_saved_figures
from figure_faults import faults_of
from schedlab.report.figures import picture
from schedlab.report.figures.picture import Picture, log_not_available, save
from schedlab.report.figures.style import BLUE, COLORS, PUBLISHED, mark_published, titled

pytestmark = pytest.mark.faulty_figures
FINDING = "The line rises from zero to one"


@pytest.fixture
def drawn():
    """A figure without faults, and its axes."""
    with titled(3, FINDING, "ten points") as figure:
        axes = figure.subplots()
        axes.plot([0, 1], [0, 1], color=BLUE, label="line")
        axes.set(xlabel="time (h)", ylabel="share")
    return figure, axes


def test_figure_without_faults_has_none(drawn):
    assert faults_of(drawn[0]) == []
    assert faults_of(log_not_available("A log")) == []


FAULTY = {
    "it is 7.2 inches wide": lambda figure, axes: figure.set_figwidth(7.2),
    "its title is no finding": lambda figure, axes: figure.suptitle("Three words only"),
    "text of 6.9 points": lambda figure, axes: axes.text(0.5, 0.1, "note", size=6.9),
    "text outside of the figure": lambda figure, axes: figure.text(0.99, 0.5, "a long note"),
    "a number that is not readable: '-3 %'": lambda figure, axes: axes.text(0.5, 0.1, "-3 %"),
    "'line' and 'other' look the same": lambda figure, axes: (
        axes.plot([0, 1], [0, 1], color=BLUE, label="other"),
        figure.legend(loc="outside lower center"),
    ),
    "'median' has the color": lambda figure, axes: (
        axes.plot([0, 1], [0, 1], color=BLUE, label="median"),
        figure.legend(loc="outside lower center"),
    ),
    "a legend covers data": lambda figure, axes: figure.legend(loc="center"),
    "the text 'one' covers 'two'": lambda figure, axes: [
        axes.text(0.5, 0.5, word, size=8) for word in ("one", "two")
    ],
    "": lambda figure, axes: axes.set(xlabel="week", xticks=[0, 0.5, 1]),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_each_fault_is_found(drawn, fault):
    FAULTY[fault](*drawn)
    found = faults_of(drawn[0])
    assert found
    assert fault in " ".join(found)


def test_titles_have_a_minus_in_front_of_numbers():
    with titled(3, "Waits change by -3 % in SJF-2 and 1-2 logs", "from -1 h") as figure:
        figure.subplots()
    assert faults_of(figure) == []
    assert figure.get_suptitle().startswith("Waits change by −3 % in SJF-2 and 1-2 logs")


def test_published_numbers_have_black_ticks_where_there_are_any(drawn):
    _, axes = drawn
    (entry,) = mark_published(axes, [0, 1, 2], [0.5, np.nan, 2.5], 0.4)
    (segments,) = [lines.get_segments() for lines in axes.collections]
    assert [segment.tolist() for segment in segments] == [
        [[-0.4, 0.5], [0.4, 0.5]],
        [[1.6, 2.5], [2.4, 2.5]],
    ]
    assert (entry.get_label(), entry.get_color()) == (PUBLISHED, COLORS[PUBLISHED])
    assert mark_published(axes, [0], [np.nan], 0.4) == []


@pytest.mark.slow
def test_a_written_figure_with_faults_ends_its_job(drawn, tmp_path, monkeypatch):
    monkeypatch.setattr(picture, "save", picture.save)  # restored after the test
    check_saved_figures()
    figure, axes = drawn
    outputs = {f"item_{kind}": str(tmp_path / f"fig9.{kind}") for kind in ("pdf", "png", "csv")}
    made = Picture(figure, pd.DataFrame({"x": [1]}))
    made.write("item", outputs, {})
    axes.text(0.5, 0.1, "note", size=6)
    with pytest.raises(ValueError, match=r"fig9\.png: text of 6 points: 'note'"):
        made.write("item", outputs, {})


@pytest.mark.filterwarnings("error")
def test_figure_without_axes_is_saved_without_a_warning(tmp_path):
    figure = log_not_available("A log")
    save(figure, tmp_path / "f.pdf", tmp_path / "f.png")
    assert faults_of(figure, is_drawn=True) == []
