"""Titles of kellari2025's figures follow their numbers in both directions."""

import numpy as np
import pandas as pd
import pytest

from schedlab.studies.kellari2025.beyond import gaps, with_gaps
from schedlab.studies.kellari2025.figures import coschedules
from schedlab.studies.kellari2025.figures.beyond import moved
from schedlab.studies.kellari2025.figures.comparisons import ends, of_means, on_front
from schedlab.studies.kellari2025.figures.grids import best_pairs, strongest


def test_makespan_speedups_are_compared_with_conservative_not_named_as_changes():
    values = pd.Series({"A": 0.95, "B": 0.9})
    assert ends(values, "makespan_speedup", "makespan speedup") == (
        "A has the best makespan speedup (0.95), B the worst (0.90)"
    )


@pytest.mark.parametrize(("metric", "best"), [("slowdown", "B"), ("utilisation", "A")])
def test_better_end_depends_on_the_metric(metric, best):
    assert ends(pd.Series({"A": 2.0, "B": 1.0}), metric, "it").startswith(f"{best} has")


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
    values = pd.DataFrame({"scheduler": ["A", "B"], "value": [1.0, 1.0]})
    assert of_means(values, "slowdown", "it").startswith("All schedulers have the same it")
    unnamed = ends(values["value"], "slowdown", "")
    assert unnamed == "All schedulers have the same mean slowdown"


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
