"""Jobs check what they are given."""

from __future__ import annotations

import pandas as pd
import pytest

from schedlab.jobs import Jobs, jobs_by_piece


def jobs(**change) -> Jobs:
    fields = dict(number=[1, 2], submit=[5, 9], runtime=[3, 4], estimate=[3, 4], procs=[1, 2])
    return Jobs(**(fields | change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"procs": [1, 0]}, "job 2: procs is 0, must be at least 1"),
        ({"runtime": [-1, 4]}, "job 1: runtime is -1"),
        ({"submit": [9, 5]}, "job 2 is submitted before"),
        ({"estimate": [3.5, 4]}, "field 'estimate' holds values that are not whole"),
        ({"number": [1]}, "differ in length"),
    ],
)
def test_a_bad_field_is_named(change, message):
    """The message names the job and the field."""
    with pytest.raises(ValueError, match=message):
        jobs(**change)


def test_columns_cannot_be_written():
    """Jobs travel between rooms: nobody changes them on the way."""
    with pytest.raises(ValueError, match="read-only"):
        jobs().submit[0] = 1


def test_frames_and_jobs_are_one_thing():
    """There and back without a change."""
    assert Jobs.from_frame(jobs().to_frame()).to_frame().equals(jobs().to_frame())


def test_rebased_jobs_start_at_zero():
    """Submit times count from the first job's."""
    assert jobs().rebased().submit.tolist() == [0, 4]


def test_jobs_of_a_piece_begin_at_time_0_and_may_know_their_run_times():
    frame = pd.DataFrame({"number": [1, 2, 3], "submit": [5, 7, 9], "runtime": 10, "estimate": 20,
                          "procs": 1, "piece": [0, 0, 4]})  # fmt: skip
    found = jobs_by_piece(frame)
    assert found[0].submit.tolist() == [0, 2]
    assert found[4].submit.tolist() == [0]
    assert found[0].estimate.tolist() == [20, 20]
    assert jobs_by_piece(frame, clairvoyant=True)[0].estimate.tolist() == [10, 10]
    assert jobs_by_piece(frame.iloc[:0]) == {}
