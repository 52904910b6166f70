"""Online learners over periods."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.streams import generator
from schedlab.studies.legrand2018 import online
from schedlab.studies.legrand2018.online import how
from schedlab.studies.legrand2018.periods import Surface
from words_case import words_of

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
        *("Hedge", "EXP3", "follow the leader", "w_greedy", "w_train, last 2")
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


TESTED = 21
RANGES = online.Ranges((1, 2), (3, 2 + TESTED))
SENTENCE = words_of("legrand2018")["sentences"]["online"]


def verdict(table):
    return online.verdict(table, "SITE", RANGES, SENTENCE)


def test_trace_without_periods_is_marked_not_available():
    assert verdict(pd.DataFrame(columns=["sum"])) == "SITE: log not available."


def learners(*rows, periods=TESTED):
    """Rows in the columns of `compare`: learner, kind, chosen, sum, outcome and adjusted."""
    columns = ["learner", "chooses", "chosen", "sum", "outcome", "adjusted"]
    frame = pd.DataFrame(rows, columns=columns).assign(periods=periods, fixed="saf")
    frame = frame.assign(ratio=frame["sum"] / 100, low=0.5, high=1.5)
    return frame.assign(regret_optimum=frame["sum"] - 50)


def test_sentence_names_the_best_learner_of_training_and_in_hindsight():
    rows = [
        ("Hedge", "policies", True, 110.0, "higher", "undecided"),
        ("EXP3", "policies", False, 99.0, "undecided", "undecided"),
    ]
    assert verdict(learners(*rows)) == (
        "SITE: Hedge has the lowest sum over the training weeks (1–2). Over the testing weeks "
        "(3–23), its sum is 1.10 times that of SAF, the best fixed policy of the training weeks "
        "(95% CI 0.50 to 1.50): the learner is worse. 2 learners compared with the fixed choice of "
        "the same kind. Better: none. Worse: Hedge. Equal: none. Undecided: EXP3. Significant "
        "after Holm's correction: none. If no learner differed, on average 0.1 of 2 verdicts would "
        "be wrong. The sum of Hedge is 2.20 times that of each week's best weights. In hindsight "
        "EXP3 has the lowest sum, 0.90 times that of Hedge."
    )


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("lower", "CI 0.50 to 1.50): the learner is better."),
        ("higher", "CI 0.50 to 1.50): the learner is worse."),
        ("equal", "CI 0.50 to 1.50): both are equal in every week."),
        ("undecided", "CI 0.50 to 1.50): the comparison is undecided."),
    ],
)
def test_sentence_states_the_verdict(said, words):
    text = verdict(learners(("w_greedy", "weights", True, 90.0, said, said)))
    assert words in text
    assert "times that of the best fixed weights of the training weeks" in text
    assert "In hindsight w_greedy has the lowest sum of all learners." in text
    decided = said in ("lower", "higher")
    assert f"correction: {'w_greedy' if decided else 'none'}." in text


def test_sentence_states_how_intervals_were_computed():
    assert how(1000).startswith("Intervals: 1,000 bootstrap resamples of the testing weeks, in")
    assert "in blocks of 3 because" in how(1000)


def test_too_few_weeks_are_reported_without_an_interval():
    row = ("Hedge", "policies", True, 90.0, "undecided", "undecided")
    text = verdict(learners(row, periods=17))
    assert "17 weeks are too few for a verdict" in text
    assert "(no interval)" in text
    assert "The other learners are undecided as well." in text
