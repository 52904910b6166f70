"""Windows of one continuous run, and the work that a schedule has left."""

from itertools import pairwise

import numpy as np
import pytest

from schedlab.core.jobs import Jobs, Schedule
from schedlab.core.windows import (
    DAY,
    OVERLOAD,
    Window,
    backlog,
    begin_of,
    is_overload,
    whole,
    windows_of,
)


def test_windows_are_contiguous_from_the_begin():
    windows = windows_of([0, 10 * DAY], days=2, begin=DAY)
    assert [one.number for one in windows] == [1, 2, 3, 4]
    assert windows[0].begin == DAY
    assert all(one.end == after.begin for one, after in pairwise(windows))
    assert all(one.end - one.begin == 2 * DAY for one in windows)


@pytest.mark.parametrize(("last", "count"), [(3 * DAY - 2, 1), (3 * DAY - 1, 2)])
def test_the_last_window_ends_with_the_last_submission_at_the_latest(last, count):
    assert len(windows_of([0, last], days=1, begin=DAY)) == count


def test_no_jobs_and_short_logs_have_no_windows():
    assert windows_of([], 1, 0) == []
    assert windows_of([0, DAY], days=1, begin=2 * DAY) == []


def test_the_warm_up_is_a_share_of_the_time_from_the_first_job_on():
    assert begin_of(np.array([100, 500])) == 200
    assert begin_of(np.array([100, 500]), 0.5) == 300


def test_the_whole_covers_all_windows():
    assert whole(windows_of([0, 3 * DAY], 1, 0)) == Window(0, 0, 3 * DAY)


JOBS = Jobs([1, 2, 3], [0, 10, 40], [30, 20, 10], [30, 20, 10], [2, 1, 2])
SCHEDULE = Schedule(np.array([0, 30, 50]), np.array([30, 50, 60]))


@pytest.mark.parametrize(
    ("at", "seconds"),
    # at 20: 10 s on two processors and 20 s on one; at 40 job 3 is not submitted yet, at 41 it is
    [(0, 0), (1, 29), (20, 20), (40, 5), (41, 4.5 + 10), (60, 0)],
)
def test_backlog_is_the_submitted_unfinished_work(at, seconds):
    assert backlog(JOBS, SCHEDULE, 2, at) == seconds


@pytest.mark.parametrize(("growth", "overload"), [(OVERLOAD * 1000, False), (20.5, True)])
def test_an_overload_is_a_backlog_that_grows_by_a_fiftieth_of_the_time(growth, overload):
    assert is_overload(5.0, 5.0 + growth, 1000.0) is overload
