"""Windows are chosen by a log's first and last submission alone."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from schedlab.arena.windows import Window, learning_windows, windows_of
from schedlab.traces.splitting import DAY


def span(days):
    """Two submissions so many days apart, the first at a time that is no whole day."""
    return np.array([1000, 1000 + days * DAY])


def test_the_first_begins_behind_the_first_quarter_and_its_warm_up():
    first = windows_of(span(100), count=3, days=15, warm_up=2)[0]
    assert (first.warm, first.begin) == (1000 + 25 * DAY, 1000 + 27 * DAY)
    assert first.end - first.begin == 15 * DAY


def test_the_last_ends_with_the_last_submission():
    assert windows_of(span(100), 3, 15, 2)[-1].end == 1000 + 100 * DAY + 1


def test_the_others_lie_evenly_between():
    begins = [one.begin for one in windows_of(span(100), 4, 15, 2)]
    assert np.ptp(np.diff(begins)) <= 1
    assert [one.number for one in windows_of(span(100), 4, 15, 2)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("seconds", "count"), [(24 * DAY, 1), (3_686_400, 2), (3_686_396, 1), (400 * DAY, 10)]
)
def test_there_are_as_many_as_do_not_overlap(seconds, count):
    """Three quarters of 3,686,400 s, less two days, are thirty days; of four seconds less not."""
    windows = windows_of(np.array([0, seconds]), 10, 15, 2)
    assert len(windows) == count
    for one, after in pairwise(windows):
        assert one.end <= after.begin


def test_a_log_that_is_too_short_has_none():
    assert windows_of(span(20), 10, 15, 2) == []
    assert learning_windows(span(20), 15) == []


def test_no_jobs_have_no_windows():
    assert windows_of(np.array([]), 10, 15, 2) == learning_windows(np.array([]), 15) == []


def test_learning_windows_lie_in_the_first_quarter_and_do_not_reach_beyond():
    windows = learning_windows(span(180), 15)
    assert [one.begin for one in windows] == [1000 + 15 * DAY * place for place in range(3)]
    assert windows[-1].end == windows_of(span(180), 10, 15, 2)[0].warm


def test_a_window_takes_its_warm_up_and_not_its_end():
    jobs = pd.DataFrame({"submit": [4, 5, 9, 10, 9], "number": [1, 2, 4, 5, 3]})
    assert Window(1, 5, 8, 10).of(jobs)["number"].tolist() == [2, 3, 4]


def test_learning_windows_are_numbered_from_one():
    assert [one.number for one in learning_windows(span(180), 15)] == [1, 2, 3]
