"""Figures of kellari2025 are complete, with no text cut off."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.text import Text

from schedlab.core.streams import generator
from schedlab.cosched import pairs, pricing, timelines
from schedlab.cosched.schedulers import of_policy
from schedlab.report.figures import gantt
from schedlab.report.figures.style import numbers_of
from schedlab.studies.kellari2025 import published
from schedlab.studies.kellari2025 import runs as running
from schedlab.studies.kellari2025.beyond import by_setting, gaps, with_gaps
from schedlab.studies.kellari2025.figures import (
    beyond,
    comparisons,
    coschedules,
    grids,
    illustrations,
)
from schedlab.studies.kellari2025.figures.beyond import moved
from schedlab.studies.kellari2025.figures.comparisons import ends, on_front
from schedlab.studies.kellari2025.figures.grids import best_pairs, strongest
from schedlab.studies.kellari2025.tables import chapter6
from schedlab.studies.kellari2025.tables.chapter6 import SCHEDULERS
from sheet_case import rows_of


@pytest.fixture(scope="module")
def row():
    return replace(rows_of("kellari2025")["aris10"], workloads=3, jobs=40)


@pytest.fixture(scope="module")
def runs(row, pool):
    return chapter6.with_speedups(running.measure_runs(row, pool, (), 1))


@pytest.fixture(scope="module")
def kept(row, pool):
    return running.keep_schedules(replace(row, workloads=1), pool, 1)


def texts_in_figure(figure):
    """Draw it and return every text in it."""
    figure.draw_without_rendering()
    return {text.get_text() for text in figure.findobj(Text) if text.get_text().strip()}


def values_without_print(runs, metric, own=()):
    """What boxes are drawn from, without published means."""
    return chapter6.box_values(runs, metric, own).assign(published=np.nan)


RAN = "what ran on which data"
FOUND = "a finding of this figure"


def box(metric):
    name = next(figure for figure, own in chapter6.BOXES.items() if own == metric)
    return lambda given: comparisons.draw_boxes(
        values_without_print(given.runs, metric), metric, name
    )


def front(*axes):
    return lambda given: comparisons.draw_front(chapter6.front(given.runs, *axes), *axes, RAN)


def popular(given):
    """The jobs of the schedule under Popularity."""
    return given.kept[given.kept["scheduler"] == "Popularity"].reset_index(drop=True)


def draw_unused(given):
    groups = given.kept.groupby("scheduler")
    unused = [timelines.unused_cores(own, 8400, 900.0).assign(scheduler=n) for n, own in groups]
    return coschedules.draw_unused(pd.concat(unused), RAN)


def draw_pricing(given):
    charged = pricing.charges(given.kept, given.row.cluster)
    tables = pricing.by_scheduler(charged), pricing.by_application(charged)
    return beyond.draw_pricing(*tables, FOUND, RAN)


def draw_pairs(given):
    hidden = pairs.cross_validate(given.pool.speedup, generator("tests"))
    return beyond.draw_pairs(hidden, pairs.errors(hidden), FOUND, RAN)


PROCESSES = {f"{count} processes" for count in (64, 128, 256, 512, 1024, 2048)}
FIGURES = [
    *((box(metric), {*SCHEDULERS, comparisons.AXES[metric]}) for metric in chapter6.BOXES.values()),
    *((front(*axes), {*SCHEDULERS, *(comparisons.AXES[name] for name in axes)})
      for axes in chapter6.FRONTS.values()),
    (lambda given: grids.draw_heatmap(grids.by_processes(given.pool)), {"not measured"}),
    (lambda given: grids.draw_heatmap_panels(grids.by_processes(given.pool)), PROCESSES),
    (lambda given: coschedules.draw_speedup_bins(
        popular(given), timelines.speedup_bins(popular(given)), RAN), {"job speedup"}),
    (lambda given: coschedules.draw_states(timelines.states(popular(given)), RAN),
     set(timelines.STATES)),
    (draw_unused, set()),
    (lambda given: illustrations.draw_methods(illustrations.allocation_methods(), 8),
     {"compact", "spread", "striped", "node 3"}),
    (lambda given: illustrations.draw_backfill(illustrations.backfill_example(), "ABC", 10, RAN),
     set("ABCDEF")),
    (lambda given: beyond.draw_settings(by_setting(given.runs, {"aris10": "as is"}), "none", RAN),
     {"as is", "EASY-Co"}),
    (draw_pricing, set(pricing.TARIFFS)),
    (draw_pairs, {"row mean", "low rank 2"}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "words"), FIGURES)
def test_figure_is_whole_and_names_what_it_shows(row, pool, runs, kept, draw, words):
    shown = texts_in_figure(draw(SimpleNamespace(row=row, pool=pool, runs=runs, kept=kept)))
    assert words <= shown
    assert "nan" not in shown


@pytest.mark.parametrize(("x", "steps"), [("slowdown", "steps-post"), ("utilisation", "steps-pre")])
def test_front_is_drawn_as_steps_towards_the_better_x(x, steps):
    points = pd.DataFrame({"scheduler": ["SJF", "SJF"], "workload": [0, 1], "optimal": True})
    points = points.assign(**{x: [1.0, 2.0], "makespan_speedup": [1.0, 1.1]})
    lines = (
        comparisons.draw_front(points, x, "makespan_speedup", "what ran on which data")
        .axes[0]
        .lines
    )
    assert [line.get_drawstyle() for line in lines if line.get_linestyle() == "-"] == [steps]


@pytest.fixture(scope="module")
def runs_with_user_policies(row, pool):
    own = [of_policy("widest", "-n"), of_policy("smallest_area", "r * n")]
    return chapter6.with_speedups(running.measure_runs(row, pool, (), 1, further=own))


@pytest.mark.slow
def test_user_policies_are_drawn_with_the_schedulers(runs, runs_with_user_policies):
    """They add a row, a box and a mark each, and leave what the thesis's are drawn from alone."""
    own = ["widest", "smallest_area"]
    for table in ("table6_1", "table6_2"):
        rows = chapter6.table6(runs_with_user_policies, table, own)
        assert rows["scheduler"].tolist()[-2:] == own
        pd.testing.assert_frame_equal(rows.iloc[:-2], chapter6.table6(runs, table))
    values = values_without_print(runs_with_user_policies, "slowdown", own)
    assert {*SCHEDULERS, *own} <= texts_in_figure(
        comparisons.draw_boxes(values, "slowdown", "what ran on which data")
    )
    axes = ("slowdown", "makespan_speedup")
    points = chapter6.front(runs_with_user_policies, *axes, own)
    assert {*SCHEDULERS, *own} <= texts_in_figure(
        comparisons.draw_front(points, *axes, "what ran on which data")
    )
    assert not (
        chapter6.correlations(runs_with_user_policies, "pearson", own)
        == chapter6.correlations(runs, "pearson")
    ).all(axis=None)
    assert chapter6.front(runs_with_user_policies, *axes).equals(chapter6.front(runs, *axes))


@pytest.mark.slow
def test_correlations_are_written_into_their_cells(runs):
    table = chapter6.correlations(runs, "spearman")
    shown = texts_in_figure(grids.draw_correlations({"Spearman": table}, "what ran on which data"))
    lower = table.to_numpy()[np.tril_indices(len(table), -1)]
    assert {f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−") for value in lower} <= shown


def test_a_gantt_shows_all_nodes_and_the_jobs_of_some(kept):
    jobs = kept[kept["scheduler"] == "EASY-Co"].reset_index(drop=True)
    lanes = timelines.lanes(jobs)
    states = timelines.node_states(lanes, 50)
    figure = gantt.draw_gantt(lanes, jobs, states, timelines.NODE_STATES, "what ran on which data")
    above, below = figure.axes
    assert (above.images[0].get_array() == states).all()
    (bars,) = below.findobj(PolyCollection)
    assert len(bars.get_paths()) == (lanes["node"] < gantt.NEAR).sum()
    assert {"bt", "sp", "time (h)", "shared by two"} <= texts_in_figure(figure)


def test_published_means_are_marked_next_to_the_computed_ones(runs, printed):
    means = published.published_means(printed, runs.assign(pool="ARIS"), "slowdown")
    assert means["SJF"] == 20.6
    values = chapter6.box_values(runs, "slowdown")
    values = values.assign(published=values["scheduler"].map(means))
    figure = comparisons.draw_boxes(values, "slowdown", "what ran on which data")
    (ticks,) = figure.axes[0].collections
    assert [segment[0, 1] for segment in ticks.get_segments()] == means[SCHEDULERS].tolist()
    diamonds = [line for line in figure.axes[0].lines if line.get_marker() == "D"]
    computed = values.groupby("scheduler")["value"].mean()[SCHEDULERS]
    assert [line.get_ydata()[0] for line in diamonds] == pytest.approx(computed.tolist())
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["whole nodes", "shared nodes", "median", "mean", "published"]
    names = [name for name, *_ in numbers_of(figure)]
    assert names == [f"table6 | {scheduler} | mean slowdown" for scheduler in SCHEDULERS]


def test_stand_in_of_the_pool_has_no_published_means(runs, printed):
    assert published.published_means(printed, runs, "slowdown").empty
    values = values_without_print(runs, "slowdown")
    figure = comparisons.draw_boxes(values, "slowdown", "what ran on which data")
    assert not figure.axes[0].collections
    assert "published" not in [text.get_text() for text in figure.legends[0].get_texts()]


@pytest.mark.parametrize(
    ("change", "label", "place"), [(60.0, "change (%)", 60.0), (60.1, "ratio", 1.601)]
)
def test_changes_above_sixty_percent_are_ratios_on_a_logarithmic_axis(change, label, place):
    row = {"setting": "slow", "scheduler": "SJF"}
    for metric, middle in (("slowdown", change), ("makespan_speedup", -5.0)):
        row |= {f"{metric}_change": middle, f"{metric}_low": -120.0, f"{metric}_high": 90.0}
    figure = beyond.draw_settings(pd.DataFrame([row]), "EASY", "what ran on which data")
    figure.draw_without_rendering()
    axes = figure.axes[0]
    assert axes.get_xlabel() == f"mean slowdown: {label}"
    assert axes.get_xscale() == ("log" if label == "ratio" else "linear")
    assert axes.lines[0].get_xdata()[0] == pytest.approx(place)
    assert axes.lines[1].get_xdata()[0] == (1 if label == "ratio" else 0)


@pytest.mark.parametrize(("high", "scale"), [(100.0, "linear"), (100.1, "log")])
def test_intervals_above_a_hundred_percent_are_ratios_too(high, scale):
    row = {"setting": "slow", "scheduler": "SJF"}
    for metric in ("slowdown", "makespan_speedup"):
        row |= {f"{metric}_change": 9.0, f"{metric}_low": -50.0, f"{metric}_high": high}
    figure = beyond.draw_settings(pd.DataFrame([row]), "EASY", "what ran on which data")
    assert {axes.get_xscale() for axes in figure.axes} == {scale}


def test_errors_of_a_method_lie_next_to_each_other_and_inside():
    rows = [(design, method, 0.1) for design in ("pairs", "groups") for method in ("a", "b")]
    errors = pd.DataFrame(rows, columns=["design", "method", "rmse"])
    predictions = pd.DataFrame(
        [("pairs", method, 1.0, speedup) for method in "ab" for speedup in (0.9, 1.1)],
        columns=["design", "method", "predicted", "actual"],
    )
    figure = beyond.draw_pairs(predictions, errors, "a finding of this figure", "what ran")
    single, groups = (line.get_ydata() for line in figure.axes[-1].lines)
    assert (groups - single > 0.2).all()
    assert figure.axes[-1].get_xlim()[1] > 0.105


@pytest.mark.parametrize(("later", "names"), [(3.04, "SJF and FCFS"), (3.06, "FCFS")])
def test_titles_name_ties_as_they_are_printed(later, names):
    rows = [("SJF", 3.0), ("FCFS", later), ("EASY", 1.0)]
    table = pd.DataFrame([(name, 3600 * h, 1) for name, h in rows],
                         columns=["scheduler", "time", "finished"])  # fmt: skip
    title = coschedules.first_half(table)
    assert title.startswith("Half of the jobs are complete after 1 h under EASY, after 3")
    assert title.endswith(f"h under {names}")


@pytest.mark.parametrize(("cores", "title"), [
    (10.4, "On average SJF and FCFS leave 10 cores unused, EASY 20"),
    (10.6, "On average SJF leaves 10 cores unused, EASY 20"),
])  # fmt: skip
def test_title_of_unused_cores_names_ties(cores, title):
    table = pd.DataFrame({"scheduler": ["SJF", "FCFS", "EASY"], "unused": [10.0, cores, 20.0]})
    assert coschedules.idle(table) == title


def finished(halves, ends):
    """Finished jobs of every scheduler: 5 at the first time (s), 10 at the second one."""
    rows = [
        (name, time, jobs)
        for name in SCHEDULERS
        for time, jobs in ((0, 0), (halves.get(name, 50), 5), (ends.get(name, 100), 10))
    ]
    return pd.DataFrame(rows, columns=["scheduler", "time", "finished"])


def test_lines_that_reach_half_or_all_first_or_last_have_their_names():
    table = finished({"SJF": 10, "LJF": 90}, {"EASY-Co": 95, "FCFS": 120})
    figure = coschedules.draw_lines(table, "finished", "jobs finished", "what ran on which data")
    axes = figure.axes[0]
    assert [text.get_text() for text in axes.texts] == ["SJF", "EASY-Co", "FCFS", "LJF"]
    strong = {line.get_label() for line in axes.lines if line.get_alpha() is None}
    assert strong == {"SJF", "EASY-Co", "FCFS", "LJF"}
    assert len(axes.lines) == len(SCHEDULERS)
    places = [text.xy for text in axes.texts]
    assert places[0] == pytest.approx((100 / 3600, 8.0))
    assert places[2] == pytest.approx((50 / 3600, 4.4))


def test_scheduler_that_is_first_twice_is_named_once():
    table = finished({"SJF": 10, "LJF": 90}, {"SJF": 95, "LJF": 120})
    figure = coschedules.draw_lines(table, "finished", "jobs finished", "what ran on which data")
    assert [text.get_text() for text in figure.axes[0].texts] == ["SJF", "LJF"]


@pytest.mark.parametrize(("value", "time"), [(5, 50), (5.1, 100), (11, 100)])
def test_time_of_a_line_is_the_first_at_which_it_has_the_value(value, time):
    line = finished({}, {})
    assert coschedules.time_of(line[line["scheduler"] == "SJF"], "finished", value) == time


@pytest.mark.parametrize(
    ("metric", "words"),
    [("slowed", ("fewest", "most")), ("slowdown", ("lowest", "highest")),
     ("utilisation", ("worst", "best"))],
)  # fmt: skip
def test_low_values_are_called_low_where_less_is_better(metric, words):
    title = ends(pd.Series({"A": 2.0, "B": 1.0}), metric, "it")
    names = ("A", "B") if metric == "utilisation" else ("B", "A")
    words = words[::-1] if metric == "utilisation" else words
    assert title.startswith(f"{names[0]} has the {words[0]} it (")
    assert f", {names[1]} the {words[1]} (" in title


def test_schedulers_with_equal_shown_values_are_named_as_ties():
    values = pd.Series({"LJF": 1.0001, "EASY": 1.0, "EASY-Co": 1.1, "SJF": 1.01})
    assert ends(values, "job_speedup", "mean job speedup") == (
        "EASY-Co has the best mean job speedup (1.1), LJF and EASY the worst (1)"
    )
    values = pd.Series({"A": 1.204, "B": 1.196, "C": 0.9})
    assert ends(values, "makespan_speedup", "it") == (
        "A and B have the best it (1.20), C the worst (0.90)"
    )


def test_a_title_has_the_unit_with_the_number():
    title = ends(pd.Series({"SJF": 0.0, "Filler": 29.0}), "slowed", "slowed jobs (%)")
    assert title == "SJF has the fewest slowed jobs (0\u00a0%), Filler the most (29\u00a0%)"


def test_settings_table_has_the_changes_its_figure_draws():
    table = pd.DataFrame({"setting": ["s", "s"], "scheduler": ["EASY", "SJF"], "slowdown": [2, 1]})
    drawn = pd.DataFrame({"setting": ["s"], "scheduler": ["SJF"], "slowdown_change": [-50.0]})
    found = with_gaps(table, drawn, "EASY").set_index("scheduler")
    assert found.loc["SJF", "slowdown_change_against_EASY"] == -50
    assert np.isnan(found.loc["EASY", "slowdown_change_against_EASY"])


def test_equal_means_are_reported_as_the_same():
    values = pd.Series([1.0, 1.0], index=["A", "B"])
    assert ends(values, "slowdown", "it") == "All schedulers have the same it"
    assert ends(values, "slowdown", "") == "All schedulers have the same mean slowdown"


def test_the_front_names_each_scheduler_once():
    points = pd.DataFrame({"scheduler": [*"AABC"], "optimal": [True, True, False, True]})
    assert on_front(points) == "2 of 3 schedulers have a point on the front: A, C"
    only = on_front(points[points["scheduler"] != "C"])
    assert only == "1 of 2 schedulers has a point on the front: A"


@pytest.mark.parametrize(("other", "said"), [(-0.8, "a and b"), (-0.95, "a and c")])
def test_the_strongest_correlation_may_be_negative(other, said):
    table = pd.DataFrame([[1, 0.9, other], [0.9, 1, 0], [other, 0, 1]], [*"abc"], [*"abc"])
    assert strongest(table).startswith(f"The strongest correlation is between {said} (")


def test_pairs_are_named_from_the_side_that_gains():
    pairs = pd.DataFrame({"name_A": [*"xyz"], "name_B": [*"yxx"]})
    pairs["speedup_A_B"] = [1.2, 0.7, np.nan]
    assert best_pairs(pairs) == ("x gains most next to y (1.20); y loses most next to x (0.70)")


def test_slowed_jobs_are_those_below_one():
    assert coschedules.sped_up(pd.Series([0.999, 1.0, 1.0, 1.2])).endswith("25 % are slowed")


@pytest.mark.parametrize(("low", "count"), [(0.0, 0), (0.001, 1)])
def test_change_is_counted_only_if_its_interval_excludes_zero(low, count):
    changes = pd.DataFrame({"setting": ["s"], "slowdown_low": [low], "slowdown_high": [1.0]})
    assert f"for {count} of 1 (s)" in moved(changes, "t")
    changes = -changes[["slowdown_high", "slowdown_low"]].set_axis(
        ["slowdown_low", "slowdown_high"], axis=1
    )
    assert f"for {count} of 1 (s)" in moved(changes.assign(setting="s"), "t")


def test_gaps_are_paired_within_a_setting():
    runs = pd.DataFrame(
        [("e", "EASY", 0, 10.0), ("e", "EASY", 1, 20.0), ("e", "SJF", 0, 5.0), ("e", "SJF", 1, 10)],
        columns=["experiment", "scheduler", "workload", "slowdown"],
    ).assign(makespan_speedup=1.0)
    (row,) = gaps(runs, {"e": "label", "gone": "log not available"}, "EASY").to_dict("records")
    assert (row["setting"], row["scheduler"]) == ("label", "SJF")
    assert [row[f"slowdown_{end}"] for end in ("change", "low", "high")] == [-50, -50, -50]
