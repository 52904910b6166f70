"""What users tolerate, when they complain, and how fairly they wait."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.studies.klusacek2016.users.dissatisfaction import (
    COLUMNS,
    HOUR,
    acceptable_wait,
    complaints,
    normalized_waits,
    spread,
)


@pytest.mark.parametrize(
    ("limit", "seconds"),
    [
        (1, 1),
        (3 * HOUR - 1, 3 * HOUR - 1),
        (3 * HOUR, 3 * HOUR),  # not half of it
        (6 * HOUR, 3 * HOUR),
        (6 * HOUR + 2, 3 * HOUR + 1),
        (7 * HOUR - 2, 3.5 * HOUR - 1),
        (7 * HOUR, 3.5 * HOUR),  # not a third of it
        (10.5 * HOUR, 3.5 * HOUR),
        (10.5 * HOUR + 3, 3.5 * HOUR + 1),
        (24 * HOUR - 3, 8 * HOUR - 1),
        (24 * HOUR, 8 * HOUR),  # not a quarter
        (32 * HOUR, 8 * HOUR),
        (32 * HOUR + 4, 8 * HOUR + 1),
        (168 * HOUR - 4, 42 * HOUR - 1),
        (168 * HOUR, 42 * HOUR),  # not a fifth
        (210 * HOUR, 42 * HOUR),
        (210 * HOUR + 5, 42 * HOUR + 1),
    ],
)
def test_acceptable_share_of_the_limit_falls_with_the_limit(limit, seconds):
    """Just inside and just outside of each bound, and of each floor."""
    assert acceptable_wait([1], [limit]).tolist() == [seconds]


def test_tolerance_grows_with_the_logarithm_of_processors():
    found = acceptable_wait([1, 2, 64], [100, 100, 100])
    assert found.tolist() == [100, pytest.approx(169.3147), pytest.approx(100 + 600 * math.log(2))]


@given(st.integers(1, 10**7), st.integers(1, 10**5))
def test_tolerance_never_falls_with_the_limit(limit, procs):
    shorter, longer = acceptable_wait([procs, procs], [limit, limit + 1])
    assert shorter <= longer


@pytest.mark.parametrize(
    ("procs", "limit", "message"),
    [
        ([4, 0], [9, 9], "the job at place 1: procs is 0, must be at least 1"),
        ([4, 4], [9, 0], "the job at place 1: limit is 0, must be at least 1"),
    ],
)
def test_impossible_processors_or_limits_are_rejected(procs, limit, message):
    with pytest.raises(ValueError, match=message):
        acceptable_wait(procs, limit)


def complaints_of(*jobs: tuple[int, int, int], acceptable: list[float]) -> list[tuple]:
    """(job, time, at, wait, acceptable) of what users of (user, submit, start) complain of."""
    found = complaints(*np.array(jobs).T, acceptable)
    assert found["size"].tolist() == (found["wait"] / found["acceptable"]).tolist()
    return list(
        found[["job", "time", "at", "wait", "acceptable"]].itertuples(index=False, name=None)
    )


def test_start_within_the_acceptable_wait_is_no_complaint():
    assert complaints_of((1, 0, 100), acceptable=[100]) == []
    assert complaints_of((1, 0, 101), acceptable=[100]) == [(0, 101, "start", 101, 100)]
    assert complaints_of((1, 0, 100), acceptable=[99.5]) == [(0, 100, "start", 100, 99.5)]


def test_wait_until_the_next_submission_reduces_the_budget():
    """The second job comes after 60 of 100 s; 40 and its own 50 s count from then on."""
    assert complaints_of((1, 0, 150), (1, 60, 150), acceptable=[100, 50]) == []
    late = complaints_of((1, 0, 151), (1, 60, 160), acceptable=[100, 50])
    assert late == [(1, 151, "start", 91, 90), (1, 160, "start", 100, 90)]


def test_submission_is_a_complaint_after_too_long_a_wait():
    """The budget then starts again: with what the new job is given."""
    assert complaints_of((1, 0, 130), (1, 100, 130), acceptable=[100, 30]) == []
    found = complaints_of((1, 0, 130), (1, 101, 131), acceptable=[100, 30])
    assert found == [(0, 101, "submission", 101, 100)]
    found = complaints_of((1, 0, 130), (1, 101, 132), acceptable=[100, 30])
    assert found == [(0, 101, "submission", 101, 100), (1, 132, "start", 31, 30)]


def test_user_without_waiting_jobs_has_no_complaint_and_no_budget():
    """The first job started at 10: what was left of its 100 s is gone, and nothing is owed."""
    assert complaints_of((1, 0, 10), (1, 500, 530), acceptable=[100, 30]) == []
    assert complaints_of((1, 0, 10), (1, 20, 51), acceptable=[100, 30]) == [
        (1, 51, "start", 31, 30)
    ]


def test_job_that_starts_at_the_next_submission_counts_as_waiting_then():
    """Submissions come first at one instant: the first job has waited for all of its 100 s."""
    assert complaints_of((1, 0, 100), (1, 100, 150), acceptable=[100, 50]) == []
    assert complaints_of((1, 0, 99), (1, 100, 150), acceptable=[100, 49]) == [
        (1, 150, "start", 50, 49)
    ]
    found = complaints_of((1, 0, 100), (1, 100, 150), acceptable=[120, 49])
    assert found == []  # 20 of the 120 s are left next to the 49


def test_complaints_of_users_are_independent():
    found = complaints([9, 4], [0, 5], [50, 60], [50, 50])
    assert found[["user", "job", "time", "wait"]].to_numpy().tolist() == [[4, 1, 60, 55]]


def test_jobs_without_submission_or_start_are_no_complaints():
    found = complaints_of((1, 0, -1), (1, 200, 210), (1, -1, -1), acceptable=[100, 50, 1])
    assert found == [(0, 200, "submission", 200, 100)]


def test_no_jobs_give_no_complaints():
    found = complaints([], [], [], [])
    assert found.empty
    assert list(found) == list(COLUMNS)


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 30), st.integers(0, 60), st.integers(1, 40)),
        max_size=15,
    )
)
def test_complaints_are_in_order_and_only_about_waits_over_budget(rows):
    user, gap, wait, tolerance = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    submit = np.cumsum(gap)
    found = complaints(user, submit, submit + wait, tolerance)
    assert found["time"].is_monotonic_increasing
    assert (found["size"] > 1).all()
    assert (found["acceptable"] > 0).all()
    assert (user[found["job"]] == found["user"]).all()
    assert (found["time"] - found["wait"] == submit[found["job"]]).all()
    assert complaints(user, submit, submit, tolerance).empty


def test_a_user_s_waits_are_summed_and_divided_by_what_the_user_has_used():
    found = normalized_waits([8, 3, 8], [10, 4, 20], [40, 16, 20])
    assert found.index.tolist() == [3, 8]
    assert found.tolist() == [0.25, 0.5]


@pytest.mark.parametrize(("usage", "value"), [(0, 7.0), (0.5, 7.0), (1, 7.0), (2, 3.5)])
def test_usage_below_one_second_counts_as_one_second(usage, value):
    assert normalized_waits([1], [7], [usage]).tolist() == [value]


def test_mean_and_deviation_are_over_all_users():
    assert spread(normalized_waits([1, 2, 2], [2, 8, 4], [2, 2, 2])) == (2.0, 1.0)


def test_no_jobs_have_no_users():
    assert normalized_waits([], [], []).empty


columns = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 99), st.integers(0, 99)), min_size=1)


@given(columns)
def test_waits_are_normalized_separately_for_each_user(rows):
    user, wait, usage = np.array(rows).T
    found = normalized_waits(user, wait, usage)
    for one, value in found.items():
        mine = user == one
        assert value == wait[mine].sum() / max(1, usage[mine].sum())
    assert set(found.index) == set(user.tolist())
