"""Figure 5: windows, shares and bands, by hand and of a few runs."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.streams import generator
from schedlab.studies.souza2020.convergence import (
    CHANGES,
    POLICIES,
    WINDOW,
    convergence,
    steps,
    stepwise_waits,
    track,
    tracks,
    windows,
)
from schedlab.waits.settings import ALTERNATIVES, Settings

FEW = Settings((10, 100, 1000), repetitions=5)


def test_windows_are_the_first_and_last_cases_of_each_wait():
    waits = np.repeat([100, 10], [WINDOW + 2, 2 * WINDOW])
    found = windows(waits)
    first, second = WINDOW + 2, 3 * WINDOW + 2
    assert np.flatnonzero(found["early"]).tolist() == [
        *range(WINDOW),
        *range(first, first + WINDOW),
    ]
    assert np.flatnonzero(found["late"]).tolist() == [
        *range(2, first),
        *range(second - WINDOW, second),
    ]


def test_a_wait_shorter_than_a_window_is_in_both():
    found = windows(np.array([10] * WINDOW + [100] * 3))
    assert found["early"].all()
    assert found["late"].all()


def test_steps_are_means_over_the_windows():
    cases = 2 * WINDOW + 1
    hit = np.zeros(2 * cases)
    hit[: WINDOW // 2] = 1  # half of the first window
    hit[cases + WINDOW] = 1  # between the windows of the second wait
    hit[-1] = 1
    curves = pd.DataFrame({"policy": "tuned", "wait": np.repeat([50, 10], cases), "hit": hit})
    found = steps(curves, 40)
    assert found[["step", "wait", "early", "late"]].to_numpy().tolist() == [
        [1, 50, 0.5, 0],
        [2, 10, 0, 1 / WINDOW],
    ]
    # Clopper and Pearson: of 20 of 40 runs, and of none, 1 - 0.025 ** (1 / 40)
    assert found.loc[0, ["early low", "early high"]].tolist() == pytest.approx(
        [0.338, 0.662], abs=1e-3
    )
    assert found.loc[0, ["late low", "late high"]].tolist() == pytest.approx(
        [0, 1 - 0.025 ** (1 / 40)]
    )


def test_curves_are_of_the_runs():
    waits, tracked = tracks(FEW, 50, 3)
    curves = convergence(FEW, 50, 3)
    assert list(tracked) == list(dict.fromkeys(curves["policy"])) == list(POLICIES.values())
    for policy, own in curves.groupby("policy", sort=False):
        assert own["wait"].tolist() == waits.tolist()
        assert own["hit"].to_numpy() == pytest.approx(tracked[policy].hit.mean(axis=0))
        assert own["median"].to_numpy() == pytest.approx(
            np.median(tracked[policy].estimate, axis=0)
        )
        assert (own["low"] <= own["median"]).all()
        assert (own["median"] <= own["high"]).all()
    assert len(np.flatnonzero(np.diff(waits))) == CHANGES - 1


def test_a_run_depends_on_no_other():
    one, two = (tracks(FEW, 50, runs)[1] for runs in (1, 3))
    for policy in POLICIES.values():
        assert np.array_equal(one[policy].estimate[0], two[policy].estimate[0])


def streams(count, first=0):
    return [generator("tests", "track", run) for run in range(first, first + count)]


@pytest.mark.parametrize("policy", ["default", "greedy", "tuned"])
def test_a_track_depends_on_no_other_run(policy):
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
