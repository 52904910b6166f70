"""Policies over windows: intervals, verdicts, and warnings about ties."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import schedlab
from schedlab.metrics import average_bounded_slowdown
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.simulation import Run, simulate
from schedlab.workbench.comparing import _moved, _table, _verdict, windows_of
from site_case import jobs_of, log_of, site_log

DAY = 86_400


def test_windows_are_whole_and_the_rest_is_left_out():
    log = log_of(jobs_of(*((day * DAY, 10, 1) for day in (0, 1, 2, 3, 4))))
    assert [places.tolist() for places in windows_of(log, 2)] == [[0, 1, 2]]
    assert [places.tolist() for places in windows_of(log, 1)] == [[0, 1], [2, 3]]
    gap = log_of(jobs_of(*((day * DAY, 10, 1) for day in (0, 5, 6, 7))))
    assert [places.tolist() for places in windows_of(gap, 1)] == [[0], [1, 2]]
    with pytest.raises(ValueError, match=r"4.0 days of submissions have no whole window of 5 days"):
        windows_of(log, 5)


@pytest.mark.parametrize(
    ("low", "high", "windows", "verdict"),
    [
        (0.5, 0.999, 6, "better"),
        (0.5, 1.0, 6, "open"),
        (1.0, 1.5, 6, "open"),
        (1.001, 1.5, 6, "worse"),
        (0.5, 0.6, 5, "too few windows"),
    ],
)
def test_a_verdict_needs_an_interval_on_one_side_of_one_and_six_windows(
    low, high, windows, verdict
):
    assert _verdict(low, high, windows) == verdict


def test_resamples_are_paired():
    """What is twice another in every window is twice it in every resample, whatever is drawn."""
    windows = pd.DataFrame({"one": [1.0, 50, 3, 4, 5, 600]})
    windows["twice"], windows["zero"] = 2 * windows["one"], 0.0
    found = _table(windows, np.random.default_rng(1).integers(0, 6, (1000, 6)))
    assert found.loc["twice", ["ratio", "low", "high"]].tolist() == [2, 2, 2]
    assert found["verdict"].tolist() == ["", "worse", "better"]
    assert found.loc["one", ["mean", "median"]].tolist() == [663 / 6, 4.5]


def test_one_window_tells_nothing():
    found = _table(pd.DataFrame({"one": [1.0], "other": [2.0]}), np.zeros((100, 1), dtype=int))
    assert found.loc["other", "verdict"] == "too few windows"
    assert found.loc["other", "low"] == -np.inf


def test_ties_that_change_the_best_a_verdict_or_a_mean_are_told():
    columns = ["mean", "verdict"]
    first = pd.DataFrame([[10.0, ""], [9.0, "open"], [20.0, "worse"]], list("abc"), columns)
    last = pd.DataFrame([[8.9, ""], [9.0, "better"], [20.95, "worse"]], list("abc"), columns)
    assert _moved(first, first) == []
    assert [words.split(":")[0].split(" when")[0] for words in _moved(first, last)] == [
        "b has the smallest mean",
        "a",
        "b is open",
    ]
    last.loc["c", "mean"] = 21.01
    assert _moved(first, last)[-1].startswith("c: mean 20.00 when the first")


def test_a_comparison_has_every_policy_and_the_sites_own_schedule(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "site.swf", waits=True))
    found = schedlab.compare(log, ["fcfs", "spt", "r - 0.5 * w"], days=7)
    assert found.table.index.tolist() == ["FCFS", "SPT", "r - 0.5 * w", "as in the log"]
    assert len(found.windows) == 8
    assert found.table["mean"].tolist() == pytest.approx(found.windows.mean().tolist())
    assert found.table.loc["FCFS", "verdict"] == ""
    again = schedlab.compare(log, ["fcfs", "spt", "r - 0.5 * w"], days=7, threads=2)
    assert again.table.equals(found.table)
    turned = found.against("SPT")
    ratio = found.table.loc["SPT", "mean"] / found.table.loc["FCFS", "mean"]
    assert turned.loc["FCFS", "ratio"] == pytest.approx(1 / ratio)
    waits = schedlab.compare(log, ["fcfs", "spt"], days=7, metric="wait")
    assert waits.table.loc["as in the log", "mean"] == pytest.approx(
        np.mean([log.frame["wait"].iloc[places].mean() for places in windows_of(log, 7)])
    )


def test_windows_begin_empty_and_every_option_is_the_runs(tmp_path):
    """Each number again, from a run of its own."""
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    options = {"backfill": get("saf"), "threshold": 40_000, "reservations": "head"}
    found = schedlab.compare(log, ["fcfs", "spt"], "saf", threshold=40_000, days=7)
    for window, places in enumerate(windows_of(log, 7)):
        jobs = log.jobs.take(places).rebased()
        for label, name in (("FCFS", "fcfs"), ("SPT", "spt")):
            schedule = simulate(Run(jobs, log.processors, get(name), **options))
            expected = average_bounded_slowdown(jobs, schedule)
            assert found.windows.loc[window, label] == expected
    every = schedlab.compare(log, ["fcfs", "spt"], reservations="every", compression="none", days=7)
    run = Run(jobs, log.processors, get("spt"), reservations="every", compression="none")
    assert every.windows["SPT"].iloc[-1] == average_bounded_slowdown(jobs, simulate(run))


@pytest.mark.parametrize(
    ("policies", "options", "message"),
    [
        (["fcfs"], {}, "give at least two policies"),
        (["fcfs", "spt", "sjf"], {}, "policy SPT is given twice"),
        (["f1", "spt", "f1", "spt"], {}, "policy F1 is given twice"),
        (["fcfs", "spt"], {"metric": "speed"}, "unknown metric 'speed'; one of slowdown, wait"),
    ],
)
def test_what_cannot_be_compared_says_why(tmp_path, policies, options, message):
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    with pytest.raises(ValueError, match=message):
        schedlab.compare(log, policies, **options)


def test_one_policy_may_have_an_order_of_backfilling_of_its_own(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "a.swf", jobs=600))
    given = schedlab.compare(log, ["fcfs", "spt"], days=15, backfills={"FCFS": "spt"})
    all_of_them = schedlab.compare(log, ["fcfs", "spt"], days=15, backfill="spt")
    own = schedlab.compare(log, ["fcfs", "spt"], days=15)
    assert given.windows["FCFS"].equals(all_of_them.windows["FCFS"])
    assert not given.windows["FCFS"].equals(own.windows["FCFS"])
    assert given.windows["SPT"].equals(own.windows["SPT"])


def test_windows_run_in_the_dialect_that_is_given(tmp_path):
    """Every window again, by a run of its own; the order of equal jobs is not varied."""
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    cell = "slurm+interval=300+max_test=100"
    found = schedlab.compare(log, ["fcfs", "spt"], days=7, dialect=cell)
    for window, places in enumerate(windows_of(log, 7)):
        jobs = log.jobs.take(places).rebased()
        run = Run(jobs, log.processors, get("spt"), dialect=dialect_of(cell), reservations="every")
        assert found.windows.loc[window, "SPT"] == average_bounded_slowdown(jobs, simulate(run))
    assert found.ties.empty
    assert found.warnings == ()
    assert not found.windows.equals(schedlab.compare(log, ["fcfs", "spt"], days=7).windows)
    with pytest.raises(ValueError, match="'wfp3' moves while jobs wait"):
        schedlab.compare(log, ["fcfs", "wfp3"], days=7, dialect="slurm")
