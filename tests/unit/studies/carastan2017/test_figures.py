"""Boxplots draw the computed values."""

import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_rgba

from schedlab.report.figures.style import COLORS
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.carastan2017.figures import boxplots
from schedlab.studies.carastan2017.figures.boxplots import draw_boxplots
from schedlab.studies.carastan2017.tables import table4 as tables_experiments
from table4_case import experiments, printed_values, sequences


def boxes(values) -> pd.DataFrame:
    return boxplots.boxes_of(tables_experiments.sheet_frame(experiments()), sequences(values))


def boxes_of_six(values) -> pd.DataFrame:
    """The same with each sequence twice: more than a box needs."""
    drawn = sequences(values)
    twice = pd.concat([drawn, drawn.assign(piece=drawn["piece"] + 3)])
    return boxplots.boxes_of(tables_experiments.sheet_frame(experiments()), twice)


def texts(figure) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


@pytest.mark.slow
def test_panels_are_on_the_papers_axis_and_a_logarithmic_one_with_points_of_few_sequences():
    drawn = boxes(printed_values())
    figure = draw_boxplots(drawn)
    assert [axes.get_yscale() for axes in figure.axes] == ["linear", "log"] * 2
    axes = figure.axes[0]
    assert axes.get_ylim()[0] == 0
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert labels == ["FCFS", "WFP", "UNI", "SPT", "F4", "F3", "F2", "F1"]
    assert not axes.patches
    points = [marks for marks in axes.collections if isinstance(marks, PathCollection)]
    assert sum(len(marks.get_offsets()) for marks in points) == 3 * 16
    alone = draw_boxplots(drawn[drawn["dialect"] == "full"])
    assert len(alone.legends[0].get_texts()) == 3


def test_medians_are_drawn_at_their_values():
    axes = draw_boxplots(boxes(printed_values())).axes[0]
    orange = to_rgba(COLORS["median"])
    medians = [lines for lines in axes.collections if tuple(lines.get_edgecolor()[0]) == orange]
    heights = {round(float(y), 2) for lines in medians for [_, y], _ in lines.get_segments()}
    assert set(printed_values()["model_artefact"]) <= heights


def test_box_and_whiskers_of_a_policy_are_drawn_over_its_place_at_their_values():
    frame = boxes_of_six(printed_values())
    axes = draw_boxplots(frame).axes[0]
    panel = frame[frame["panel"].eq(frame["panel"].iloc[0]) & frame["dialect"].eq("artefact")]
    drawn = [box for box in axes.patches if box.get_edgecolor() == axes.patches[0].get_edgecolor()]
    assert [box.get_y() for box in drawn] == pytest.approx([*panel["q1"]])
    assert [box.get_y() + box.get_height() for box in drawn] == pytest.approx([*panel["q3"]])
    lines = [lines for lines in axes.collections if isinstance(lines, LineCollection)]
    segments = [segment.tolist() for each in lines for segment in each.get_segments()]
    places = [round(float(box.get_x() + box.get_width() / 2), 9) for box in drawn]
    for x, box in zip(places, panel.itertuples(), strict=True):
        for near, far in ((box.q1, box.whisker_low), (box.q3, box.whisker_high)):
            assert [[x, near], [x, far]] in segments
            caps = [one for one in segments if one[0][1] == one[1][1] == far]
            assert any(left < x < right for (left, _), (right, _) in caps)
    [points, *_] = [each for each in axes.collections if isinstance(each, PathCollection)]
    values = [float(one) for joined in panel["values"] for one in joined.split(";") if one]
    assert [y for _, y in points.get_offsets().tolist()] == values
    assert sorted({x for x, _ in points.get_offsets().tolist()}) == places


def test_sequences_above_the_linear_axis_are_marked_at_its_edge():
    values = printed_values()
    frame = sequences(values)
    high = frame["experiment"].eq("model_artefact") & frame["policy"].eq("f1")
    frame.loc[high, "avebsld"] = [1e6, 20, 30]
    extra = frame[frame["experiment"] == "model_artefact"].assign(piece=9, avebsld=20.0)
    frame = pd.concat([frame, extra, extra.assign(piece=10), extra.assign(piece=11)])
    figure = draw_boxplots(boxplots.boxes_of(tables_experiments.sheet_frame(experiments()), frame))
    assert figure.axes[0].get_ylim()[1] < 1e6
    marks = [line for line in figure.axes[0].lines if line.get_marker() == "^"]
    assert [float(line.get_ydata()[0]) for line in marks] == [figure.axes[0].get_ylim()[1]]
    assert figure.axes[1].get_ylim()[1] > 1e6


def test_panel_without_its_log_is_marked_and_the_others_are_drawn():
    values = {name: row for name, row in printed_values().items() if name.startswith("model")}
    figure = draw_boxplots(boxes(values))
    assert len(figure.axes) == 3
    assert NOT_AVAILABLE in texts(figure)


@pytest.mark.slow
def test_long_names_do_not_run_into_each_other():
    values = sequences(printed_values())
    frame = pd.concat([values, values[values["policy"] == "f1"].assign(policy="smallest_area")])
    sheet = tables_experiments.sheet_frame(experiments())
    labels = draw_boxplots(boxplots.boxes_of(sheet, frame, ["smallest_area"])).axes[
        1].get_xticklabels()  # fmt: skip
    assert {label.get_rotation() for label in labels} == {30}
    assert [label.get_text() for label in labels][-2:] == ["F1", "smallest_area"]
    assert {label.get_rotation() for label in draw_boxplots(boxes(printed_values())).axes[
        1].get_xticklabels()} == {0}  # fmt: skip
