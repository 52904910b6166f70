"""Figures 1 to 8 draw the computed values."""

import warnings

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex

from plans_case import evidence, missing_evidence
from schedlab.report.figures.style import BLUE, GREY
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.klusacek2016 import figure_data
from schedlab.studies.klusacek2016.figures.beyond import reached
from schedlab.studies.klusacek2016.figures.drawn import (
    FIGURES,
    changed,
    complaints,
    draw_bars,
    draw_shares,
    drawn,
    title_of,
    together,
    waits_less,
)
from schedlab.studies.klusacek2016.figures.searching import draw_costs, draw_moves, improved

HOUR = 3600
BOTH = ["Orig-BF", "Plan-RS"]


@pytest.fixture
def logs():
    """Recorded users that wait 2 and 4 h, and ones that react: 6 and 8, or 0 and 2 h."""
    hours = [([2, 4], [0, 2], [0, 2]), ([6, 8], [0, 2], [4, 4])]
    return [
        evidence(
            *(np.array(waits) * HOUR for waits in own),
            procs=[1, 2],
            requested=[HOUR, 2 * HOUR],
            runtime=HOUR,
            recorded=[0, 4.5 * HOUR],
            row={"users": users, "label": f"{users} users", "source": "LOG"},
        )
        for own, users in zip(hours, ("recorded", "reacting"), strict=True)
    ]


def panels_and_title(figure):
    """Draw it, and fail where that gives a warning; return its panels and what was run."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        FigureCanvasAgg(figure).draw()
    said = figure.artists[0].get_text().replace("\n", " ") if figure.artists else ""
    return figure.axes, said


def heights(axes):
    handles, labels = axes.get_legend_handles_labels()
    return {
        label: [bar.get_height() for bar in bars]
        for label, bars in zip(labels, handles, strict=True)
    }


def lines(axes):
    """Values of lines and points by the words of the legend."""
    handles, labels = axes.get_legend_handles_labels()
    return {label: list(line.get_ydata()) for label, line in zip(labels, handles, strict=True)}


def whiskers(axes):
    """Ends of the whiskers, from left to right."""
    bars = [bar for bar in axes.containers if bar.__class__.__name__ == "ErrorbarContainer"]
    segments = [line for bar in bars for line in bar.lines[2][0].get_segments()]
    return [pytest.approx(line[:, 1].tolist()) for line in sorted(segments, key=lambda s: s[0, 0])]


def panel(table, name):
    return table[table["panel"] == name].dropna(axis="columns", how="all")


def assert_shares(axes, table):
    """The lines are what the table has of their panel."""
    for scheduler, own in panel(table, "shares").groupby("scheduler"):
        assert lines(axes)[scheduler] == pytest.approx((100 * own["share"]).tolist())


def ticks(axes):
    return [label.get_text() for label in axes.get_xticklabels()]


def test_figure_1_has_utilisation_wait_and_slowdown_of_users_of_both_kinds(logs):
    figure, table = drawn("fig1", logs)
    (used, wait, slowdown), title = panels_and_title(figure)
    # of 45 processor hours 2 and 3; none, and with the seeds 3 and 1.5
    assert heights(used) == {
        "Orig-BF": pytest.approx([200 / 45, 0]),
        "Plan-RS": pytest.approx([300 / 45, 5]),
    }
    assert heights(wait) == {"Orig-BF": [3, 7], "Plan-RS": [1, 2.5]}
    assert heights(slowdown) == {"Orig-BF": [4, 8], "Plan-RS": [2, 3.5]}
    assert [axes.get_ylabel() for axes in (used, wait, slowdown)] == [
        "utilization (%)",
        "mean wait (h)",
        "mean bounded slowdown",
    ]
    assert ticks(wait) == ["recorded\nusers", "reacting\nusers"]
    assert title.startswith("LOG; ")
    assert len(table) == 2 * 2 * 3
    assert len(whiskers(used)) == 1


@pytest.mark.slow
def test_whiskers_are_the_deviation_of_seeds_and_end_at_0(logs):
    """Means of seeds of 1 and 4 h of users that react; of 1 h each of recorded users."""
    figure, _ = drawn("fig1", logs)
    reach = 3 / np.sqrt(2)
    assert whiskers(panels_and_title(figure)[0][1]) == [[2.5 - reach, 2.5 + reach]]
    table = figure_data.bars([evidence([0, 0, 9 * HOUR], [0] * 3, [0, 0, 90 * HOUR])], ["wait"])
    both = pd.concat([table, table.assign(measure="nuwt")])
    wait, _ = panels_and_title(draw_bars(both, "t"))[0]
    assert whiskers(wait) == [[0, pytest.approx(15 + 15 * np.sqrt(2))]]


@pytest.mark.slow
def test_bars_have_mean_and_deviation_of_jobs_above_and_the_colors_of_their_schedulers(logs):
    figure, _ = drawn("fig1", logs)
    axes = panels_and_title(figure)[0][1]
    assert [text.get_text() for text in axes.texts] == [
        "3\n± 1", "7\n± 1", "1\n± 1", "2.5\n± 0.5",
    ]  # fmt: skip
    handles, labels = axes.get_legend_handles_labels()
    assert labels == BOTH
    assert [to_hex(bars[0].get_facecolor()) for bars in handles] == [to_hex(GREY), to_hex(BLUE)]
    assert axes.get_ylim()[1] > 8


def test_values_far_apart_are_dots_and_all_are_within_the_logarithmic_axis():
    table = figure_data.bars([evidence([0], [0])], ["wait", "nuwt"])
    table = table.assign(value=[3375.0, 40.0, 4.0, 40.0][: len(table)], over_seeds=0.5)
    far, near = panels_and_title(draw_bars(table.assign(measure=["wait", "nuwt"] * 2), "t"))[0]
    assert (far.get_yscale(), near.get_yscale()) == ("log", "linear")
    assert not far.patches
    low, high = far.get_ylim()
    assert low < 4 / HOUR < 3375 / HOUR < high


def test_bars_of_zero_waits_are_drawn_at_zero():
    table = figure_data.bars([evidence([0], [0])], ["wait", "nuwt"])
    for axes in panels_and_title(draw_bars(table, "t"))[0]:
        assert heights(axes) == {"Orig-BF": [0], "Plan-RS": [0]}


def test_figure_2_has_classes_of_recorded_users_and_their_jobs(logs):
    figure, table = drawn("fig2", logs)
    (procs, limits), title = panels_and_title(figure)
    for axes in (procs, limits):
        assert lines(axes) == {"Orig-BF": [2, 4], "Plan-RS": [0, 2]}
    assert ticks(procs) == ["1\n1", "2\n1"]
    assert ticks(limits) == ["≤ 1 h\n1", "1–2 h\n1"]
    assert title == title_of(logs[0])
    assert len(table) == 8


def test_titles_state_log_users_jobs_and_seeds(logs):
    assert title_of(logs[1]) == "LOG, reacting users, 2 jobs, 2 seeds of Plan-RS"


def test_tables_of_panels_are_stacked_with_their_names():
    one, other = pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"b": [3], "a": [4]})
    found = together(left=one, right=other)
    assert found["panel"].tolist() == ["left", "left", "right"]
    assert found["a"].tolist() == [1, 2, 4]
    assert found["b"].isna().tolist() == [True, True, False]


@pytest.mark.slow
@pytest.mark.parametrize(("figure", "place"), [("fig3", 0), ("fig7", 1)])
def test_figures_3_and_7_have_nuwt_of_recorded_and_reacting_users(logs, figure, place):
    """Hours for processor hours, the second job on two."""
    figure, table = drawn(figure, logs)
    (mean, each, shares), title = panels_and_title(figure)
    orig, plan = (([2, 2], [1, 0]), ([6, 4], [2, 1.5]))[place]
    assert heights(mean) == {"Orig-BF": [np.mean(orig)], "Plan-RS": [np.mean(plan)]}
    assert lines(each)["Orig-BF"] == orig
    assert lines(each)["Plan-RS"] == plan
    assert list(dict.fromkeys(table["panel"])) == ["mean", "users", "shares"]
    users, means = panel(table, "users"), panel(table, "mean")
    assert users[BOTH].to_numpy().T.tolist() == [orig, plan]
    assert means.set_index("scheduler")["value"].to_dict() == {
        "Orig-BF": np.mean(orig),
        "Plan-RS": np.mean(plan),
    }
    assert_shares(shares, table)
    assert lines(shares)["Orig-BF"][-1] == lines(shares)["Plan-RS"][-1] == 100
    assert title == f"{title_of(logs[place])}; ±: standard deviation of users"
    assert each.get_xlabel() == "user, by NUWT under Orig-BF"


@pytest.mark.slow
def test_figure_6_has_reacting_users_and_whiskers_over_the_seeds(logs):
    """Seeds have means of 1 and 4 h."""
    figure, table = drawn("fig6", logs)
    (wait, slowdown, shares), title = panels_and_title(figure)
    assert heights(wait) == {"Orig-BF": [7], "Plan-RS": [2.5]}
    assert heights(slowdown) == {"Orig-BF": [8], "Plan-RS": [3.5]}
    reach = 3 / np.sqrt(2)
    assert whiskers(wait) == [[2.5 - reach, 2.5 + reach]]
    assert list(dict.fromkeys(table["panel"])) == ["means", "shares"]
    means = panel(table, "means").set_index(["measure", "scheduler"])
    assert means["value"].to_dict() == {
        ("wait", "Orig-BF"): 7 * HOUR,
        ("wait", "Plan-RS"): 2.5 * HOUR,
        ("slowdown", "Orig-BF"): 8,
        ("slowdown", "Plan-RS"): 3.5,
    }
    assert means.loc[("wait", "Plan-RS"), "over_seeds"] == pytest.approx(reach * HOUR)
    assert_shares(shares, table)
    assert lines(shares)["Plan-RS"][0] == 25
    assert title.startswith(title_of(logs[1]))


@pytest.mark.parametrize("waits", [([1], [900]), ([900], [1])])
def test_shares_are_drawn_until_both_reach_100(waits):
    one = evidence(*(np.array(hours) * HOUR for hours in waits))
    axes = draw_bars(figure_data.bars([one], ["wait", "nuwt"]), "t").axes[0]
    axes.clear()
    draw_shares(axes, figure_data.cumulative(one, "wait"), "x", "y")
    after = figure_data.WAIT_HOURS[np.searchsorted(figure_data.WAIT_HOURS, 900)]
    assert axes.get_xlim() == (0, pytest.approx(after))


@pytest.mark.parametrize("hours", [0, 5000])
def test_shares_that_are_always_or_never_100(hours):
    one = evidence([hours * HOUR], [hours * HOUR])
    axes = draw_bars(figure_data.bars([one], ["wait", "nuwt"]), "t").axes[0]
    axes.clear()
    draw_shares(axes, figure_data.cumulative(one, "wait"), "x", "y")
    assert axes.get_xlim()[0] == 0
    assert axes.get_xlim()[1] >= 1000


@pytest.mark.slow
def test_figure_8_has_tolerance_complaints_and_their_sizes(logs):
    """6 h where 1 h is acceptable, and 8 where 2 h and the logarithm of 2 processors are."""
    figure, table = drawn("fig8", logs)
    (tolerance, each, ordered), title = panels_and_title(figure)
    assert len(tolerance.get_lines()) == 9
    assert [text.get_text() for text in tolerance.texts] == ["1", "4", "16", "256"]
    assert lines(each) == {"Orig-BF": [1, 1], "Plan-RS": [0.5, 0.5]}
    assert lines(ordered) == {"Orig-BF": pytest.approx([6, 4 / (np.log(2) + 1)]), "Plan-RS": []}
    assert list(dict.fromkeys(table["panel"])) == ["tolerance", "users", "sizes"]
    assert panel(table, "users")[BOTH].to_numpy().T.tolist() == [[1, 1], [0.5, 0.5]]
    sizes = panel(table, "sizes")
    assert sizes["scheduler"].tolist() == ["Orig-BF"] * 2
    assert sizes["size"].tolist() == lines(ordered)["Orig-BF"]
    drawn_tolerance = [line.get_ydata().tolist() for line in tolerance.get_lines()]
    acceptable = panel(table, "tolerance").groupby("processors")["acceptable"]
    assert drawn_tolerance == [own.tolist() for _, own in acceptable]
    assert title == f"{title_of(logs[1])}; last panel: the first of them"


@pytest.mark.slow
def test_users_without_complaints_are_not_drawn():
    one = evidence([101, 0, 0], [0, 0, 101], row={"users": "reacting"})
    (_, each, _), _ = panels_and_title(drawn("fig8", [one, one])[0])
    assert lines(each) == {"Orig-BF": [1, 0], "Plan-RS": [0, 1]}


@pytest.mark.slow
def test_figures_are_drawn_without_waits_and_complaints():
    both = [evidence([0], [0], row={"users": users}) for users in ("recorded", "reacting")]
    for figure in FIGURES:
        panels_and_title(drawn(figure, both)[0])


def test_mean_that_does_not_exist_is_a_dash_at_zero():
    table = figure_data.bars([evidence([1], [2])], ["wait", "nuwt"]).assign(value=np.nan)
    notes = draw_bars(table, "a title of four words").axes[0].texts
    assert [(note.get_text()[0], note.xy[1]) for note in notes] == [("–", 0)] * 2


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("gone", [0, 1])
def test_unavailable_log_is_marked(logs, figure, gone):
    logs[gone] = missing_evidence(source="LOG")
    picture, table = drawn(figure, logs)
    assert [text.get_text() for text in picture.texts] == [f"LOG: {NOT_AVAILABLE}"]
    assert not panels_and_title(picture)[0]
    assert table.to_dict("list") == {"log": [NOT_AVAILABLE]}


def test_moves_are_drawn_by_day_and_cropped_ones_are_counted():
    """A day and two after the first; 7 per cent are more than the paper's axis has."""
    day = 86_400
    moves = {"time": [day, 2 * day, 3 * day], "wait": [0.01, -0.07, 0.02], "fairness": [0, 0, 0.05]}
    (wait, fairness), title = panels_and_title(draw_moves(pd.DataFrame(moves), "a title"))
    (points, _) = wait.get_lines()
    assert points.get_xdata().tolist() == [0, 2]
    assert points.get_ydata().tolist() == pytest.approx([1, 2])
    assert wait.get_ylim() == (-6, 6)
    assert wait.get_title("right") == "1 of 3 are not shown"
    (points, _) = fairness.get_lines()
    assert points.get_ydata().tolist() == pytest.approx([0, 0, 5])
    assert fairness.get_title("right") == "0 of 3 are not shown"
    assert [axes.get_ylabel() for axes in (wait, fairness)] == [
        "improvement\nof wait (%)",
        "improvement\nof fairness (%)",
    ]
    assert title == "a title"


def test_small_moves_have_a_smaller_axis_and_zero_moves_the_papers_axis():
    moves = {"time": range(300), "wait": [0.01] * 299 + [0.05], "fairness": [0.0] * 300}
    (wait, fairness), _ = panels_and_title(draw_moves(pd.DataFrame(moves), "t"))
    assert wait.get_ylim() == pytest.approx((-1.1, 1.1))
    assert wait.get_title("right") == "1 of 300 are not shown"
    assert fairness.get_ylim() == (-6, 6)


@pytest.mark.slow
def test_costs_are_drawn_against_planned_jobs():
    costs = {"jobs": [1, 20], "backfill": [2.0, 3], "update": [4.0, 5], "iteration": [0.5, 0.6]}
    frame = pd.DataFrame(costs | {"both": [6.0, 8]})
    panels, _ = panels_and_title(draw_costs(frame, "t"))
    found = {axes.get_title("left"): axes.get_lines()[0].get_xydata().tolist() for axes in panels}
    assert found == {
        "planning a new job": [[1, 2], [20, 3]],
        "updating the plan": [[1, 4], [20, 5]],
        "both": [[1, 6], [20, 8]],
        "one iteration of the search": [[1, 0.5], [20, 0.6]],
    }
    assert {(axes.get_xscale(), axes.get_yscale()) for axes in panels} == {("log", "log")}


def bars(plans):
    rows = [("recorded", "Orig-BF", "wait", 200.0), ("recorded", "Plan-RS", "wait", plans)]
    rows += [("recorded", "Orig-BF", "nuwt", 0.0), ("recorded", "Plan-RS", "nuwt", 1.0)]
    return pd.DataFrame(rows, columns=["users", "scheduler", "measure", "value"])


@pytest.mark.parametrize(
    ("plans", "said"),
    [
        (150.0, "-25"),
        (250.0, "+25"),
        (199.9, "+0"),
        (1.01, "-99"),
        (0.99, "-99.5"),
        (0.02, "-99.9"),
        (0.0, "-100"),
        (2198.9, "+999"),
        (2200.0, "+1,000"),
    ],
)
def test_changes_have_a_sign_and_skip_division_by_zero(plans, said):
    wanted = f"Plan-RS against Orig-BF: mean wait {said} % (recorded users)"
    assert changed(bars(plans)) == wanted


@pytest.mark.parametrize(("hours", "count"), [(0.99, 1), (1.0, 0)])
def test_classes_are_counted_where_plans_wait_less(hours, count):
    rows = [("by", "c", "Orig-BF", 1.0), ("by", "c", "Plan-RS", hours)]
    classes = pd.DataFrame(rows, columns=["by", "class", "scheduler", "hours"])
    assert waits_less(classes).endswith(f"in {count} of 1 classes of jobs")


def test_moves_without_a_change_do_not_count_as_improvements():
    moves = pd.DataFrame({"wait": [0.0, 0.1, -0.1, 0.2], "fairness": [0.0, 0.0, 0.0, 0.1]})
    said = "50 % of the accepted moves shorten waits, 25 % are fairer"
    assert improved(moves) == said


def test_complaints_are_added_up():
    users = pd.DataFrame({"Orig-BF": [2, 5], "Plan-RS": [1.5, 8.5]})
    assert complaints(users) == "7 complaints under Orig-BF, 10 under Plan-RS"


def test_budget_is_compared_with_the_longest_search():
    budget = pd.DataFrame({"plans": "kept", "iterations": [300, 9000], "share": [66.4, 100.0]})
    said = (
        "300 iterations of Random Search reach 66 % (plans kept) of the estimated gain with 9,000"
    )
    assert reached(budget, 300) == said
    assert reached(budget, 299) == ""
    assert reached(budget.assign(share=np.nan), 300) == ""
