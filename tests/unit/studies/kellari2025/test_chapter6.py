"""Chapter 6 of kellari2025 as numbers: makespan speedups, fronts, correlations."""

import numpy as np
import pandas as pd
import pytest

from schedlab.studies.kellari2025.tables import chapter6
from schedlab.studies.kellari2025.tables.chapter6 import METRICS, SCHEDULERS


def test_makespan_speedup_is_over_the_same_workload():
    frame = pd.DataFrame(
        {
            "experiment": "x",
            "workload": [0, 0, 1, 1],
            "scheduler": ["Conservative", "SJF"] * 2,
            "makespan": [10.0, 5.0, 6.0, 4.0],
        }
    )
    found = chapter6.with_speedups(frame)
    assert found["makespan_speedup"].tolist() == [1, 2, 1, 1.5]
    assert found["makespan_speedup_textbook"].isna().all()


def brute_front(points, x, y):
    """Slow, obvious: a point is optimal if none is as good in both and better in one."""
    values = points[[x, y]].to_numpy() * [1 if METRICS[name].high else -1 for name in (x, y)]
    return [
        not any((other >= own).all() and (other > own).any() for other in values) for own in values
    ]


@pytest.mark.parametrize("axes", [("slowdown", "makespan_speedup"), ("slowed", "slowdown")])
@pytest.mark.parametrize("seed", range(5))
def test_front_equals_that_of_a_brute_force_search(axes, seed):
    stream = np.random.default_rng(seed)
    names = stream.choice(SCHEDULERS, 60)
    values = stream.integers(0, 8, (60, 2)).astype(float)
    points = pd.DataFrame(
        {"scheduler": names, "workload": 0, **dict(zip(axes, values.T, strict=True))}
    )
    found = chapter6.front(points, *axes)
    assert found["optimal"].tolist() == brute_front(points, *axes)


def test_correlations_are_between_minus_one_and_one_with_themselves_one(runs):
    table = chapter6.correlations(runs(), "kendall")
    assert np.allclose(np.diag(table), 1)
    assert table.abs().to_numpy().max() <= 1 + 1e-12


def test_correlations_include_user_schedulers_only_when_named(runs):
    own = runs()
    wild = own[own["scheduler"] == "EASY"].assign(scheduler="wild")
    wild = wild.assign(**{name: 1000.0 * np.arange(len(wild)) for name in METRICS})
    both = pd.concat([own, wild])
    pd.testing.assert_frame_equal(
        chapter6.correlations(both, "pearson"), chapter6.correlations(own, "pearson")
    )
    counted = chapter6.correlations(both, "pearson", ["wild"])
    assert (counted.to_numpy() > 0.99).all()
