"""Inputs of learned policies: values by hand, unknown values, refused names."""

import re

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.policies.features import CAP, FEATURES, KnownJobs, check_features, known_of, table_of

JOBS = Jobs([5, 7, 9], [0, 3, 4], [10, 20, 5], [100, 20, 50], [1, 2, 8])
FRAME = pd.DataFrame(
    {
        "number": [9, 5, 4],
        "runtime": [5, 10, 200],
        "user": [4, 2, 8],
        "group": [-1, -1, -1],
        "requested_memory": [-1, 30, 60],
    }
)


def column(known, name):
    return table_of(known, [name])[0][:, 0]


def test_values_are_shares_of_the_largest_of_the_log():
    known = KnownJobs.of_frame(JOBS, 16, FRAME)
    assert column(known, "estimate") == pytest.approx([0.5, 0.1, 0.25])
    assert column(known, "procs") == pytest.approx([1 / 16, 1 / 8, 0.5])
    # job 7 is not in the frame, the group of no job is known, and there is no executable
    assert column(known, "user") == pytest.approx([0.25, 1, 0.5])
    assert column(known, "memory") == pytest.approx([0.5, 1, 1])
    assert column(known, "group").tolist() == column(known, "executable").tolist() == [1, 1, 1]


def test_the_largest_value_is_capped():
    alone = KnownJobs(JOBS, 8)
    assert column(alone, "estimate") == pytest.approx([CAP, 0.2, 0.5])
    assert column(alone, "procs")[2] == np.float32(CAP)
    above = KnownJobs(JOBS, 8, None, {"estimate": 10})
    assert column(above, "estimate").tolist() == [np.float32(CAP)] * 3


def test_logarithms_are_between_0_and_1():
    jobs = Jobs([1, 2, 3], [0, 0, 0], [0, 1, 1], [0, 86_400 * 30, 2**30], [1, 4, 4])
    known = KnownJobs(jobs, 4)
    assert column(known, "log_estimate") == pytest.approx([0, 1, 1])
    assert column(known, "log_procs") == pytest.approx([np.log(2) / np.log(5), 1, 1])
    assert (np.diff(column(known, "log_area")) > 0).all()


def test_moving_inputs_have_places():
    table, moving = table_of(KnownJobs(JOBS, 8), ["fits", "procs", "wait"])
    assert moving == [2, 0, -1]
    assert table.dtype == np.float32
    assert not table[:, [0, 2]].any()


def test_a_log_without_jobs_has_no_largest_values():
    owners, largest = known_of(FRAME[:0])
    assert len(owners) == 0
    assert largest == {"estimate": 1.0}


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "there is no feature; choose some of wait, "),
        (["waits"], "unknown feature 'waits'; did you mean 'wait'?"),
        (["wait", "procs", "wait"], "feature 'wait' comes twice"),
    ],
)
def test_refused_names(names, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        check_features(names)


def test_each_input_has_a_meaning():
    known = KnownJobs(JOBS, 8)
    table, moving = table_of(known, list(FEATURES))
    moves = {place for place in moving if place >= 0}
    assert len(moves) == 3
    # the others are computed
    assert all(table[:, place].any() for place in range(len(FEATURES)) if place not in moves)
