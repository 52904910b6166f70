"""The meaning of each verdict, with cases just inside and just outside."""

import numpy as np
import pandas as pd
import pytest

from schedlab.report import verdicts


@pytest.mark.parametrize(
    ("printed", "computed", "equal"),
    [
        # Cut: from the printed digits up to the next.
        ("3630.66", 3630.66, True),
        ("3630.66", 3630.669999, True),
        ("3630.66", 3630.67, False),
        # Rounded: from half a unit below to half a unit above.
        ("3630.67", 3630.665, True),
        ("3630.67", 3630.664999, False),
        ("3630.66", 3630.655, True),
        ("3630.66", 3630.654999, False),
        # A unit away from either is no match, as it once was.
        ("3630.65", 3630.6678, False),
        ("62.0", 61.945838, False),
        ("8", 7.192680, False),
        ("12", 12.9, True),
        ("12", 13.0, False),
        ("12", 11.5, True),
        ("12", 11.49, False),
        # Below zero: cut towards zero.
        ("-0.06", -0.0699, True),
        ("-0.06", -0.0701, False),
        ("-0.06", -0.055, True),
        ("-0.06", -0.0549, False),
        # With an exponent the last printed digit is 100.
        ("2.56e4", 25673.17, True),
        ("2.56e4", 25700.0, False),
        ("6.86e6", 6833115.88, False),
    ],
)
def test_a_match_has_the_printed_digits_rounded_or_cut(printed, computed, equal):
    assert verdicts.agrees(printed, computed) is equal


@pytest.mark.parametrize(("printed", "equal"), [("1996", True), ("1997", False)])
def test_whole_numbers_are_equal_or_are_not(printed, equal):
    assert verdicts.agrees(printed, 1996) is equal


@pytest.mark.parametrize(
    ("value", "cut"), [(3630.6678, "3630.66"), (0.999, "0.99"), (29.65, "29.65"), (16.0, "16.00")]
)
def test_numbers_are_cut_and_not_rounded(value, cut):
    assert str(verdicts.truncate(value, 2)) == cut


def test_sum_that_misses_its_digit_by_floating_point_error_keeps_it():
    assert str(verdicts.truncate(0.1 + 0.2 - 1e-17, 1)) == "0.3"
    assert str(verdicts.truncate(1.2899999999999998, 2)) == "1.29"


@pytest.mark.parametrize(
    ("printed", "inside"),
    [("23.6", True), ("23.5", False), ("24.0", True), ("24.1", False), ("23.8", True)],
)
def test_interval_includes_values_within_half_a_unit(printed, inside):
    """23.64 is printed 23.6 and 23.96 is printed 24.0."""
    assert verdicts.in_interval(printed, 23.64, 23.96) is inside


@pytest.mark.parametrize(("low", "inside"), [(0.06549, True), (0.06551, False)])
def test_half_a_unit_is_of_the_last_printed_digit(low, inside):
    assert verdicts.in_interval("0.065", low, 1.0) is inside


@pytest.mark.parametrize(("low", "high"), [(1.5, 9.0), (-9.0, 0.5)])
def test_exactly_half_a_unit_is_still_inside(low, high):
    """1 may be printed for 1.5, as for 0.5."""
    assert verdicts.in_interval("1", low, high) is True


def test_ranking_is_the_same_if_every_policy_has_its_published_rank():
    printed = pd.Series(["1.0", "2.0", "3.0"], index=["A", "B", "C"])
    assert verdicts.same_order(printed, pd.Series([5, 60, 700], index=["A", "B", "C"]))
    assert not verdicts.same_order(printed, pd.Series([5, 700, 60], index=["A", "B", "C"]))


def test_ties_in_print_must_be_ties_up_to_floating_point():
    printed = pd.Series(["1.0", "1.0", "3.0"])
    assert verdicts.same_order(printed, pd.Series([0.3, 0.1 + 0.2, 2.0]))
    assert not verdicts.same_order(printed, pd.Series([0.3, 0.31, 2.0]))
    assert verdicts.kendall(printed, pd.Series([0.3, 0.1 + 0.2, 2.0])) == 1


@pytest.mark.parametrize(("apart", "same"), [(2e-10, True), (4e-9, False)])
def test_floating_point_tolerance_is_nine_decimals(apart, same):
    printed = pd.Series(["1.0", "1.0", "3.0"])
    assert verdicts.same_order(printed, pd.Series([1.0, 1.0 + apart, 2.0])) is same


def test_kendalls_tau_is_one_for_the_same_order_and_less_for_a_swap():
    printed = pd.Series(["1", "2", "3", "4"])
    assert verdicts.kendall(printed, pd.Series([1.0, 2.0, 3.0, 4.0])) == 1
    # Six pairs, one of them turned: (5 - 1) / 6.
    assert verdicts.kendall(printed, pd.Series([2.0, 1.0, 3.0, 4.0])) == 0.6667
    assert verdicts.kendall(printed, pd.Series([4.0, 3.0, 2.0, 1.0])) == -1


@pytest.mark.parametrize(
    ("equal", "holds", "inside", "word"),
    [
        (True, True, True, "match"),
        (True, False, False, "match"),
        (False, True, True, "consistent"),
        (False, True, False, "same ranking"),
        (False, False, False, "differs"),
    ],
)
def test_verdict_is_the_strongest_true_one(equal, holds, inside, word):
    assert verdicts.verdict_of(equal, holds, inside) == word


def test_number_without_a_ranking_matches_or_differs():
    assert verdicts.verdict_of(False) == "differs"


def test_every_verdict_is_defined_once_in_the_order_of_their_strength():
    words = ("match", "consistent", "same ranking", "differs", "log not available")
    assert words == verdicts.VERDICTS
    assert all(f"{word}: {verdicts.DEFINITIONS[word]}." in verdicts.explanation() for word in words)


def test_a_verdict_is_of_numbers_of_any_kind():
    assert verdicts.agrees("3", np.int64(3))


@pytest.mark.parametrize(
    ("grade", "words"),
    [
        ("explained", "what makes the difference is known, and bound to the number"),
        ("unexplained", "what makes the difference is not known"),
    ],
)
def test_a_difference_means_that_its_reason_is_known_or_not(grade, words):
    assert verdicts.meaning_of(grade).endswith(words)


@pytest.mark.parametrize(
    ("low", "high"), [(float("-inf"), float("inf")), (0.0, float("inf")), (float("nan"), 1.0)]
)
def test_no_number_is_inside_an_interval_without_ends(low, high):
    assert not verdicts.in_interval("0.5", low, high)
    assert verdicts.in_interval("0.5", 0.0, 1.0)
