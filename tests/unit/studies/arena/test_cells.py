"""The cells of the page to explore are those of the arena's tables."""

import numpy as np
import pandas as pd
import pytest

from arena_case import FACTORS, LABELS
from schedlab.comparison.schedulers import labels_of
from schedlab.comparison.standing import compare_by_metric
from schedlab.comparison.tables import metric_table
from schedlab.comparison.tails import tail_table
from schedlab.core.metrics import CONTEST, shown_in, tail_metrics, window_metrics
from schedlab.studies.arena.cells import ALL, WINDOW_COLUMNS, cells_of, windows_of_cells

SHARED = ["ratio", "low", "high", "chance", "rank"]
EVERYWHERE = [ALL, *LABELS.values()]


def cells_at(small_arena, log, metric):
    """Rows of a log and a metric, by scheduler."""
    cells = small_arena.cells
    return cells[(cells["log"] == log) & (cells["metric"] == metric)].set_index("scheduler")


def results_at(small_arena, label):
    """Results of all logs, or of the log with a label."""
    if label == ALL:
        return small_arena.results
    log = next(name for name, each in LABELS.items() if each == label)
    return small_arena.results[small_arena.results["experiment"] == log]


def test_there_is_a_cell_for_every_scheduler_that_ran(small_arena):
    counts = small_arena.cells.groupby("log").size()
    assert counts[ALL] == counts["Log A"] == len(FACTORS) * len(shown_in(CONTEST))
    assert counts["Log <B>"] == (len(FACTORS) - 1) * len(shown_in(CONTEST))
    assert not small_arena.cells.duplicated(["log", "metric", "scheduler"]).any()


@pytest.mark.parametrize("log", EVERYWHERE)
@pytest.mark.parametrize("metric", window_metrics())
def test_cells_have_the_numbers_of_the_tables_of_metrics(small_arena, log, metric):
    standing = compare_by_metric(results_at(small_arena, log), metric)
    table = metric_table(standing, LABELS).set_index("scheduler")
    cells = cells_at(small_arena, log, metric)
    assert list(cells.index) == list(table.index)  # in the same order
    pd.testing.assert_frame_equal(cells[SHARED], table[SHARED], check_names=False)
    assert list(cells["verdict"]) == list(table["against EASY"])
    expected = np.full(len(table), np.nan) if log == ALL else table[log].to_numpy()
    np.testing.assert_array_equal(cells["mean"], expected)
    half = standing.difference / 2
    last = table["rank"].count()
    np.testing.assert_allclose(cells["rank_high"], np.minimum(table["rank"] + half, last))
    np.testing.assert_allclose(cells["rank_low"], np.maximum(table["rank"] - half, 1))


@pytest.mark.parametrize("log", EVERYWHERE)
@pytest.mark.parametrize("metric", tail_metrics())
def test_metrics_of_few_jobs_have_the_ratios_of_their_tables_alone(small_arena, log, metric):
    rows = results_at(small_arena, log)
    table = tail_table(rows, metric, LABELS, 3).set_index("scheduler")
    cells = cells_at(small_arena, log, metric)
    np.testing.assert_array_equal(cells["ratio"], table["ratio"])
    if log != ALL:
        np.testing.assert_array_equal(cells["mean"], table[log])
    assert cells[["low", "high", "chance", "rank", "rank_low", "rank_high"]].isna().all(axis=None)
    assert set(cells["verdict"]) == {""}


def test_a_log_without_results_has_no_cells(small_arena):
    more = {"c": "Log C"} | LABELS
    cells = cells_of(small_arena.results, small_arena.standings, more, 3)
    pd.testing.assert_frame_equal(cells, small_arena.cells, check_dtype=False)


def test_a_scheduler_that_lacks_a_log_has_a_ratio_and_no_rank_over_all_logs(small_arena):
    label = labels_of(["easy_pp"])["easy_pp"]
    overall, alone = (cells_at(small_arena, log, "wait").loc[label] for log in (ALL, "Log A"))
    assert overall["ratio"] == alone["ratio"]
    assert np.isnan(overall["rank"])
    assert alone["rank"] >= 1


def test_the_arena_writes_these_cells(small_arena, explore_page, facts_of, tmp_path):
    facts = facts_of(explore_page())
    written = pd.read_csv(tmp_path / "cells.csv", keep_default_na=False, na_values=[""])
    assert facts["cells"]["columns"] == list(written)
    for shown, row in zip(facts["cells"]["data"], written.to_numpy(), strict=True):
        for value, number in zip(shown, row, strict=True):
            missing = isinstance(number, float) and np.isnan(number)
            assert value == (None if missing else number) or (missing and value == "")


def test_windows_have_the_ratios_to_easy_in_the_same_window():
    """EASY's utilization of window 2 is 0: it has no ratio. Window 0 is left out."""
    rows = [("a", name, window) for name in ("fcfs", "saf") for window in (0, 1, 2)]
    results = pd.DataFrame(rows, columns=["experiment", "scheduler", "window"])
    results = results.assign(**dict.fromkeys(window_metrics(), 1.0))
    results["wait"] = [9.0, 4.0, 8.0, 9.0, 1.0, 6.0]
    results["utilisation"] = [0.5, 0.5, 0.0, 0.5, 0.25, 0.5]
    results["worst_user"] = [1.0, np.nan, 2.0, 1.0, 3.0, 3.0]
    found = windows_of_cells(results, {"a": "Log A"})
    assert list(found.columns) == WINDOW_COLUMNS
    assert set(found["log"]) == {"Log A"}
    of = found.set_index(["metric", "window", "scheduler"])
    assert of.loc[("wait", 1, "SAF"), ["value", "ratio"]].tolist() == [1, 0.25]
    assert of.loc[("wait", 2, "SAF"), ["value", "ratio"]].tolist() == [6, 0.75]
    assert of.loc[("wait", 2, "EASY"), "ratio"] == 1
    assert of.loc[("utilisation", 1, "SAF"), "ratio"] == 0.5
    assert of.loc[("utilisation", 2, "SAF"), "value"] == 0.5
    assert np.isnan(of.loc[("utilisation", 2, "SAF"), "ratio"])
    # window 1 has no user with enough jobs under EASY
    assert found.loc[found["metric"] == "worst_user", "window"].tolist() == [2, 2]


def test_without_results_there_are_no_windows():
    columns = ["experiment", "scheduler", "window", *window_metrics()]
    found = windows_of_cells(pd.DataFrame(columns=columns), {})
    assert found.empty
    assert list(found.columns) == WINDOW_COLUMNS
