"""Tables and the figure as they are shown."""

import pytest
from matplotlib.text import Text

from referee_case import compare_windows
from schedlab.studies.referee.figures import draw_referee
from schedlab.studies.referee.findings import SHOWN_DIGITS, headings, ranking_table, referee_table
from schedlab.studies.referee.simulators import REAL


def test_table_has_a_row_per_scheduler_and_marks_inside_for_simulators():
    table = referee_table(compare_windows()[1])
    assert len(table) == 16
    assert set(SHOWN_DIGITS) <= set(table.columns)
    assert list(table.columns) == list(headings().values())
    first = table.head(4)
    assert first["scheduler"].tolist() == [
        "real Slurm",
        "textbook EASY",
        "textbook conservative",
        "dialect slurm",
    ]
    assert first["order"].tolist() == ["FCFS"] * 4
    assert first["wait inside"].tolist() == ["", "no", "yes", "yes"]
    assert first["makespan inside"].tolist() == ["", "no", "yes", "yes"]


def test_ranking_table_states_yes_or_no():
    table = ranking_table(compare_windows()[2])
    assert set(table["same"]) == {"yes"}
    assert table["scheduler"][0] == "real Slurm"


def texts_of(figure):
    """Every text of a figure that is shown."""
    figure.canvas.draw()
    return [one for one in figure.findobj(Text) if one.get_text()]


@pytest.mark.slow
def test_figure_shows_windows_side_by_side_with_its_findings():
    figures, summaries, _ = compare_windows()
    figure = draw_referee(figures, summaries)
    said = [" ".join(one.get_text().split()) for one in texts_of(figure)]
    assert any(
        one.startswith(
            "On average the dialect slurm is 3.3 % off a real Slurm's mean wait, textbook EASY "
            "20.0 %; runs of the real Slurm differ by 13.3 %"
        )
        for one in said
    )
    assert len(figure.axes) == 6
    assert [axes.get_title(loc="left") for axes in figure.axes[:2]] == ["A", "B"]


@pytest.mark.slow
def test_points_are_drawn_at_the_results():
    figures, summaries, _ = compare_windows()
    waits, makespans, apart = (row[0] for row in _rows(draw_referee(figures, summaries)))
    assert waits.get_ylim() == pytest.approx((0, 1.12 * 80))
    assert _points(waits, "s") == [60, 60]
    assert _points(waits, "o") == [77.5, 77.5]
    assert _points(waits, "x") == [70, 80, 70, 80]
    assert _points(makespans, "s") == pytest.approx([100 * (190 / 210 - 1)] * 2)
    assert _points(makespans, "x") == pytest.approx([-100 / 21, 100 / 21] * 2)
    assert _points(apart, "D") == pytest.approx([115 / 3] * 2)


def _rows(figure):
    return [figure.axes[place : place + 2] for place in (0, 2, 4)]


def _points(axes, marker):
    return [
        y for line in axes.lines if line.get_marker() == marker for y in line.get_ydata().tolist()
    ]


@pytest.mark.slow
def test_point_is_drawn_in_its_window_and_order():
    figures, summaries, _ = compare_windows()
    real = figures["scheduler"] == REAL
    for place, (log, setting) in enumerate((log, one) for log in "AB" for one in ("fcfs", "mixed")):
        here = real & (figures["log"] == log) & (figures["setting"] == setting)
        figures.loc[here, "wait"] += 100 * place
    one, two = _rows(draw_referee(figures, summaries))[0]
    assert _points(one, "x") == [70, 80, 170, 180]
    assert _points(two, "x") == [270, 280, 370, 380]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("runs", "words"), [([1], "1 repetition on"), ([1, 2], "2 repetitions on")]
)
def test_repetitions_are_counted(runs, words):
    figures, summaries, _ = compare_windows()
    kept = figures[(figures["scheduler"] != REAL) | figures["run"].isin(runs)]
    said = " ".join(one.get_text() for one in texts_of(draw_referee(kept, summaries)))
    assert words in " ".join(said.split())
