"""Waits predicted by the queue at the submission of a job."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.waits.queue_estimates import starts_under_easy, waits_by_record, waits_under_easy

# on 4 processors: the first runs 100 s of the 300 s it asked for, the others all they asked for
JOBS = Jobs([1, 2, 3], [0, 10, 20], [100, 50, 40], [300, 50, 40], [3, 4, 1])


def test_starts_equal_those_of_easy():
    assert starts_under_easy(JOBS, 4).tolist() == [0, 100, 20]


def test_queue_predicts_with_estimates_not_run_times():
    """The second is to wait for the first's 300 s; the third is backfilled at once."""
    assert waits_under_easy(JOBS, 4, np.array([0, 1, 2])).tolist() == [0, 290, 0]
    assert waits_under_easy(JOBS, 4, np.array([1])).tolist() == [290]


def test_later_arrivals_are_unknown():
    """At 10 s the job that would take the place of the second is not known yet."""
    later = Jobs([1, 2, 3], [0, 10, 11], [100, 50, 40], [300, 50, 5], [3, 1, 1])
    assert waits_under_easy(later, 4, np.array([1])).tolist() == [0]


@pytest.mark.parametrize(
    ("waits", "predicted"),
    [
        # the first has run 10 s of its 300 when the second comes
        ([0, 90, 0], 290),
        # it waits until 5 s: it will run until 305 s
        ([5, 90, 0], 295),
        # it waits still: it starts at once, and the second after it
        ([30, 90, 0], 300),
    ],
)
def test_recorded_waits_decide_which_jobs_run_and_wait(waits, predicted):
    assert waits_by_record(JOBS, np.array(waits), 4, np.array([1])).tolist() == [predicted]


def test_jobs_completed_in_the_record_are_over():
    late = Jobs([1, 2], [0, 100], [100, 50], [300, 50], [3, 4])
    assert waits_by_record(late, np.array([0, 0]), 4, np.array([1])).tolist() == [0]
    assert waits_by_record(late, np.array([1, 0]), 4, np.array([1])).tolist() == [201]


def test_last_started_jobs_run_if_the_record_exceeds_the_machine():
    """Both run by the record, on 6 of 4 processors: the first is taken to be over."""
    full = Jobs([1, 2, 3], [0, 5, 10], [100, 100, 50], [300, 100, 50], [3, 3, 4])
    assert waits_by_record(full, np.array([0, 0, 0]), 4, np.array([2])).tolist() == [95]


@pytest.mark.parametrize(("processors", "predicted"), [(3, 95), (4, 290), (5, 290)])
def test_running_jobs_may_use_every_processor(processors, predicted):
    """On 3 processors the first, on 3 of them, is taken to be over, and the second runs to 105."""
    full = Jobs([1, 2, 3], [0, 5, 10], [100, 100, 50], [300, 100, 50], [3, 1, 3])
    assert waits_by_record(full, np.array([0, 0, 0]), processors, np.array([2])) == predicted
