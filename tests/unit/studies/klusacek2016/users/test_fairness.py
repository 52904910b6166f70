"""Normalized user wait times."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.studies.klusacek2016.users.fairness import normalized_waits, spread


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
