"""Policies that favor young jobs, ageing policies, and descriptions of orders."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.policies import REGISTRY, get
from schedlab.policies.ageing import guarded, in_words, prefers_youth
from schedlab.policies.mixed import mixed_policy
from schedlab.queue.simulation import Run, simulate

HOUR, DAY = 3600, 86_400


@pytest.fixture(scope="module")
def jobs():
    rng = np.random.default_rng(1)
    count = 300
    runtime = rng.integers(1, 40_000, count)
    submit = np.sort(rng.integers(0, 12 * DAY, count))
    return Jobs(range(count), submit - submit[0], runtime, runtime, rng.integers(1, 9, count))


@pytest.mark.parametrize("name", REGISTRY)
def test_two_registered_policies_favor_young_jobs(jobs, name):
    assert prefers_youth(get(name), jobs) == (name in ("lcfs", "sexp"))


@pytest.mark.parametrize(
    ("policy", "young"),
    [
        *(("r - 0.001 * s", True), ("r + 0.001 * s", False), ("r + w", True), ("r - w", False)),
        ("min(r, exp(w)) - n", True),  # first at its arrival, later by its run time
    ],
)
def test_expressions_are_looked_at_as_well(jobs, policy, young):
    assert prefers_youth(get(policy), jobs) is young


@pytest.mark.parametrize(("weight", "young"), [(-0.125, True), (0.0, False), (0.125, False)])
def test_mixed_policy_with_a_negative_weight_of_waits_favors_young_jobs(jobs, weight, young):
    assert prefers_youth(mixed_policy([0.5, 0.5 - abs(weight), weight]), jobs) is young


def test_half_a_day_of_waiting_is_a_size_smaller_by_e():
    """Job 2 is e times longer and came 12 h before: both are equal, up to rounding."""
    runtime = [10_000, round(10_000 * np.e)]
    jobs = Jobs([1, 2], [0, 43_200], runtime[::-1], runtime[::-1], [1, 1])
    old, young = get("spt_age").scores(jobs)
    assert old == pytest.approx(young, abs=1e-3)


@pytest.mark.parametrize(("name", "size"), [("saf", 600 * 5), ("f4", 600 * 5**0.5)])
def test_ageing_policy_scores_begin_with_the_log_of_its_size(name, size):
    jobs = Jobs([1], [0], [600], [600], [5])
    assert get(f"{name}_age").scores(jobs)[0] == pytest.approx(np.log(size))


def test_a_guarded_expression_is_the_policy_with_a_threshold(jobs):
    """Where nothing is backfilled: one order, started strictly."""
    for name in ("spt", "saf"):
        expression = guarded(get(name), DAY)
        one = simulate(Run(jobs, 8, expression, reservations="none"))
        other = simulate(Run(jobs, 8, get(name), reservations="none", threshold=DAY))
        assert one.start.tolist() == other.start.tolist()


@pytest.mark.parametrize(("wait", "first"), [(HOUR, False), (HOUR + 1, True)])
def test_job_that_waited_beyond_the_threshold_is_first(wait, first):
    jobs = Jobs([1, 2], [0, 0], [9999, 5], [9999, 5], [1, 1])
    long, short = guarded(get("spt"), HOUR).scores(jobs, wait=np.array([wait, 0]))
    assert (long < short) == first


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        (get("saf"), "smallest area (processors times requested time) first"),
        (get("lcfs"), "newest first"),
        (get("r + n"), "by the smallest value of r + n"),
        (
            get("saf_age"),
            "smallest area (processors times requested time) first, and 12 hours of waiting count "
            "as much as a size 2.7 times smaller",
        ),
        (
            mixed_policy([0.1, -0.3, -0.6], [1.0, 1.0, 1.0]),
            "by a weighted sum that puts first a short wait (the newest jobs) (0.60), then a long "
            "requested time (0.30), then few processors (0.10)",
        ),
        (mixed_policy([0.0, 0.0, 1.0]), "by a weighted sum that puts first a long wait (1.00)"),
    ],
)
def test_order_is_described_in_words(policy, words):
    assert in_words(policy) == words


def test_every_registered_policy_has_a_description():
    for policy in REGISTRY.values():
        assert "smallest value of" not in in_words(policy), policy.name
