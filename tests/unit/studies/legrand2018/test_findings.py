"""Titles of figures of weeks follow their numbers in both directions."""

import pandas as pd
import pytest

from schedlab.files.stand_ins import name_of_stand_in
from schedlab.studies.legrand2018.figures.by_trace import leads, regretted
from schedlab.studies.legrand2018.figures.periods import equal_in, nearest
from schedlab.studies.legrand2018.figures.ratios import draw_ratios, ratios, sums_as_printed


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


@pytest.mark.parametrize(("ratio", "count"), [(1.01, 1), (1.0101, 0)])
def test_one_per_cent_more_is_equal(ratio, count):
    assert equal_in(pd.Series([ratio])) == count


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
