"""Online learners compared with the best fixed policy or weights."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.streams import generator
from schedlab.studies.legrand2018 import online
from schedlab.studies.legrand2018.periods import Surface


def share(inside, value, other):
    """A thousand resampled ratios of which so many are `value`."""
    return np.concatenate([np.full(inside, value), np.full(1000 - inside, other)])


@pytest.mark.parametrize(
    ("ratios", "periods", "said"),
    [
        (share(976, 0.9, 1.1), 18, "lower"),
        (share(975, 0.9, 1.1), 18, "undecided"),
        (share(976, 1.1, 0.9), 18, "higher"),
        (share(975, 1.1, 0.9), 18, "undecided"),
        (share(976, 1.0, 0.9), 18, "undecided"),
        (share(1000, 1.0, 1.0), 18, "equal"),
        (share(1000, 0.5, 0.5), 17, "undecided"),
    ],
)
def test_outcome_is_lower_higher_equal_or_undecided(ratios, periods, said):
    word, low, high = online.outcome_of(ratios, periods)
    assert word == said
    assert np.isnan([low, high]).all() == (periods < 18)


class Starts:
    """A stream whose blocks all begin, in each resample, at a place that is given."""

    def __init__(self, *begin):
        self.begin = np.array(begin)

    def integers(self, low, high, size):
        return np.tile(self.begin[:, None], (1, size[1]))


def test_blocks_are_of_three_periods():
    """Eighteen periods, blocks that begin at the first: 3, 1 and 8 against 1 are four times."""
    loss = np.array([3.0, 1, 8, *[1.0] * 15])
    found = against_ones(loss, Starts(*[0] * 39))
    assert found[["low", "high"]].to_numpy().tolist() == [[4, 4]]


def against_ones(loss, stream, learners=("Hedge",)):
    """Compare learners of equal losses in eighteen testing periods, SAF having 1 in each."""
    pieces = np.arange(1, 21)
    pure = pd.DataFrame({"saf": np.ones(20)}, pd.Index(pieces, name="piece"))
    surface = Surface(np.eye(3)[:1], pieces, np.ones((20, 1)))
    own = pd.DataFrame({"repetition": 0, "piece": pieces[1:], "avebsld": [1.0, *loss]})
    frame = pd.concat([own.assign(learner=name) for name in learners])
    ranges = online.Ranges((1, 2), (3, 20))
    return online.compare(frame, surface, pure, ranges, len(stream.begin), stream)


def test_of_learners_equal_to_the_fixed_policy_the_first_is_chosen():
    found = against_ones(np.ones(18), Starts(*[0] * 39), ("Hedge", "EXP3"))
    assert found["outcome"].tolist() == found["adjusted"].tolist() == ["equal"] * 2
    assert found["chosen"].tolist() == [True, False]


@pytest.mark.parametrize(("said", "often", "seldom"), [("lower", 0.5, 1.5), ("higher", 1.5, 0.5)])
@pytest.mark.parametrize(("against", "sure"), [(11, True), (12, False)])
def test_holm_adjusts_the_share_of_resamples_on_the_other_side(said, often, seldom, against, sure):
    """Of two, 2 * 2 * 12 / 1001 is below 5 % and 2 * 2 * 13 / 1001 above."""
    stream = Starts(*[0] * against, *[9] * (1000 - against))
    loss = np.where(np.arange(18) < 3, seldom, often)
    found = against_ones(loss, stream, ("Hedge", "EXP3"))
    assert found["outcome"].tolist() == [said] * 2
    assert found["adjusted"].tolist() == [said if sure else "undecided"] * 2


@pytest.fixture
def four_weeks():
    """Two weeks to train on and two to test on; the first of all counts for no learner."""
    pieces = np.arange(1, 5)
    index = pd.Index(pieces, name="piece")
    pure = pd.DataFrame({"saf": [9.0, 1, 6, 2], "fcfs": [9.0, 3, 1, 4]}, index)
    values = np.array([[2.0, 4, 9], [3, 2, 9], [4, 1, 7], [5, 3, 2]])
    surface = Surface(np.eye(3), pieces, values)
    losses = {
        ("Hedge", 0): [1.0, 6, 2],
        ("Hedge", 1): [3.0, 1, 4],
        ("Hedge", 2): [3.0, 1, 4],
        ("follow the leader", 0): [2.5, 1, 1],
        ("w_greedy", 0): [3.0, 4, 4],
    }
    rows = [
        (name, repetition, piece, loss)
        for (name, repetition), own in losses.items()
        for piece, loss in zip(pieces[1:], own, strict=True)
    ]
    return pd.DataFrame(rows, columns=list(online.COLUMNS)), surface, pure


def test_every_number_of_a_learner_is_of_the_testing_weeks(four_weeks):
    """Hedge: 8, 5 and 5 are 6 in the mean. SAF trains best (10 against 12) and has 8, FCFS has 5.

    The first weights train best (5) and have 9, the second have 4; each week's best are 1 and 2.
    """
    stream = generator("weeks")
    found = online.compare(*four_weeks, online.Ranges((1, 2), (3, 4)), 39, stream)
    assert list(found) == online.COMPARED
    numbers = found.drop(columns=["low", "high", "chosen", "outcome", "adjusted"])
    assert numbers.drop(columns="deviation").to_numpy().tolist() == [
        ["Hedge", "policies", 2, 6, "saf", 8, 0.75, 1, 3],
        ["follow the leader", "policies", 2, 2, "saf", 8, 0.25, -3, -1],
        ["w_greedy", "weights", 2, 8, "w*_train", 9, pytest.approx(8 / 9), 4, 5],
    ]
    assert found["deviation"].tolist() == pytest.approx([2**0.5, 0, 0])
    assert found[["outcome", "adjusted"]].eq("undecided").all(axis=None)
    assert found[["low", "high"]].isna().all(axis=None)


def test_the_chosen_learner_has_the_smallest_mean_over_its_repetitions(four_weeks):
    """In training Hedge has 7/3 in the mean (and 3 in the middle), follow the leader 2.5."""
    stream = generator("weeks")
    found = online.compare(*four_weeks, online.Ranges((1, 2), (3, 4)), 39, stream)
    assert found["chosen"].tolist() == [True, False, False]


def test_regret_adds_up_week_by_week_to_that_of_the_best_of_its_kind():
    """From the second week on FCFS has 3 and 4 (SAF 4 and 4) and the second weights 2 and 6.

    Hedge has 4 and 4 once and 3 and 4 twice; EXP3 3 and 3; w_greedy 5 and 5.
    """
    pieces = np.arange(1, 4)
    pure = pd.DataFrame({"saf": [1.0, 4, 4], "fcfs": [9.0, 3, 4]}, pd.Index(pieces, name="piece"))
    surface = Surface(np.eye(3)[:2], pieces, np.array([[1.0, 9], [5, 2], [5, 6]]))
    losses = {("Hedge", 0): [4.0, 4], ("Hedge", 1): [3.0, 4], ("Hedge", 2): [3.0, 4]}
    losses |= {("EXP3", 0): [3.0, 3], ("w_greedy", 0): [5.0, 5]}
    rows = [
        (name, repetition, piece, loss)
        for (name, repetition), own in losses.items()
        for piece, loss in zip((2, 3), own, strict=True)
    ]
    path = online.regret_paths(pd.DataFrame(rows, columns=list(online.COLUMNS)), surface, pure)
    apart = pytest.approx(1 / 3 - 2**0.5 / 3), pytest.approx(1 / 3 + 2**0.5 / 3)
    assert path.iloc[:, :6].to_numpy().tolist() == [
        ["Hedge", "policies", 2, pytest.approx(1 / 3), *apart],
        ["Hedge", "policies", 3, pytest.approx(1 / 3), *apart],
        ["EXP3", "policies", 2, 0, 0, 0],
        ["EXP3", "policies", 3, -1, -1, -1],
        ["w_greedy", "weights", 2, 3, 3, 3],
        ["w_greedy", "weights", 3, 2, 2, 2],
    ]
    absolute = ["regret", "low", "high"]
    relative = ["relative", "relative_low", "relative_high"]
    assert list(path) == ["learner", "chooses", "piece", *absolute, *relative]
    best = np.array([3, 7, 3, 7, 2, 8])
    assert path[relative].to_numpy() == pytest.approx(
        100 * path[absolute].to_numpy() / best[:, None]
    )
