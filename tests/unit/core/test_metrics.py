"""Metrics have one definition each."""

from __future__ import annotations

import math

import numpy as np

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.metrics import average_bounded_slowdown, bounded_slowdown, utilisation

JOBS = Jobs([1, 2, 3], [0, 0, 0], [100, 5, 20], [100, 5, 20], [1, 1, 1])
SCHEDULE = Schedule(np.array([0, 45, 20]), np.array([100, 50, 40]))


def test_time_waited_counts_from_submission_and_no_slowdown_is_below_one():
    """Of 3 s on a machine that is free: 0.3 of the ten seconds that it is bound by, so 1."""
    jobs = Jobs([1, 2], [10, 10], [3, 20], [3, 20], [1, 1])
    schedule = Schedule(np.array([10, 40]), np.array([13, 60]))
    assert bounded_slowdown(jobs, schedule).tolist() == [1.0, 2.5]
    assert bounded_slowdown(jobs, schedule, tau=1).tolist() == [1.0, 2.5]
    assert bounded_slowdown(jobs, schedule, tau=25).tolist() == [1.0, 2.0]


def test_all_jobs_count_unless_some_are_left_out():
    """As the tasks of S are."""
    assert average_bounded_slowdown(JOBS, SCHEDULE) == (1 + 5 + 2) / 3
    assert average_bounded_slowdown(JOBS, SCHEDULE, skip=1) == 3.5
    assert math.isnan(average_bounded_slowdown(JOBS, SCHEDULE, skip=3))


def test_utilisation_counts_busy_time_and_is_nan_for_an_empty_span():
    schedule = Schedule([0, 10], [20, 40])
    assert utilisation(schedule, np.array([1, 2]), 4, 10, 30) == (10 + 2 * 20) / (4 * 20)
    assert math.isnan(utilisation(schedule, np.array([1, 2]), 4, 10, 10))
