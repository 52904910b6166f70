"""Figure 5: windows, shares and bands, by hand and of a few runs."""

import numpy as np
import pandas as pd
import pytest

from schedlab.studies.souza2020.convergence import (
    CHANGES,
    POLICIES,
    WINDOW,
    convergence,
    steps,
    tracks,
    windows,
)
from schedlab.waits.settings import Settings

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
