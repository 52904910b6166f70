"""Policies over windows: intervals, verdicts, and warnings about ties."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import schedlab
from schedlab.comparison.comparing import (
    _table,
    _tie_warnings,
    _verdict,
    _warn_of_long_waits,
    counted_windows,
    reproduces,
)
from schedlab.core.intervals import resampled_shares
from schedlab.core.metrics import bounded_slowdown
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.simulation import Run, simulate
from site_case import jobs_of, log_of, site_log

DAY = 86_400


def begins(log, days):
    return [one.begin / DAY for one in counted_windows(log, days)]


def test_windows_are_whole_and_the_first_days_are_warm_up():
    log = log_of(jobs_of(*((day * DAY, 10, 1) for day in (0, 1, 2, 3, 4))))
    assert begins(log, 2) == [2]
    assert begins(log, 1) == [1, 2, 3]
    gap = log_of(jobs_of(*((day * DAY, 10, 1) for day in (0, 5, 6, 7))))
    assert begins(gap, 1) == [1, 2, 3, 4, 5, 6]
    with pytest.raises(
        ValueError,
        match=r"4.0 days of submissions have no whole window of 3 days after 3.0 days of warm-up",
    ):
        counted_windows(log, 3)
    with pytest.raises(ValueError, match=r"; give --days 2 or less"):
        counted_windows(log, 10**12)
    short = log_of(jobs_of((0, 10, 1), (DAY, 10, 1)))
    for days in (1, 15):
        with pytest.raises(ValueError, match=r"warm-up; schedlab simulate compares policies"):
            counted_windows(short, days)
    assert [one.begin for one in counted_windows(log, 3, begin=100)] == [100]


def test_makespans_are_compared_over_windows_and_over_all():
    times = [(day * DAY, runtime, 1) for day in range(9) for runtime in (100, 10)]
    found = schedlab.compare(log_of(jobs_of(*times), 1), ["fcfs", "spt"], days=1, metric="makespan")
    assert found.windows["FCFS"].tolist() == [110] * len(found.windows)
    assert found.tails["makespan"].tolist() == [6 * DAY + 110] * 2


def test_window_without_jobs_is_not_counted():
    gap = log_of(jobs_of(*((day * DAY, 10, 1) for day in (0, 5, 6, 7))))
    assert len(schedlab.compare(gap, ["fcfs", "spt"], days=1).windows) == 2


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
    windows = pd.DataFrame({"one": [1.0, 50, 3, 4, 5, 600]})
    windows["twice"], windows["zero"] = 2 * windows["one"], 0.0
    found = _table(windows, resampled_shares(6, np.random.default_rng(1)))
    assert found.loc["twice", ["ratio", "low", "high"]].tolist() == pytest.approx([2, 2, 2])
    assert found["verdict"].tolist() == ["", "worse", "better"]
    assert found.loc["one", ["mean", "median"]].tolist() == [663 / 6, 4.5]


def test_one_window_gives_no_verdict():
    found = _table(pd.DataFrame({"one": [1.0], "other": [2.0]}), np.ones((101, 1)))
    assert found.loc["other", "verdict"] == "too few windows"
    assert found.loc["other", "low"] == -np.inf


def test_two_windows_have_an_interval_and_no_verdict():
    windows = pd.DataFrame({"one": [1.0, 1.0], "other": [2.0, 3.0]})
    shares = np.array([[0.5, 0.5], *[[1, 0], [0, 1]] * 500])
    found = _table(windows, shares).loc["other"]
    assert found[["ratio", "low", "high", "verdict"]].tolist() == [2.5, 2, 3, "too few windows"]


def test_equal_jobs_in_the_other_order_are_simulated():
    """Of each pair that comes at once one waits for the other: 100 s or 1,000 s."""
    pairs = [((DAY * day, 100, 8), (DAY * day, 1000, 8)) for day in range(12)]
    log = log_of(jobs_of(*[job for pair in pairs for job in pair]))
    found = schedlab.compare(log, ["fcfs", "spt"], days=1, metric="wait", begin=0)
    assert found.ties.loc["FCFS"].tolist() == [50, 500]
    assert found.ties.loc["SPT"].tolist() == [50, 50]


def test_ties_that_change_the_best_a_verdict_or_a_mean_are_reported():
    columns = ["mean", "verdict"]
    first = pd.DataFrame([[10.0, ""], [9.0, "open"], [20.0, "worse"]], list("abc"), columns)
    last = pd.DataFrame([[8.9, ""], [9.0, "better"], [20.95, "worse"]], list("abc"), columns)
    assert _tie_warnings(first, first) == []
    assert [words.split(":")[0].split(" when")[0] for words in _tie_warnings(first, last)] == [
        "b has the smallest mean",
        "a",
        "b is open",
    ]
    assert _tie_warnings(first, last)[0] == (
        "b has the smallest mean when the first of equal jobs starts first, a when the last does"
    )
    last.loc["c", "mean"] = 21.01
    assert _tie_warnings(first, last)[-1].startswith("c: mean 20.00 when the first")


def test_comparison_has_every_policy_and_the_recorded_schedule(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "site.swf", waits=True))
    found = schedlab.compare(log, ["fcfs", "spt", "r - 0.5 * w"], days=7)
    assert found.table.index.tolist() == ["FCFS", "SPT", "r - 0.5 * w", "as in the log"]
    assert len(found.windows) == 7
    assert found.table["mean"].tolist() == pytest.approx(found.windows.mean().tolist())
    assert found.table.loc["FCFS", "verdict"] == ""
    again = schedlab.compare(log, ["fcfs", "spt", "r - 0.5 * w"], days=7, threads=2)
    assert again.table.equals(found.table)
    turned = found.against("SPT")
    ratio = found.table.loc["SPT", "mean"] / found.table.loc["FCFS", "mean"]
    assert turned.loc["FCFS", "ratio"] == pytest.approx(1 / ratio)
    waits = schedlab.compare(log, ["fcfs", "spt"], days=7, metric="wait")
    inside = [
        (log.jobs.submit >= one.begin) & (log.jobs.submit < one.end)
        for one in counted_windows(log, 7)
    ]
    assert waits.table.loc["as in the log", "mean"] == pytest.approx(
        np.mean([log.frame["wait"].to_numpy()[places].mean() for places in inside])
    )


def test_windows_are_of_one_run_and_every_option_is_the_runs(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    options = {"backfill": get("saf"), "threshold": 40_000, "reservations": "head"}
    found = schedlab.compare(log, ["fcfs", "spt"], "saf", threshold=40_000, days=7)
    for label, name in (("FCFS", "fcfs"), ("SPT", "spt")):
        schedule = simulate(Run(log.jobs, log.processors, get(name), **options))
        slowdown = bounded_slowdown(log.jobs, schedule)
        wait = schedule.start - log.jobs.submit
        for place, window in enumerate(counted_windows(log, 7)):
            inside = (log.jobs.submit >= window.begin) & (log.jobs.submit < window.end)
            assert found.windows.loc[place, label] == slowdown[inside].mean()
        counted = (log.jobs.submit >= 7 * DAY) & (log.jobs.submit < window.end)
        assert found.tails.loc[label, "max_wait"] == wait[counted].max()
        assert found.tails.loc[label, "late"] == (wait[counted] > DAY).sum()
    every = schedlab.compare(log, ["fcfs", "spt"], reservations="every", compression="none", days=7)
    run = Run(log.jobs, log.processors, get("spt"), reservations="every", compression="none")
    last = bounded_slowdown(log.jobs, simulate(run))[inside].mean()
    assert every.windows["SPT"].iloc[-1] == last


@pytest.mark.parametrize(("times", "told"), [(3.0, False), (3.01, True)])
def test_the_bound_is_three_times_the_first_policys(times, told):
    tails = pd.DataFrame({"max_wait": [2.0 * DAY, times * 2 * DAY]}, ["FCFS", "SAF"])
    tails["times"] = tails["max_wait"] / tails["max_wait"].iloc[0]
    said = _warn_of_long_waits(tails)
    assert len(said) == told
    if told:
        assert said[0].startswith("SAF lets a job wait 6.0 days, 3.0 times FCFS's longest wait")


def test_overloaded_log_gives_a_warning():
    """Ten days of one job an hour, each of two hours."""
    log = log_of(jobs_of(*((3600 * hour, 7200, 1) for hour in range(241))), processors=1)
    found = schedlab.compare(log, ["fcfs", "spt"], days=1)
    assert "the backlog grows from 1.0 to 10.0 days of the whole machine" in found.warnings[0]
    assert not schedlab.compare(replace(log, processors=2), ["fcfs", "spt"], days=1).warnings


@pytest.mark.parametrize(("wait", "near"), [(75.0, True), (74.9, False), (125.0, True)])
def test_simulation_reproduces_recorded_waits_within_a_quarter(wait, near):
    real = np.array([1.0, 1.0, 50.0, 150.0])
    assert reproduces(np.array([9.0, 9.0, wait, wait]), real) is near


def test_zero_or_missing_waits_are_not_reproduced():
    assert not reproduces(np.zeros(4), np.zeros(4))
    assert not reproduces(np.array([]), np.array([]))


def test_recorded_schedule_has_a_ratio_only_if_it_is_reproduced(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "site.swf", waits=True))
    found = schedlab.compare(log, ["fcfs", "spt"], days=7)
    assert np.isnan(found.table.loc["as in the log", "ratio"])
    assert found.table.loc["as in the log", "verdict"] == ""
    wait = schedlab.simulate(log, "fcfs").waits
    near = replace(log, frame=log.frame.assign(wait=wait))
    assert schedlab.compare(near, ["fcfs", "spt"], days=7).table.loc["as in the log", "ratio"] == 1


def test_more_is_better_of_some_metrics():
    windows = pd.DataFrame({"first": [0.5, 0.5] * 4, "last": [0.6, 0.6] * 4})
    shares = np.full((101, 8), 1 / 8)
    assert _table(windows, shares, more=True).loc["last", "verdict"] == "better"
    assert _table(windows, shares).loc["last", "verdict"] == "worse"


def test_metric_unknown_in_every_window_is_an_error(tmp_path):
    """A user with ten jobs in a window, of a log that knows no users."""
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    log = replace(log, frame=log.frame.assign(user=-1))
    with pytest.raises(
        ValueError, match=r"largest mean bounded slowdown of a user .* is not known in any"
    ):
        schedlab.compare(log, ["fcfs", "spt"], days=7, metric="worst_user")


@pytest.mark.parametrize(
    ("policies", "options", "message"),
    [
        (["fcfs"], {}, "give at least two policies"),
        (["fcfs", "spt", "sjf"], {}, "policy SPT is given twice"),
        (["f1", "spt", "f1", "spt"], {}, "policy F1 is given twice"),
        (["fcfs", "spt"], {"metric": "speed"}, "unknown metric 'speed'; one of slowdown, bsld"),
    ],
)
def test_comparison_that_is_impossible_names_the_reason(tmp_path, policies, options, message):
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    with pytest.raises(ValueError, match=message):
        schedlab.compare(log, policies, **options)


def test_one_policy_may_have_a_separate_backfilling_order(tmp_path):
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
    cell = "slurm+bf_interval=300+bf_max_job_test=100"
    found = schedlab.compare(log, ["fcfs", "spt"], days=7, dialect=cell)
    run = Run(log.jobs, log.processors, get("spt"), dialect=dialect_of(cell), reservations="every")
    slowdown = bounded_slowdown(log.jobs, simulate(run))
    for place, one in enumerate(counted_windows(log, 7)):
        inside = (log.jobs.submit >= one.begin) & (log.jobs.submit < one.end)
        assert found.windows.loc[place, "SPT"] == slowdown[inside].mean()
    assert found.ties.empty
    assert not [words for words in found.warnings if "equal jobs" in words]
    assert not found.windows.equals(schedlab.compare(log, ["fcfs", "spt"], days=7).windows)
    with pytest.raises(ValueError, match="'wfp3' moves while jobs wait"):
        schedlab.compare(log, ["fcfs", "wfp3"], days=7, dialect="slurm")


@pytest.mark.parametrize(("wait", "row"), [(0, True), (-1, False)])
def test_one_unknown_wait_leaves_no_recorded_schedule(tmp_path, wait, row):
    log = schedlab.load_log(site_log(tmp_path / "site.swf", waits=True))
    frame = log.frame.copy()
    frame.loc[frame.index[7], "wait"] = wait
    found = schedlab.compare(replace(log, frame=frame), ["fcfs", "spt"], days=7)
    assert ("as in the log" in found.table.index) is row
