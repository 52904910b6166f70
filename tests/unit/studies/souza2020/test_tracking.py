"""Learners that track a changing wait."""

import numpy as np
import pytest

from schedlab.core.streams import generator
from schedlab.studies.souza2020.convergence import stepwise_waits, track
from schedlab.waits.settings import ALTERNATIVES, Settings


def streams(count, first=0):
    return [generator("tests", "track", run) for run in range(first, first + count)]


@pytest.mark.parametrize("policy", ["default", "greedy", "tuned"])
def test_a_run_depends_on_no_other(policy):
    waits = np.repeat([50, 3000], 30)
    settings = Settings(policy=policy, repetitions=5)
    many, last = track(waits, settings, streams(4)), track(waits, settings, streams(1, first=3))
    assert many.estimate.shape == (4, 60)
    assert np.array_equal(many.estimate[3], last.estimate[0])


def test_hit_is_the_closest_alternative():
    """The greedy one goes up from the smallest; 15 is as far from 10 as from 20."""
    found = track(np.array([19, 19, 15, 41, 0]), Settings((10, 20, 40), "greedy"), streams(1))
    assert found.estimate.tolist() == [[10, 20, 20, 20, 40]]
    assert found.hit.tolist() == [[False, True, True, False, False]]


def test_tuned_policy_converges_to_a_constant_wait():
    found = track(np.full(200, 700), Settings(), streams(10))
    default = track(np.full(200, 700), Settings(policy="default"), streams(10))
    assert found.hit[:, -50:].mean() > 0.5 > default.hit[:, -50:].mean() > 1 / 53


def test_the_wait_changes_where_it_is_to():
    waits = stepwise_waits(ALTERNATIVES, 1000, 5, generator("tests", "steps"))
    assert waits.shape == (1000,)
    assert np.flatnonzero(np.diff(waits)).tolist() == [199, 399, 599, 799]
    assert set(waits) <= set(ALTERNATIVES)


def test_the_next_wait_is_so_many_alternatives_on_as_is_drawn():
    class Drawn:
        numbers = iter([(4, 3), (1, 4, 1), (1, 4, 2)])

        def integers(self, *bounds):
            *asked, number = next(self.numbers)
            assert list(bounds) == asked
            return number

    assert stepwise_waits((10, 20, 30, 40), 6, 3, Drawn()).tolist() == [40, 40, 10, 10, 30, 30]


def test_a_wait_never_follows_itself():
    waits = stepwise_waits((1, 2), 7, 7, generator("tests", "steps"))
    assert (np.diff(waits) != 0).all()
    assert stepwise_waits((1, 2), 5, 2, generator("x")).shape == (5,)
