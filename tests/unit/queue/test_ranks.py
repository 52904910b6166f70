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


def test_largest_whole_numbers_with_a_place_in_64_bits():
    """Three jobs take two bits, so that scores up to 2**61 - 1 can be sorted with their places."""
    inside = np.nextafter(2.0**61, 0)
    outside = [[3 * 2.0**60, 0.0, 1.0], [-3 * 2.0**60, 0.0, 1.0], [2.0**62, -(2.0**62), 0.0]]
    for values in ([inside, -inside, inside], [2.0**61, -(2.0**61), 2.0**61], *outside):
        score = np.array(values)
        assert _stable_order(score).tolist() == np.argsort(score, kind="stable").tolist()
