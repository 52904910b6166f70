"""Online learners over periods."""

import numpy as np
import pandas as pd
import pytest

from schedlab.papers.legrand2018.sentences import verdict
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


def test_regret_is_the_sum_less_that_of_the_comparator(trace):
    frame = online.learn_online(*trace, windows=[1], repetitions=1, key=KEY)
    row = online.regret(frame, *trace).set_index("learner").loc["w_greedy"]
    # saf: 2 + 3 + 4; the best fixed vector: 9 + 1 + 1; each period's best: 1 + 1 + 1
    assert row["sum"] == 1 + 9 + 1
    assert row["best_fixed"] == "saf"
    assert row[["regret_fixed", "regret_weights", "regret_optimum"]].tolist() == [2, 0, 8]


def test_learners_of_the_same_key_draw_the_same(trace):
    frames = [online.learn_online(*trace, windows=[], repetitions=3, key=KEY) for _ in range(2)]
    pd.testing.assert_frame_equal(*frames)


def test_no_periods_give_no_rows():
    surface = Surface(np.eye(3), np.array([], dtype=np.int64), np.empty((0, 3)))
    pure = pd.DataFrame({"saf": []}, index=pd.Index([], name="piece", dtype="int64"))
    frame = online.learn_online(surface, pure, [1], 2, KEY)
    assert frame.empty
    assert online.regret(frame, surface, pure).empty


def test_regret_adds_up_to_that_of_the_table(trace):
    frame = online.learn_online(*trace, windows=[1, 3], repetitions=4, key=KEY)
    table = online.regret(frame, *trace).set_index("learner")
    path = online.regret_paths(frame, trace[1])
    last = path[path["piece"] == 4].set_index("learner")
    assert last["regret"].to_dict() == pytest.approx(table["regret_fixed"].to_dict())
    spread = (last["high"] - last["regret"]).to_dict()
    assert spread == pytest.approx(table["deviation"].to_dict())


def test_a_trace_without_periods_says_so():
    assert verdict(pd.DataFrame(columns=["sum"]), "SITE") == "SITE: log not at hand."


def regrets(*sums):
    return pd.DataFrame(
        {
            "learner": ["Hedge", "EXP3"],
            "sum": sums,
            "best_fixed": "saf",
            "regret_fixed": [value - 100 for value in sums],
            "regret_optimum": [value - 50 for value in sums],
        }
    )


def test_the_sentence_says_that_nobody_beats_the_fixed_policy():
    assert verdict(regrets(110.0, 150.0), "SITE") == (
        "SITE: no learner does better than SAF, the best fixed policy; the nearest, Hedge, is "
        "10.0% above it, and 2.20 times the sum of each period's best weights."
    )


def test_the_sentence_says_that_the_best_learner_is_just_as_good():
    assert "the nearest, Hedge, equals it, and 2.00 times" in verdict(regrets(100.0, 150.0), "SITE")


def test_the_sentence_says_that_somebody_does():
    assert verdict(regrets(110.0, 80.0), "SITE") == (
        "SITE: 1 of 2 learners do better than SAF, the best fixed policy (EXP3); the best, EXP3, "
        "is 20.0% below it, and 1.60 times the sum of each period's best weights."
    )
