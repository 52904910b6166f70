"""Scores as whole numbers: order, resolution, ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.exports.slurm.levels import TOP, Levels, levels_of
from schedlab.policies import REGISTRY, get
from schedlab.policies.expression import compile_expression

DAY = 86400
STILL = [name for name, policy in REGISTRY.items() if policy.order == "static"]
levels = st.builds(
    lambda low, span, unit: Levels(low, low + span, unit),
    st.floats(-1e3, 1e3),
    st.floats(1e-3, 1e6),
    st.sampled_from([0.0, 1e-6, 1.0, 50.0]),
)


@given(levels, st.lists(st.floats(allow_nan=False), min_size=2))
def test_a_smaller_score_never_gets_a_smaller_number(levels, scores):
    with np.errstate(over="ignore"):
        place = levels.place(np.sort(scores))
    assert (np.diff(place) <= 0).all()
    assert (place >= 1).all()
    assert (place <= TOP).all()


def test_ends_by_hand():
    places = Levels(0.0, 10.0, 0.0).place(np.array([-np.inf, -1, 0, 5, 10, 11, np.inf, np.nan]))
    assert places.tolist() == [TOP, TOP, TOP, (TOP - 1) // 2 + 1, 1, 1, 1, 1]


def test_bent_scores_by_hand():
    bent = Levels(0.0, 1.0, 2.0).bent(np.array([-2.0, 0.0, 2.0, 6.0]))
    np.testing.assert_allclose(bent, np.log([0.5, 1, 2, 4]))


@given(st.floats(0, 9.9), st.sampled_from([0.99, 1.01]))
def test_scores_one_step_apart_have_different_levels(score, steps):
    straight = Levels(0.0, 10.0, 0.0)
    one, other = straight.place(np.array([score, score + steps * straight.step]))
    assert one - other in ((1, 2) if steps > 1 else (0, 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", STILL)
@given(data=st.data())
def test_registered_policies_keep_their_order(name, data):
    processors, longest = 1024, 10 * DAY
    policy = get(name)
    found = levels_of(policy.expression, processors, longest, 3650 * DAY)
    count = data.draw(st.integers(2, 40))
    draw = np.random.default_rng(data.draw(st.integers(0, 99)))
    r = 60.0 * draw.integers(1, longest // 60, count)
    n, s = draw.integers(1, processors, count), draw.integers(1, 3650 * DAY, count)
    score = np.sort(compile_expression(policy.expression).scores(r, n, s))
    place = found.place(score)
    assert (np.diff(place) <= 0).all()
    apart = np.diff(found.bent(score)) > 1.001 * found.step
    assert (np.diff(place)[apart] < 0).all()
    assert place[0] > 1
    assert place[-1] < TOP


@pytest.mark.parametrize("name", ["spt", "lpf", "saf", "laf", "sqf", "srf", "lcfs"])
def test_some_policies_have_no_ties_on_the_grid(name):
    found = levels_of(get(name).expression, 1024, 10 * DAY, 3650 * DAY)
    assert found.tied == 0
    assert ", none do" in found.says


def test_scores_of_many_magnitudes_are_bent_to_separate_small_ones():
    found = levels_of("exp(r / 3600) * n", 1024, 10 * DAY, 3650 * DAY)
    assert found.unit > 0
    assert found.tied == 0
    assert "of themselves" in found.says
    assert levels_of("r * n", 1024, 10 * DAY, 3650 * DAY).unit == 0


def test_how_many_are_tied_is_counted():
    found = levels_of("s + n * 0.001", 1000, 10 * DAY, 3650 * DAY)
    assert 0.5 < found.tied < 1
    assert f"{found.tied:.2%} do" in found.says


@pytest.mark.parametrize("expression", ["5", "n - n", "0 / 0", "log(-n)"])
def test_policy_without_an_order_is_rejected(expression):
    with pytest.raises(ValueError, match="orders nothing"):
        levels_of(expression, 16, 600, DAY)


def test_a_machine_of_one_processor_has_an_order_of_time_limits():
    assert levels_of("r * n", 1, 600, DAY).place(np.array([60.0, 600.0])).tolist() == [TOP, 1]


@pytest.mark.parametrize(("variable", "scores"), [("r", 40), ("n", 41), ("s", 13)])
def test_the_grid_has_so_many_times_widths_and_submissions(variable, scores):
    """Of 41 time limits the two shortest are a minute, 1.6 minutes being rounded down."""
    found = levels_of(variable, 10**12, 60 * 10**8, 1200 * DAY)
    assert found.jobs == scores
