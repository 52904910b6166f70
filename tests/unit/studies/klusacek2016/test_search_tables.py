"""Searches compared with Random Search, with hand-made numbers.

Where every day has one plan, a resample's mean depends on how many of one kind it draws, which is
binomial, so that the end of an interval, one of few values, is known.
"""

import numpy as np
import pandas as pd
import pytest

from schedlab.studies.klusacek2016.searches import PLAIN
from schedlab.studies.klusacek2016.tables import searches as tables
from search_case import comparisons, runs

TABU = "tabu search"


def series(*values):
    return pd.Series(values, dtype=float)


def by_days(*values):
    """Estimate the mean of plans of a day each."""
    return tables.ratio(series(*values), 1, pd.Series(range(len(values))))


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
def test_five_days_have_no_interval_even_if_they_agree(days, low):
    found = by_days(*[1] * days)
    assert (found.middle, found.low) == (1, low)
    assert found.p == pytest.approx(1 if days == 5 else 2 / 10_001)


def test_plans_of_one_day_are_drawn_together():
    """Two of 1, then ten days of one plan with 0: each resample has an even sum."""
    day = pd.Series([0, 0, *range(1, 11)])
    found = tables.ratio(series(1, 1, *[0] * 10), 1, day)
    assert found.middle == pytest.approx(2 / 12)
    # none of the first day in 35 % of resamples; three times in 5.7 or more, four in 1.1 %
    assert found.low == 0
    assert found.high == pytest.approx(6 / 14)


def test_a_share_is_of_sums_and_resamples_without_a_divisor_are_left_out():
    over, under = series(1, 0, 0, 0, 0, 0), series(2, 0, 0, 0, 0, 0)
    found = tables.ratio(over, under, pd.Series(range(6)))
    assert (found.middle, found.low, found.high) == (0.5, 0.5, 0.5)
    assert np.isnan(tables.ratio(over, 0, pd.Series(range(6)))).all()


def test_differences_are_paired_by_plan_and_gains_are_means_over_seeds():
    """Plans differ as 1 and 7; tabu search gains 0.1 more in each, by the mean of two seeds."""
    plain = [[one - 0.5, one + 0.5] for one in range(1, 8)]
    tabu = [[one, one + 0.2] for one in range(1, 8)]
    found = runs({PLAIN: plain, TABU: tabu}).sample(frac=1, random_state=1)
    table = tables.compare_searches(found).set_index("rule")
    assert table["gain"].to_dict() == pytest.approx({PLAIN: 4, TABU: 4.1})
    row = table.loc[TABU]
    assert row[list(tables.DIFFERENCE)].tolist() == pytest.approx([0.1, 0.1, 0.1])
    assert (row["better"], row["worse"], row["kept"]) == (7, 0, 7)
    assert np.isnan(table.at[PLAIN, "difference"])
    assert table.at[PLAIN, "better"] == ""


def test_criteria_are_percent_less_than_before_the_search():
    """100 to 80, 4 to 3 and 50 to 49."""
    row = tables.compare_searches(runs({PLAIN: [1, 2]})).iloc[0]
    assert row[list(tables.CRITERIA)].tolist() == pytest.approx([20, 25, 2])
    assert row["iterations"] == 300


@pytest.mark.parametrize(
    ("more", "better", "worse"),
    [(0.0011, 1, 0), (0.0009, 0, 0), (-0.0009, 0, 0), (-0.0011, 0, 1)],
)
def test_a_plan_is_better_or_worse_from_a_thousandth_on(more, better, worse):
    row = tables.compare_searches(runs({PLAIN: [1, 2], TABU: [1 + more, 2]})).iloc[1]
    assert (row["better"], row["worse"]) == (better, worse)


def test_kinds_of_plans_and_iterations_are_compared_apart():
    found = pd.concat(
        [runs({PLAIN: [1], TABU: [2]}, kind, longest=[5]) for kind in ("these", "those")]
    )
    table = tables.compare_searches(found)
    assert len(table) == 2 * 2 * 2
    assert set(table["iterations"]) == {300, 100_000}
    assert table["difference"].dropna().tolist() == [1, 0, 1, 0]


def test_table_shows_the_papers_and_the_longest_budget_with_holm():
    """Of 0.01, 0.03 and 0.04: 0.03, 0.06, and no less."""
    table = pd.concat(
        [
            comparisons((TABU, 1, 0, 2, 0.04)),
            comparisons((TABU, 1, 0, 2, 1e-9), iterations=1000),
            comparisons((TABU, 1, 0, 2, 0.01), ("other", 1, 0, 2, 0.03), iterations=100_000),
        ]
    )
    shown = tables.by_rule(table, 300)
    assert shown["iterations"].unique().tolist() == [300, 100_000]
    assert shown["p"].dropna().tolist() == pytest.approx([0.06, 0.03, 0.06])


def test_share_of_a_budget_is_of_all_that_is_gained():
    """1 of 1 and 0 of 9: a tenth, not half."""
    table = tables.by_budget(runs({PLAIN: [1, 0], TABU: [7, 7]}, longest=[1, 9]))
    assert table["share"].tolist() == pytest.approx([10, 100])
    assert table["gain"].tolist() == pytest.approx([0.5, 5])
    assert table["reached"].tolist() == [1, 2]


def test_share_has_an_interval_over_days():
    """As the first test, in percent."""
    row = tables.by_budget(runs({PLAIN: [2] * 5 + [0]}, longest=[2] * 6)).iloc[0]
    shown = row[["share", "share_low", "share_high"]].tolist()
    assert shown == pytest.approx([500 / 6, 50, 100])


@pytest.mark.parametrize(("short", "reached"), [(0.0009, 1), (0.0011, 0)])
def test_a_plan_is_done_where_no_thousandth_is_left(short, reached):
    table = tables.by_budget(runs({PLAIN: [1 - short]}, longest=[1]))
    assert table["reached"].tolist() == [reached, 1]
