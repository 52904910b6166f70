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

BASE = [2.0, 4.0, 8.0, 10.0]
PRINTED = ["2.00", "4.00", "8.50", ""]


def numbers_with(values, toggle="t", printed=PRINTED, base=BASE, experiment="e"):
    """Return numbers of one experiment under policies a, b, c, ..."""
    count = len(values)
    columns = {
        "toggle": toggle, "words": f"words of {toggle}", "cell": "tau", "from": "10", "to": "60",
        "says": "neither", "experiment": experiment, "column": "", "policy": list("abcdef")[:count],
        "printed": printed, "base": base, "value": values,
    }  # fmt: skip
    return pd.DataFrame(columns)[MOVED]


def test_unchanged_numbers_have_no_effect():
    found = effect_of_toggle(numbers_with(BASE))
    assert [found[name] for name in ("numbers", "moved", "matching", "kept", "gained")] == [
        4,
        0,
        2,
        2,
        0,
    ]
    assert [found[name] for name in ("median_percent", "largest_percent")] == [0, 0]
    assert (found["factor"], found["largest_at"]) == (1, "")
    assert [found[name] for name in ("orders", "reordered", "kendall", "winners")] == [1, 0, 1, 0]


def test_changes_are_absolute_and_in_per_cent():
    """2 to 1: 50 %; 4 stays; 8 to 10: 25 %; 10 to 10.5: 5 %. The median is that of 5 and 25."""
    found = effect_of_toggle(numbers_with([1.0, 4.0, 10.0, 10.5]))
    assert found["moved"] == 3
    assert found["median_percent"] == pytest.approx(15)
    assert found["largest_percent"] == pytest.approx(50)
    assert found["largest_at"] == "e A"


def test_half_and_twice_are_equally_far():
    up, down = (
        effect_of_toggle(numbers_with([factor * x for x in BASE]))["factor"] for factor in (2, 0.5)
    )
    assert up == pytest.approx(2)
    assert down == pytest.approx(2)


@pytest.mark.parametrize(("value", "kept"), [(1.9949, 0), (1.9951, 1), (2.0099, 1), (2.0101, 0)])
def test_printed_digits_are_kept_where_they_are_rounded_or_cut(value, kept):
    """The other number that has its digits, 4.00, goes away."""
    assert effect_of_toggle(numbers_with([value, 5.0, 8.0, 10.0]))["kept"] == kept


@pytest.mark.parametrize(("value", "gained"), [(8.5, 1), (8.4949, 0), (8.4951, 1)])
def test_other_numbers_may_gain_their_published_digits(value, gained):
    found = effect_of_toggle(numbers_with([2.0, 4.0, value, 10.0]))
    assert (found["matching"], found["kept"], found["gained"]) == (2, 2, gained)


def test_numbers_without_a_published_value_are_not_compared():
    found = effect_of_toggle(numbers_with(BASE, printed=[""] * 4))
    assert (found["matching"], found["kept"], found["gained"]) == (0, 0, 0)


def test_orders_and_winners():
    """Policies a and b change places: one pair of six is turned, tau is (5 - 1) / 6."""
    found = effect_of_toggle(numbers_with([4.0, 2.0, 8.0, 10.0]))
    assert (found["orders"], found["reordered"], found["winners"]) == (1, 1, 1)
    assert found["kendall"] == pytest.approx(4 / 6, abs=1e-4)


def test_another_order_may_have_the_same_winner():
    found = effect_of_toggle(numbers_with([2.0, 8.0, 4.0, 10.0]))
    assert (found["reordered"], found["winners"]) == (1, 0)


def test_a_winner_that_ties_is_still_one():
    assert effect_of_toggle(numbers_with([4.0, 4.0, 8.0, 10.0]))["winners"] == 0


def test_each_column_ranks_by_itself():
    one, two = numbers_with(BASE), numbers_with([4.0, 2.0, 8.0, 10.0]).assign(column="20 hours")
    found = effect_of_toggle(pd.concat([one, two]))
    assert (found["orders"], found["reordered"], found["winners"]) == (2, 1, 1)
    assert found["largest_at"] == "e 20 hours A"


def test_single_number_has_no_ranking():
    found = effect_of_toggle(numbers_with([3.0], printed=["2.00"], base=[2.0]))
    assert (found["orders"], found["reordered"]) == (0, 0)
    assert np.isnan(found["kendall"])


def test_largest_effect_is_first_and_two_cells_are_named_once():
    near, far = (
        numbers_with([2.2, 4.4, 8.8, 11.0], "near"),
        numbers_with([1.0, 2.0, 4.0, 5.0], "far"),
    )
    other = numbers_with(BASE, "near", experiment="f").assign(**{"from": "11"})
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
    assert ratios(numbers_with([4.0, 4.0, 4.0, 5.0]))["ratio"].tolist() == [2, 1, 0.5, 0.5]


@pytest.mark.parametrize(("share", "moves"), [(0.995, False), (1.005, True)])
def test_number_counts_as_moved_beyond_the_tolerance(share, moves):
    found = effect_of_toggle(numbers_with([2.0 * (1 + share * EQUAL), *BASE[1:]]))
    assert found["moved"] == moves
    assert found["largest_at"] == ("e A" if moves else "")


def test_the_factor_is_of_the_number_in_the_middle():
    assert effect_of_toggle(numbers_with([8.0, 4.0, 8.0, 20.0]))["factor"] == pytest.approx(2**0.5)
    assert effect_of_toggle(numbers_with([8.0, 4.0, 8.0, 10.0]))["factor"] == 1


def test_policies_equal_within_the_tolerance_are_best_together():
    both = [2.0, 2.0 * (1 + EQUAL), 8.0, 10.0]
    assert effect_of_toggle(numbers_with([3.0, 2.0, 8.0, 10.0], base=both))["winners"] == 0
    beyond = [2.0, 2.0 * (1 + 1.01 * EQUAL), 8.0, 10.0]
    assert effect_of_toggle(numbers_with([3.0, 2.0, 8.0, 10.0], base=beyond))["winners"] == 1
