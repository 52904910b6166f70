"""Figures of a site's report, and their titles."""

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from schedlab.comparison.figures import MOST_NAMED, surviving
from schedlab.studies.site import findings
from schedlab.studies.site.figures import _dots, draw_workload


@pytest.mark.parametrize(
    ("low", "high"),
    [(0.8, 3.1), (0.3, 1.06), (0.45, 1.02), (0.975, 1.05), (0.3, 1.6), (1.0, 1.0), (0.01, 400.0)],
)
def test_labels_of_a_scale_of_factors_do_not_overlap(low, high):
    figure = Figure(figsize=(2.4, 2))
    axes = figure.subplots()
    found = pd.DataFrame([(low, low, low), (high, high, high)], columns=["value", "low", "high"])
    _dots(axes, found, ["black", "black"])
    figure.canvas.draw()
    labels = sorted(
        (label.get_window_extent() for label in axes.get_xticklabels()), key=lambda box: box.x0
    )
    assert "1" in [label.get_text() for label in axes.get_xticklabels()]
    assert all(one.x1 < other.x0 for one, other in pairwise(labels))


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0.6, 1.9, ["0.7", "1", "1.5"]),
        (0.9, 1.3, ["0.9", "1", "1.25"]),
        (0.3, 4, ["0.3", "1", "3"]),
    ],
)
def test_ticks_of_ratios_are_round_numbers_on_both_sides_of_one(low, high, ticks):
    axes = Figure().subplots()
    ends = pd.DataFrame([(low, low, low), (high, high, high)], columns=["value", "low", "high"])
    _dots(axes, ends, ["black", "black"])
    labels = {round(text.get_position()[0], 6): text.get_text() for text in axes.get_xticklabels()}
    assert set(ticks) <= set(labels.values())
    assert all(place == float(text) for place, text in labels.items())


def test_workload_has_no_faults():
    share = [0.0, 30.0, 70.0, 100.0]
    draw_workload(
        pd.DataFrame({"processors": ["1", "2–4"], "jobs %": [60, 40], "core_hours %": [30, 70]}),
        pd.DataFrame({"per cent of jobs": share, "run time": [1, 60, 3600, 90_000],
                      "estimate": [60, 600, 7200, 90_000], "wait": [1, 1, 2, 30_000]}),
        pd.DataFrame({"from %": [0, 50, 95], "jobs %": [50, 20, 30]}),
        pd.DataFrame({"week": [1, 2, 3], "load %": [80, 90, 70]}),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("share", "sizes"), [(50.4, "1 and 2–4 (50\u00a0% of the jobs)"), (50.6, "2–4 (51\u00a0%")]
)
def test_sizes_with_equal_shares_are_both_named(share, sizes):
    table = pd.DataFrame(
        {"processors": ["1", "2–4"], "jobs %": [50.0, share], "core_hours %": [10.0, 90.0]}
    )
    title = findings.frequent_sizes(table)
    assert title.startswith(f"Most frequent size in processors: {sizes}")
    assert title.endswith("most core-hours: 2–4 (90\u00a0%)")


def test_busy_hours_and_days_are_named():
    table = pd.DataFrame(1.0, index=range(7), columns=[str(hour) for hour in range(24)])
    table.loc[2, "9"] = 8.0
    table.loc[5, "3"] = 0.0
    table.insert(0, "weekday", ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
    assert findings.busy_hours(table) == (
        "Most jobs arrive from 9:00 on (2 an hour), fewest from 3:00 on (0.857); "
        "the busiest day is Wed"
    )


def test_schedulers_are_counted_by_verdict_without_easy():
    verdicts = {"fcfs": "open", "saf": "better", "spf": "worse", "f1": "better"}
    standing = SimpleNamespace(ratios=pd.DataFrame({"verdict": verdicts}))
    assert findings.better_than_easy(standing) == (
        "By mean bounded slowdown, 2 of 3 schedulers are better than EASY and 1 worse"
    )


@pytest.mark.parametrize(("ratio", "names"), [(0.704, "learned and tuned"), (0.706, "learned")])
def test_lowest_ratios_on_test_weeks_are_ties_as_printed(ratio, names):
    rows = [("EASY", 1.0), ("learned", 0.7), ("tuned", ratio), ("as in the log", 0.1)]
    table = pd.DataFrame(rows, columns=["policy", "ratio"]).assign(metric="wait")
    assert findings.best_held_out(table) == (
        f"Lowest ratio to EASY on the test weeks: {names} by mean wait, s (0.70)"
    )


def test_weeks_without_a_ratio_have_no_lowest_one():
    rows = [("EASY", np.nan), ("learned", np.nan)]
    table = pd.DataFrame(rows, columns=["policy", "ratio"]).assign(metric="wait")
    assert findings.best_held_out(table).endswith("none, because no week has a ratio")


@pytest.mark.parametrize(
    ("count", "end"),
    [(0, ", and lose in none"), (1, ": s0"), (MOST_NAMED, " and s5"),
     (MOST_NAMED + 1, ", first of all s0, s1, s2, s3, s4 and s5")],
)  # fmt: skip
def test_title_names_few_survivors_and_the_first_of_many(count, end):
    names = [f"s{place}" for place in range(8)]
    survives = ["yes" if place < count else "no" for place in range(8)]
    title = surviving(pd.DataFrame({"scheduler": names, "survives": survives}))
    assert title.startswith(f"{count} of 8 schedulers improve more metrics than they worsen")
    assert title.endswith(end)
