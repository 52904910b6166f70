"""Sentences on searches, word for word, from hand-written tables."""

import numpy as np
import pandas as pd
import pytest

from schedlab.studies.klusacek2016 import beyond
from schedlab.studies.klusacek2016.searches import BEFORE, PLAIN
from schedlab.studies.klusacek2016.tables import searches as tables
from search_case import comparisons, runs

TABU = "tabu search"


def budget(*shares, kind=BEFORE, iterations=300):
    """Rows of `by_budget` at a budget, and at the longest."""
    ends = dict(zip(("share", "share_low", "share_high"), shares, strict=True))
    known = {"plans": kind, "kept": 20}
    rows = [known | ends | {"iterations": iterations}, known | {"iterations": 100_000}]
    return pd.DataFrame(rows, columns=tables.BY_BUDGET)


NONE = pd.DataFrame(columns=tables.BY_BUDGET)


def test_first_sentence_compares_random_search_and_its_budget():
    rules = pd.concat(
        [
            comparisons(
                ("a", -0.02, -0.03, -1e-9, 0.01),
                ("b", 0.05, 1e-9, 0.1, 0.01),
                ("c", -0.01, -0.02, 0.0, 0.06),
                # significant, and by no more than is worth it
                ("d", 0.001, 0.0005, 0.002, 0.01),
            ),
            comparisons(("a", -0.3, -0.4, -0.2, 0.01), kind="of another kind", gain=0.9),
            comparisons(("a", -0.3, -0.4, -0.2, 0.01), iterations=100_000),
        ]
    )
    shares = pd.concat(
        [budget(70.4, 50.5, 90.6), budget(88, -np.inf, np.inf, kind="of another kind")]
    )
    assert beyond.headline(rules, shares, 300) == (
        "Random Search is compared with other searches at 300 iterations. On plans searched before "
        "it gains 0.200 and beats a (-0.0200), is beaten by b (+0.0500), is indistinguishable from "
        "c (-0.0100) and d (+0.0010). On plans of another kind it gains 0.900 and beats a "
        "(-0.3000). It gains 70 % (50 to 91) on plans searched before and 88 % on plans of another "
        "kind of its gain with 100,000 iterations. Gains are by estimates, without further "
        "arrivals."
    )


def test_first_sentence_states_that_there_is_nothing_to_gain():
    shares = budget(np.nan, np.nan, np.nan)
    said = beyond.headline(comparisons(("a", 0, 0, 0, 1)), shares, 300)
    assert " It gains nothing (no gain is possible) on plans searched before of" in said


def test_further_sentences_compare_each_search_with_random_search():
    rules = comparisons(
        ("a", -0.02, -0.03, -0.01, 0.01), ("b", 0.05, 0.01, 0.1, 0.05), ("c", 0, -1, 1, 0.051)
    )
    assert beyond.sentences(rules, NONE, 300) == [
        "Plans searched before, 300 iterations: Random Search gains 0.200 (0.100 to 0.300). A "
        "gains less (-0.0200, -0.0300 to -0.0100; better in 4, worse in 3 of 20 plans). B gains "
        "more (+0.0500, +0.0100 to +0.1000; better in 4, worse in 3 of 20 plans). C is "
        "indistinguishable from it (+0.0000, -1.0000 to +1.0000; better in 4, worse in 3 of 20 "
        "plans).",
        "2 of 3 comparisons have a 95 % interval that excludes 0; one in twenty may by chance. "
        "After Holm's correction, 2 are significant, 2 of them with a difference of more than "
        "0.001.",
    ]


def test_chance_is_counted_as_the_intervals_and_the_table_have_it():
    rules = comparisons(
        ("a", 1, 1e-9, 2, 0.0501),
        ("b", 1, 0.0, 2, 0.05),
        ("c", -1, -2, -1e-9, 0.2),
        ("d", 0.001, 0.0, 2, 0.05),
    )
    assert beyond.chance(rules).startswith(
        "2 of 4 comparisons have a 95 % interval that excludes 0"
    )
    assert "correction, 2 are significant, 1 of them with a difference of more" in beyond.chance(
        rules
    )


def test_sentences_without_an_interval_state_none():
    rules = comparisons((TABU, -0.00001, -np.inf, np.inf, 1.0)).assign(gain_low=-np.inf)
    assert beyond.sentences(rules, NONE, 300) == [
        "Plans searched before, 300 iterations: Random Search gains 0.200. Tabu search is "
        "indistinguishable from it (+0.0000; better in 4, worse in 3 of 20 plans).",
        "0 of 1 comparisons have a 95 % interval that excludes 0; one in twenty may by chance. "
        "After Holm's correction, 0 are significant, 0 of them with a difference of more than "
        "0.001. Plans of fewer than 6 days have no intervals, so none is significant.",
    ]


@pytest.mark.parametrize(
    ("shares", "said"),
    [
        (
            [89.9, 90, 98.9, 99, 100],
            ". 90 % {takes} 30 iterations. 99 % {takes} 300 iterations.",
        ),
        ([90.1, 91, 92, 93, 98.9], ". 90 % {takes} 10 iterations."),
        ([np.nan] * 5, "."),
    ],
)
def test_gain_left_after_a_budget_is_stated_for_every_kind_of_plans(shares, said):
    steps = [10, 30, 100, 300, 1000]
    rows = {"plans": BEFORE, "iterations": steps, "share": shares, "kept": 20}
    table = pd.DataFrame(rows | {"reached": [1, 2, 3, 14, 20]}, columns=tables.BY_BUDGET)
    both = pd.concat([table, table.assign(plans="of another kind")])
    told = beyond.sentences(comparisons((TABU, 1, 0, 2, 1)), both, 300)
    said = said.format(takes="of the longest search's gain takes")
    assert told[2] == (
        "Plans searched before, Random Search: with 300 iterations, the remaining gain is at most "
        f"0.001 in 14 of 20 plans{said}"
    )
    assert told[3].startswith("Plans of another kind, Random Search: with 300")
    assert len(told) == 4


def test_plans_are_summarized_by_number_days_and_jobs():
    found = runs({PLAIN: [1, 1, 1]}, days=[4, 4, 9])
    assert beyond.kept_of(found) == "3 plans searched before (of 2 days, 30 to 32 jobs)"


def test_missing_plans_are_the_only_statement():
    none = runs({})
    rules, shares = tables.by_rule(tables.compare_searches(none), 300), tables.by_budget(none)
    assert rules.empty
    assert shares.empty
    assert beyond.headline(rules, shares, 300) == (
        "No plans: the log is not available, or never has 20 jobs planned."
    )
    assert beyond.sentences(rules, NONE, 300) == []
    assert beyond.kept_of(none) == "no plans"
