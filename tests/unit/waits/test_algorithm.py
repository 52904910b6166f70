"""Algorithm 1, by hand and against its twin."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schedlab.core.streams import generator
from schedlab.waits.algorithm import Learners, losses_of
from schedlab.waits.settings import ALTERNATIVES, Settings
from twins.asa import AsaTwin

TWO = Settings((10, 20), "default")
FALLING = Settings((10, 20), "default", power=0.5)


def learners_after(draws, settings=TWO, wait=10):
    """A learner that has drawn and observed, with one random number a case."""
    learners = Learners.fresh(settings, 1)
    for uniform in draws:
        place = learners.choose(np.array([[uniform]]))
        learners.observe(place, [wait], np.empty((1, 0)))
    return learners


def test_there_are_53_alternatives_up_to_100000_seconds():
    assert len(ALTERNATIVES) == 53
    assert max(ALTERNATIVES) == 100_000
    bounds = [10, 100, 1_000, 10_000, 100_000, 1_000_000]
    counts = [sum(low <= wait < high for wait in ALTERNATIVES) for low, high in pairwise(bounds)]
    assert counts == [18, 18, 9, 7, 1]
    steps = {after - one for one, after in pairwise(ALTERNATIVES)}
    assert steps == {5, 50, 1_000, 10_000, 30_000}


def test_closest_alternative_has_no_loss_and_neither_of_two_at_a_tie():
    assert losses_of([10, 20, 40], [10, 14, 16, 15, 30, 1000]).tolist() == [
        [0, 1, 1],
        [0, 1, 1],
        [1, 0, 1],
        [0, 0, 1],
        [1, 0, 0],
        [1, 1, 0],
    ]


def test_round_continues_while_no_loss_is_above_1():
    """20 has been drawn once: its loss is 1, and nothing has been learned yet."""
    learners = learners_after([0.1, 0.7, 0.2])
    assert learners.loss.tolist() == [[0, 1]]
    assert learners.chance.tolist() == [[0.5, 0.5]]
    assert learners.rounds.tolist() == [1]


def test_a_round_ends_with_a_loss_above_1_and_chances_follow():
    learners = learners_after([0.7, 0.1, 0.5])
    assert learners.loss.tolist() == [[0, 0]]
    assert learners.last.tolist() == [[0, 1]]
    assert learners.rounds.tolist() == [2]
    assert learners.chance[0] == pytest.approx([1 / (1 + math.exp(-2)), 1 / (1 + math.exp(2))])


def test_second_round_uses_its_own_rate():
    """With chances of 0.881 and 0.119, 0.89 draws the other; gamma is 1 and then 1 / sqrt(2)."""
    learners = learners_after([0.7, 0.5, 0.89, 0.88, 0.89], FALLING)
    assert learners.rounds.tolist() == [3]
    odds = math.exp(-2) * math.exp(-2 / math.sqrt(2))
    assert learners.chance[0] == pytest.approx([1 / (1 + odds), odds / (1 + odds)])


def test_draw_includes_the_lower_end_of_each_probability_interval():
    learners = Learners.fresh(Settings((10, 20, 30, 40), "default"), 5)
    uniform = np.array([0, 0.2499, 0.25, 0.75, np.nextafter(1, 0)])
    assert learners.draw(uniform).tolist() == [0, 0, 1, 3, 3]


def test_greedy_policy_keeps_the_smallest_once_all_have_lost():
    """Section 4.4: after a drop every stage is submitted when the one before it ends."""
    learners = Learners.fresh(Settings((10, 20, 30), "greedy"), 1)
    taken = []
    for wait in (30, 30, 30, 20, 20, 20, 30, 10, 10):
        place = learners.choose(np.empty((1, 0)))
        taken.append(int(place[0]))
        learners.observe(place, [wait], np.empty((1, 0)))
    # 30 s is hit once, what was tried on the way has lost; at 20 s all have; 10 s is hit again
    assert taken == [0, 1, 2, 2, 0, 0, 0, 0, 0]
    assert learners.last.tolist() == [[0, 1, 1]]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"alternatives": (10,)}, "1 given, at least 2"),
        ({"alternatives": (10, 10)}, "10 follows 10"),
        ({"alternatives": (-1, 10)}, "-1 is no whole number of seconds"),
        ({"alternatives": (1.5, 10)}, "1.5 is no whole"),
        ({"alternatives": (False, 10)}, "False is no whole"),
        ({"policy": "best"}, "policy is 'best', must be one of default, greedy, tuned"),
        ({"repetitions": 0}, "repetitions is 0"),
        ({"rate": 0}, "rate is 0"),
        ({"rate": 1.01}, "rate is 1.01"),
        ({"rate": math.nan}, "rate is nan"),
        ({"power": -0.1}, "power is -0.1"),
        ({"power": math.inf}, "power is inf"),
    ],
)
def test_settings_out_of_range_are_refused_by_name(given, message):
    with pytest.raises(ValueError, match=message):
        Settings(**given)


def test_settings_at_the_ends_of_their_ranges():
    settings = Settings((0, 1), "tuned", 1, rate=1, power=0)
    assert (settings.draws, settings.redraws) == (1, 1)
    assert (Settings(policy="default").draws, Settings(policy="default").redraws) == (1, 0)
    assert (Settings(policy="greedy").draws, Settings(policy="greedy").redraws) == (0, 0)
    assert Settings().redraws == 50


@st.composite
def learning(draw):
    """Settings, waits by learner, and the seed of random numbers."""
    alternatives = draw(
        st.lists(st.integers(0, 60), min_size=2, max_size=12, unique=True).map(sorted)
    )
    settings = Settings(
        tuple(alternatives),
        draw(st.sampled_from(["default", "greedy", "tuned"])),
        draw(st.integers(1, 6)),
        draw(st.sampled_from([1.0, 0.3])),
        draw(st.sampled_from([0.0, 0.5, 1.0])),
    )
    learners, cases = draw(st.integers(1, 4)), draw(st.integers(1, 60))
    if draw(st.booleans()):
        waits = np.full((learners, cases), draw(st.integers(0, 70)))
    else:
        waits = np.random.default_rng(draw(st.integers(0, 999))).integers(0, 70, (learners, cases))
    return settings, waits, draw(st.integers(0, 2**32))


@pytest.mark.slow
@given(learning())
@example((Settings(), np.tile([300, 300, 20, 90_000], (2, 40)), 1))
def test_many_learners_at_once_equal_the_twin(case):
    settings, waits, seed = case
    count, cases = waits.shape
    width = settings.draws + settings.redraws
    uniform = generator("tests", "asa", seed).random((count, cases, width))
    learners = Learners.fresh(settings, count)
    twins = [
        AsaTwin(
            list(settings.alternatives),
            settings.policy,
            settings.repetitions,
            settings.rate,
            settings.power,
            uniform[row].ravel(),
        )
        for row in range(count)
    ]
    for now in range(cases):
        place = learners.choose(uniform[:, now, : settings.draws])
        assert place.tolist() == [twin.estimate() for twin in twins]
        learners.observe(place, waits[:, now], uniform[:, now, settings.draws :])
        for twin, action, wait in zip(twins, place, waits[:, now], strict=True):
            twin.observe(action, wait)
    assert learners.rounds.tolist() == [twin.t for twin in twins]
    assert learners.loss.tolist() == [twin.loss for twin in twins]
    assert learners.last.tolist() == [twin.last for twin in twins]
    assert learners.chance == pytest.approx(np.array([twin.p for twin in twins]), rel=1e-9)
    assert learners.chance.sum(axis=1) == pytest.approx(1)
