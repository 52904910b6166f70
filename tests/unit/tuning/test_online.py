"""Online learners over periods."""

import numpy as np
import pandas as pd
import pytest

from schedlab.intervals import interval, resampled_places
from schedlab.papers.legrand2018.sentences import how, verdict
from schedlab.tuning import online
from schedlab.tuning.surface import Surface
from schedlab.workloads.streams import generator

EASY = np.tile([1.0, 50.0, 50.0], (400, 1))
KEY = ("legrand2018", "online", "SITE")


@pytest.mark.parametrize("learner", [online.hedge, online.exp3])
def test_the_one_good_policy_is_found(learner):
    chosen = learner(EASY, generator(*KEY))
    assert (chosen[:100] == 0).mean() < (chosen[-100:] == 0).mean()
    assert (chosen[-100:] == 0).mean() > 0.8


@pytest.mark.parametrize("learner", [online.hedge, online.exp3])
def test_a_choice_depends_on_nothing_that_comes_later(learner):
    losses = generator("losses").uniform(1, 9, (40, 4))
    other = losses.copy()
    other[20:] = 1000.0
    chosen = learner(losses, generator(*KEY)), learner(other, generator(*KEY))
    assert np.array_equal(chosen[0][:21], chosen[1][:21])


def test_a_bandit_sees_nothing_of_the_policies_that_it_did_not_choose():
    losses = generator("losses").uniform(1, 9, (40, 4))
    chosen = online.exp3(losses, generator(*KEY))
    other = np.full_like(losses, 1e6)
    other[np.arange(40), chosen] = losses[np.arange(40), chosen]
    assert np.array_equal(online.exp3(other, generator(*KEY)), chosen)


def test_the_scale_of_the_losses_does_not_matter():
    losses = generator("losses").uniform(10, 90, (40, 4))
    both = online.hedge(losses, generator(*KEY)), online.hedge(8 * losses, generator(*KEY))
    assert np.array_equal(*both)


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


def test_the_first_period_counts_for_nobody(trace):
    frame = online.learn_online(*trace, windows=[1, 2], repetitions=2, key=KEY)
    assert sorted(frame["piece"].unique()) == [2, 3, 4]
    assert frame.groupby("learner")["repetition"].nunique().to_dict() == {
        "Hedge": 2,
        "EXP3": 2,
        "follow the leader": 1,
        "w_greedy": 1,
        "w_train, last 2": 1,
    }


def test_learners_of_the_same_key_draw_the_same(trace):
    frames = [online.learn_online(*trace, windows=[], repetitions=3, key=KEY) for _ in range(2)]
    pd.testing.assert_frame_equal(*frames)


class Told:
    """A stream that keeps the chances that it is given and draws as it was told."""

    def __init__(self, *draws):
        self.draws, self.chances = list(draws), []

    def choice(self, count, p):
        assert len(p) == count
        self.chances.append(p.tolist())
        return self.draws.pop(0)


def test_hedge_weighs_all_losses_at_the_rate_of_the_round():
    """Losses (1, 5) and (4, 2): of largest 5, at sqrt(8 ln 2 / 2), then sqrt(8 ln 2 / 3)."""
    stream = Told(0, 0, 0)
    online.hedge(np.array([[1.0, 5], [4, 2], [9, 9]]), stream)
    second = np.exp(-np.sqrt(8 * np.log(2) / 2) * np.array([1, 5]) / 5)
    third = np.exp(-np.sqrt(8 * np.log(2) / 3) * np.array([5, 7]) / 5)
    wanted = [[0.5, 0.5], second / second.sum(), third / third.sum()]
    for found, its in zip(stream.chances, wanted, strict=True):
        assert found == pytest.approx(list(its))


def test_exp3_weighs_the_loss_it_saw_by_how_unlikely_it_was():
    """It draws the second policy at chance 1/2 and sees 4: 8, of largest 4, then the first."""
    stream = Told(1, 0, 0)
    online.exp3(np.array([[1.0, 4], [2, 9], [9, 9]]), stream)
    second = np.exp(-np.sqrt(np.log(2) / (2 * 2)) * np.array([0, 8]) / 4)
    second /= second.sum()
    third = np.exp(-np.sqrt(np.log(2) / (2 * 3)) * np.array([2 / second[0], 8]) / 4)
    for found, its in zip(stream.chances[1:], [second, third / third.sum()], strict=True):
        assert found == pytest.approx(list(its))


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


# Twenty-one periods to test on after two to train on.
TESTED = 21
RANGES = online.Ranges((1, 2), (3, 2 + TESTED))


def compared(*learners, resamples=1000, policies=((1, 9), (2, 8)), weights=((3, 5), (4, 6))):
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


def test_policies_are_held_against_a_policy_and_weights_against_weights():
    """By training SAF (1) and the first weights (3); in testing they have 9 and 5 a period."""
    found = compared(("Hedge", 5, 18.0, 0), ("w_greedy", 5, 2.5, 0))
    assert found["chooses"].tolist() == ["policies", "weights"]
    assert found["fixed"].tolist() == ["saf", "w*_train"]
    assert found["ratio"].tolist() == pytest.approx([2, 0.5])
    assert found[["low", "high"]].to_numpy().tolist() == pytest.approx(
        np.array([[2, 2], [0.5, 0.5]])
    )
    assert found["said"].tolist() == ["higher", "lower"]
    assert (found["fixed_sum"] / found["sum"]).tolist() == pytest.approx([0.5, 2])
    assert found["periods"].tolist() == [TESTED] * 2


def test_regrets_are_against_what_is_best_with_hindsight():
    """In testing FCFS (8 a period) is better than SAF, and no weights than the first (5)."""
    found = compared(("Hedge", 5, 18.0, 0), ("w_greedy", 5, 2.5, 0))
    wave = found.loc["Hedge", "sum"] / 18
    assert (found["regret_fixed"] / wave).tolist() == pytest.approx([10, -2.5])
    assert (found["regret_optimum"] / wave).tolist() == pytest.approx([13, -2.5])


def test_the_chosen_learner_is_that_of_the_training_periods_whatever_comes_later():
    found = compared(("Hedge", 5, 1.0, 0), ("EXP3", 4, 99.0, 0), ("w_greedy", 6, 1.0, 0))
    assert found["chosen"].tolist() == [False, True, False]


def test_training_and_testing_periods_are_apart():
    """In training the other policy and the other weights are best."""
    found = compared(("Hedge", 5, 1.0, 0), policies=((2, 9), (1, 8)), weights=((4, 5), (3, 6)))
    assert found["fixed"].tolist() == ["fcfs"]
    found = compared(("w_greedy", 5, 6.0, 0), weights=((4, 5), (3, 6)))
    assert found["ratio"].tolist() == pytest.approx([1])


def test_a_learner_that_chose_the_fixed_policy_throughout_is_equal():
    found = compared(("follow the leader", 1, 9.0, 0), ("Hedge", 1, 9.0, 0.3))
    assert found["said"].tolist() == ["equal", "undecided"]
    assert found["adjusted"].tolist() == ["equal", "undecided"]
    assert found["regret_fixed"].notna().all()


@pytest.mark.parametrize(
    ("resamples", "adjusted"),
    # of two learners Holm doubles 2 / (B + 1): at most 5 % from B = 79 on
    [(78, "undecided"), (79, "higher")],
)
def test_holm_is_for_the_learners_of_a_trace(resamples, adjusted):
    found = compared(("Hedge", 5, 18.0, 0), ("EXP3", 5, 18.0, 0), resamples=resamples)
    assert found["said"].tolist() == ["higher"] * 2
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
def test_lower_higher_equal_and_undecided_are_four_words(ratios, periods, said):
    word, low, high = online.said_of(ratios, periods)
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


def test_regret_adds_up_to_the_sum_less_that_of_the_best_of_its_kind(trace):
    """SAF: 2 + 3 + 4; the best fixed weights of the later weeks, the second: 9 + 1 + 1."""
    frame = online.learn_online(*trace, windows=[1], repetitions=4, key=KEY)
    path = online.regret_paths(frame, *trace)
    last = path[path["piece"] == 4].set_index("learner")
    sums = frame.groupby(["learner", "repetition"])["avebsld"].sum()
    means = sums.groupby("learner").mean()
    assert last.loc["Hedge", "regret"] == pytest.approx(means["Hedge"] - 9)
    assert last.loc["w_greedy", "regret"] == pytest.approx(1 + 9 + 1 - 11)
    assert last["chooses"].to_dict()["w_greedy"] == "weights"
    spread = last["high"] - last["regret"]
    assert spread["EXP3"] == pytest.approx(sums["EXP3"].std(ddof=0))
    assert (last["regret"] - last["low"]).to_dict() == pytest.approx(spread.to_dict())


def test_a_trace_without_periods_says_so():
    assert verdict(pd.DataFrame(columns=["sum"]), "SITE", RANGES) == "SITE: log not at hand."


def learners(*rows, periods=TESTED):
    """Rows as `compare` gives them: learner, what it chooses, chosen, sum, said and adjusted."""
    columns = ["learner", "chooses", "chosen", "sum", "said", "adjusted"]
    frame = pd.DataFrame(rows, columns=columns).assign(periods=periods, fixed="saf")
    frame = frame.assign(ratio=frame["sum"] / 100, low=0.5, high=1.5)
    return frame.assign(regret_optimum=frame["sum"] - 50)


def test_the_sentence_names_the_learner_of_the_training_weeks_and_that_of_hindsight():
    rows = [
        ("Hedge", "policies", True, 110.0, "higher", "undecided"),
        ("EXP3", "policies", False, 99.0, "undecided", "undecided"),
    ]
    assert verdict(learners(*rows), "SITE", RANGES) == (
        "SITE: Hedge, the learner with the lowest sum over the training weeks 1–2, has over the "
        "testing weeks 3–23 1.10 times (95% interval over weeks 0.50 to 1.50) the sum of SAF, the "
        "fixed policy that was best over the same training weeks: it does worse. Of 2 learners, "
        "each against the fixed policy or weights of its own kind, better: none; worse: Hedge; the "
        "same: none; undecided: EXP3. Were none any different, 0.1 of these 2 verdicts would be "
        "wrong on average; left after Holm's correction: none. The sum of the learner chosen by "
        "the training weeks is 2.20 times that of each week's best weights; with hindsight the "
        "lowest sum is that of EXP3, 0.90 times that."
    )


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("lower", "training weeks: it does better."),
        ("higher", "training weeks: it does worse."),
        ("equal", "training weeks: they are the same in every week."),
        ("undecided", "training weeks: which of them does better is undecided."),
    ],
)
def test_the_sentence_has_the_word_of_the_verdict(said, words):
    text = verdict(learners(("w_greedy", "weights", True, 90.0, said, said)), "SITE", RANGES)
    assert words in text
    assert "the sum of the fixed weights that were best" in text
    assert "the same learner has the lowest sum with hindsight as well" in text
    decided = said in ("lower", "higher")
    assert f"correction: {'w_greedy' if decided else 'none'}." in text


def test_how_intervals_were_made_is_said():
    assert how(1000).startswith("Intervals are over 1,000 resamples of the testing weeks, drawn in")
    assert "in blocks of 3 because" in how(1000)


def test_too_few_weeks_say_nothing():
    row = ("Hedge", "policies", True, 90.0, "undecided", "undecided")
    text = verdict(learners(row, periods=17), "SITE", RANGES)
    assert "17 weeks are too few to say which of them does better" in text
    assert "(no interval)" in text
    assert "Of the other learners nothing can be said either." in text
