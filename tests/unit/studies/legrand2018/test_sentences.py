"""Sentences on the results of online learners."""

import pandas as pd
import pytest

from schedlab.studies.legrand2018 import online
from schedlab.studies.legrand2018.online import how, verdict

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
    text = verdict(learners(("w_greedy", "weights", True, 90.0, said, said)), "SITE", RANGES)
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
    text = verdict(learners(row, periods=17), "SITE", RANGES)
    assert "17 weeks are too few for a verdict" in text
    assert "(no interval)" in text
    assert "The other learners are undecided as well." in text
