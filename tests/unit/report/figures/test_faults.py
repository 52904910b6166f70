"""The check of figures finds each fault, and nothing in a figure just inside of its limits."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from checked_figures import check_saved_figures
from figure_faults import faults_of
from schedlab.report.figures import picture
from schedlab.report.figures.missing import log_not_available
from schedlab.report.figures.picture import Picture, save
from schedlab.report.figures.style import (
    BLUE,
    COLORS,
    PUBLISHED,
    canvas,
    entitle,
    house_style,
    mark_published,
    save_one,
    titled,
)

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


def test_width_of_another_size_is_a_fault():
    with house_style():
        figure = Figure(figsize=(7.2, 3), layout="constrained")
        entitle(figure, FINDING)
        figure.subplots()
    assert faults_of(figure) == ["it is 7.2 inches wide, not 7 or 3.4"]


@pytest.mark.parametrize(("title", "faults"), [("Three words only", 1), ("Now it has four", 0)])
def test_title_is_a_sentence(title, faults):
    with titled(3, title) as figure:
        figure.subplots()
    assert len(faults_of(figure)) == faults


def test_figure_without_a_title_is_a_fault():
    with house_style():
        figure = canvas(3)
        figure.subplots()
    assert faults_of(figure) == ["its title is no finding: ''"]


@pytest.mark.parametrize(("size", "faults"), [(6.9, ["text of 6.9 points: 'note'"]), (7.0, [])])
def test_text_below_seven_points_is_a_fault(drawn, size, faults):
    figure, axes = drawn
    axes.text(0.5, 0.1, "note", size=size)
    assert faults_of(figure) == faults


def test_text_outside_of_the_figure_is_a_fault(drawn):
    figure, _ = drawn
    figure.text(0.99, 0.5, "a long note")
    assert faults_of(figure) == ["text outside of the figure: 'a long note'"]


@pytest.mark.parametrize(
    ("text", "faults"),
    [("-3 %", 1), ("−3 %", 0), ("1-3 %", 0), ("nan", 1), ("finance", 0), ("−0.00", 1),
     ("−0.01", 0), ("SJF-2", 0), ("inf", 1)],
)  # fmt: skip
def test_numbers_that_cannot_be_read_are_faults(drawn, text, faults):
    figure, axes = drawn
    axes.text(0.5, 0.1, text)
    assert len(faults_of(figure)) == faults


def test_titles_have_a_minus_in_front_of_numbers():
    with titled(3, "Waits change by -3 % in SJF-2 and 1-2 logs", "from -1 h") as figure:
        figure.subplots()
    assert faults_of(figure) == []
    assert figure.get_suptitle().startswith("Waits change by −3 % in SJF-2 and 1-2 logs")


@pytest.mark.parametrize(
    ("label", "ticks", "faults"),
    [("week", [0, 0.5, 1], 1), ("week", [0, 1], 0), ("weekly mean", [0, 0.5], 0),
     ("jobs (%)", [0, 0.5], 0), ("jobs", [0, 0.5], 1), ("jobs, mean over seeds", [0, 0.5], 0)],
)  # fmt: skip
def test_axes_that_count_have_ticks_at_whole_numbers(drawn, label, ticks, faults):
    figure, axes = drawn
    axes.set(xlabel=label)
    axes.set_xticks(ticks)
    assert len(faults_of(figure)) == faults


def test_ticks_out_of_view_are_not_drawn(drawn):
    figure, axes = drawn
    axes.set_xticks([0, 1, 1.5], ["0", "1", "far away " * 20])
    axes.set(xlim=(0, 1), xlabel="week")
    assert faults_of(figure) == []


@pytest.mark.parametrize(("inches", "faults"), [(0.025, 1), (0.035, 0)])
def test_labels_of_ticks_that_nearly_touch_are_a_fault(drawn, inches, faults):
    figure, axes = drawn
    axes.set_xticks([0, 1], ["one word", "word"])
    figure.draw_without_rendering()
    one, other = (text.get_window_extent() for text in axes.get_xticklabels())
    free = other.x0 - one.x1 - inches * figure.dpi
    width = axes.get_window_extent().width / (axes.get_xlim()[1] - axes.get_xlim()[0])
    axes.set_xticks([0, 1 - free / width], ["one word", "word"])
    assert len(faults_of(figure)) == faults


@pytest.mark.parametrize(("word", "faults"), [("word " * 20, 1), ("word", 0)])
def test_labels_of_ticks_that_overlap_are_a_fault(drawn, word, faults):
    figure, axes = drawn
    axes.set_xticks([0.4, 0.6], [word, word])
    assert len(faults_of(figure)) == faults


ARTISTS = {
    "line": lambda axes: axes.plot([0.7, 1], [0.8, 1], label="a"),
    "points": lambda axes: axes.plot([0.95], [0.95], "o", label="a"),
    "scatter": lambda axes: axes.scatter([0.95], [0.95], label="a"),
    "bar": lambda axes: axes.bar([0.9], [0.97], 0.3, label="a"),
    "area": lambda axes: axes.fill_between([0.8, 1], [0, 0], [1, 1], label="a"),
    "lines": lambda axes: axes.vlines([0.95], 0, 1, label="a"),
    "text": lambda axes: (axes.plot([], label="a"), axes.text(0.95, 0.95, "text", ha="center")),
}


@pytest.mark.parametrize(("place", "faults"), [("upper right", 1), ("lower right", 0)])
@pytest.mark.parametrize(
    "artist", [name for name in ARTISTS if name not in ("bar", "area", "lines")]
)
def test_legend_covers_nothing(artist, place, faults):
    assert len(legend_faults(artist, place)) == faults


@pytest.mark.parametrize(("place", "faults"), [("upper right", 1), ("upper left", 0)])
@pytest.mark.parametrize("artist", ["bar", "area", "lines"])
def test_legend_covers_no_area(artist, place, faults):
    assert len(legend_faults(artist, place)) == faults


def legend_faults(artist, place):
    with titled(3, FINDING) as figure:
        axes = figure.subplots()
        ARTISTS[artist](axes)
        axes.set(xlim=(0, 1), ylim=(0, 1))
        axes.legend(loc=place)
    return faults_of(figure)


def test_legend_of_a_figure_may_not_lie_on_its_axes(drawn):
    figure, _ = drawn
    figure.legend(loc="center")
    assert faults_of(figure) == ["a legend covers data of the axes ''"]
    figure.legends[0].remove()
    figure.legend(loc="outside lower center")
    assert faults_of(figure) == []


def test_legend_may_not_lie_on_a_text_of_the_figure(drawn):
    figure, _ = drawn
    figure.legend(loc="outside lower center")
    figure.supxlabel("what the axes have")
    assert faults_of(figure) == ["a legend covers the text 'what the axes have'"]


@pytest.mark.parametrize("label", ["median", "median: of ten runs"])
def test_names_have_their_color(drawn, label):
    figure, axes = drawn
    axes.plot([0, 1], [0, 1], color=BLUE, label=label)
    figure.legend(loc="outside lower center")
    assert faults_of(figure)[0] == f"{label!r} has the color {BLUE.lower()}, not #d55e00"


def test_names_of_a_legend_look_different(drawn):
    figure, axes = drawn
    axes.plot([0, 1], [0, 1], color=BLUE, label="other")
    legend = figure.legend(loc="outside lower center")
    assert faults_of(figure) == ["'line' and 'other' look the same"]
    legend.remove()
    axes.lines[1].set_linestyle("--")
    figure.legend(loc="outside lower center")
    assert faults_of(figure) == []


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


def test_faults_of_a_saved_figure_are_those_of_one_that_is_drawn_again(drawn, tmp_path):
    figure, axes = drawn
    axes.set_xticks([0.4, 0.5, 0.6], ["word " * 20, "word " * 20, "far"])
    axes.set(xlabel="a label as long as the figure is wide " * 2)
    axes.legend(loc="center")
    figure.text(0.99, 0.5, "a long note")
    save_one(figure, tmp_path / "f.png")
    dpi, found = figure.dpi, faults_of(figure, is_drawn=True)
    assert len(found) == 3
    assert found == faults_of(figure)
    assert figure.dpi == dpi


def test_figure_that_was_saved_in_another_format_last_is_drawn_again(drawn, tmp_path):
    figure, axes = drawn
    axes.set(xlabel="time (h)\nsince the beginning")
    save_one(figure, tmp_path / "f.png")
    assert faults_of(figure, is_drawn=True) == []
    save_one(figure, tmp_path / "f.pdf")
    assert faults_of(figure, is_drawn=True) != []
    assert faults_of(figure) == []


@pytest.mark.parametrize(("apart", "count"), [(0.7, 0), (0.6, 1)])
@pytest.mark.parametrize("rotation", [0, 90])
def test_texts_among_the_data_do_not_cover_each_other(drawn, apart, count, rotation):
    """A third of the height of a line may be covered: boxes have space around the letters."""
    figure, axes = drawn
    words = {"rotation": rotation, "ha": "center", "va": "center", "size": 8}
    first = axes.text(0.5, 0.5, "LCFS", **words)
    figure.draw_without_rendering()
    height = first.get_window_extent().width if rotation else first.get_window_extent().height
    move = apart * height * 72 / figure.dpi
    axes.annotate("SQF", (0.5, 0.5), (move, 0) if rotation else (0, move),
                  textcoords="offset points", **words)  # fmt: skip
    axes.annotate("far", (0.5, 0.1), **words)
    assert faults_of(figure) == ["the text 'LCFS' covers 'SQF'"] * count


@pytest.mark.parametrize(("x", "count"), [(0.5, 1), (9, 0)])
def test_annotations_outside_of_the_axes_are_not_drawn(drawn, x, count):
    figure, axes = drawn
    axes.set_xlim(0, 1)
    for word in ("one", "two"):
        axes.annotate(word, (x, 0.5), (0, 2), textcoords="offset points")
    assert faults_of(figure) == ["the text 'one' covers 'two'"] * count
