"""The Tsafrir model of estimates: its steps and its check values."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.workloads import lublin, tsafrir
from schedlab.workloads.tsafrir import Infeasible, draw_bins, estimates, with_estimates

HOUR = 3600
LONGEST = 162_754
# Estimates by popularity in the model's check: 20,000 jobs, longest estimate 162,754 s.
HEAD = {162754, 1200, 300, 600, 1800, 900, 3600, 10800, 72000, 7200, 14400, 43200, 36000, 21600}
HEAD |= {64800, 18000, 108000, 28800, 162000, 144000}


def walked_assignment(runtime, estimate, rng):
    """Assign as the model words it, with a scan for the last estimate that covers."""
    order = np.argsort(-runtime, kind="stable")
    left = sorted(estimate, reverse=True)
    given = np.empty_like(runtime)
    draws = []
    for here, job in enumerate(order):
        last = max(place for place in range(len(left)) if left[place] >= runtime[job])
        draws.append((here, last + 1))
    chosen = rng.integers(*np.array(draws).T)
    for here, job in enumerate(order):
        last = max(place for place in range(len(left)) if left[place] >= runtime[job])
        assert draws[here] == (here, last + 1), "swaps must not move the last estimate that covers"
        other = chosen[here]
        given[job] = left[other]
        left[here], left[other] = left[other], left[here]
    return given


@pytest.mark.parametrize(
    ("jobs", "bins"),
    [(20, 10), (200, 20), (1000, 35), (10_000, 90), (20_000, 132), (70_000, 340), (10**6, 565)],
)
def test_number_of_bins_is_linear_between_the_known_points(jobs, bins):
    assert tsafrir.number_of_bins(jobs) == bins


def test_head_times_of_the_check():
    times = tsafrir.head_times(LONGEST)
    assert set(times) == HEAD
    assert times == [LONGEST, *sorted(HEAD - {LONGEST})]


def test_head_of_a_day_is_filled_with_multiples():
    """24 h: 20 h, 15 h, then 22 and 16 h fill up what the usual times leave."""
    hours = [time // HOUR for time in tsafrir.head_times(24 * HOUR) if time % HOUR == 0]
    assert hours == [24, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 18, 20, 22]


def test_head_of_an_hour_is_short():
    """One hour has only 12 round times."""
    minutes = [time // 60 for time in tsafrir.head_times(HOUR)]
    assert minutes == [60, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]


def test_head_shares_are_the_models():
    """Head and tail share the jobs 89 to 11, and the longest estimate has 21.73 %."""
    shares = tsafrir.head_shares()
    assert shares.sum() == pytest.approx(89)
    assert shares[0] == pytest.approx(21.73, abs=0.005)
    assert (np.diff(shares) < 0).all()
    assert tsafrir.tail_shares(112).sum() == pytest.approx(11)


def test_tail_times_are_whole_minutes_where_free():
    head = tsafrir.head_times(LONGEST)
    tail = tsafrir.tail_times(132, head, LONGEST)
    assert len(tail) == 112
    assert len({*head, *tail}) == 132
    assert [time for time in tail if time % 60] == [LONGEST - 4]


def test_colliding_tail_times_move_or_go():
    """Many bins under a short limit: some times move by 10 to 30 s, others are dropped."""
    head = tsafrir.head_times(HOUR)
    tail = tsafrir.tail_times(565, head, HOUR)
    assert len(tail) < 565 - 12
    assert len(set(tail)) == len(tail)
    assert {time % 60 for time in tail} == {0, 10, 20, 30, 40, 50}
    assert all(0 < time < HOUR for time in tail)


@pytest.mark.parametrize("seed", range(20))
def test_popularity_ranks_are_a_permutation_with_the_longest_first(seed):
    head = tsafrir.head_times(LONGEST)
    ranks = tsafrir._popularity_ranks(head, {}, np.random.default_rng(seed))
    assert sorted(ranks) == list(range(1, 21))
    assert ranks[0] == 1


@given(jobs=st.integers(1, 3000), longest=st.integers(HOUR, 500 * HOUR), seed=st.integers(0, 2**32))
def test_bins_contain_every_job_once(jobs, longest, seed):
    drawn = draw_bins(jobs, longest, seed)
    assert drawn.count.sum() == jobs
    assert drawn.count.min() >= 1
    assert len(set(drawn.time.tolist())) == drawn.time.size
    assert drawn.time.min() > 0
    assert drawn.time.max() <= longest
    assert (np.diff(drawn.count) <= 0).all()


@given(
    runtimes=st.lists(st.integers(0, 6 * HOUR), min_size=1, max_size=60), seed=st.integers(0, 2**32)
)
def test_no_estimate_is_below_the_run_time(runtimes, seed):
    runtime = np.array(runtimes)
    try:
        drawn = estimates(runtime, 6 * HOUR, seed)
    except Infeasible:
        return
    assert (drawn >= runtime).all()
    bins = draw_bins(runtime.size, 6 * HOUR, seed)
    assert Counter(drawn.tolist()) == dict(
        zip(bins.time.tolist(), bins.count.tolist(), strict=True)
    )


def test_assignment_equals_the_walk_with_scans():
    runtime = np.random.default_rng(1).integers(0, 90, 150)
    estimate = np.sort(np.random.default_rng(2).integers(30, 120, 150)) // 10 * 10
    estimate[-40:] = 120
    fast = tsafrir._assigned(runtime, estimate, np.random.default_rng(3))
    slow = walked_assignment(runtime, estimate, np.random.default_rng(3))
    assert fast.tolist() == slow.tolist()


def test_user_bins_keep_their_counts():
    known = {1200: 3000, LONGEST: 2500, 1234: 77}
    drawn = draw_bins(20_000, LONGEST, 1, known)
    assert set(draw_bins(20_000, LONGEST, 1).time[:20].tolist()) == HEAD
    counts = dict(zip(drawn.time.tolist(), drawn.count.tolist(), strict=True))
    assert known.items() <= counts.items()
    assert sum(counts.values()) == 20_000
    assert len(counts) == 132
    least = draw_bins(20_000, LONGEST, 1, {1: 1})  # a job of a second
    assert (least.time.min(), least.count[least.time == 1].tolist()) == (1, [1])
    assert estimates([], LONGEST, 1).size == 0


@pytest.mark.parametrize(
    ("bins", "ranks"),
    [
        # ranks 2 and 3 have 10.3128 and 8.7105 % of the jobs: halfway is 1902.3 of 20,000
        ({7200: 1903}, {7200: 2}),
        ({7200: 1902}, {7200: 3}),
        ({7200: 2000, 999: 100}, {7200: 2}),
        # of similar shares the larger one takes the nearest rank, the other the next free one
        ({3600: 1999, 7200: 2000}, {7200: 2, 3600: 3}),
    ],
)
def test_user_bin_takes_the_nearest_rank(bins, ranks):
    head = tsafrir.head_times(LONGEST)
    assert tsafrir._fixed_ranks(bins, head, 20_000) == ranks
    for fixed in (ranks, {7200: 1}):  # the longest estimate gives way to a more popular user bin
        drawn = tsafrir._popularity_ranks(head, fixed, np.random.default_rng(1))
        assert sorted(drawn) == list(range(1, 21))
        assert all(drawn[head.index(time)] == rank for time, rank in fixed.items())


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: draw_bins(100, LONGEST, 1, {0: 5}), "user bin 0 s is outside"),
        (lambda: draw_bins(100, LONGEST, 1, {LONGEST + 1: 5}), f"bin {LONGEST + 1} s is outside"),
        (lambda: draw_bins(100, LONGEST, 1, {600: 0}), "has 0 jobs"),
        (lambda: draw_bins(100, LONGEST, 1, {600: 80, 900: 30}), "hold 110 jobs of 100"),
        (lambda: estimates([10], HOUR - 1, 1), "max_estimate is 3599 s, must be at least an hour"),
        (lambda: estimates([10, -1], LONGEST, 1), "job at place 1: run time -1 is outside"),
        (lambda: estimates([10, LONGEST + 1], LONGEST, 1), f"run time {LONGEST + 1} is outside"),
    ],
)
def test_what_cannot_be_drawn_is_refused(draw, message):
    with pytest.raises(ValueError, match=message):
        draw()


def test_too_many_long_jobs_cannot_be_assigned():
    with pytest.raises(Infeasible, match=r"longest jobs run 162754 s or more, but only \d+"):
        estimates([LONGEST] * 1000, LONGEST, 1)
    with pytest.raises(Infeasible, match="all of 100 draws"):
        with_estimates(pd.DataFrame({"runtime": [LONGEST] * 1000}), LONGEST, 1)


def test_bins_are_drawn_again_for_machines_of_many_processors():
    """Where most draws do not cover the long jobs a later one does."""
    jobs = lublin.generate(3000, 163_840, seed=2)
    seed = next(seed for seed in range(50) if fails(jobs["runtime"], seed))
    drawn = with_estimates(jobs, LONGEST, seed)
    assert (drawn["estimate"] >= drawn["runtime"]).all()


def fails(runtime, seed):
    try:
        estimates(runtime, LONGEST, seed)
    except Infeasible:
        return True
    return False


def test_run_times_are_truncated_at_the_limit():
    jobs = lublin.generate(5000, 256, seed=1)
    drawn = with_estimates(jobs, 36 * HOUR, 1)
    assert jobs["runtime"].max() > 36 * HOUR
    assert drawn["runtime"].max() == 36 * HOUR
    assert drawn["estimate"].max() == 36 * HOUR
    assert drawn["submit"].equals(jobs["submit"])
    assert drawn["estimate"].dtype == np.int64
