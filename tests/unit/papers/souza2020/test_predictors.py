"""Beyond: estimators beside each other, and the sentence about them."""

import pandas as pd
import pytest

from schedlab.papers.souza2020.runs import BOUND, QUEUE
from schedlab.papers.souza2020.tables.predictors import headline, predictors
from schedlab.papers.souza2020.waits import score
from souza_case import runs

SYSTEMS = {28: "System 1"}


def table(learned, other, waits=(10, 10)):
    makespans = {
        ("Per-Stage", "-"): [100, 100],
        ("ASA", "ASA"): learned,
        ("ASA", "last wait"): other,
    }
    held = {key: [10, 10] for key in makespans} | {("ASA", "last wait"): waits}
    return predictors(runs(makespans, waits=held), SYSTEMS)


def test_changes_are_in_per_cent_of_the_mean_under_per_stage():
    found = table([90, 80], [100, 100]).set_index("estimator").loc["ASA"]
    assert found["makespan (%)"] == pytest.approx(-15)
    assert (found["makespan (%) low"], found["makespan (%) high"]) == (-20, -10)


@pytest.mark.parametrize(
    ("learned", "said"),
    [
        ([99, 99], "learning blind is worth it"),
        ([100, 100], "learning blind changes nothing that can be told"),
        ([99, 101], "learning blind changes nothing that can be told"),
        ([101, 101], "learning blind does harm"),
    ],
)
def test_learning_is_worth_it_when_its_interval_lies_below_nothing(learned, said):
    assert said in headline(table(learned, [100, 100]))


@pytest.mark.parametrize(
    ("waits", "said"),
    [
        ((9, 9), "waits are shorter with last wait"),
        ((9, 11), "no other estimate does better or worse"),
        ((11, 11), "longer with last wait"),
    ],
)
def test_others_are_named_when_their_interval_lies_on_one_side(waits, said):
    assert said in headline(table([90, 90], [90, 90], waits))


def test_errors_are_absolute_and_coverage_is_of_the_bound():
    rows = [(1, BOUND, 100, 100), (2, BOUND, 101, 100), (1, QUEUE, 100, 40)]
    predicted = pd.DataFrame(rows, columns=["job", "estimator", "wait", "predicted"])
    found = score(predicted, "log").set_index("estimator")
    assert found.loc[BOUND, "covered"] == 50
    assert found.loc[BOUND, "error"] == 0.5
    assert found.loc[BOUND, "on sample"] == 0
    assert found.loc[QUEUE, "error"] == 60
    assert pd.isna(found.loc[QUEUE, "covered"])
