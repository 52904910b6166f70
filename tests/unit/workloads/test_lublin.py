"""The Lublin-Feitelson model: its rules one by one and its check values.

`test_published_workloads.py` holds its distributions and constants against the published program.
"""

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


@pytest.mark.parametrize("kind", [BATCH, INTERACTIVE, TYPELESS])
def test_arrivals_equal_the_walk_through_half_hours(kind):
    """The vectorised arrivals are those of the step by step walk, to the second."""
    times = lublin._arrivals(kind, 3000, np.random.default_rng(3))
    rng = np.random.default_rng(3)
    gaps = lublin._redrawn(
        lambda which: rng.gamma(kind.aarr * kind.arar, kind.barr, which.size), 3000, 13
    )
    assert times.tolist() == walked_arrivals(kind, gaps)


def test_first_arrival_counts_from_midnight():
    """The first times of many streams are the walk's too; a tenth of a second would show."""
    shape = TYPELESS.aarr * TYPELESS.arar
    for seed in range(100):
        gap = np.random.default_rng(seed).gamma(shape, TYPELESS.barr, 1)
        first = lublin._arrivals(TYPELESS, 1, np.random.default_rng(seed))
        assert first.tolist() == walked_arrivals(TYPELESS, gap)


def test_least_workload_is_one_job_on_two_processors():
    """Nothing smaller is a parallel machine's."""
    assert len(generate(1, 2, seed=1)) == 1
    assert generate(50, 2, seed=1, types=(TYPELESS.on(2),))["procs"].max() == 2


def test_no_gap_is_drawn_above_its_limit():
    """Draws above the limit are drawn again, the others stay."""
    rng = np.random.default_rng(1)
    drawn = []

    def draw(which):
        drawn.append(which.size)
        return rng.exponential(size=which.size)

    values = lublin._redrawn(draw, 1000, 0.5)
    assert values.max() <= 0.5
    assert drawn[1] == pytest.approx(1000 * math.exp(-0.5), abs=80)


def testdaily_weights_average_one():
    """Most jobs come in the day, few in the early morning, half an hour's mean weight is 1."""
    weights = lublin.daily_weights(TYPELESS)
    assert weights.shape == (48,)
    assert weights.mean() == pytest.approx(1)
    assert 2 * 10 <= weights.argmax() <= 2 * 17
    assert weights.argmin() == 10


def test_columns_are_those_of_clean_jobs():
    """The frame has the clean columns, all int64, with what the model does not know at -1."""
    jobs = generate(100, 256, seed=1)
    assert jobs.columns.tolist() == COLUMNS
    assert set(jobs.dtypes.astype(str)) == {"int64"}
    assert jobs["number"].tolist() == list(range(1, 101))
    assert (jobs[["user", "group"]] == -1).all(axis=None)
    assert (jobs["estimate"] == jobs["runtime"]).all()
    assert (jobs["queue"] == 0).all()


@pytest.mark.parametrize("types", list(TYPES))
def test_same_seed_same_jobs(types):
    """A seed fixes every number of a workload."""
    one, same, other = (generate(500, 256, seed, types) for seed in (5, 5, 6))
    assert one.equals(same)
    assert not one.equals(other)


@pytest.mark.parametrize("types", list(TYPES))
@pytest.mark.parametrize("processors", [3, 7, 100, 256, 1152, 93_312, 163_840])
def test_jobs_fit_the_machine_and_the_limits(types, processors):
    """Sizes stay within the machine, run times within 1 s ... e^12 s, submits never go down."""
    jobs = generate(4000, processors, seed=2, types=types)
    assert jobs["procs"].between(1, processors).all()
    assert jobs["runtime"].between(1, 162_754).all()
    assert (np.diff(jobs["submit"]) >= 0).all()


def test_powers_of_two_do_not_pass_a_fractional_machine():
    """93,312 processors: log2 is 16.51, so rounding it up would ask for 131,072."""
    only_powers = replace(TYPELESS.on(93_312), serial_prob=0, pow2_prob=1, uprob=0.7)
    sizes = lublin._sizes(only_powers, 200_000, np.random.default_rng(1))
    assert sizes.max() == 65_536
    assert (np.log2(sizes) % 1 == 0).all()


@pytest.mark.parametrize(("processors", "size", "runtime"), [(256, 22.0, 4884), (1024, 78.5, 6267)])
def test_means_are_those_of_the_model(processors, size, runtime):
    """Mean size and run time of many typeless jobs are the model's check values."""
    jobs = generate(400_000, processors, seed=7)
    assert jobs["procs"].mean() == pytest.approx(size, rel=0.015)
    assert jobs["runtime"].mean() == pytest.approx(runtime, rel=0.015)


def test_shares_of_serial_and_power_of_two_jobs():
    """A share of serial_prob is serial; pow2_prob more are powers of two, and some by chance."""
    size = generate(100_000, 256, seed=4)["procs"].to_numpy()
    powers = (size & (size - 1)) == 0
    assert (size == 1).mean() == pytest.approx(TYPELESS.serial_prob, abs=0.005)
    assert TYPELESS.serial_prob + TYPELESS.pow2_prob < powers.mean() < 0.9


def test_two_types_are_merged_by_arrival():
    """The next job is of the type that arrives first, and an interactive one on a tie."""
    both = (INTERACTIVE, BATCH)
    times, kind = lublin._merged_arrivals(both, 500, np.random.default_rng(8))
    rng = np.random.default_rng(8)
    waiting = [lublin._arrivals(each, 500, rng).tolist() for each in both]
    for time, place in zip(times, kind, strict=True):
        expected = 0 if waiting[0][0] <= waiting[1][0] else 1
        assert place == expected
        assert waiting[expected].pop(0) == time


def test_two_types_keep_their_queues_and_their_ways():
    """Interactive jobs (queue 0) run for minutes, batch jobs (queue 1) for hours."""
    jobs = generate(20_000, 128, seed=3, types="batch+interactive")
    mean = jobs.groupby("queue")["runtime"].mean()
    assert mean.index.tolist() == [0, 1]
    assert mean[0] < 600 < 7200 < mean[1]


def test_own_parameters_are_taken_as_they_stand():
    """Parameters given as objects are not spread over the machine."""
    jobs = generate(2000, 128, seed=3, types=(BATCH.on(128), INTERACTIVE))
    assert jobs.loc[jobs["queue"] == 0, "procs"].max() <= 2**5.5
    assert jobs.loc[jobs["queue"] == 1, "procs"].max() == 128


@pytest.mark.parametrize(("inside", "outside"), [(4.5, 4.49), (6.5, 6.51)])
def test_umed_outside_its_range_is_refused(inside, outside):
    """UMed further than 3.5 or nearer than 1.5 below UHi is an error that names both."""
    assert replace(TYPELESS, uhi=8, umed=inside).umed == inside
    with pytest.raises(ValueError, match=r"UMed .* outside UHi - 3.5 ... UHi - 1.5"):
        replace(TYPELESS, uhi=8, umed=outside)


def test_uprob_outside_its_range_is_refused():
    """Uprob stays between 0.7 and 0.95."""
    assert [replace(TYPELESS, uprob=uprob).uprob for uprob in (0.7, 0.95)] == [0.7, 0.95]
    for uprob in (0.69, 0.951):
        with pytest.raises(ValueError, match=rf"Uprob {uprob} is outside 0.7 ... 0.95"):
            replace(TYPELESS, uprob=uprob)


@pytest.mark.parametrize("processors", [1, 0, -4])
def test_machine_of_one_processor_is_refused(processors):
    """A parallel machine has two processors at least."""
    with pytest.raises(ValueError, match="must be at least 2"):
        generate(10, processors, seed=1)
    with pytest.raises(ValueError, match="must be at least 2"):
        generate(10, processors, seed=1, types=(TYPELESS,))


def test_machine_too_small_for_a_type_is_refused():
    """Batch jobs have 2^1.2 processors at least, more than two processors give."""
    with pytest.raises(ValueError, match="at least 3 processors"):
        generate(10, 2, seed=1, types="batch")


def test_parameters_wider_than_the_machine_are_refused():
    """Explicit parameters may not draw jobs that never fit."""
    with pytest.raises(ValueError, match="above log2 of 64 processors"):
        generate(10, 64, seed=1, types=(TYPELESS,))


def test_no_jobs_and_unknown_type_are_refused():
    """Nothing to draw and a misspelt type are errors that say what was asked for."""
    with pytest.raises(ValueError, match="jobs is 0"):
        generate(0, 256, seed=1)
    with pytest.raises(ValueError, match="unknown type 'typless', known are typeless"):
        generate(10, 256, seed=1, types="typless")
