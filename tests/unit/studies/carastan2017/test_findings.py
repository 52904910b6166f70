"""Titles of carastan2017's figures follow their numbers in both directions."""

import pandas as pd
import pytest

from schedlab.studies.carastan2017.figures import boxplots, scores, sites
from table4_case import LOG_ON_MODEL


def boxes(second):
    rows = [("a", "full", "F1", 3, 1.0), ("a", "full", "F2", 3, 2.0)]
    rows += [("b", "full", "F1", 3, second), ("b", "full", "F2", 3, 2.0)]
    rows += [("c", "full", "F1", 3, 1.0), ("c", "full", "F2", 3, 2.0), ("d", "full", "", 0, None)]
    frame = pd.DataFrame(rows, columns=["panel", "dialect", "policy", "n", "median"])
    return frame.assign(title="Workload model, aggressive backfilling")


@pytest.mark.parametrize(("second", "count"), [(1.999, 3), (2.001, 2)])
def test_the_policy_with_most_of_the_lowest_medians_is_counted(second, count):
    assert boxplots.lowest(boxes(second)) == (
        "Lowest median of 2 policies on the workload model, aggressive backfilling: "
        f"F1 in {count} of 3 panels (whole queue)"
    )


def test_titles_of_traces_and_of_missing_logs_name_what_runs():
    traces = boxes(1.0).assign(title="CTC SP2 workload trace, runtime estimates e")
    setting = "on workload traces, runtime estimates e: "
    assert boxplots.lowest(traces).startswith(f"Lowest median of 2 policies {setting}")
    models = traces.assign(title=LOG_ON_MODEL)
    assert "on model workloads, actual runtimes r: " in boxplots.lowest(models)
    missing = boxplots.lowest(traces.query("n == 0"))
    assert missing == f"Medians {setting}log not available"


def test_spread_of_scores_is_in_percent_of_the_mean():
    rows = pd.DataFrame({"sampler": ["uniform"] * 3, "score": [1 / 32, 1.5 / 32, 0.5 / 32]})
    assert scores.spread(rows) == "Scores of tasks vary by 50 % of the mean (uniform)"


def test_noise_is_that_of_the_most_trials():
    rows = pd.DataFrame({"sampler": "uniform", "trials": [10, 2000], "deviation": [0.5, 0.02]})
    assert scores.noise(rows) == "With 2,000 trials a score’s noise is 2 % (uniform) of its mean"


def cells(windows, low, high):
    row = {"regime": "actual", "trained": "s", "tested": "s", "status": ""}
    return pd.DataFrame([row | {"windows": windows, "low": low, "high": high}])


@pytest.mark.parametrize(
    ("windows", "low", "high", "words"),
    [
        (6, 0.5, 0.999, "better at 1 and worse at 0"),
        (6, 0.5, 1.0, "no significant difference at 1 site (actual)"),
        (6, 1.001, 2.0, "better at 0 and worse at 1"),
        (6, 1.0, 2.0, "no significant difference at 1 site (actual)"),
        (5, 0.5, 0.999, "too few windows at each site (actual)"),
    ],
)
def test_sites_differ_significantly_only_with_enough_windows(windows, low, high, words):
    assert words in sites.significant(cells(windows, low, high))


@pytest.mark.parametrize(("late", "count"), [(2.1, 1), (1.9, 0)])
def test_scores_that_rise_with_a_feature_are_counted(late, count):
    """The score at the largest run time is compared with 2, the one at the smallest."""
    planes = [("runtime", "procs"), ("procs", "submit"), ("submit", "runtime")]
    rows = [
        {"id": "F1", "x": x, "y": y, "runtime": runtime, "procs": procs, "submit": submit}
        | {"score": late if runtime else 2.0}
        for x, y in planes
        for runtime, procs, submit in [(0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 1, 1)]
    ]
    assert scores.rising(pd.DataFrame(rows)) == (
        f"Of 1 functions the score rises with run time in {count}, processors in 0 and submit "
        "time in 0"
    )
