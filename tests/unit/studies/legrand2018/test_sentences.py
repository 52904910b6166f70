"""Sentences on the results of online learners."""

import pandas as pd
import pytest

from schedlab.studies.legrand2018 import online
from schedlab.studies.legrand2018.sentences import how, verdict

TESTED = 21
RANGES = online.Ranges((1, 2), (3, 2 + TESTED))


def test_trace_without_periods_is_marked_not_available():
    assert verdict(pd.DataFrame(columns=["sum"]), "SITE", RANGES) == "SITE: log not available."


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
def test_sentence_states_the_verdict(said, words):
    text = verdict(learners(("w_greedy", "weights", True, 90.0, said, said)), "SITE", RANGES)
    assert words in text
    assert "the sum of the fixed weights that were best" in text
    assert "the same learner has the lowest sum with hindsight as well" in text
    decided = said in ("lower", "higher")
    assert f"correction: {'w_greedy' if decided else 'none'}." in text


def test_sentence_states_how_intervals_were_computed():
    assert how(1000).startswith("Intervals are over 1,000 resamples of the testing weeks, drawn in")
    assert "in blocks of 3 because" in how(1000)


def test_too_few_weeks_are_reported_without_an_interval():
    row = ("Hedge", "policies", True, 90.0, "undecided", "undecided")
    text = verdict(learners(row, periods=17), "SITE", RANGES)
    assert "17 weeks are too few to say which of them does better" in text
    assert "(no interval)" in text
    assert "The other learners are undecided as well." in text
