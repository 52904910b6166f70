"""Online learners over periods."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.streams import generator
from schedlab.studies.legrand2018 import online
from schedlab.studies.legrand2018.periods import Surface

KEY = ("legrand2018", "online", "SITE")


def test_the_leader_is_the_best_so_far_and_ties_are_shared():
    losses = np.array([[1.0, 1, 5], [4, 2, 9], [7, 3, 9]])
    assert online.follow_the_leader(losses)[1:].tolist() == [3, 3]
    assert np.isnan(online.follow_the_leader(losses)[0])


@pytest.fixture
def trace():
    """Two policies and two weight vectors over four periods."""
    pieces = np.arange(1, 5)
    pure = pd.DataFrame({"saf": [1.0, 2, 3, 4], "fcfs": [5.0, 6, 7, 8]})
    pure.index = pd.Index(pieces, name="piece")
    values = np.array([[1.0, 9], [1, 9], [9, 1], [9, 1]])
    return Surface(np.eye(3)[:2], pieces, values), pure


class Told:
    """A stream that records its probabilities and makes given draws."""

    def __init__(self, *draws):
        self.draws, self.chances = list(draws), []

    def choice(self, count, p):
        assert len(p) == count
        self.chances.append(p.tolist())
        return self.draws.pop(0)


def test_hedge_weights_all_losses_at_the_rate_of_the_round():
    """Losses (1, 5) and (4, 2): of largest 5, at sqrt(8 ln 2 / 2), then sqrt(8 ln 2 / 3)."""
    stream = Told(0, 0, 0)
    online.hedge(np.array([[1.0, 5], [4, 2], [9, 9]]), stream)
    second = np.exp(-np.sqrt(8 * np.log(2) / 2) * np.array([1, 5]) / 5)
    third = np.exp(-np.sqrt(8 * np.log(2) / 3) * np.array([5, 7]) / 5)
    wanted = [[0.5, 0.5], second / second.sum(), third / third.sum()]
    for found, its in zip(stream.chances, wanted, strict=True):
        assert found == pytest.approx(list(its))


def test_exp3_divides_the_observed_loss_by_its_probability():
    """It draws the second policy at chance 1/2 and sees 4: 8, of largest 4, then the first."""
    stream = Told(1, 0, 0)
    online.exp3(np.array([[1.0, 4], [2, 9], [9, 9]]), stream)
    second = np.exp(-np.sqrt(np.log(2) / (2 * 2)) * np.array([0, 8]) / 4)
    second /= second.sum()
    third = np.exp(-np.sqrt(np.log(2) / (2 * 3)) * np.array([2 / second[0], 8]) / 4)
    for found, its in zip(stream.chances[1:], [second, third / third.sum()], strict=True):
        assert found == pytest.approx(list(its))


@pytest.mark.parametrize("learner", [online.hedge, online.exp3])
def test_no_loss_is_divided_by_less_than_one(learner):
    """A bounded slowdown is never below one; 0.4 and 0.2 stand as they are, 1.05 divides."""
    for loss, largest in ((0.4, 1), (1.05, 1.05)):
        stream = Told(0, 1)
        learner(np.array([[loss, 0.2], [1, 1]]), stream)
        if learner is online.hedge:
            exponent = -np.sqrt(8 * np.log(2) / 2) * np.array([loss, 0.2]) / largest
        else:
            exponent = -np.sqrt(np.log(2) / (2 * 2)) * np.array([loss / 0.5, 0]) / largest
        weights = np.exp(exponent)
        assert stream.chances[1] == pytest.approx((weights / weights.sum()).tolist())


def test_probabilities_stay_valid_after_unlikely_draws():
    """A bandit that goes on drawing the worse of two: its loss is weighted by a million."""
    stream = Told(*[1] * 5, 0)
    online.exp3(np.ones((6, 2)), stream)
    assert stream.chances[4][1] < 2e-6
    assert stream.chances[5] == [1, 0]


def test_deterministic_learners_have_a_row_per_period_with_their_loss(trace):
    """Follow the leader has SAF; the best weights of two periods before the last share it."""
    found = online.learn_online(*trace, windows=[1, 2], repetitions=1, key=KEY)
    assert list(found) == ["learner", "repetition", "piece", "avebsld"]
    assert found["learner"].unique().tolist() == [
        *("Hedge", "EXP3", "follow the leader", "w_greedy", "w_train, last 2"),
    ]
    assert found.index.tolist() == list(range(5 * 3))
    assert found.iloc[6:].to_numpy().tolist() == [
        ["follow the leader", 0, 2, 2.0],
        ["follow the leader", 0, 3, 3.0],
        ["follow the leader", 0, 4, 4.0],
        ["w_greedy", 0, 2, 1.0],
        ["w_greedy", 0, 3, 9.0],
        ["w_greedy", 0, 4, 1.0],
        ["w_train, last 2", 0, 2, 1.0],
        ["w_train, last 2", 0, 3, 9.0],
        ["w_train, last 2", 0, 4, 5.0],
    ]


def test_repetition_draws_from_a_separate_stream(trace):
    found = online.learn_online(*trace, windows=[], repetitions=2, key=KEY)
    losses = trace[1].to_numpy()
    for name, draw in (("Hedge", online.hedge), ("EXP3", online.exp3)):
        for repetition in range(2):
            chosen = draw(losses, generator(*KEY, name, repetition))
            own = found[(found["learner"] == name) & (found["repetition"] == repetition)]
            assert own["avebsld"].tolist() == [losses[place, chosen[place]] for place in (1, 2, 3)]


def test_first_period_may_have_any_number(trace):
    surface, pure = trace
    later = Surface(surface.weights, surface.pieces + 7, surface.values)
    found = online.learn_online(later, pure.set_axis(pure.index + 7), [1], 1, KEY)
    assert found["piece"].unique().tolist() == [9, 10, 11]


def test_no_periods_give_no_rows():
    surface = Surface(np.eye(3), np.array([], dtype=np.int64), np.empty((0, 3)))
    pure = pd.DataFrame({"saf": []}, index=pd.Index([], name="piece", dtype="int64"))
    frame = online.learn_online(surface, pure, [1], 2, KEY)
    assert frame.empty
    ranges = online.Ranges((1, 2), (3, 4))
    found = online.compare(frame, surface, pure, ranges, 39, generator("x"))
    assert found.empty
    assert list(found) == online.COMPARED
    assert online.regret_paths(frame, surface, pure).empty
