"""Metrics have one definition each."""

from __future__ import annotations

import math

import numpy as np

from schedlab.jobs import Jobs, Schedule
from schedlab.metrics import average_bounded_slowdown, bounded_slowdown

JOBS = Jobs([1, 2, 3], [0, 0, 0], [100, 5, 20], [100, 5, 20], [1, 1, 1])
SCHEDULE = Schedule(np.array([0, 45, 20]), np.array([100, 50, 40]))


def test_bounded_slowdown_by_hand():
    """(wait + run) / max(run, 10), never below 1."""
    assert bounded_slowdown(JOBS, SCHEDULE).tolist() == [1.0, 5.0, 2.0]


def test_the_first_jobs_can_be_left_out_of_the_mean():
    """As the tasks of S are."""
    assert average_bounded_slowdown(JOBS, SCHEDULE, skip=1) == 3.5


def test_the_mean_of_nothing_is_nan():
    """No jobs, no slowdown."""
    assert math.isnan(average_bounded_slowdown(JOBS, SCHEDULE, skip=3))
