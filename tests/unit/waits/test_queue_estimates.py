"""What a queue tells of jobs at their submission."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.waits.queue_estimates import starts_under_easy, waits_by_record, waits_under_easy

# on 4 processors: the first runs 100 s of the 300 s it asked for, the others all they asked for
JOBS = Jobs([1, 2, 3], [0, 10, 20], [100, 50, 40], [300, 50, 40], [3, 4, 1])


def test_starts_are_those_of_easy():
    assert starts_under_easy(JOBS, 4).tolist() == [0, 100, 20]


def test_the_queue_tells_what_estimates_say_and_no_run_times():
    """The second is to wait for the first's 300 s; the third is backfilled at once."""
    assert waits_under_easy(JOBS, 4, np.array([0, 1, 2])).tolist() == [0, 290, 0]
    assert waits_under_easy(JOBS, 4, np.array([1])).tolist() == [290]


def test_who_comes_later_is_not_known():
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
def test_the_record_says_who_runs_and_who_waits(waits, predicted):
    assert waits_by_record(JOBS, np.array(waits), 4, np.array([1])).tolist() == [predicted]


def test_who_has_ended_by_the_record_is_over():
    late = Jobs([1, 2], [0, 100], [100, 50], [300, 50], [3, 4])
    assert waits_by_record(late, np.array([0, 0]), 4, np.array([1])).tolist() == [0]
    assert waits_by_record(late, np.array([1, 0]), 4, np.array([1])).tolist() == [201]


def test_of_more_than_the_machine_holds_the_last_to_start_run():
    """Both run by the record, on 6 of 4 processors: the first is taken to be over."""
    full = Jobs([1, 2, 3], [0, 5, 10], [100, 100, 50], [300, 100, 50], [3, 3, 4])
    assert waits_by_record(full, np.array([0, 0, 0]), 4, np.array([2])).tolist() == [95]


@pytest.mark.parametrize(("processors", "predicted"), [(3, 95), (4, 290), (5, 290)])
def test_those_who_run_may_fill_the_machine_to_the_last_processor(processors, predicted):
    """On 3 processors the first, on 3 of them, is taken to be over, and the second runs to 105."""
    full = Jobs([1, 2, 3], [0, 5, 10], [100, 100, 50], [300, 100, 50], [3, 1, 3])
    assert waits_by_record(full, np.array([0, 0, 0]), processors, np.array([2])) == predicted
