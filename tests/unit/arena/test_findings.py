"""The two sentences say what the results say."""

from math import nan

import pandas as pd
import pytest

from schedlab.arena.findings import NOTHING, findings
from schedlab.metrics import METRICS
from schedlab.arena.standing import stand
from schedlab.arena.tables import metric_table, recorded_means, survivors, windows_table
from schedlab.workbench.results import RECORDED


def said(log, values):
    """Rows of what a log has recorded, one a window, alike by every metric."""
    return pd.DataFrame(
        {"experiment": log, "scheduler": RECORDED, "window": range(len(values))}
        | dict.fromkeys(METRICS, values)
    )


def judged(**ratios):
    """What is said where each scheduler has a fixed ratio to EASY by each metric."""
    base = [2.0, 4.0, 6.0, 8.0, 3.0, 5.0, 7.0, 9.0, 1.0, 2.5]
    rows = [
        {"experiment": "a", "scheduler": name, "window": window, "jobs": 10}
        | {metric: value * own.get(metric, 1.0) for metric in METRICS}
        for name, own in {"fcfs": {}, **ratios}.items()
        for window, value in enumerate(base)
    ]
    results = pd.DataFrame(rows)
    standings = {metric: stand(results, metric) for metric in METRICS}
    table = survivors(standings)
    return standings, table, findings(standings, table)


def test_who_is_better_by_some_metric_and_worse_by_none_is_run():
    _, table, said = judged(saf={"bsld": 0.5, "response": 1.2}, spf={"bsld": 0.8})
    assert "On 10 windows of 1 log run SPF: of 2 others it alone is better than EASY" in said
    assert "it by 1 of 6, with 0.80 times (95 % 0.80 to 0.80) EASY's mean bounded slowdown" in said
    assert "alone it would be SAF" in said
    assert "but is worse than EASY by area-weighted response time (1.200 times)" in said
    assert table.set_index("name")["survives"].to_dict() == {"fcfs": "", "saf": "no", "spf": "yes"}


def test_of_several_the_one_better_by_most_is_run():
    said = judged(spf={"bsld": 0.8}, saf={"bsld": 0.9, "wait": 0.5})[2]
    assert "run SAF: of 2 others it and SPF are better" in said
    assert "it by 2 of 6" in said


def test_of_those_better_by_as_many_the_best_mean_rank_is_run():
    said = judged(spf={"bsld": 0.8}, saf={"bsld": 0.5})[2]
    assert "run SAF: of 2 others it and SPF are better" in said
    assert "is worse by no metric" in said


def test_where_everybody_loses_something_easy_stays():
    said = judged(saf={"bsld": 0.5, "wait": 2.0}, spf={"utilisation": 0.9})[2]
    assert (
        "stay with EASY: of 2 others none is better by some metric of 6 and worse by none" in said
    )


def test_where_nobody_has_a_smaller_slowdown_it_is_said():
    assert "nobody is in front of EASY" in judged(saf={"bsld": 1.5})[2]


def test_less_utilisation_counts_as_worse():
    _, table, _ = judged(saf={"utilisation": 0.9})
    assert table.set_index("name").loc["saf", "utilisation"] == "worse"


def test_orders_by_every_metric_are_counted():
    better = dict.fromkeys(METRICS, 0.5) | {"utilisation": 1.5}
    _, table, said = judged(saf=better)
    assert table.set_index("name").loc["saf", "beats"] == 1
    assert table.set_index("name").loc["fcfs", "beaten"] == 1
    assert said.endswith("of 1 pairs of schedulers 1 are ordered alike by every metric.")


def test_without_results_nothing_is_said():
    empty = pd.DataFrame(columns=["experiment", "scheduler", "window", *METRICS])
    standings = {metric: stand(empty, metric) for metric in METRICS}
    assert findings(standings, survivors(standings)) == NOTHING


@pytest.mark.parametrize(("metric", "first"), [("bsld", "SAF"), ("utilisation", "EASY")])
def test_tables_begin_with_the_best_ratio(metric, first):
    standings, _, _ = judged(saf={"bsld": 0.5, "utilisation": 0.5})
    table = metric_table(standings[metric], {"a": "Log A"})
    assert list(table["scheduler"]) == sorted(["EASY", "SAF"], key=lambda name: name != first)
    assert list(table.columns[:2]) == ["scheduler", "Log A"]


def test_what_was_recorded_stands_last_without_a_ratio():
    standings, _, _ = judged(saf={"wait": 0.5})
    rows = pd.concat([said("a", [8.0, 4.0]), said("b", [1.0])])
    last = metric_table(standings["wait"], {"a": "Log A", "b": "B"}, rows).iloc[-1]
    assert last[["scheduler", "Log A", "against EASY"]].tolist() == [RECORDED, 6.0, ""]
    assert last[["ratio", "low", "high", "chance", "rank"]].isna().all()


def test_a_log_that_does_not_say_all_has_no_recorded_mean():
    """Of log b one window is not known; of log c one has nobody to count."""
    rows = pd.concat([said("a", [8.0, 4.0]), said("b", [8.0, nan]), said("c", [8.0, nan])])
    rows["utilisation"] = [1.0, 1.0, 1.0, nan, 1.0, 1.0]
    assert recorded_means(rows, "wait").to_dict() == {"a": 6.0, "c": 8.0}


def test_weights_are_shown_with_four_digits():
    facts = pd.DataFrame({"experiment": ["a", "b"], "weights": [WEIGHTS, ""], "jobs": [3, 0]})
    shown = windows_table(facts, {"a": "Log A", "b": "B"})
    assert shown["log"].tolist() == ["Log A", "B"]
    assert shown["weights"].tolist() == ["-0.07692 * (n / 17.44) + 1 * (r / 110000) - 0.5 * r2", ""]


WEIGHTS = "-0.07692307692307693 * (n / 17.441868) + 1.0 * (r / 109981.0186) - 0.5 * r2"
LOG = {"fcfs": 1.0, "saf": 0.9}


def test_who_did_not_run_on_every_log_is_not_the_answer():
    """However good it is where it ran."""
    rows = [
        {"experiment": log, "scheduler": name, "window": window, "jobs": 10}
        | dict.fromkeys(METRICS, value * factor)
        for log, own in {"a": LOG | {"easy_pp": 0.5}, "b": LOG}.items()
        for name, factor in own.items()
        for window, value in enumerate([2.0, 4.0, 3.0, 5.0])
    ]
    standings = {metric: stand(pd.DataFrame(rows), metric) for metric in METRICS}
    table = survivors(standings)
    assert table.set_index("name").loc["easy_pp", "survives"] == ""
    assert "alone it would be SAF" in findings(standings, table)
