"""Titles of klusacek2016's figures follow their numbers in both directions."""

import numpy as np
import pandas as pd
import pytest

from schedlab.studies.klusacek2016.figures import drawn
from schedlab.studies.klusacek2016.figures.beyond import reached
from schedlab.studies.klusacek2016.figures.searching import improved


def bars(plans):
    rows = [("recorded", "Orig-BF", "wait", 200.0), ("recorded", "Plan-RS", "wait", plans)]
    rows += [("recorded", "Orig-BF", "nuwt", 0.0), ("recorded", "Plan-RS", "nuwt", 1.0)]
    return pd.DataFrame(rows, columns=["users", "scheduler", "measure", "value"])


@pytest.mark.parametrize(
    ("plans", "said"),
    [
        (150.0, "-25"),
        (250.0, "+25"),
        (199.9, "+0"),
        (1.01, "-99"),
        (0.99, "-99.5"),
        (0.02, "-99.9"),
        (0.0, "-100"),
        (2198.9, "+999"),
        (2200.0, "+1,000"),
    ],
)
def test_changes_have_a_sign_and_skip_division_by_zero(plans, said):
    wanted = f"Plan-RS against Orig-BF: mean wait {said} % (recorded users)"
    assert drawn.changed(bars(plans)) == wanted


@pytest.mark.parametrize(("hours", "count"), [(0.99, 1), (1.0, 0)])
def test_classes_are_counted_where_plans_wait_less(hours, count):
    rows = [("by", "c", "Orig-BF", 1.0), ("by", "c", "Plan-RS", hours)]
    classes = pd.DataFrame(rows, columns=["by", "class", "scheduler", "hours"])
    assert drawn.waits_less(classes).endswith(f"in {count} of 1 classes of jobs")


def test_moves_without_a_change_do_not_count_as_improvements():
    moves = pd.DataFrame({"wait": [0.0, 0.1, -0.1, 0.2], "fairness": [0.0, 0.0, 0.0, 0.1]})
    said = "50 % of the accepted moves shorten waits, 25 % are fairer"
    assert improved(moves) == said


def test_complaints_are_added_up():
    users = pd.DataFrame({"Orig-BF": [2, 5], "Plan-RS": [1.5, 8.5]})
    assert drawn.complaints(users) == "7 complaints under Orig-BF, 10 under Plan-RS"


def test_budget_is_compared_with_the_longest_search():
    budget = pd.DataFrame({"plans": "kept", "iterations": [300, 9000], "share": [66.4, 100.0]})
    said = (
        "300 iterations of Random Search reach 66 % (plans kept) of the estimated gain with 9,000"
    )
    assert reached(budget, 300) == said
    assert reached(budget, 299) == ""
    assert reached(budget.assign(share=np.nan), 300) == ""
