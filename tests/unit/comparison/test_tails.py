"""The worst cases of schedulers, by log."""

import numpy as np
import pandas as pd
import pytest

from schedlab.comparison.tails import (
    FORBIDDEN,
    by_scheduler,
    schedulers_with_long_waits,
    tail_table,
)
from schedlab.core.metrics import METRICS

HOUR = 3600.0


def results(**longest):
    """Rows of all windows at once, and of one window whose longest wait is of no interest."""
    rows = [
        {"experiment": log, "scheduler": name, "window": window, "jobs": 5}
        | dict.fromkeys(METRICS, 1.0)
        | {"max_wait": wait if window == 0 else 1e9}
        for name, waits in longest.items()
        for log, wait in zip("ab", waits, strict=False)
        for window in (0, 1)
    ]
    return pd.DataFrame(rows)


def test_tails_use_only_the_row_of_all_windows():
    table = by_scheduler(results(fcfs=(10.0, 20.0), saf=(30.0,)), "max_wait")
    assert table.loc["fcfs"].tolist() == [10.0, 20.0]
    assert table.loc["saf", "a"] == 30
    assert np.isnan(table.loc["saf", "b"])


@pytest.mark.parametrize(
    ("wait", "logs"), [(90 * HOUR, {}), (90 * HOUR + 1, {"saf": ["a"]}), (np.nan, {})]
)
def test_three_times_the_longest_wait_of_easy_is_the_bound(wait, logs):
    assert (
        schedulers_with_long_waits(results(fcfs=(30 * HOUR, 30 * HOUR), saf=(wait, HOUR)), 3)
        == logs
    )


@pytest.mark.parametrize(("wait", "logs"), [(24 * HOUR, {}), (24 * HOUR + 1, {"saf": ["a"]})])
def test_a_wait_of_a_day_is_never_too_long(wait, logs):
    assert schedulers_with_long_waits(results(fcfs=(HOUR, HOUR), saf=(wait, HOUR)), 3) == logs


def test_tables_have_ratios_the_worst_log_and_how_often_it_is_too_long():
    found = tail_table(
        results(fcfs=(48 * HOUR, 24 * HOUR), saf=(96 * HOUR, 192 * HOUR)),
        "max_wait", {"a": "Log A", "b": "Log B"}, 3,
    ).set_index("scheduler")  # fmt: skip
    assert found.index.tolist() == ["EASY", "SAF"]
    assert found.loc["SAF", ["Log A", "Log B"]].tolist() == [96 * HOUR, 192 * HOUR]
    assert found.loc["SAF", "ratio"] == pytest.approx(4)
    assert found.loc["SAF", ["worst", "on", FORBIDDEN]].tolist() == [8, "Log B", 1]
    other = tail_table(results(fcfs=(0.0, 2.0), saf=(5.0, 4.0)), "late", {}, 3)
    assert FORBIDDEN not in other


def test_log_without_late_jobs_has_no_ratio():
    rows = results(fcfs=(1.0, 1.0), saf=(1.0, 1.0))
    rows.loc[(rows["scheduler"] == "fcfs") & (rows["experiment"] == "a"), "late"] = 0.0
    found = tail_table(rows, "late", {"a": "A", "b": "B"}, 3).set_index("scheduler")
    assert found.loc["SAF", "ratio"] == 1
    assert found.loc["SAF", "on"] == "B"


def test_without_results_there_is_a_table_without_rows():
    nothing = results(fcfs=(1.0,)).head(0)
    assert tail_table(nothing, "late", {}, 3).empty
