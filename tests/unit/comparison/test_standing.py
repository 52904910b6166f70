"""Ratios, intervals and ranks on hand-made results; how many windows a verdict needs."""

import re
from math import exp, isnan, nan

import numpy as np
import pandas as pd
import pytest

from docs_case import ROOT
from schedlab.comparison.choice import _over_logs
from schedlab.comparison.comparing import FEWEST_WINDOWS
from schedlab.comparison.schedulers import SCHEDULERS
from schedlab.comparison.standing import (
    LEVEL,
    Standing,
    by_log,
    compare_by_metric,
    nemenyi,
    orders_that_survive,
)
from schedlab.core.intervals import holm
from schedlab.core.metrics import METRICS


def results(logs, metric="bsld"):
    """Results from, by log and scheduler, one value a window; other metrics are 1."""
    rows = [
        {"experiment": log, "scheduler": name, "window": window + 1, "jobs": 10}
        | dict.fromkeys(METRICS, 1.0)
        | {metric: float(value)}
        for log, own in logs.items()
        for name, values in own.items()
        for window, value in enumerate(values)
    ]
    return pd.DataFrame(rows)


BASE = [2, 4, 6, 8, 10, 3, 5, 7]
HALF = {"a": {"fcfs": BASE, "saf": [value / 2 for value in BASE]}}


def test_logs_stay_in_their_order():
    other = {"b": HALF["a"], "a": HALF["a"]}
    assert list(by_log(results(other), "bsld")) == ["b", "a"]


def test_without_a_log_of_two_windows_no_change_is_known():
    changes = _over_logs(results({"a": {"fcfs": [3], "saf": [1]}}), "bsld")
    assert changes.to_numpy().tolist() == [[0, 0], [0, 0]]
    assert list(changes) == ["fcfs", "saf"]


@pytest.mark.parametrize(
    ("logs", "metric", "ends", "verdict"),
    [
        # windows are drawn alike for both, so that nothing is left to chance
        (HALF, "bsld", (0.5, 0.5, 0.5), "better"),
        (HALF, "utilisation", (0.5, 0.5, 0.5), "worse"),
        # the geometric mean of a half and of two is one, whatever the sizes; no median
        (HALF | {"b": {"fcfs": [100, 300], "saf": [200, 600]}}, "bsld", (1, 1, 1), "open"),
        ({log: {"fcfs": BASE, "saf": [value * ratio for value in BASE]}
          for log, ratio in (("a", 0.125), ("b", 1.0), ("c", 1.0))}, "bsld", (0.5,) * 3, "better"),
        # the means of windows are compared, and not their ratios
        ({"a": {"fcfs": [1, 9], "saf": [2, 8]}}, "bsld", (1, 8 / 9, 2), "open"),
        ({"a": {"fcfs": [1, 9], "saf": [2, 4]}}, "bsld", (0.6, 4 / 9, 2), "open"),
    ],
)  # fmt: skip
def test_ratio_of_a_scheduler_with_its_interval_and_verdict(logs, metric, ends, verdict):
    one = compare_by_metric(results(logs, metric), metric).ratios.loc["saf"]
    assert one[["ratio", "low", "high"]].tolist() == pytest.approx(ends)
    assert one["verdict"] == verdict


def test_ranks_are_by_window_and_share_ties():
    logs = {"a": {"fcfs": [1, 2], "saf": [1, 1], "spf": [3, 3]}}
    one = compare_by_metric(results(logs), "bsld")
    assert one.ranks.to_dict() == {"fcfs": 1.75, "saf": 1.25, "spf": 3.0}
    assert one.blocks == 2


def test_of_utilisation_the_most_ranks_first():
    logs = {"a": {"fcfs": [1], "saf": [2]}}
    assert compare_by_metric(results(logs, "utilisation"), "utilisation").ranks["saf"] == 1


def test_scheduler_missing_on_a_log_has_a_ratio_but_no_rank():
    logs = HALF | {"b": {"fcfs": BASE}}
    one = compare_by_metric(results(logs), "bsld")
    assert list(one.ranks.index) == ["fcfs"]
    assert one.ratios.loc["saf", "ratio"] == pytest.approx(0.5)
    assert np.isnan(one.means.loc["saf", "b"])


def test_window_with_an_unknown_value_is_skipped_for_all():
    logs = {"a": {"fcfs": [1, 2, 100], "saf": [1, 2, np.nan]}}
    one = compare_by_metric(results(logs), "bsld")
    assert one.blocks == 2
    assert one.means.loc["fcfs", "a"] == 1.5


def test_log_with_almost_no_waits_has_no_ratio():
    """Of two windows the one without a wait is often drawn twice."""
    logs = HALF | {"b": {"fcfs": [0, 4], "saf": [0, 1]}}
    one = compare_by_metric(results(logs), "bsld")
    assert one.left_out == ("b",)
    assert one.ratios.loc["saf", "ratio"] == pytest.approx(0.5)
    assert one.means.loc["saf", "b"] == 0.5


def test_neighbouring_windows_are_drawn_together():
    """Windows that swing slowly: drawn one by one they would seem surer than they are."""
    swing = ([1.0] * 8 + [9.0] * 8) * 2
    flat = [5.0] * 32
    one = compare_by_metric(results({"a": {"fcfs": flat, "saf": swing}}), "bsld").ratios.loc["saf"]
    alone = np.random.default_rng(3).choice(swing, (10_000, 32)).mean(1) / 5
    low, high = np.quantile(alone, [0.025, 0.975])
    assert one["ratio"] == 1
    assert one["high"] - one["low"] > 1.1 * (high - low)


def test_the_row_of_all_windows_is_no_window():
    rows = results(HALF)
    both = pd.concat([rows, rows.head(2).assign(window=0, bsld=1e9)])
    assert compare_by_metric(both, "bsld").means.equals(compare_by_metric(rows, "bsld").means)


def test_one_window_decides_nothing():
    one = compare_by_metric(results({"a": {"fcfs": [4], "saf": [1]}}), "bsld")
    assert one.left_out == ("a",)
    assert one.ratios["ratio"].isna().all()
    assert one.ratios.loc["saf", "verdict"] == "open"
    assert one.ranks["saf"] == 1


def test_no_results_give_no_ratios():
    one = compare_by_metric(
        results({}).reindex(columns=["experiment", "scheduler", "window", "bsld"]), "bsld"
    )
    assert one.blocks == 0
    assert one.ratios.empty


def test_critical_differences_are_those_of_demsar():
    """JMLR 7 (2006): four classifiers on fourteen data sets, and ten on thirty by its table."""
    assert nemenyi(4, 14) == pytest.approx(1.25, abs=0.005)
    assert nemenyi(10, 30) == pytest.approx(3.164 * np.sqrt(10 * 11 / 180), abs=0.002)


@pytest.mark.parametrize(("windows", "ahead"), [(4, True), (3, False)])
def test_orders_survive_beyond_the_critical_difference(windows, ahead):
    """Two that never change places differ by 1; of two the difference is 1.96 / sqrt(windows)."""
    logs = {"a": {"fcfs": [2] * windows, "saf": [1] * windows}}
    found = orders_that_survive({"bsld": compare_by_metric(results(logs), "bsld")})
    assert bool(found.loc["saf", "fcfs"]) is ahead
    assert not found.loc["fcfs", "saf"]


def test_an_order_that_one_metric_turns_does_not_survive():
    logs = {"a": {"fcfs": [2] * 9, "saf": [1] * 9}}
    turned = {"a": {"fcfs": [1] * 9, "saf": [2] * 9}}
    standings = {
        "bsld": compare_by_metric(results(logs), "bsld"),
        "wait": compare_by_metric(results(turned), "bsld"),
    }
    assert not orders_that_survive(standings).any(axis=None)


def test_ratios_may_have_another_base_than_easy():
    one = compare_by_metric(results(HALF), "bsld", reference="saf").ratios
    assert one.loc["fcfs", ["ratio", "low", "high"]].tolist() == pytest.approx([2, 2, 2])
    assert one["verdict"].to_dict() == {"fcfs": "worse", "saf": ""}
    assert np.isnan(one.loc["saf", "chance"])


def standing_of(ranks, difference):
    """A metric of which only ranks are known."""
    index = [f"s{place}" for place in range(len(ranks))]
    empty = pd.DataFrame(index=index)
    return Standing("bsld", empty, empty, pd.Series(ranks, index), 9, difference, nan, ())


@pytest.mark.parametrize(("difference", "told"), [(0.5, False), (0.25, True)])
def test_ranks_must_differ_by_more_than_the_critical_difference(difference, told):
    found = orders_that_survive({"bsld": standing_of([1.0, 1.5], difference)})
    assert found.loc["s0", "s1"] == told
    assert not found.loc["s1", "s0"]


def test_the_friedman_test_needs_two_windows_and_some_difference():
    """Of three schedulers in one order k times the statistic is 2 k, of two degrees of freedom."""
    ordered = {"fcfs": BASE, "saf": [v / 2 for v in BASE], "spf": [v / 3 for v in BASE]}
    assert compare_by_metric(results({"a": ordered}), "bsld").friedman == pytest.approx(exp(-8))
    for count in (1, 2):
        few = {name: values[:count] for name, values in ordered.items()}
        found = compare_by_metric(results({"a": few}), "bsld").friedman
        assert isnan(found) if count == 1 else found == pytest.approx(exp(-2))
    alike = dict.fromkeys(ordered, BASE)
    assert isnan(compare_by_metric(results({"a": alike}), "bsld").friedman)


ROWS = re.findall(
    r"^\| (\d+) \| (\d+) \| (\d+) \|$",
    (ROOT / "docs/papers/arena.md").read_text(encoding="utf-8"),
    re.MULTILINE,
)


def sign_test(windows, rivals):
    """Adjusted p-value of being better in every window, if nothing is known of the other rivals."""
    return holm(np.array([2 * 0.5**windows, *np.ones(rivals - 1)]))[0]


def fewest(is_enough):
    return next(windows for windows in range(1, 1000) if is_enough(windows))


@pytest.mark.parametrize("row", ROWS, ids="-".join)
def test_windows_of_the_page_are_those_of_the_rules(row):
    rivals, better, ranked = map(int, row)
    assert fewest(lambda windows: sign_test(windows, rivals) < LEVEL) == better
    assert fewest(lambda windows: nemenyi(rivals + 1, windows) < (rivals + 1) / 4) == ranked


def test_page_has_one_rival_and_the_whole_arena():
    assert int(ROWS[0][0]) == 1
    assert int(ROWS[-1][0]) >= len(SCHEDULERS) - 1
    assert int(ROWS[0][1]) == FEWEST_WINDOWS
