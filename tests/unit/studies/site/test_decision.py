"""The sheet states what the tables show, for the best scheduler and the best that Slurm can run."""

import numpy as np
import pandas as pd
import pytest

from contest_case import ADVICE, results_of
from schedlab.comparison.choice import Choice, choose
from schedlab.comparison.conditions import Condition
from schedlab.comparison.losers import LOSERS
from schedlab.comparison.tables import survivors
from schedlab.studies.site.comparison import standings
from schedlab.studies.site.decision import KEEP, TOO_SHORT, certainty_of, decision_sheet

BASE = [2.0, 4.0, 6.0, 8.0, 3.0, 5.0, 7.0, 9.0]
LOST = pd.DataFrame(
    [("site", "conservative", 0.25, "1 processor, up to 1 h", 40, 7200.0, 3600.0, -1, 0.0, 0.0)],
    columns=list(LOSERS),
).astype(LOSERS)


def sheet(runnable, windows=8, **ratios):
    """The sheet of schedulers with a fixed ratio to EASY by each metric, by question."""
    values = [float(np.mean(BASE[:windows])) * 86_400, *BASE[:windows]]
    results = results_of(values, **ratios)
    simulated = standings(results)
    table = survivors(simulated, 0.1)
    reasons = dict.fromkeys([name for name in ratios if name not in runnable], "it cannot run")
    choices = [
        choose(simulated, table, results, frozenset(), {}, ADVICE, further)
        for further in ((), [Condition("can run in Slurm", reasons)])
    ]
    return decision_sheet(simulated, results, *choices, LOST).set_index("question")


TWO = {
    "conservative": {"bsld": 0.5, "wait": 0.5, "max_wait": 2.0, "p95_wait": 1.05},
    "spf": {"bsld": 0.8, "wait": 0.8},
}


def test_both_answers_have_ratios_with_intervals_longest_wait_and_losing_jobs():
    found = sheet(["spf"], **TWO)
    assert found.loc["scheduler"].tolist() == ["Conservative", "SPF"]
    assert found.loc["mean wait, ratio to EASY"].tolist() == [
        "0.50 (0.50 to 0.50)",
        "0.80 (0.80 to 0.80)",
    ]
    assert found.loc["longest wait"].tolist() == ["11.0 days (EASY: 5.5)", "5.5 days (EASY: 5.5)"]
    assert found.loc["jobs that wait longer"].tolist() == ["25%", "unknown"]
    assert found.loc["class of jobs that loses most", "best"] == (
        "1 processor, up to 1 h: 2.0 instead of 1.0 hours of mean wait"
    )
    assert found.loc["worse than EASY by"].tolist()[1] == "no metric"
    assert "95th percentile" in found.loc["worse than EASY by", "best"]


def test_certainty_of_each_answer_is_among_its_own_candidates():
    found = sheet(["spf"], **TWO)
    assert found.loc["runner-up"].tolist() == ["SPF", "there is none"]


def test_second_answer_is_the_first_if_slurm_can_run_it():
    found = sheet(list(TWO), **TWO)
    assert (found["best"] == found["slurm"]).all()


def test_present_order_is_kept_if_slurm_can_run_no_candidate():
    found = sheet([], **TWO)
    assert found.loc["scheduler"].tolist() == ["Conservative", KEEP]
    assert (found["slurm"].iloc[1:] == "").all()


def test_nothing_is_recommended_without_a_better_scheduler():
    found = sheet([], spf={"bsld": 2.0})
    assert found.loc["scheduler"].tolist() == [KEEP, KEEP]


@pytest.mark.parametrize(("windows", "decided"), [(6, True), (5, False)])
def test_fewer_than_six_windows_recommend_nothing(windows, decided):
    found = sheet(["spf"], windows, **TWO)
    assert (found.loc["scheduler", "best"] == TOO_SHORT) != decided


@pytest.mark.parametrize(
    ("low", "high", "significant"),
    [(0.8, 0.99, True), (0.8, 1.0, False), (1.0, 1.2, False), (1.01, 1.2, True)],
)
def test_runner_up_is_distinguished_by_an_interval_without_1(low, high, significant):
    choice = Choice(("spf", "saf"), 0.834, {"saf": (0.9, low, high)})
    facts = certainty_of(choice)
    text = f"0.900 ({low:.3f} to {high:.3f}), {'' if significant else 'not '}significant"
    assert facts["combined ratio over the runner-up's"] == text
    # the share of windows means nothing next to a difference that is not significant
    share = facts.get("resampled windows with the same choice")
    assert share == ("83%" if significant else None)
    assert facts["runner-up"] == "SAF"


def test_only_candidate_has_no_runner_up():
    assert certainty_of(Choice(("spf",))) == {"runner-up": "there is none"}
