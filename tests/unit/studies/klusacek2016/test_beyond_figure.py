"""The figure of searches shows every number, with no text cut off."""

import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from schedlab.studies.klusacek2016 import beyond
from schedlab.studies.klusacek2016.figures.beyond import NO_GAIN, draw_searches
from schedlab.studies.klusacek2016.searches import BEFORE, COLUMNS, NEVER, RULES
from schedlab.studies.klusacek2016.tables import searches as tables


def runs(days):
    """Plans of so many days, searched by every rule with 0 to 1000 iterations."""
    rows = [
        (kind, plan, plan * 86_400, 20, rule, 0, steps, 90.0, 2.0, 3.0, steps / 1000 + place)
        for kind in (BEFORE, NEVER)
        for plan in range(days)
        for place, rule in enumerate(RULES)
        for steps in (0, 10, 100, 300, 1000)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def figure_and_texts(found):
    """Draw the figure; return it and its texts, and fail if anything is cut off."""
    figure = draw_searches(tables.compare_searches(found), tables.by_budget(found), 300, "a title")
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    box = figure.get_tightbbox(canvas.get_renderer())
    width, height = figure.get_size_inches()
    assert min(box.x0, box.y0) >= -0.02
    assert box.x1 <= width + 0.02
    assert box.y1 <= height + 0.02
    return figure, {text.get_text() for text in figure.findobj(Text) if text.get_text().strip()}


@pytest.mark.slow
def test_every_rule_has_a_line_of_gains_and_every_other_its_differences():
    figure, texts = figure_and_texts(runs(7))
    assert len(figure.axes) == 6
    gains, differences, shares = figure.axes[:3]
    lines = {line.get_label(): line for line in gains.get_lines()}
    for place, rule in enumerate(RULES):
        assert lines[rule].get_xdata().tolist() == [10, 100, 300, 1000]
        assert lines[rule].get_ydata() == pytest.approx(
            [place + 0.01, place + 0.1, place + 0.3, place + 1]
        )
    points = [line for line in differences.get_lines() if line.get_marker() == "o"]
    assert [line.get_ydata().tolist() for line in points] == [
        pytest.approx([place] * 4) for place in (1, 2, 3)
    ]
    assert shares.get_lines()[0].get_ydata() == pytest.approx([1, 10, 30, 100])
    assert {f"7 plans {BEFORE}", f"7 plans {NEVER}", "300 iterations", *RULES} < texts


@pytest.mark.slow
@pytest.mark.parametrize("days", [1, 5])
def test_means_are_drawn_without_intervals(days):
    figure, texts = figure_and_texts(runs(days))
    assert len(figure.axes) == 6
    assert "a title" in texts


@pytest.mark.parametrize(("gain", "count"), [(0.0, 1), (1.0, 0)])
def test_panel_of_shares_states_that_random_search_gains_nothing(gain, count):
    found = runs(7)
    found.loc[found["plans"] == BEFORE, "gain"] *= gain
    figure, _ = figure_and_texts(found)
    notes = [text for axes in figure.axes for text in axes.texts if text.get_text() == NO_GAIN]
    assert len(notes) == count


def test_figure_without_plans_is_marked():
    none = pd.DataFrame(columns=list(COLUMNS)).astype(COLUMNS)
    assert figure_and_texts(none)[1] == {"a title", beyond.NO_PLANS}
