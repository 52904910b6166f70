"""Online learners compared with the best fixed policy or weights."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.intervals import interval, resampled_places
from schedlab.core.streams import generator
from schedlab.studies.legrand2018 import online
from schedlab.studies.legrand2018.surface import Surface

# Twenty-one periods to test on after two to train on.
TESTED = 21
RANGES = online.Ranges((1, 2), (3, 2 + TESTED))


def compare_learners(
    *learners, resamples=1000, policies=((1, 9), (2, 8)), weights=((3, 5), (4, 6))
):
    """Compare learners, each given as its name, training and testing loss, and how it varies.

    Policies and weights have a loss in each training and one in each testing period.
    """
    pieces = np.arange(1, 3 + TESTED)
    wave = np.where(pieces > 2, 1 + 0.5 * np.sin(7.0 * pieces), 1.0)

    def losses(train, test):
        return np.where(pieces > 2, test, train) * wave

    index = pd.Index(pieces, name="piece")
    pure = pd.DataFrame(
        {name: losses(*each) for name, each in zip(("saf", "fcfs"), policies, strict=True)}, index
    )
    surface = Surface(np.eye(3)[:2], pieces, np.array([losses(*each) for each in weights]).T)
    frames = [
        pd.DataFrame(
            {
                "learner": name,
                "repetition": 0,
                "piece": pieces[1:],
                "avebsld": losses(train, test)[1:] * (1 + scatter * np.cos(5.0 * pieces))[1:],
            }
        )
        for name, train, test, scatter in learners
    ]
    online_frame = pd.concat(frames, ignore_index=True)
    stream = generator("weeks")
    found = online.compare(online_frame, surface, pure, RANGES, resamples, stream)
    return found.set_index("learner")


def test_policies_are_compared_with_a_policy_and_weights_with_weights():
    """By training SAF (1) and the first weights (3); in testing they have 9 and 5 a period."""
    found = compare_learners(("Hedge", 5, 18.0, 0), ("w_greedy", 5, 2.5, 0))
    assert found["chooses"].tolist() == ["policies", "weights"]
    assert found["fixed"].tolist() == ["saf", "w*_train"]
    assert found["ratio"].tolist() == pytest.approx([2, 0.5])
    assert found[["low", "high"]].to_numpy().tolist() == pytest.approx(
        np.array([[2, 2], [0.5, 0.5]])
    )
    assert found["outcome"].tolist() == ["higher", "lower"]
    assert (found["fixed_sum"] / found["sum"]).tolist() == pytest.approx([0.5, 2])
    assert found["periods"].tolist() == [TESTED] * 2


def test_regrets_are_against_what_is_best_with_hindsight():
    """In testing FCFS (8 a period) is better than SAF, and no weights than the first (5)."""
    found = compare_learners(("Hedge", 5, 18.0, 0), ("w_greedy", 5, 2.5, 0))
    wave = found.loc["Hedge", "sum"] / 18
    assert (found["regret_fixed"] / wave).tolist() == pytest.approx([10, -2.5])
    assert (found["regret_optimum"] / wave).tolist() == pytest.approx([13, -2.5])


def test_chosen_learner_depends_only_on_the_training_periods():
    found = compare_learners(("Hedge", 5, 1.0, 0), ("EXP3", 4, 99.0, 0), ("w_greedy", 6, 1.0, 0))
    assert found["chosen"].tolist() == [False, True, False]


def test_training_and_testing_periods_are_apart():
    """In training the other policy and the other weights are best."""
    found = compare_learners(
        ("Hedge", 5, 1.0, 0), policies=((2, 9), (1, 8)), weights=((4, 5), (3, 6))
    )
    assert found["fixed"].tolist() == ["fcfs"]
    found = compare_learners(("w_greedy", 5, 6.0, 0), weights=((4, 5), (3, 6)))
    assert found["ratio"].tolist() == pytest.approx([1])


def test_a_learner_that_chose_the_fixed_policy_throughout_is_equal():
    found = compare_learners(("follow the leader", 1, 9.0, 0), ("Hedge", 1, 9.0, 0.3))
    assert found["outcome"].tolist() == ["equal", "undecided"]
    assert found["adjusted"].tolist() == ["equal", "undecided"]
    assert found["regret_fixed"].notna().all()


@pytest.mark.parametrize(
    ("resamples", "adjusted"),
    # of two learners Holm doubles 2 / (B + 1): at most 5 % from B = 79 on
    [(78, "undecided"), (79, "higher")],
)
def test_holm_is_for_the_learners_of_a_trace(resamples, adjusted):
    found = compare_learners(("Hedge", 5, 18.0, 0), ("EXP3", 5, 18.0, 0), resamples=resamples)
    assert found["outcome"].tolist() == ["higher"] * 2
    assert found["adjusted"].tolist() == [adjusted] * 2


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


def test_neighbours_are_drawn_together_for_the_interval():
    """A busy stretch of six of 21 periods: blocks of three give a wider interval than single ones.

    In the stretch the learner has 3 and SAF 1, elsewhere both have 1.
    """
    pieces = np.arange(1, 3 + TESTED)
    index = pd.Index(pieces, name="piece")
    pure = pd.DataFrame({"saf": np.ones(len(pieces))}, index)
    surface = Surface(np.eye(3)[:1], pieces, np.ones((len(pieces), 1)))
    loss = np.where((pieces > 8) & (pieces <= 14), 3.0, 1.0)
    learner = {"learner": "Hedge", "repetition": 0, "piece": pieces[1:], "avebsld": loss[1:]}
    stream = generator("weeks")
    found = online.compare(pd.DataFrame(learner), surface, pure, RANGES, 4000, stream).iloc[0]
    single = resampled_places(TESTED, 4000, generator("weeks"))
    alone = interval(loss[2:][single].mean(axis=1))
    assert found["high"] - found["low"] > 1.3 * (alone[1] - alone[0])
    assert found["ratio"] == pytest.approx((6 * 3 + 15) / 21)


class Starts:
    """A stream whose blocks all begin, in each resample, at a place that is given."""

    def __init__(self, *begin):
        self.begin = np.array(begin)

    def integers(self, low, high, size):
        return np.tile(self.begin[:, None], (1, size[1]))


def test_blocks_are_of_three_periods():
    """Eighteen periods, blocks that begin at the first: 3, 1 and 5 against 1 are three times."""
    loss = np.array([3.0, 1, 5, *[1.0] * 15])
    found = against_ones(loss, Starts(*[0] * 39))
    assert found[["low", "high"]].to_numpy().tolist() == [[3, 3]]


def against_ones(loss, stream, learners=("Hedge",)):
    """Compare learners of equal losses in eighteen testing periods, SAF having 1 in each."""
    pieces = np.arange(1, 21)
    pure = pd.DataFrame({"saf": np.ones(20)}, pd.Index(pieces, name="piece"))
    surface = Surface(np.eye(3)[:1], pieces, np.ones((20, 1)))
    own = pd.DataFrame({"repetition": 0, "piece": pieces[1:], "avebsld": [1.0, *loss]})
    frame = pd.concat([own.assign(learner=name) for name in learners])
    ranges = online.Ranges((1, 2), (3, 20))
    return online.compare(frame, surface, pure, ranges, len(stream.begin), stream)


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
    assert found.drop(columns=["chosen", "low", "high"]).to_dict("records") == [
        {
            "learner": "Hedge",
            "chooses": "policies",
            "periods": 2,
            "sum": 6.0,
            "deviation": pytest.approx(2**0.5),
            "fixed": "saf",
            "fixed_sum": 8.0,
            "ratio": 0.75,
            "outcome": "undecided",
            "adjusted": "undecided",
            "regret_fixed": 1.0,
            "regret_optimum": 3.0,
        },
        {
            "learner": "follow the leader",
            "chooses": "policies",
            "periods": 2,
            "sum": 2.0,
            "deviation": 0.0,
            "fixed": "saf",
            "fixed_sum": 8.0,
            "ratio": 0.25,
            "outcome": "undecided",
            "adjusted": "undecided",
            "regret_fixed": -3.0,
            "regret_optimum": -1.0,
        },
        {
            "learner": "w_greedy",
            "chooses": "weights",
            "periods": 2,
            "sum": 8.0,
            "deviation": 0.0,
            "fixed": "w*_train",
            "fixed_sum": 9.0,
            "ratio": pytest.approx(8 / 9),
            "outcome": "undecided",
            "adjusted": "undecided",
            "regret_fixed": 4.0,
            "regret_optimum": 5.0,
        },
    ]
    assert found[["low", "high"]].isna().all(axis=None)


def test_the_chosen_learner_has_the_smallest_mean_over_its_repetitions(four_weeks):
    """In training Hedge has 7/3 in the mean (and 3 in the middle), follow the leader 2.5."""
    stream = generator("weeks")
    found = online.compare(*four_weeks, online.Ranges((1, 2), (3, 4)), 39, stream)
    assert found["chosen"].tolist() == [True, False, False]


def test_first_of_learners_with_equal_training_is_chosen():
    found = compare_learners(("Hedge", 5, 9.0, 0), ("EXP3", 5, 9.0, 0), ("w_greedy", 6, 1.0, 0))
    assert found["chosen"].to_dict() == {"Hedge": True, "EXP3": False, "w_greedy": False}


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
