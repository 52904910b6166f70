"""Intervals, p-values and corrections for several verdicts, by hand."""

import numpy as np
import pytest

from schedlab.core.intervals import (
    LEVEL,
    chance_above,
    chance_below,
    holm,
    interval,
    mean_interval,
    ratios_of_means,
    resampled_places,
    resampled_shares,
)


def test_of_a_thousand_resamples_25_are_left_out_at_either_end():
    shuffled = np.random.default_rng(1).permutation(np.arange(1.0, 1001))
    assert interval(shuffled) == (25, 976)


@pytest.mark.parametrize(("count", "ends"), [(38, (-np.inf, np.inf)), (39, (1, 39)), (79, (2, 78))])
def test_an_interval_takes_39_resamples(count, ends):
    assert interval(np.arange(1.0, count + 1)) == ends


@pytest.mark.parametrize(("against", "said"), [(24, True), (25, False)])
def test_interval_and_p_value_agree_at_24_and_25_of_a_thousand_resamples(against, said):
    """24 on the other side: p = 2 * 25 / 1001 = 0.04995; 25: 2 * 26 / 1001 = 0.05195."""
    low = np.concatenate([np.full(against, 1.1), np.full(1000 - against, 0.9)])
    assert (interval(low)[1] < 1) is said
    assert (chance_below(low, 1) <= 1 - LEVEL) is said
    assert chance_below(low, 1) == pytest.approx(2 * (against + 1) / 1001)
    assert (interval(2 - low)[0] > 1) is said
    assert (chance_above(2 - low, 1) <= 1 - LEVEL) is said


def test_resamples_equal_to_the_bound_count_for_neither_side():
    assert chance_below(np.ones(99), 1) == chance_above(np.ones(99), 1) == 1
    assert chance_below(np.full(99, 0.5), 1) == pytest.approx(0.02)


def test_holm_multiplies_the_smallest_by_all_and_the_next_by_one_less():
    assert holm([0.03, 0.01, 0.02]) == pytest.approx([0.04, 0.03, 0.04])
    assert holm([0.01, 0.015, 0.5]) == pytest.approx([0.03, 0.03, 0.5])
    assert holm([0.9, 0.6]) == pytest.approx([1.0, 1.0])
    assert holm([]).size == 0


def test_places_are_drawn_with_replacement_as_many_as_there_are():
    places = resampled_places(6, 500, np.random.default_rng(1))
    assert places.shape == (500, 6)
    assert np.bincount(places.ravel()) == pytest.approx([500] * 6, rel=0.2)
    assert min(len(set(row)) for row in places) < 6


def test_places_are_drawn_singly_without_a_block_length():
    expected = np.random.default_rng(1).integers(0, 6, (500, 6))
    assert (resampled_places(6, 500, np.random.default_rng(1)) == expected).all()


def test_blocks_are_contiguous_and_circular_and_the_last_is_truncated():
    places = resampled_places(7, 500, np.random.default_rng(1), block=3)
    assert places.shape == (500, 7)
    steps = np.diff(places, axis=1) % 7
    assert (steps[:, [0, 1, 3, 4]] == 1).all()
    assert (steps[:, [2, 5]] != 1).any()
    assert np.bincount(places.ravel()) == pytest.approx([500] * 7, rel=0.2)


def test_the_mean_of_one_value_has_no_ends():
    assert mean_interval(np.array([3.0]), np.random.default_rng(1)) == (-np.inf, np.inf)


def test_the_mean_of_values_is_resampled_with_the_draws_of_places():
    """The k-th from either side of the means of 10,000 resamples, k being 250."""
    values = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    places = np.random.default_rng(1).integers(0, 5, (10_000, 5))
    ordered = np.sort(values[places].mean(axis=1))
    found = mean_interval(values, np.random.default_rng(1))
    assert found == (ordered[249], ordered[9750])


def test_the_mean_of_values_may_be_resampled_by_blocks_of_neighbours():
    values = np.array([1.0, 2.0, 4.0, 8.0, 16.0])
    places = resampled_places(5, 10_000, np.random.default_rng(1), block=2)
    ordered = np.sort(values[places].mean(axis=1))
    found = mean_interval(values, np.random.default_rng(1), block=2)
    assert found == (ordered[249], ordered[9750])
    # one block of all of them has but one mean
    assert mean_interval(values, np.random.default_rng(1), block=5) == (6.2, 6.2)


@pytest.mark.parametrize(("count", "low"), [(5, 0.0), (6, 1 / 6)])
def test_interval_of_a_binary_mean_excludes_zero_from_three_of_six(count, low):
    """Of 2 ones in 5 none is drawn in 7.8 % of resamples; of 3 in 6 in 1.6, at most one in 11 %."""
    values = np.arange(count) % 2.0
    assert mean_interval(values, np.random.default_rng(1))[0] == pytest.approx(low)


def test_ratios_of_means_share_the_blocks_that_are_drawn():
    """The first row is of the windows themselves; a mean of 0 gives no finite ratio."""
    values = np.array([[1.0, 3.0, 0.0], [2.0, 4.0, 0.0], [4.0, 4.0, 0.0], [8.0, 1.0, 0.0]])
    shares = resampled_shares(4, np.random.default_rng(1))
    places = resampled_places(4, 10_000, np.random.default_rng(1), block=2)
    found = ratios_of_means(values, shares)
    assert found[0].tolist() == [1, 12 / 15, 0]
    means = values[places].mean(axis=1)
    assert found[1:, 1] == pytest.approx(means[:, 1] / means[:, 0])
    assert not np.isfinite(ratios_of_means(values, shares, 2)).any()
