"""Games of Algorithm 1 against given losses, and the bound of theorem 1."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.core.streams import generator
from schedlab.studies.souza2020.regret import (
    Game,
    bound,
    constant,
    coverage,
    independent,
    play,
    switching,
    unlikely,
)
from schedlab.waits.settings import Settings

TWO = Settings((0, 1))


class Given:
    """A stream of given numbers."""

    def __init__(self, *numbers):
        self.numbers = numbers

    def random(self, count):
        assert count == len(self.numbers)
        return np.array(self.numbers)


def streams(count, first=0):
    return [generator("tests", "regret", run) for run in range(first, first + count)]


def waits(count):
    return Settings(tuple(range(count)))


def test_regret_and_rounds_by_hand():
    """The second is drawn, the first, the second again: a round of three cases, then another."""
    game = play(constant(2, best=0), 5, TWO, [Given(0.6, 0.2, 0.9, 0.1, 0.99)])
    assert game.regret.tolist() == [[1, 1, 2, 2, 3]]
    assert game.rounds.tolist() == [[1, 1, 1, 2, 2]]


def test_regret_is_against_the_best_so_far_and_may_be_negative():
    """Best are 0, 1, 1, 1: 1 is drawn always, and overtakes 0 with the third case."""
    losses = switching(2, [0, 1, 1, 1], every=1)
    game = play(losses, 4, TWO, [Given(0.9, 0.9, 0.9, 0.9)])
    assert game.regret.tolist() == [[1, 0, 0, 0]]
    game = play(switching(2, [0, 1], every=1), 4, TWO, [Given(0.1, 0.9, 0.1, 0.9)])
    assert game.regret.tolist() == [[0, -1, -1, -2]]


def test_the_bound_by_hand():
    got = bound(np.array([[1, 1, 2], [1, 2, 3]]), 4, 0.25)
    log = math.log(4), math.log(16)
    roots = [math.sqrt(2 * t * log[1]) for t in (1, 2, 3)]
    assert got == pytest.approx(
        np.array([[4 * n + log[0] + root for n, root in zip(row, roots, strict=True)]
                  for row in ([1, 1, 2], [1, 2, 3])])
    )  # fmt: skip


def test_regret_equal_to_the_bound_is_covered_and_above_is_not():
    rounds = np.ones((3, 2), dtype=np.int64)
    limit = bound(rounds, 2, 0.5)
    above = limit.copy()
    above[0] = np.nextafter(above[0], np.inf)
    assert coverage(Game(limit, rounds), 2, 0.5).tolist() == [1, 1]
    assert coverage(Game(above, rounds), 2, 0.5).tolist() == [2 / 3, 2 / 3]


@pytest.mark.parametrize("delta", [0, 1, -0.1, 2, math.nan])
def test_a_delta_that_is_no_probability_is_refused(delta):
    with pytest.raises(ValueError, match="delta is"):
        bound(np.ones(3), 4, delta)


def test_loss_sequences_choose_the_losing_alternative():
    chance = np.array([[0.2, 0.3, 0.5], [0.5, 0.25, 0.25]])
    assert constant(3, 1)(7, chance).tolist() == [1, 0, 1]
    losses = switching(3, [2, 0], every=2)
    assert [losses(case, chance).argmin() for case in range(6)] == [2, 2, 0, 0, 2, 2]
    assert unlikely(0, chance).tolist() == [[0, 1, 1], [1, 0, 1]]


def test_independent_losses_have_their_probabilities():
    losses = independent([0.0, 1.0, 0.25], 4000, generator("tests", "losses"))
    mean = np.mean([losses(case, None) for case in range(4000)], axis=0)
    assert mean[:2].tolist() == [0, 1]
    assert mean[2] == pytest.approx(0.25, abs=0.03)


@pytest.mark.parametrize("loss", [-0.1, 1.1, math.nan])
def test_a_loss_out_of_range_is_refused_with_its_case(loss):
    def losses(case, chance):
        return np.array([0.0, loss if case == 2 else 1.0])

    with pytest.raises(ValueError, match="case 2: a loss is not between 0 and 1"):
        play(losses, 5, TWO, streams(2))


@pytest.mark.slow
@given(st.integers(2, 9), st.integers(1, 40), st.integers(0, 99), st.sampled_from([0.0, 0.5]))
def test_run_is_independent_and_its_rounds_are_bounded_by_its_losses(m, cases, seed, power):
    """Every round that has ended cost 2, and no case more than 1."""
    settings = Settings(tuple(range(m)), power=power)
    sequences = (
        constant(m, 0),
        switching(m, [0, m - 1], 7),
        independent(np.linspace(0, 1, m), cases, generator(seed)),
        unlikely,
    )
    for losses in sequences:
        game = play(losses, cases, settings, streams(3, seed))
        alone = play(losses, cases, settings, streams(1, seed + 2))
        assert np.array_equal(game.regret[2], alone.regret[0])
        assert (np.diff(game.rounds, axis=1) >= 0).all()
        assert (np.diff(game.rounds, axis=1) <= 1).all()
        assert (game.regret <= np.arange(1, cases + 1)).all()
    game = play(constant(m, 0), cases, settings, streams(2, seed))
    assert (game.regret >= 2 * (game.rounds - 1)).all()


@pytest.mark.parametrize("power", [0.0, 0.5])
def test_bound_is_exceeded_with_53_alternatives_and_a_constant_best(power):
    """Rounds of some nine losses each are begun before anything is known."""
    game = play(constant(53, 20), 600, Settings(power=power), streams(20))
    assert coverage(game, 53, 0.05)[-1] < 0.5


def test_bound_always_holds_with_two_alternatives():
    """A round costs at most 3, which is less than the 4 that the bound gives it."""
    for losses in (constant(2, 1), switching(2, [0, 1], 50), unlikely):
        game = play(losses, 400, TWO, streams(20))
        assert coverage(game, 2, 0.05).min() == 1
