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
