"""What guards keep and cost, on a small log."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from schedlab.comparison.runs import jobs_and_windows
from schedlab.comparison.settings import ContestSettings
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate
from schedlab.studies.arena.guards import (
    AGE,
    COLUMNS,
    DAYS,
    GUARDED,
    NONE,
    THRESHOLD,
    aging_variant,
    guards_table,
    run_guards,
)

DAY = 86_400
ROW = ContestSettings("toy", "toy", 8, 3, ("fcfs",), 10.0)


@pytest.fixture(scope="module")
def frame():
    rng = np.random.default_rng(2)
    count = 900
    runtime = rng.integers(60, 40_000, count)
    return pd.DataFrame({
        "number": range(count), "submit": np.sort(rng.integers(0, 20 * DAY, count)),
        "runtime": runtime, "estimate": runtime, "procs": rng.integers(1, 3, count), "user": 1,
    })  # fmt: skip


@pytest.fixture(scope="module")
def results(frame):
    return run_guards(ROW, frame)


def test_every_scheduler_runs_with_every_guard(results):
    assert list(results) == list(COLUMNS)
    counts = results.groupby(["scheduler", "guard"]).size()
    assert counts["fcfs", NONE] == 1
    for name in GUARDED:
        assert counts[name].to_dict() == {
            NONE: 1, THRESHOLD: len(DAYS[THRESHOLD]), AGE: len(DAYS[AGE]),
        }  # fmt: skip


def test_guard_results_equal_those_of_a_direct_simulation(results, frame):
    jobs, _, windows = jobs_and_windows(ROW, frame)
    inside = (jobs.submit >= windows[0].begin) & (jobs.submit < windows[-1].end)
    order = get("saf")
    schedule = simulate(Run(jobs, 8, order, threshold=2 * DAY, reservations="head"))
    own = results.set_index(["scheduler", "guard", "days"]).loc[("saf", THRESHOLD, 2.0)]
    assert own["max_wait"] == (schedule.start - jobs.submit)[inside].max()
    assert own["wait"] == pytest.approx((schedule.start - jobs.submit)[inside].mean())


def test_age_of_a_scheduler_with_its_own_backfilling_is_in_that_order(results, frame):
    jobs, _, windows = jobs_and_windows(ROW, frame)
    inside = (jobs.submit >= windows[0].begin) & (jobs.submit < windows[-1].end)
    run = Run(jobs, 8, get("fcfs"), aging_variant("spf", 0.5), reservations="head")
    own = results.set_index(["scheduler", "guard", "days"]).loc[("easy_sjbf", AGE, 0.5)]
    waits = (simulate(run).start - jobs.submit)[inside]
    assert own["wait"] == pytest.approx(waits.mean())


def test_threshold_has_no_effect_if_the_queue_is_in_submission_order(results):
    own = results[results["scheduler"] == "easy_sjbf"]
    metrics = own.loc[own["guard"] != AGE, list(COLUMNS)[4:]]
    assert len(metrics.drop_duplicates()) == 1


def test_guards_shorten_the_longest_wait(results):
    own = results[results["scheduler"] == "lpf"].set_index(["guard", "days"])["max_wait"]
    assert own[THRESHOLD, 0.25] < own[NONE].iloc[0]


def test_registered_age_is_among_the_guards():
    jobs = jobs_and_windows(ROW, pd.DataFrame({
        "number": [1, 2], "submit": [0, 5000], "runtime": [5, 9], "estimate": [5, 9],
        "procs": [2, 1], "user": 1,
    }))[0]  # fmt: skip
    for name in ("spf", "saf", "lpf", "f1", "f2", "f4"):
        registered = get(f"{get(name).name}_age").scores(jobs)
        assert aging_variant(name, 0.5).scores(jobs) == pytest.approx(registered)
    assert aging_variant("f3", 0.5) == aging_variant("saf", 0.5)


def test_ratios_are_geometric_means_over_logs_with_the_worst_maximum_wait():
    base = {"days": np.nan, "wait": 100.0, "bsld": 2.0, "p999_wait": 10.0, "max_wait": 10.0}
    rows = [
        {"experiment": log, "scheduler": name, "guard": NONE} | base | {"max_wait": longest}
        for log, name, longest in (
            ("a", "fcfs", 10.0), ("a", "saf", 20.0), ("b", "fcfs", 10.0), ("b", "saf", 80.0),
        )
    ]  # fmt: skip
    table = guards_table(pd.DataFrame(rows))
    assert table["scheduler"].tolist() == ["SAF"]
    assert table.loc[0, ["wait", "max_wait", "worst_max_wait"]].tolist() == pytest.approx([1, 4, 8])


def test_a_log_that_is_not_available_has_no_rows(frame):
    found = run_guards(ROW, frame.head(0))
    assert found.empty
    assert list(found) == list(COLUMNS)
    assert guards_table(found).empty


def test_guards_run_around_easy_alone(frame):
    found = run_guards(replace(ROW, dialect="slurm"), frame)
    assert found.empty
    assert list(found) == list(COLUMNS)
