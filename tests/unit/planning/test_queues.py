"""Queues by walltime limit."""

import numpy as np
import pytest

from schedlab.planning.queues import ranks


def test_a_job_is_in_the_shortest_queue_that_takes_it():
    estimate = np.array([1, 7200, 7201, 86400, 86401])
    assert ranks(estimate, [7200, 86400]).tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize("limits", [[0], [5, 5], [6, 5]])
def test_limits_go_up_from_one(limits):
    with pytest.raises(ValueError, match="must go up from 1"):
        ranks(np.array([1]), limits)
    assert ranks(np.array([1]), [1]).tolist() == [0]
