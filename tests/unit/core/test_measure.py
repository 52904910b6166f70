"""Each metric on jobs that are computed by hand."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import (
    FEWEST,
    METRICS,
    compute_metrics,
    tail_metrics,
    window_metrics,
)

#: four jobs on ten processors; the first is submitted before the window from 10 to 110, the last
#: behind it
JOBS = Jobs([1, 2, 3, 4], [0, 10, 20, 110], [50, 20, 100, 5], [50, 20, 100, 5], [2, 4, 1, 1])
START = np.array([0, 10, 60, 110])
DONE = Schedule(START, START + JOBS.runtime)


def metrics_with(users=(1, 1, 1, 1), jobs=JOBS, schedule=DONE):
    return compute_metrics(jobs, np.array(users), schedule, 10, 10, 110, 10)


def test_only_jobs_of_the_window_count():
    found = metrics_with()
    assert found["bsld"] == pytest.approx((1 + 1.4) / 2)
    assert found["wait"] == pytest.approx(20)
    assert found["p95_wait"] == pytest.approx(38)


def test_response_times_are_weighted_by_area():
    assert metrics_with()["response"] == pytest.approx((80 * 20 + 100 * 140) / 180)


def test_makespan_is_from_the_first_submission_to_the_last_end_of_counted_jobs():
    """Job 2 is submitted at 10, job 3 ends at 160; neither job 1 nor job 4 counts."""
    assert metrics_with()["makespan"] == 150


def test_utilisation_counts_work_within_the_window():
    """Two processors from 10 to 50, four from 10 to 30, one from 60 to 110."""
    assert metrics_with()["utilisation"] == pytest.approx((80 + 80 + 50) / 1000)


def test_the_worst_user_has_enough_jobs():
    count = 2 * FEWEST - 1
    jobs = Jobs(range(count), [10] * count, [10] * count, [10] * count, [1] * count)
    wait = np.r_[np.full(FEWEST, 10), np.full(FEWEST - 1, 90)]
    start = 10 + wait
    users = np.r_[np.full(FEWEST, 7), np.full(FEWEST - 1, 8)]
    done = Schedule(start, start + 10)
    assert metrics_with(users, jobs, done)["worst_user"] == pytest.approx(2)
    assert np.isnan(metrics_with(np.full(count, -1), jobs, done)["worst_user"])
    assert np.isnan(metrics_with(np.arange(count), jobs, done)["worst_user"])
    # one job more of the second user
    users[0] = 8
    assert np.isfinite(metrics_with(users, jobs, done)["worst_user"])


def test_window_without_counted_jobs_has_only_its_utilisation():
    found = compute_metrics(JOBS, np.ones(4), DONE, 10, 30, 50, 10)
    assert found["utilisation"] == pytest.approx(40 / 200)
    assert all(np.isnan(found[name]) for name in found if name != "utilisation")


@pytest.mark.parametrize(("bound", "late"), [(39, 1), (40, 0)])
def test_a_job_is_late_that_waits_longer_than_the_bound(bound, late):
    found = compute_metrics(JOBS, np.ones(4), DONE, 10, 10, 110, 10, bound)
    assert found["late"] == late
    assert found["max_wait"] == 40
    assert found["p999_wait"] == pytest.approx(39.96)


def test_user_number_0_counts_and_the_largest_mean_of_users_is_returned():
    """Ten jobs each of users 0, 1 and 2, which wait 30, 10 and 20 s and run 10 s."""
    wait = np.repeat([30, 10, 20], 10)
    jobs = Jobs(range(30), [10] * 30, [10] * 30, [10] * 30, [1] * 30)
    schedule = Schedule(10 + wait, 20 + wait)
    users = np.repeat([0, 1, 2], 10)
    assert metrics_with(users, jobs, schedule)["worst_user"] == pytest.approx(4)
    users[0] = -1  # leaves nine jobs of user 0
    assert metrics_with(users, jobs, schedule)["worst_user"] == pytest.approx(3)


def test_jobs_without_run_time_have_no_weight_in_the_response_time():
    jobs = Jobs([1, 2], [10, 10], [0, 20], [0, 20], [1, 1])
    schedule = Schedule(np.array([50, 20]), np.array([50, 40]))
    assert metrics_with((1, 1), jobs, schedule)["response"] == pytest.approx(30)


def test_metrics_are_compared_over_windows_or_once_and_more_utilisation_is_better():
    tails = ["p999_wait", "max_wait", "late", "makespan"]
    assert list(tail_metrics()) == tails
    windows = ["bsld", "wait", "response", "utilisation", "p95_wait", "worst_user"]
    assert list(window_metrics()) == windows
    assert [name for name, metric in METRICS.items() if metric.more] == ["utilisation"]
