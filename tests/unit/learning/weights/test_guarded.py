"""Weights that may be recommended: none that favors young jobs, and no endless wait."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.core.metrics import average_bounded_slowdown
from schedlab.learning.weights.guarded import (
    FIRST_COME,
    learn_weights,
    longest_wait,
    search,
    weights_of,
)
from schedlab.learning.weights.mixed import scales_of
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate

ADVICE = {"longest_wait": 3, "allow_youth": False}


@pytest.fixture(scope="module")
def jobs():
    """A busy machine of eight processors, for thirty days."""
    rng = np.random.default_rng(7)
    count = 700
    runtime = rng.choice([60, 600, 7200, 60_000], count)
    submit = np.sort(rng.integers(0, 30 * 86_400, count))
    submit -= submit[0]
    return Jobs(range(count), submit, runtime, 2 * runtime, rng.integers(1, 9, count))


def test_vectors_that_favor_young_jobs_need_youth():
    assert weights_of(9)[:, 2].min() == 0
    assert weights_of(9, youth=True)[:, 2].min() == -1
    assert weights_of(9)[0].tolist() == list(FIRST_COME)


def test_the_best_vector_in_bounds_is_found(jobs):
    scales, weights = scales_of([jobs], 8)[:3], weights_of(7)
    free = search(jobs, 8, weights, scales, np.inf)
    assert free.best == free.means.argmin()
    assert free.refused == 0
    reference = longest_wait(jobs, 8, "fcfs", reservations="head")
    bound = search(jobs, 8, weights, scales, 1.05)
    own = longest_wait(jobs, 8, bound.policy, backfill=get("spf"))
    assert own <= max(1.05 * reference, 86_400)
    better = np.flatnonzero(free.means < free.means[bound.best])
    assert bound.refused == len(better) > 0


@pytest.mark.parametrize("points", [4, 7, 40])
def test_weights_of_every_grid_add_up_when_they_are_rounded(jobs, points):
    """Of 40 points 1 / 39 and the like: 9 digits of them do not add up to 1."""
    weights = weights_of(points)
    few = weights[:: max(1, len(weights) // 50)]
    for row in few:
        search(jobs.take(slice(0, 20)), 8, row[None, :], np.ones(3), np.inf)


def test_search_without_a_vector_in_bounds_returns_fcfs(jobs):
    found = search(jobs, 8, weights_of(5)[:1], scales_of([jobs], 8)[:3], 1e-9)
    assert found.policy.weights[2] == 1
    assert found.best == 0


def test_learned_weights_are_no_worse_than_fcfs(jobs):
    weighed = learn_weights(jobs, 8, 9, 10.0, ADVICE)
    own, base = (
        simulate(Run(jobs, 8, policy, backfill=get("spf"))) for policy in (weighed, get("fcfs"))
    )
    better = average_bounded_slowdown(jobs, own)
    assert better <= average_bounded_slowdown(jobs, base) * 1.001


def test_the_longest_wait_is_that_of_the_schedule(jobs):
    schedule = simulate(Run(jobs, 8, get("spt"), get("saf")))
    assert longest_wait(jobs, 8, "spt", backfill=get("saf")) == (schedule.start - jobs.submit).max()
