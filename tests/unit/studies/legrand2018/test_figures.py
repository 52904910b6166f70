"""Figures of weeks draw the computed values."""

import pandas as pd
import pytest

from period_case import WEEKS, pure, surface, table
from schedlab.files.stand_ins import name_of_stand_in
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.legrand2018.adaptation import diamonds, optima, pure_by_period
from schedlab.studies.legrand2018.figures.by_trace import (
    APART,
    draw_distributions,
    draw_regret,
    leads,
    regretted,
)
from schedlab.studies.legrand2018.figures.one_trace import draw_space
from schedlab.studies.legrand2018.figures.periods import (
    draw_panels,
    draw_periods,
    nearest,
)
from schedlab.studies.legrand2018.figures.ratios import draw_ratios, ratios, sums_as_printed


def marker_heights(axes) -> dict[str, list[float]]:
    lines = zip(*axes.get_legend_handles_labels()[::-1], strict=True)
    return {label: list(line.get_ydata()) for label, line in lines}


def texts(figure) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts]


SHOWN = ["w*", "w*_train", "saf", "fcfs"]


def panel(figure):
    """The first panel of ratios: below the strip."""
    return figure.axes[1]


def test_policies_are_drawn_as_ratios_to_the_best_weights():
    best = table()["w*"].tolist()
    axes = panel(draw_periods(table()[SHOWN], "SITE", "week"))
    heights = marker_heights(axes)
    assert heights["SAF"] == [2.0 / one for one in best]
    assert heights["FCFS"] == [8.0 / one for one in best]
    assert axes.get_yscale() == "log"


def test_the_strip_above_has_the_averages_that_a_ratio_of_one_is():
    figure = draw_periods(table()[SHOWN], "SITE", "week")
    tops = [bar.get_y() + bar.get_height() for bar in figure.axes[0].patches]
    assert tops == pytest.approx(table()["w*"].tolist())


def test_policies_of_one_week_are_drawn_next_to_each_other():
    axes = panel(draw_periods(table()[SHOWN], "SITE", "week"))
    places = [line.get_xdata()[0] for line in axes.get_lines() if line.get_linestyle() == "None"]
    assert len(set(places)) == len(SHOWN) - 1
    assert max(places) - min(places) < 1


def test_user_policies_have_distinct_marks():
    own = {name: [1.5] * WEEKS for name in ("mine", "yours")}
    axes = panel(draw_periods(table()[SHOWN].assign(**own), "SITE", "week"))
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert lines["mine"].get_marker() != lines["yours"].get_marker()


def test_a_hundred_weeks_are_two_rows_on_one_axis():
    values = {"w*": [1.0] * 100, "saf": [2.0] * 60 + [900.0] * 40}
    rows = pd.DataFrame(values, index=range(1, 101))
    _, first, _, second, ordered = draw_periods(rows, "SITE", "week").axes
    assert first.get_xlim()[1] < 52
    assert second.get_xlim()[0] > 49
    assert first.get_ylim() == second.get_ylim()
    assert first.get_ylim()[1] > 900
    assert list(ordered.get_lines()[0].get_xdata()) == list(range(1, 101))


def test_notes_are_drawn_below_every_ratio():
    notes = pd.Series(["SQF"] + [""] * (WEEKS - 1), index=range(1, WEEKS + 1))
    rows = table()[["saf"]].assign(**{"best pure": 1.0})
    axes = panel(draw_periods(rows, "SITE", "week", notes=notes))
    (word,) = (text for text in axes.texts if text.get_text())
    assert (word.get_text(), word.get_position()[0]) == ("SQF", 1)
    assert word.get_position()[1] < 1


def test_unavailable_trace_is_marked():
    nothing = table(0).reindex(columns=SHOWN)
    assert texts(draw_periods(nothing, "SITE", "week")) == [NOT_AVAILABLE]
    panels = [("a", table()[SHOWN], {}), ("b", nothing, {})]
    assert texts(draw_panels(panels, "month")) == [NOT_AVAILABLE]


def test_policies_are_sorted_by_their_means():
    values = pure_by_period(pure(sqf=1.5), 200_000).reset_index()
    values = values.melt("piece", var_name="policy", value_name="avebsld").assign(trace="SITE")
    figure = draw_distributions(values, {"SITE": "SITE", "OTHER": "OTHER"})
    labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert labels == ["sqf", "saf", "fcfs"]
    assert NOT_AVAILABLE in texts(figure)


@pytest.fixture
def space():
    return surface().between(3, 6)


def test_a_week_has_two_diamonds_and_one_optimum(space):
    figure = draw_space(diamonds(space), optima(space), "SITE")
    planes = [axes for axes in figure.axes if axes.collections and axes.get_aspect() == 1]
    assert len(planes) == 8
    points = [line for axes in planes for line in axes.lines if line.get_marker() == "o"]
    wanted = optima(space)[["p", "wait"]].to_numpy().ravel().tolist()
    assert [float(value) for line in points for value in line.get_xydata()[0]] == wanted


def test_space_without_weeks_is_marked_not_available():
    nothing = surface(0)
    assert texts(draw_space(diamonds(nothing), optima(nothing), "SITE")) == [NOT_AVAILABLE]


def regrets(relative):
    """Regret paths of two learners; `relative` has by trace that of Hedge, by week."""
    rows = [
        (trace, "Hedge", week, 9.0, 8.0, 10.0, end * week, end * week - 1, end * week + 1)
        for trace, end in relative.items()
        for week in range(2, 6)
    ]
    rows += [(trace, "w_greedy", week, *(1.0,) * 6) for trace in relative for week in range(2, 6)]
    parts = ("", "_low", "_high")
    columns = ["trace", "learner", "piece", "regret", "low", "high"]
    return pd.DataFrame(rows, columns=columns + [f"relative{part}" for part in parts])


@pytest.mark.parametrize(("weeks", "highest"), [(5, 28.56), (6, 32.88), (7, 38.28)])
def test_panels_have_one_scale_without_the_first_four_weeks(weeks, highest):
    """With four weeks or fewer, all of them decide, with their bands."""
    table = regrets({"A": 5.0, "B": -1.0})
    more = [table.assign(piece=week, relative=5.0 * week) for week in range(6, weeks + 1)]
    figure = draw_regret(pd.concat([table, *more]), {"A": "A", "B": "B"})
    first, second = (axes.get_ylim() for axes in figure.axes)
    assert first == second
    assert first[1] == pytest.approx(highest)


def test_a_band_shows_how_the_repetitions_scatter():
    figure = draw_regret(regrets({"SITE": 3.0}), {"SITE": "SITE"})
    assert len(figure.axes[0].collections) == 1
    assert marker_heights(figure.axes[0])["Hedge"] == [6, 9, 12, 15]


def test_regret_above_the_scale_is_marked_at_its_edge():
    weeks = pd.DataFrame({"trace": "SITE", "learner": "a", "piece": range(8), "regret": 0.0})
    weeks["relative"] = [500.0, 10, 10, 10, 10, 10, 20, 10]
    ends = {end: weeks["relative"] for end in ("relative_low", "relative_high")}
    table = weeks.assign(low=0.0, high=0.0, **ends)
    (axes,) = draw_regret(table, {"SITE": "SITE"}).axes
    (marks,) = (line for line in axes.lines if line.get_marker() == "^")
    assert marks.get_xydata().tolist() == [[0, axes.get_ylim()[1]]]


@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (-12.3, 22.3, []),
        (-12.5, 22.3, [("v", -12.4)]),
        (-12.3, 22.5, [("^", 22.4)]),
        (-12.5, 22.5, [("v", -12.4), ("^", 22.4)]),
    ],
)
def test_early_band_beyond_the_scale_is_marked_by_open_triangles(low, high, marks):
    """Later bands reach from -10 to 20, and the scale by 8 % of that beyond them."""
    table = pd.DataFrame({"trace": "SITE", "learner": "a", "piece": range(8), "regret": 0.0})
    table = table.assign(low=0.0, high=1.0, relative=5.0, relative_low=0.0, relative_high=9.0)
    table.loc[0, ["relative_low", "relative_high"]] = low, high
    table.loc[7, ["relative_low", "relative_high"]] = -10.0, 20.0
    (axes,) = draw_regret(table, {"SITE": "SITE"}).axes
    assert axes.get_ylim() == pytest.approx((-12.4, 22.4))
    drawn = [line for line in axes.lines if line.get_marker() in "^v"]
    assert [(line.get_marker(), line.get_ydata()[0]) for line in drawn] == [
        (marker, pytest.approx(place)) for marker, place in marks
    ]
    assert all(line.get_markerfacecolor() == "white" for line in drawn)


def test_marks_of_two_learners_at_one_place_are_apart():
    one = pd.DataFrame({"trace": "SITE", "learner": "a", "piece": range(8), "regret": 0.0})
    one = one.assign(low=0.0, high=0.0, relative=[500.0, *[10.0] * 7])
    one = one.assign(relative_low=one["relative"], relative_high=one["relative"])
    (axes,) = draw_regret(pd.concat([one, one.assign(learner="b")]), {"SITE": "SITE"}).axes
    lines = [line for line in axes.lines if line.get_marker() == "^"]
    left, right = (line.get_transform().transform((0, 0))[0] for line in lines)
    assert right - left == pytest.approx(APART * axes.figure.dpi / 72)


def test_regret_without_traces_is_marked_not_available():
    figure = draw_regret(regrets({}), {"SITE": "SITE"})
    assert texts(figure) == [NOT_AVAILABLE]


def test_range_is_named_in_the_rows_that_have_its_weeks():
    rows = pd.DataFrame({"w*": 1.0, "saf": [2.0] * 100}, index=range(1, 101))
    ranges = {"training": (1, 50), "testing": (51, 100)}
    _, first, _, second, _ = draw_periods(rows, "SITE", "week", ranges).axes
    assert [text.get_text() for text in first.texts] == ["training"]
    assert [text.get_text() for text in second.texts] == ["testing"]


def test_the_nearest_and_the_furthest_are_named_by_sums():
    table = pd.DataFrame({"w*": [1.0, 3.0], "saf": [1.0, 5.0], "fcfs": [9.0, 3.0]})
    said = "SAF has 1.500 and FCFS 3.000 times the sum of w* over 2 weeks"
    assert nearest(table, "w*", "week") == said
    table["saf"] += 4.0
    assert nearest(table, "w*", "week").startswith("FCFS has 3.000 and")


def test_periods_that_a_policy_misses_are_left_out_on_both_sides():
    table = pd.DataFrame({"w*": [100.0, 2.0], "w_greedy": [None, 4.0]})
    assert nearest(table, "w*", "week").startswith("w_greedy has 2.000 times")


def test_single_policy_is_counted_where_it_is_equal():
    table = pd.DataFrame({"best pure": [1.0, 1.0, 1.0], "saf": [1.0, 1.01, 1.0101]})
    assert nearest(table, "best pure", "week").endswith("and equals it in 2")


def test_no_periods_give_an_empty_sentence():
    assert nearest(pd.DataFrame(columns=["w*", "saf"]), "w*", "week") == ""


def means(second):
    rows = [("A", "SAF", 1.0), ("A", "SPF", 2.0), ("B", "SAF", second), ("B", "SPF", 2.0)]
    rows += [("C", "SAF", 1.0), ("C", "SPF", 3.0)]
    return pd.DataFrame(rows, columns=["trace", "policy", "avebsld"])


def test_the_policy_that_leads_most_traces_is_named():
    names = {name: name for name in "ABC"}
    assert leads(means(1.9), names) == "SAF has the lowest mean on all 3 traces"
    assert leads(means(2.1), names) == "SAF has the lowest mean on 2 of 3 traces: A and C"
    assert leads(means(1.0).iloc[:0], names) == ""


def test_no_trace_is_named_above_numbers_of_models():
    models = {name: name_of_stand_in(ord(name), name) for name in "ABC"}
    found = leads(means(2.1), models)
    assert found.endswith("on 2 of 3 model workloads: those of 65 and 67 processors")
    one_log = leads(means(2.1), models | {"A": "A"})
    assert one_log.endswith("on 2 of 3 traces and model workloads: A and model, 67 proc.")


@pytest.mark.parametrize(
    ("end", "word"), [(-0.1, "1 of 1 learners ends below"), (0.0, "None of 1")]
)
def test_regret_is_worded_by_its_last_value(end, word):
    rows = [("A", "Hedge", 2, -5.0), ("A", "Hedge", 3, end)]
    online = pd.DataFrame(rows, columns=["trace", "learner", "piece", "regret"])
    assert regretted(online, {"A": "A"}).startswith(word)
    assert regretted(online, {"A": name_of_stand_in(8, "A")}).startswith(word)


def test_regret_on_models_is_not_that_of_traces():
    rows = pd.DataFrame([("A", "x", 2, -5.0)], columns=["trace", "learner", "piece", "regret"])
    models = {"A": name_of_stand_in(8, "A")}
    assert "on a model workload: x" in regretted(rows, models)
    assert "on any of 1 model workloads" in regretted(rows.assign(regret=1.0), models)


def printed():
    return pd.DataFrame({"Training": ["100", "200"]}, index=["w*", "SAF"])


def test_ratios_are_computed_over_published_values():
    computed = pd.DataFrame({"Training": [110.0, 200.0]}, index=["w*", "SAF"])
    assert ratios(printed(), computed)["ratio"].tolist() == pytest.approx([1.1, 1.0])


@pytest.mark.parametrize(("computed", "count"), [(100.04, 2), (100.06, 1)])
def test_half_a_thousandth_counts_as_printed(computed, count):
    table = ratios(printed(), pd.DataFrame({"Training": [computed, 200]}, index=["w*", "SAF"]))
    assert sums_as_printed(table).startswith(f"{count} of 2 sums")
    assert ("w* differ" in sums_as_printed(table)) == (count == 1)


def test_a_log_that_is_not_available_has_no_ratios():
    nothing = ratios(printed().iloc[:0], pd.DataFrame(columns=["Training"]))
    assert "log not available" in draw_ratios(nothing, "SITE").texts[0].get_text()
