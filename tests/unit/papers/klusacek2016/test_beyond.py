"""Searches held against Random Search, with numbers made by hand.

Where every day has one plan, a resample's mean depends on how many of one kind it draws, which is
binomial, so that the end of an interval, one of few values, is known.
"""

import numpy as np
import pandas as pd
import pytest

from schedlab.papers.klusacek2016 import beyond
from schedlab.papers.klusacek2016.searches import BEFORE, COLUMNS, PLAIN

TABU = "tabu search"


def series(*values):
    return pd.Series(values, dtype=float)


def by_days(*values):
    """Estimate the mean of plans of a day each."""
    return beyond.ratio(series(*values), 1, pd.Series(range(len(values))))


def runs(gains, kind=BEFORE, iterations=300, days=None, longest=None):
    """Searches of plans, a day each: before the search, and after so many iterations.

    ``gains`` has a plan's numbers by rule, one of them or one for each seed.
    """
    rows = []
    for rule, values in gains.items():
        for plan, own in enumerate(values):
            day = plan if days is None else days[plan]
            for seed, gain in enumerate(np.atleast_1d(own)):
                known = (kind, plan, day * 86_400 + 5, 30 + plan, rule, seed)
                rows.append((*known, 0, 100.0, 4.0, 50.0, 0.0))
                rows.append((*known, iterations, 80.0, 3.0, 49.0, gain))
                if longest is not None:
                    rows.append((*known, 100_000, 50.0, 2.0, 40.0, longest[plan]))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def test_an_interval_is_over_resampled_days():
    """Five of six days have 1: four or more of the sixth in 0.9 % of resamples, three in 6.2 %."""
    found = by_days(1, 1, 1, 1, 1, 0)
    assert found.middle == pytest.approx(5 / 6)
    assert (found.low, found.high) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("values", "low"),
    # a sum of 0 or less is drawn in 1.0 %, of 1 in 6.5 %; of 0 or less in 11.4 %, of -2 in 2.7 %
    [([1] * 6 + [-1], 1 / 7), ([1] * 6 + [-1] * 2, -2 / 8)],
)
def test_zero_is_just_left_out_or_just_not(values, low):
    for sign in (1, -1):
        found = by_days(*(sign * np.array(values)))
        assert (found.low if sign > 0 else -found.high) == pytest.approx(low)
        assert (found.p <= 0.05) == (low > 0)


@pytest.mark.parametrize(("days", "low"), [(5, -np.inf), (6, 1.0)])
def test_five_days_say_nothing_though_they_agree(days, low):
    found = by_days(*[1] * days)
    assert (found.middle, found.low) == (1, low)
    assert found.p == pytest.approx(1 if days == 5 else 2 / 10_001)


def test_plans_of_one_day_are_drawn_together():
    """Two of 1, then ten days of one plan with 0: each resample has an even sum."""
    day = pd.Series([0, 0, *range(1, 11)])
    found = beyond.ratio(series(1, 1, *[0] * 10), 1, day)
    assert found.middle == pytest.approx(2 / 12)
    # none of the first day in 35 % of resamples; three times in 5.7 or more, four in 1.1 %
    assert found.low == 0
    assert found.high == pytest.approx(6 / 14)


def test_a_share_is_of_sums_and_resamples_without_a_divisor_are_left_out():
    over, under = series(1, 0, 0, 0, 0, 0), series(2, 0, 0, 0, 0, 0)
    found = beyond.ratio(over, under, pd.Series(range(6)))
    assert (found.middle, found.low, found.high) == (0.5, 0.5, 0.5)
    assert np.isnan(beyond.ratio(over, 0, pd.Series(range(6)))).all()


def test_differences_are_paired_by_plan_and_gains_are_means_over_seeds():
    """Plans differ as 1 and 7; tabu search gains 0.1 more in each, by the mean of two seeds."""
    plain = [[one - 0.5, one + 0.5] for one in range(1, 8)]
    tabu = [[one, one + 0.2] for one in range(1, 8)]
    found = runs({PLAIN: plain, TABU: tabu}).sample(frac=1, random_state=1)
    table = beyond.compared(found).set_index("rule")
    assert table["gain"].to_dict() == pytest.approx({PLAIN: 4, TABU: 4.1})
    row = table.loc[TABU]
    assert row[list(beyond.DIFFERENCE)].tolist() == pytest.approx([0.1, 0.1, 0.1])
    assert (row["better"], row["worse"], row["kept"]) == (7, 0, 7)
    assert np.isnan(table.at[PLAIN, "difference"])
    assert table.at[PLAIN, "better"] == ""


def test_criteria_are_percent_less_than_before_the_search():
    """100 to 80, 4 to 3 and 50 to 49."""
    row = beyond.compared(runs({PLAIN: [1, 2]})).iloc[0]
    assert row[list(beyond.CRITERIA)].tolist() == pytest.approx([20, 25, 2])
    assert row["iterations"] == 300


@pytest.mark.parametrize(
    ("more", "better", "worse"),
    [(0.0011, 1, 0), (0.0009, 0, 0), (-0.0009, 0, 0), (-0.0011, 0, 1)],
)
def test_a_plan_is_better_or_worse_from_a_thousandth_on(more, better, worse):
    row = beyond.compared(runs({PLAIN: [1, 2], TABU: [1 + more, 2]})).iloc[1]
    assert (row["better"], row["worse"]) == (better, worse)


def test_kinds_of_plans_and_iterations_are_compared_apart():
    found = pd.concat(
        [runs({PLAIN: [1], TABU: [2]}, kind, longest=[5]) for kind in ("these", "those")]
    )
    table = beyond.compared(found)
    assert len(table) == 2 * 2 * 2
    assert set(table["iterations"]) == {300, 100_000}
    assert table["difference"].dropna().tolist() == [1, 0, 1, 0]


def comparisons(*rows, kind=BEFORE, iterations=300, gain=0.2):
    """Rows of `compared`: rule, difference and its interval, p."""
    known = {"plans": kind, "iterations": iterations, "kept": 20}
    plain = {"rule": PLAIN, "gain": gain, "gain_low": 0.1, "gain_high": 0.3}
    table = [known | plain | {"better": "", "worse": ""}]
    for rule, difference, low, high, p in rows:
        own = {"rule": rule, "difference": difference, "difference_low": low}
        table.append(known | own | {"difference_high": high, "p": p, "better": 4, "worse": 3})
    return pd.DataFrame(table, columns=beyond.COMPARED)


def test_only_the_papers_budget_and_the_longest_are_shown_and_holm_is_over_these():
    """Of 0.01, 0.03 and 0.04: 0.03, 0.06, and no less."""
    table = pd.concat(
        [
            comparisons((TABU, 1, 0, 2, 0.04)),
            comparisons((TABU, 1, 0, 2, 1e-9), iterations=1000),
            comparisons((TABU, 1, 0, 2, 0.01), ("other", 1, 0, 2, 0.03), iterations=100_000),
        ]
    )
    shown = beyond.by_rule(table, 300)
    assert shown["iterations"].unique().tolist() == [300, 100_000]
    assert shown["p"].dropna().tolist() == pytest.approx([0.06, 0.03, 0.06])


def test_share_of_a_budget_is_of_all_that_is_gained():
    """1 of 1 and 0 of 9: a tenth, not half."""
    table = beyond.by_budget(runs({PLAIN: [1, 0], TABU: [7, 7]}, longest=[1, 9]))
    assert table["share"].tolist() == pytest.approx([10, 100])
    assert table["gain"].tolist() == pytest.approx([0.5, 5])
    assert table["reached"].tolist() == [1, 2]


def test_share_has_an_interval_over_days():
    """As the first test, in percent."""
    row = beyond.by_budget(runs({PLAIN: [2] * 5 + [0]}, longest=[2] * 6)).iloc[0]
    shown = row[["share", "share_low", "share_high"]].tolist()
    assert shown == pytest.approx([500 / 6, 50, 100])


@pytest.mark.parametrize(("short", "reached"), [(0.0009, 1), (0.0011, 0)])
def test_a_plan_is_done_where_no_thousandth_is_left(short, reached):
    table = beyond.by_budget(runs({PLAIN: [1 - short]}, longest=[1]))
    assert table["reached"].tolist() == [reached, 1]


def budget(*shares, kind=BEFORE, iterations=300):
    """Rows of `by_budget` at a budget, and at the longest."""
    ends = dict(zip(("share", "share_low", "share_high"), shares, strict=True))
    known = {"plans": kind, "kept": 20}
    rows = [known | ends | {"iterations": iterations}, known | {"iterations": 100_000}]
    return pd.DataFrame(rows, columns=beyond.BY_BUDGET)


def test_first_sentence_says_whom_random_search_beats_and_what_its_budget_costs():
    rules = pd.concat(
        [
            comparisons(
                ("a", -0.02, -0.03, -1e-9, 0.01),
                ("b", 0.05, 1e-9, 0.1, 0.01),
                ("c", -0.01, -0.02, 0.0, 0.06),
                ("d", 0.01, 0.0, 0.02, 0.06),
            ),
            comparisons(("a", -0.3, -0.4, -0.2, 0.01), kind="of another kind", gain=0.9),
            comparisons(("a", -0.3, -0.4, -0.2, 0.01), iterations=100_000),
        ]
    )
    shares = pd.concat(
        [budget(70.4, 50.5, 90.6), budget(88, -np.inf, np.inf, kind="of another kind")]
    )
    assert beyond.headline(rules, shares, 300) == (
        "Random Search with 300 iterations beside other searches with as many: on plans searched "
        "before it gains 0.200 and beats a (-0.020), is beaten by b (+0.050), cannot be told from "
        "c (-0.010) and d (+0.010); on plans of another kind it gains 0.900 and beats a (-0.300). "
        "Of what it gains with 100,000 iterations it gains 70 % (50 to 91) on plans searched "
        "before and 88 % (no interval: too few days) on plans of another kind."
    )


def test_first_sentence_says_that_there_is_nothing_to_gain():
    shares = budget(np.nan, np.nan, np.nan)
    said = beyond.headline(comparisons(("a", 0, 0, 0, 1)), shares, 300)
    assert said.endswith("it gains nothing, as there is nothing to gain, on plans searched before.")


def test_further_sentences_say_how_each_search_stands():
    rules = comparisons(
        ("a", -0.02, -0.03, -0.01, 0.01), ("b", 0.05, 0.01, 0.1, 0.05), ("c", 0, -1, 1, 0.051)
    )
    assert beyond.sentences(rules) == [
        "Plans searched before, 300 iterations: Random Search gains 0.200 (0.100 to 0.300), a "
        "gains less (-0.020, -0.030 to -0.010; better in 4, worse in 3 of 20 plans); b gains more "
        "(+0.050, +0.010 to +0.100; better in 4, worse in 3 of 20 plans); c cannot be told from it "
        "(+0.000, -1.000 to +1.000; better in 4, worse in 3 of 20 plans).",
        "Of 3 comparisons 2 leave 0 out of their 95 % intervals, where one in twenty may by "
        "chance, and 2 after Holm's correction.",
    ]


def test_chance_is_counted_as_the_intervals_and_the_table_have_it():
    rules = comparisons(
        ("a", 1, 1e-9, 2, 0.0501), ("b", 1, 0.0, 2, 0.05), ("c", -1, -2, -1e-9, 0.2)
    )
    assert beyond.chance(rules).startswith("Of 3 comparisons 2 leave 0 out")
    assert "and 1 after Holm's" in beyond.chance(rules)


def test_plans_and_their_days_are_told():
    found = runs({PLAIN: [1, 1, 1]}, days=[4, 4, 9])
    assert beyond.kept_of(found) == "3 plans searched before (of 2 days, 30 to 32 jobs)"


def test_without_plans_nothing_is_said_but_that():
    none = runs({})
    rules, shares = beyond.by_rule(beyond.compared(none), 300), beyond.by_budget(none)
    assert rules.empty
    assert shares.empty
    assert beyond.headline(rules, shares, 300) == (
        "No plans: the log is not at hand, or never has 20 jobs planned."
    )
    assert beyond.sentences(rules) == []
    assert beyond.kept_of(none) == "no plans"
