"""Ranks of jobs by a score."""

import numpy as np
import pytest

from schedlab.queue.simulation import _stable_order


@pytest.mark.parametrize("values", [3, 50, 2000, 10**6])
def test_jobs_of_one_score_keep_their_places(values):
    """From nearly all scores tied to none, and with scores that are not finite."""
    rng = np.random.default_rng(values)
    for count in (0, 1, 2, 999):
        score = rng.integers(0, values, count).astype(float)
        score[rng.random(count) < 0.1] = -np.inf
        score[rng.random(count) < 0.1] = np.inf
        assert _stable_order(score).tolist() == np.argsort(score, kind="stable").tolist()


@pytest.mark.parametrize("values", [3, 50, 2000, 10**6])
@pytest.mark.parametrize("least", [0, -(10**6), 0.5])
def test_whole_numbers_and_fractions_keep_their_places(values, least):
    """Also negative scores, and scores between whole numbers."""
    rng = np.random.default_rng(values)
    for count in (1, 2, 999):
        score = rng.integers(0, values, count) + float(least)
        assert _stable_order(score).tolist() == np.argsort(score, kind="stable").tolist()
        score[-1] += 0.25
        assert _stable_order(score).tolist() == np.argsort(score, kind="stable").tolist()


def test_scores_that_differ_in_their_last_bits_are_in_order():
    """A thousand jobs take ten bits, which float bits from 1 to 2**40 do not leave free."""
    rng = np.random.default_rng(1)
    for sign in (1, -1):
        score = sign * (1 + 2.0**-52 * rng.integers(0, 30, 1000))
        score[:3] = sign * 2.0**40, 0.0, -0.0
        assert _stable_order(score).tolist() == np.argsort(score, kind="stable").tolist()


@pytest.mark.parametrize("largest", [np.nextafter(2.0**53, 0), 2.0**53])
def test_largest_whole_numbers(largest):
    for values in ([largest, -largest, largest], [largest, 0.5, largest, 0.0], [largest, 1.0]):
        score = np.array(values)
        assert _stable_order(score).tolist() == np.argsort(score, kind="stable").tolist()


def test_zero_and_minus_zero_are_equal():
    assert _stable_order(np.array([5e-324, 0.0, -0.0, 0.0])).tolist() == [1, 2, 3, 0]
