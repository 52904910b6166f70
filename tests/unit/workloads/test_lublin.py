"""The Lublin-Feitelson model: its rules one by one and its check values."""

import math
from dataclasses import replace

import numpy as np
import pytest

from schedlab.workloads import lublin
from schedlab.workloads.lublin import BATCH, INTERACTIVE, TYPELESS, TYPES, generate

COLUMNS = ["number", "submit", "runtime", "estimate", "procs", "user", "group", "queue"]


def walked_arrivals(kind, gaps):
    """Arrival times of the model's own walk through the half hours, job by job."""
    weights = lublin.daily_weights(kind)
    points = remainder = 0.0
    time = bucket = 0
    times = []
    for gap in gaps:
        delta = 0.0
        points += math.exp(gap) / 1800
        while points > weights[bucket]:
            points -= weights[bucket]
            bucket = (bucket + 1) % 48
            delta += 1800
        new = points / weights[bucket]
        delta += 1800 * (new - remainder)
        remainder = new
        time = math.trunc(time + delta)
        times.append(time)
    return times


# Of its gaps and run times, which are e^12 and more in the middle, many are drawn again.
LONG = replace(TYPELESS, barr=1.2, a1=12, b1=1.0, pa=0.0, pb=1.0)


@pytest.mark.parametrize("kind", [BATCH, INTERACTIVE, TYPELESS, LONG])
def test_arrivals_equal_the_walk_through_half_hours(kind):
    times = lublin._arrivals(kind, 3000, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    gaps = lublin._redraw(
        lambda which: rng.gamma(kind.aarr * kind.arar, kind.barr, which.size), 3000, 13
    )
    assert times.tolist() == walked_arrivals(kind, gaps)


def test_first_arrival_counts_from_midnight():
    shape = TYPELESS.aarr * TYPELESS.arar
    for seed in range(100):
        gap = np.random.default_rng(seed).gamma(shape, TYPELESS.barr, 1)
        first = lublin._arrivals(TYPELESS, 1, np.random.default_rng(seed))
        assert first.tolist() == walked_arrivals(TYPELESS, gap)


def test_a_draw_as_large_as_the_limit_stays():
    """Only what is above it is drawn again: 9, then 8, then 1."""
    given = iter([[5.0, 9.0, 6.0], [8.0], [1.0]])
    values = lublin._redraw(lambda _which: np.array(next(given)), 3, 6.0)
    assert values.tolist() == [5, 1, 6]
    exact = iter([[9.0, 9.0], [6.0, 2.0]])
    assert lublin._redraw(lambda _which: np.array(next(exact)), 2, 6.0).tolist() == [6, 2]


def test_no_gap_is_drawn_above_its_limit():
    rng = np.random.default_rng(1)
    drawn = []

    def draw(which):
        drawn.append(which.size)
        return rng.exponential(size=which.size)

    values = lublin._redraw(draw, 1000, 0.5)
    assert values.max() <= 0.5
    assert drawn[1] == pytest.approx(1000 * math.exp(-0.5), abs=80)


SHARE = BATCH.serial_prob + BATCH.pow2_prob  # 0.9613


def test_run_times_end_at_the_limit_and_not_before():
    """e^12 is 162,754.8 s: of many that reach for it the longest is near."""
    runtime = lublin._runtimes(LONG, np.ones(20_000), np.random.default_rng(1))
    assert 162_700 < runtime.max() <= 162_754


def test_gaps_end_at_the_limit_and_not_before():
    """e^13 s are 245.78 half hours of mean weight, five days and 5.78 of the next."""
    near = replace(TYPELESS, aarr=130_000, barr=0.0001, arar=1)  # the middle of ln(gap) is 13
    spent = np.concatenate(([0.0], np.cumsum(lublin.daily_weights(near))))
    longest = 1800 * (5 * 48 + np.interp(math.exp(13) / 1800 - 240, spent, np.arange(49)))
    rng = np.random.default_rng(1)
    first = [lublin._arrivals(near, 1, rng)[0] for _ in range(300)]
    assert 0.999 * longest < max(first) <= longest


@pytest.mark.parametrize(
    ("draw", "size"), [(0.0, 1), (0.2927, 1), (0.2928, 64), (SHARE, 64), (0.9614, 50)]
)
def test_a_share_up_to_a_probability_is_serial_then_a_power_of_two(draw, size):
    """The middle of the second stage of 128 processors: 2^5.65 is 50.2, and rounded up 2^6."""

    class Given:
        draws = iter([np.array([draw]), np.array([0.875])])

        def random(self, _count):
            return next(self.draws)

        def uniform(self, low, high):
            assert (low.tolist(), high.tolist()) == ([5], [7])
            return np.array([5.65])

    assert lublin._sizes(replace(BATCH, uhi=7), 1, Given()).tolist() == [size]


@pytest.mark.parametrize(
    ("size", "pa", "pb", "first"), [(10, 0.1, -0.5, 0.5), (99, 0.1, 0, 1), (9, -1, 1, 0)]
)
def test_probability_of_the_first_gamma_is_linear_in_size_and_clipped(size, pa, pb, first):
    """The first gives e^1 or so, the second e^10: the share of short ones is the chance."""
    kind = replace(TYPELESS, pa=pa, pb=pb, a1=1e4, b1=1e-4, a2=1e5, b2=1e-4)
    runtime = lublin._runtimes(kind, np.full(4000, size), np.random.default_rng(1))
    assert (runtime < 100).mean() == pytest.approx(first, abs=0.03)


def test_daily_weights_average_one():
    """Most jobs come in the day, few in the early morning, half an hour's mean weight is 1."""
    weights = lublin.daily_weights(TYPELESS)
    assert weights.shape == (48,)
    assert weights.mean() == pytest.approx(1)
    assert 2 * 10 <= weights.argmax() <= 2 * 17
    assert weights.argmin() == 10


def test_columns_are_those_of_clean_jobs():
    jobs = generate(100, 256, seed=1)
    assert jobs.columns.tolist() == COLUMNS
    assert set(jobs.dtypes.astype(str)) == {"int64"}
    assert jobs["number"].tolist() == list(range(1, 101))
    assert (jobs[["user", "group"]] == -1).all(axis=None)
    assert (jobs["estimate"] == jobs["runtime"]).all()
    assert (jobs["queue"] == 0).all()


@pytest.mark.parametrize("types", list(TYPES))
@pytest.mark.parametrize("processors", [3, 7, 100, 256, 1152, 93_312, 163_840])
def test_jobs_fit_the_machine_and_the_limits(types, processors):
    jobs = generate(4000, processors, seed=2, types=types)
    assert jobs["procs"].between(1, processors).all()
    assert jobs["runtime"].between(1, 162_754).all()
    assert (np.diff(jobs["submit"]) >= 0).all()


def test_type_on_a_machine_has_its_log_size_and_a_middle_2_5_below():
    """On 256 processors log2 is 8 and the middle 5.5; on four it is not below ULow."""
    assert (TYPELESS.on(256).uhi, TYPELESS.on(256).umed) == (8, 5.5)
    assert (TYPELESS.on(4).uhi, TYPELESS.on(4).umed) == (2, 0.8)
    assert BATCH.on(3).uhi == pytest.approx(1.5849625)
    assert BATCH.on(3).umed == 1.2


@pytest.mark.parametrize(
    ("uhi", "inside", "outside"),
    # ULow is 0.8: UHi - 3.5 is below it on small machines, and UHi - 1.5 on four processors
    [
        (4, 0.8, 0.79),
        (4, 2.5, 2.51),
        (2, 0.8, 0.81),
        (0.8, 0.8, 0.9),
        (8, 4.5, 4.49),
        (8, 6.5, 6.51),
    ],
)
def test_umed_is_in_a_range_below_the_size(uhi, inside, outside):
    assert replace(TYPELESS, uhi=uhi, umed=inside).umed == inside
    with pytest.raises(ValueError, match=f"UMed {outside} is outside UHi - 3.5 ... UHi - 1.5"):
        replace(TYPELESS, uhi=uhi, umed=outside)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"uhi": 2.9, "ulow": 3}, r"UHi 2.9 is below ULow 3: .* at least 8 processors"),
        # 2^0.8 processors are 1.7: it takes two
        ({"uhi": 0.79, "umed": 0.8}, r"UHi 0.79 is below ULow 0.8: .* at least 2 processors"),
        ({"uprob": 0.69}, "Uprob 0.69 is outside 0.7 ... 0.95"),
        ({"uprob": 0.951}, "Uprob 0.951 is outside 0.7 ... 0.95"),
    ],
)
def test_parameters_out_of_range_are_refused(fields, message):
    assert [replace(TYPELESS, uprob=uprob).uprob for uprob in (0.7, 0.95)] == [0.7, 0.95]
    with pytest.raises(ValueError, match=message):
        replace(TYPELESS, **fields)


def test_types_may_use_the_whole_machine_and_are_sorted_by_queue():
    """As wide as the machine is not wider; interactive jobs go first on a tie."""
    given = lublin.parameters_on(128, (BATCH, INTERACTIVE))
    assert given == (INTERACTIVE, BATCH)
    with pytest.raises(ValueError, match="UHi 7 is above log2 of 127 processors"):
        lublin.parameters_on(127, (BATCH,))
    assert lublin.parameters_on(64, "batch+interactive") == (INTERACTIVE.on(64), BATCH.on(64))


def test_powers_of_two_do_not_pass_a_fractional_machine():
    """93,312 processors: log2 is 16.51, so rounding it up would ask for 131,072."""
    only_powers = replace(TYPELESS.on(93_312), serial_prob=0, pow2_prob=1, uprob=0.7)
    sizes = lublin._sizes(only_powers, 200_000, np.random.default_rng(1))
    assert sizes.max() == 65_536
    assert (np.log2(sizes) % 1 == 0).all()


@pytest.mark.parametrize(("processors", "size", "runtime"), [(256, 22.0, 4884), (1024, 78.5, 6267)])
def test_means_match_the_check_values_of_the_model(processors, size, runtime):
    jobs = generate(400_000, processors, seed=7)
    assert jobs["procs"].mean() == pytest.approx(size, rel=0.015)
    assert jobs["runtime"].mean() == pytest.approx(runtime, rel=0.015)


def test_two_types_are_merged_by_arrival():
    """The next job is of the type that arrives first, and an interactive one on a tie."""
    both = (INTERACTIVE, BATCH)
    times, kind = lublin._merge_arrivals(both, 500, np.random.default_rng(8))
    rng = np.random.default_rng(8)
    waiting = [lublin._arrivals(each, 500, rng).tolist() for each in both]
    for time, place in zip(times, kind, strict=True):
        expected = 0 if waiting[0][0] <= waiting[1][0] else 1
        assert place == expected
        assert waiting[expected].pop(0) == time


def test_parameters_given_as_objects_are_used_unchanged():
    jobs = generate(2000, 128, seed=3, types=(BATCH.on(128), INTERACTIVE))
    assert jobs.loc[jobs["queue"] == 0, "procs"].max() <= 2**5.5
    assert jobs.loc[jobs["queue"] == 1, "procs"].max() == 128


@pytest.mark.parametrize(
    ("jobs", "processors", "types", "message"),
    [
        *((10, processors, "typeless", "must be at least 2") for processors in (1, 0, -4)),
        (10, 1, (TYPELESS,), "must be at least 2"),
        (10, 2, "batch", "at least 3 processors"),
        # explicit parameters may not draw jobs that never fit
        (10, 64, (TYPELESS,), "above log2 of 64 processors"),
        (0, 256, "typeless", "jobs is 0"),
        (10, 256, "typless", "unknown type 'typless', known are typeless"),
    ],
)
def test_workloads_that_cannot_be_drawn_are_refused(jobs, processors, types, message):
    with pytest.raises(ValueError, match=message):
        generate(jobs, processors, seed=1, types=types)
