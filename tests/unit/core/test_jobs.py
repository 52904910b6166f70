"""Jobs check their columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs, jobs_by_piece
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate


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
    """Jobs are passed between packages: nothing changes them on the way."""
    with pytest.raises(ValueError, match="read-only"):
        jobs().submit[0] = 1


def test_frames_and_jobs_convert_to_each_other():
    """There and back without a change."""
    assert Jobs.from_frame(jobs().to_frame()).to_frame().equals(jobs().to_frame())


def test_jobs_of_a_frame_are_sorted_by_submit_time_then_number():
    """Equal numbers, as of a converted job array, stay as they stand."""
    frame = pd.DataFrame(
        {"number": [4, 2, 3, 1, 3], "submit": [0, 0, 0, 5, 0], "runtime": [1, 2, 3, 4, 5]}
    ).assign(estimate=9, procs=1)
    made = Jobs.from_frame(frame)
    assert made.number.tolist() == [2, 3, 3, 4, 1]
    assert made.runtime.tolist() == [2, 3, 5, 1, 4]


@pytest.mark.parametrize("dialect", ["full", "lifo", "ocs", "artefact"])
@pytest.mark.parametrize("policy", ["fcfs", "spt", "wfp3", "f1"])
def test_the_same_jobs_shuffled_have_the_same_schedule(policy, dialect):
    rng = np.random.default_rng(8)
    frame = pd.DataFrame({"number": np.arange(300), "submit": np.sort(rng.integers(0, 40, 300))})
    frame = frame.assign(runtime=rng.integers(1, 30, 300), procs=rng.integers(1, 5, 300))
    frame = frame.assign(estimate=frame["runtime"])
    shuffled = frame.sample(frac=1, random_state=1)
    both = [
        simulate(Run(Jobs.from_frame(each), 8, get(policy), get("saf"), DIALECTS[dialect]))
        for each in (frame, shuffled)
    ]
    assert both[0].start.tolist() == both[1].start.tolist()


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


def test_jobs_of_a_piece_have_their_numbers_in_the_log_if_known():
    frame = pd.DataFrame({"number": [8, 9], "id": [2, 3], "submit": [5, 7], "piece": 1})
    frame = frame.assign(runtime=1, estimate=1, procs=1)
    assert jobs_by_piece(frame)[1].number.tolist() == [2, 3]
    assert jobs_by_piece(frame.drop(columns="id"))[1].number.tolist() == [8, 9]


def test_jobs_of_one_instant_are_ordered_by_number():
    frame = pd.DataFrame({
        "number": [7, 3], "submit": 0, "runtime": 1, "estimate": 1, "procs": 1
    })  # fmt: skip
    assert Jobs.from_frame(frame).number.tolist() == [3, 7]
    assert Jobs.from_frame(frame[::-1]).number.tolist() == [3, 7]
