"""EASY++: the kernel compared with its twin, laws and cases solved by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue import predictions
from schedlab.queue.predictions import CORRECTIONS, simulate_predicted
from schedlab.queue.simulation import Run, simulate
from strategies import with_exact_estimates, workloads
from twins import predictions as twin

PROCESSORS = 8
UNKNOWN = -1


@st.composite
def logs(draw, processors: int = PROCESSORS, most: int = 60) -> tuple[Jobs, np.ndarray]:
    """Jobs of few users, some not known; often so long that several corrections are needed."""
    jobs = with_exact_estimates(draw(workloads(processors, most=most)))
    if draw(st.booleans()):
        jobs = replace(jobs, runtime=jobs.runtime * 40, estimate=jobs.estimate * 45)
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return jobs, rng.integers(UNKNOWN, draw(st.sampled_from([1, 2, 5])), len(jobs))


def starts(jobs: Jobs, user, processors: int = PROCESSORS) -> list[int]:
    return simulate_predicted(jobs, user, processors).start.tolist()


@settings(max_examples=500)
@given(logs())
def test_kernel_equals_twin(log):
    jobs, user = log
    assert starts(jobs, user) == twin.simulate(jobs, user, PROCESSORS)


@settings(max_examples=150)
@given(logs(processors=200, most=120))
def test_kernel_equals_twin_on_a_wide_machine(log):
    jobs, user = log
    assert starts(jobs, user, 200) == twin.simulate(jobs, user, 200)


def test_kernel_equals_twin_on_a_long_queue():
    """Hundreds of jobs wait, whose predictions change again and again."""
    rng, count = np.random.default_rng(600), 600
    runtime = rng.integers(1, 2000, count)
    jobs = Jobs(
        range(count),
        np.sort(rng.integers(0, 5 * count, count)),
        runtime,
        runtime * rng.integers(1, 5, count),
        np.minimum(2 ** rng.integers(0, 7, count) + rng.integers(0, 3, count), 100),
    )
    user = rng.integers(-1, 20, count)
    assert starts(jobs, user, 100) == twin.simulate(jobs, user, 100)


@pytest.mark.parametrize("corrections", [(1,), (1, 2, 3), (7, 30)])
@settings(max_examples=100)
@given(logs())
def test_kernel_equals_twin_by_other_corrections(corrections, log):
    """Short lists run out, and then the estimate counts."""
    jobs, user = log
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(predictions, "CORRECTIONS", corrections)
        patch.setattr(twin, "CORRECTIONS", corrections)
        assert starts(jobs, user) == twin.simulate(jobs, user, PROCESSORS)


@given(logs())
def test_without_known_users_it_is_easy_shortest_first(log):
    jobs, _ = log
    run = Run(jobs, PROCESSORS, get("fcfs"), backfill=get("spf"))
    assert starts(jobs, np.full(len(jobs), UNKNOWN)) == simulate(run).start.tolist()


def table(*rows: tuple[int, int, int, int, int]) -> tuple[Jobs, list[int]]:
    """Jobs and users from rows of submit, run time, estimate, processors and user."""
    submit, runtime, estimate, procs, user = zip(*rows, strict=True)
    return Jobs(range(1, len(rows) + 1), submit, runtime, estimate, procs), list(user)


#: user 1 has run two jobs of 10 s and of 11 s, and their next, of two processors of three, is
#: predicted to run 10 s from time 20 on: the shadow time of the head, who needs all, is 30
PAST = ((0, 10, 10, 1, 1), (0, 11, 11, 1, 1), (20, 100, 200, 2, 1), (21, 5, 5, 3, 2))


@pytest.mark.parametrize(
    ("submit", "estimate", "start"),
    [
        # until the shadow time of 30 is soon enough; else a job waits for the head to have run
        *((21, 9, 21), (21, 10, 125)),
        # outlived, at 31, ten seconds have become seventy: the shadow time is 90
        *((31, 59, 31), (31, 60, 125)),
        # again, at 90, it would be 310 s, more than the 200 s asked for: until 220
        *((90, 130, 90), (90, 131, 125)),
    ],
)
def test_job_is_backfilled_if_it_ends_by_the_predicted_shadow_time(submit, estimate, start):
    jobs, user = table(*PAST, (submit, 9, estimate, 1, 3))
    assert starts(jobs, user, 3)[4] == start


def test_the_shortest_prediction_is_backfilled_first():
    """User 1's long estimate is predicted at 10 s and goes in front of a job of 12 s."""
    jobs, user = table(
        *((0, 10, 10, 1, 1), (0, 10, 10, 1, 1)),
        *((20, 100, 100, 2, 2), (21, 5, 5, 3, 2)),
        *((21, 12, 12, 1, 3), (21, 12, 90, 1, 1)),
    )
    assert starts(jobs, user, 3)[4:] == [33, 21]


def test_predictions_of_waiting_jobs_follow_completions():
    """User 1's second job, the one that ends at 30, makes their waiting 500 s predicted 20 s."""
    jobs, user = table(
        *((0, 10, 10, 1, 1), (0, 30, 30, 1, 1), (0, 100, 100, 1, 2)),
        *((1, 5, 5, 3, 2), (2, 10, 500, 1, 1)),
    )
    assert starts(jobs, user, 3) == [0, 0, 0, 100, 30]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"estimate": [5, 1]}, "job 2: estimate is 1 s"),
        ({"procs": [1, 9]}, "job 2 needs 9 processors"),
        ({"submit": [-1, 0]}, "job 1 is submitted at -1"),
    ],
)
def test_invalid_jobs_are_named(change, said):
    columns = {"submit": [0, 0], "runtime": [5, 5], "estimate": [5, 5], "procs": [1, 1]} | change
    with pytest.raises(ValueError, match=said):
        simulate_predicted(Jobs([1, 2], **columns), [1, 1], PROCESSORS)


def test_users_are_one_a_job():
    with pytest.raises(ValueError, match="2 jobs have 1 users"):
        simulate_predicted(Jobs([1, 2], [0, 0], [5, 5], [5, 5], [1, 1]), [1], PROCESSORS)


def test_no_jobs_have_no_schedule():
    assert starts(Jobs([], [], [], [], []), []) == []


def test_corrections_are_those_of_the_paper():
    minutes = [1, 5, 15, 30, 60, 120, 300, 600, 1200, 3000, 6000]
    assert [seconds / 60 for seconds in CORRECTIONS] == minutes


def test_jobs_end_after_their_run_time_for_any_prediction():
    jobs = Jobs([1, 2], [0, 1], [7, 5], [9, 5], [2, 2])
    found = simulate_predicted(jobs, [1, 1], 2)
    assert found.start.tolist() == [0, 7]
    assert found.end.tolist() == [7, 12]
