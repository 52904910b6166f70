"""Counts and ranks of the Tsafrir model's bins, by hand."""

import numpy as np
import pytest

from schedlab.workloads import published, tsafrir

HOUR = 3600


def counts(shares, jobs, fixed=()):
    """Return the bins as pairs of time and count, most popular first."""
    bins = tsafrir._count_jobs(shares, dict(fixed), jobs)
    return list(zip(bins.time.tolist(), bins.count.tolist(), strict=True))


@pytest.mark.parametrize(
    ("shares", "jobs", "expected"),
    [
        # 1.5 of each is rounded up to 2: the first of equal shares, the shorter time, gives one
        ({600: 50.0, 300: 50.0}, 3, [(600, 2), (300, 1)]),
        # 3.92 is 4 and 0.04 is 1: two are too many, and a bin keeps its one
        ({900: 1.0, 300: 98.0, 600: 1.0}, 4, [(300, 2), (600, 1), (900, 1)]),
        # two are missing: the largest gets the first, the next the other
        ({600: 30.0, 300: 50.0}, 10, [(300, 6), (600, 4)]),
        # fewer jobs than bins: the least popular go
        ({100: 50.0, 200: 30.0, 300: 20.0}, 2, [(100, 1), (200, 1)]),
        # equal counts stand by time
        ({900: 40.0, 600: 30.0, 300: 30.0}, 3, [(300, 1), (600, 1), (900, 1)]),
        ({600: 100.0}, 1, [(600, 1)]),
    ],
)
def test_shares_become_counts_that_sum_to_the_jobs(shares, jobs, expected):
    assert counts(shares, jobs) == expected


def test_user_bins_keep_their_counts_and_others_share_the_rest():
    """Of 10 jobs 3 are told: the other seven are spread by shares of all ten."""
    shares = {600: 60.0, 300: 20.0, 900: 20.0}
    assert counts(shares, 10, {600: 3}) == [(300, 4), (600, 3), (900, 3)]
    assert counts(shares, 3, {600: 3}) == [(600, 3)]
    assert counts(shares, 4, {600: 3}) == [(600, 3), (300, 1)]


def test_jobs_that_no_bin_is_left_for_are_an_error():
    with pytest.raises(ValueError, match="user bins leave 2 of 5 jobs without an estimate"):
        counts({600: 100.0}, 5, {600: 3})
    assert counts({600: 100.0}, 5, {600: 5}) == [(600, 5)]


class NoDraws:
    """A stream that must not be drawn from."""

    def integers(self, *_, **__):
        raise AssertionError


def test_longest_estimate_gets_the_last_rank_without_free_tickets():
    """Its row has tickets of 3 and 1 alone."""
    head = [100, 1, 2]
    assert tsafrir._popularity_ranks(head[:1], {1: 1, 2: 3}, NoDraws()) == [2]
    assert tsafrir._popularity_ranks(head[:1], {}, NoDraws()) == [1]


def test_the_better_of_two_tickets_wins_and_a_rank_is_given_once():
    """Two are drawn of a pool of 3 from the first row, and 3, 4 and 6 from the second."""

    class Drawn:
        def __init__(self, *places):
            self.places = places

        def integers(self, count, size):
            assert (count, size) == (4, 2)
            return np.array(self.places)

    for places, rank in (((0, 3), 3), ((3, 2), 4), ((3, 3), 6), ((1, 2), 3)):
        assert tsafrir._popularity_ranks([9, 8], {}, Drawn(*places)) == [1, rank]


def test_rank_is_assigned_at_its_last_ticket():
    """Rank 1 has its last ticket in the second row, where a user bin kept it from the first."""
    assert tsafrir.LAST_ROW[1] == 1
    ranks = tsafrir._popularity_ranks([9, 8], {9: 5}, NoDraws())
    assert ranks == [5, 1]


def test_of_two_ranks_that_are_due_the_more_popular_is_given():
    """Ranks 2 and 4 have their last tickets in the ninth row; user bins have all others."""
    assert (tsafrir.LAST_ROW[2], tsafrir.LAST_ROW[4]) == (8, 8)
    others = [rank for rank in range(1, 21) if rank not in (2, 4)]
    head = list(range(100, 109))
    ranks = tsafrir._popularity_ranks(head, dict(enumerate(others, 100)) | {108: 4}, NoDraws())
    assert ranks == [*others[:8], 4]
    fixed = dict(zip([*head[:8], *range(10)], others, strict=True))
    assert tsafrir._popularity_ranks(head, fixed, NoDraws()) == [*others[:8], 2]


@pytest.mark.parametrize(
    ("count", "jobs", "expected"),
    [
        ([5, 3, 1], 9, [5, 3, 1]),
        # one is missing: a ninth of 5, rounded up
        ([5, 3, 1], 10, [6, 3, 1]),
        # three too many: a third of 5, rounded up, then a third of 3
        ([1, 5, 3], 6, [1, 3, 2]),
        # five too many: of 6 five eighths are 4, the others keep their one, and 6 gives one more
        ([6, 1, 1], 3, [1, 1, 1]),
        # seven too many: 3 of 6 and 2 of 4, none of the others; then 3 and 2 give one each
        ([6, 4, 1, 1, 1, 1], 7, [2, 1, 1, 1, 1, 1]),
        # eight are missing: eight sevenths of each, rounded up, while there are some
        ([4, 2, 1], 15, [9, 5, 1]),
    ],
)
def test_the_programs_counts_are_moved_in_proportion_then_one_by_one(count, jobs, expected):
    assert published._summing_to(jobs, np.array(count)).tolist() == expected


def test_counts_that_cannot_sum_to_so_few_jobs_are_an_error():
    with pytest.raises(tsafrir.Infeasible, match="1 estimates more than 2 jobs take"):
        published._summing_to(2, np.array([6, 1, 1]))


def test_estimates_are_dealt_from_those_that_cover_the_job():
    """Run times 5, 9 and 7 take 9, 8 and 6: the longest may have the first alone.

    The next of two draws the second place, the last of three the first: it has the longest's.
    """
    runtime, estimate = np.array([5, 9, 7]), np.array([6, 9, 8])
    asked = []

    def draw(low, high):
        asked.append((low.tolist(), high.tolist()))
        return np.array([0, 1, 2])

    order = np.array([1, 2, 0])
    assert tsafrir.deal_estimates(runtime, estimate, order, draw).tolist() == [6, 9, 8]
    assert asked == [([0, 1, 2], [1, 2, 3])]


def test_an_estimate_as_long_as_the_run_time_covers_it():
    runtime = np.array([9, 8])
    dealt = tsafrir.deal_estimates(
        runtime, np.array([8, 9]), np.array([0, 1]), lambda low, _high: low
    )
    assert dealt.tolist() == [9, 8]
    with pytest.raises(
        tsafrir.Infeasible, match="the 2 longest jobs run 8 s or more, but only 1 e"
    ):
        tsafrir.deal_estimates(runtime, np.array([7, 9]), np.array([0, 1]), lambda low, _high: low)
