"""Tuples of a site: which are contended, how many are drawn and dropped, effective size."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.learning.sites import Draws, draw_contended, effective_tasks, first_half, is_contended
from schedlab.learning.tuples import TASKS, TaskTuple

# One processor, a task every 10 s that runs for as long: none waits.
SUBMIT = 10 * np.arange(TASKS)


def waiting(*places):
    """Return a tuple in which tasks wait a second each: those after one that runs for 11 s."""
    runtime = np.full(TASKS, 10)
    for place in places:
        runtime[place - 1 : place + 1] = 11, 9
    return TaskTuple(runtime, np.ones(TASKS, int), SUBMIT)


def jobs_of(*parts):
    """Lay tuples one behind the other."""
    submit = np.concatenate([1000 * place + part.submit for place, part in enumerate(parts)])
    runtime = np.concatenate([part.runtime for part in parts])
    number = np.arange(1, len(submit) + 1)
    return Jobs(number, submit, runtime, runtime, np.ones(len(submit), int))


@pytest.mark.parametrize(
    ("places", "contended"),
    [((), False), ((15,), False), ((16,), True), ((47,), True), ((3, 20), True)],
)
def test_one_second_of_waiting_in_q_makes_a_tuple_contended(places, contended):
    """The 16th task is the last of S, the 17th the first of Q."""
    assert is_contended(waiting(*places), 1) is contended


@pytest.mark.parametrize(
    ("wanted", "kept", "drawn"), [(1, 1, (1, 2)), (3, 3, (3, 4)), (4, 3, (4,)), (9, 3, (4,))]
)
def test_drawing_ends_with_the_last_one_wanted_or_with_the_log(wanted, kept, drawn):
    """Three of four tuples are contended; the order is random."""
    log = jobs_of(waiting(20), waiting(), waiting(30), waiting(40))
    found = draw_contended(log, 1, wanted, "key")
    assert len(found.tuples) == kept
    assert found.drawn in drawn
    assert found.dropped == found.drawn - kept <= 1
    assert all(is_contended(one, 1) for one in found.tuples)
    # Each has a tuple's own run times.
    assert len({one.runtime.argmax() for one in found.tuples}) == kept


def test_dropped_tuples_are_counted_and_no_tuples_have_no_share():
    found = Draws([waiting(20)], 4)
    assert (found.dropped, found.share_dropped) == (3, 0.75)
    assert Draws([waiting(20)], 1).share_dropped == 0
    assert np.isnan(Draws([], 0).share_dropped)


def test_a_job_in_the_very_middle_is_not_of_the_first_half():
    submit = np.array([0, 40, 49, 50, 60, 100])
    jobs = Jobs(np.arange(1, 7), submit, *[np.ones(6, int)] * 3)
    assert first_half(jobs).submit.tolist() == [0, 40, 49]


def test_effective_tasks_are_kishs_under_squares_of_the_areas():
    """Areas 1, 2 and 6: weights 1, 4 and 36, (41)^2 over 1 + 16 + 1296."""
    tasks = pd.DataFrame({"runtime": [1, 2, 2], "procs": [1, 1, 3]})
    assert effective_tasks(tasks) == pytest.approx(41**2 / 1313)
    assert effective_tasks(tasks.iloc[:0]) == 0
