"""The losses of wrong predictions of waits."""

import numpy as np
import pytest

from schedlab.waits.losses import losses

HOUR = 3600


@pytest.mark.parametrize(
    ("wait", "predicted", "delay", "idle"),
    [
        (4, 4, 0, 0),  # perfect
        (4, 0, 4, 0),  # submitted when needed
        (4, 3, 1, 0),
        (4, 5, 0, 1),  # the job of 2 h still fits in the 3 h that it requests
        (4, 5.5, 4, 1.5),  # it does not: cancelled, and submitted again
        (4, 7, 4, 3),
        (4, 90, 4, 3),  # the allocation ends by itself
        (0, 1, 0, 1),
        (0, 90, 0, 3),
    ],
)
def test_losses_by_hand(wait, predicted, delay, idle):
    """A job of 2 h on 5 processors that requests 3 h."""
    hours = [np.array([value]) * HOUR for value in (wait, predicted)]
    found = losses(*hours, np.array([5]), np.array([2 * HOUR]), np.array([3 * HOUR]))
    assert (found.delay[0], found.idle[0]) == (5 * delay, 5 * idle)
