"""How much a toggle changes numbers, in cases computed by hand."""

import numpy as np
import pandas as pd
import pytest

from schedlab.comparison.toggles.effects import (
    ABOUT,
    EFFECTS,
    EQUAL,
    effect_of_toggle,
    ratios,
    summary,
)
from schedlab.comparison.toggles.runs import MOVED
from toggles_case import numbers_with

BASE = [2.0, 4.0, 8.0, 10.0]
PRINTED = ["2.00", "4.00", "8.50", ""]


def numbers_of(values, toggle="t", printed=PRINTED, base=BASE, **more):
    return numbers_with(values, toggle, printed=printed, base=base, **more)


NOTHING = {"numbers": 4, "moved": 0, "matching": 2, "kept": 2, "gained": 0, "factor": 1}
NOTHING |= {"median_percent": 0, "largest_percent": 0, "largest_at": ""}
NOTHING |= {"orders": 1, "reordered": 0, "kendall": 1, "winners": 0}


@pytest.mark.parametrize(
    ("values", "given", "expected"),
    [
        (BASE, {}, NOTHING),
        (BASE, {"printed": [""] * 4}, {"matching": 0, "kept": 0, "gained": 0}),
        # 2 to 1: 50 %; 4 stays; 8 to 10: 25 %; 10 to 10.5: 5 %. The median is that of 5 and 25.
        ([1.0, 4.0, 10.0, 10.5], {}, {"moved": 3, "median_percent": 15, "largest_percent": 50}),
        ([1.0, 4.0, 10.0, 10.5], {}, {"largest_at": "e A"}),
        # a and b change places: one pair of six is turned, tau is (5 - 1) / 6
        ([4.0, 2.0, 8.0, 10.0], {}, {"reordered": 1, "winners": 1, "kendall": 0.6667}),
        ([2.0, 8.0, 4.0, 10.0], {}, {"reordered": 1, "winners": 0}),
        # a winner that ties is still one
        ([4.0, 4.0, 8.0, 10.0], {}, {"winners": 0}),
        # the factor is of the number in the middle; a half is as far as twice
        ([8.0, 4.0, 8.0, 20.0], {}, {"factor": 2**0.5}),
        ([8.0, 4.0, 8.0, 10.0], {}, {"factor": 1}),
        ([2 * x for x in BASE], {}, {"factor": 2}),
        ([x / 2 for x in BASE], {}, {"factor": 2}),
        # policies equal within the tolerance are best together
        ([3.0, 2.0, 8.0, 10.0], {"base": [2.0, 2.0 * (1 + EQUAL), 8.0, 10.0]}, {"winners": 0}),
        ([3.0, 2.0, 8.0, 10.0], {"base": [2.0, 2 + 2.02 * EQUAL, 8.0, 10.0]}, {"winners": 1}),
        ([3.0], {"printed": ["2.00"], "base": [2.0]}, {"orders": 0, "reordered": 0}),
        ([3.0], {"printed": ["2.00"], "base": [2.0]}, {"kendall": np.nan}),
    ],
)
def test_effect_by_hand(values, given, expected):
    found = effect_of_toggle(numbers_of(values, **given))
    told = {name: found[name] for name in expected}
    assert told == pytest.approx(expected, abs=1e-4, nan_ok=True)


@pytest.mark.parametrize(("value", "kept"), [(1.9949, 0), (1.9951, 1), (2.0099, 1), (2.0101, 0)])
def test_printed_digits_are_kept_where_they_are_rounded_or_cut(value, kept):
    """The other number that has its digits, 4.00, goes away."""
    assert effect_of_toggle(numbers_of([value, 5.0, 8.0, 10.0]))["kept"] == kept


@pytest.mark.parametrize(("value", "gained"), [(8.5, 1), (8.4949, 0), (8.4951, 1)])
def test_other_numbers_may_gain_their_published_digits(value, gained):
    found = effect_of_toggle(numbers_of([2.0, 4.0, value, 10.0]))
    assert (found["matching"], found["kept"], found["gained"]) == (2, 2, gained)


def test_each_column_ranks_by_itself():
    one, two = numbers_of(BASE), numbers_of([4.0, 2.0, 8.0, 10.0]).assign(column="20 hours")
    found = effect_of_toggle(pd.concat([one, two]))
    assert (found["orders"], found["reordered"], found["winners"]) == (2, 1, 1)
    assert found["largest_at"] == "e 20 hours A"


def test_largest_effect_is_first_and_two_cells_are_named_once():
    near, far = (
        numbers_of([2.2, 4.4, 8.8, 11.0], "near"),
        numbers_of([1.0, 2.0, 4.0, 5.0], "far"),
    )
    other = numbers_of(BASE, "near", experiment="f").assign(**{"from": "11"})
    table = summary(pd.concat([near, other, far, far.assign(experiment="f")]))
    assert list(table) == [*ABOUT, *EFFECTS]
    assert table["toggle"].tolist() == ["far", "near"]
    assert table.index.tolist() == [0, 1]
    assert table["from"].tolist() == ["10", "10 / 11"]
    assert table["to"].tolist() == ["60", "60"]
    assert table["numbers"].tolist() == [8, 8]


def test_effects_without_numbers_have_no_rows():
    assert list(summary(pd.DataFrame(columns=MOVED))) == [*ABOUT, *EFFECTS]


def test_figure_draws_the_ratio():
    assert ratios(numbers_of([4.0, 4.0, 4.0, 5.0]))["ratio"].tolist() == [2, 1, 0.5, 0.5]


@pytest.mark.parametrize(("share", "moves"), [(0.995, False), (1.005, True)])
def test_number_counts_as_moved_beyond_the_tolerance(share, moves):
    found = effect_of_toggle(numbers_of([2.0 * (1 + share * EQUAL), *BASE[1:]]))
    assert found["moved"] == moves
    assert found["largest_at"] == ("e A" if moves else "")
