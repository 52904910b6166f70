"""The choice of windows, with load, run times and waits set by hand."""

import numpy as np
import pandas as pd
import pytest

from schedlab.studies.referee.windows import COUNT, LONGEST, NODES, SPAN, cut_window, scale_jobs


def block(area, since=0, span=SPAN, number=1, procs=NODES, last=1):
    """Jobs evenly over a span, of equal run times but the last; areas add up to `area`."""
    submit = since + np.linspace(0, span, COUNT).round().astype(int)
    runtime = np.full(COUNT, (area // procs - last) // (COUNT - 1))
    runtime[0] += area // procs - last - runtime.sum() + runtime[-1]
    runtime[-1] = last
    return pd.DataFrame(
        {
            "number": np.arange(number, number + COUNT),
            "submit": submit,
            "runtime": runtime,
            "estimate": runtime,
            "procs": procs,
        }
    )


def stack_blocks(*blocks):
    """Stack blocks whose areas are given, each longer than the span by a second."""
    return pd.concat(
        [
            block(area, place * 2 * SPAN, SPAN + 1, 1 + place * COUNT)
            for place, area in enumerate(blocks)
        ],
        ignore_index=True,
    )


FULL = NODES * SPAN


@pytest.mark.parametrize(
    ("area", "kept"),
    [
        (int(0.8 * FULL), True),
        (int(0.8 * FULL) - NODES, False),
        (int(1.2 * FULL), True),
        (int(1.2 * FULL) + NODES, False),
    ],
)
def test_loads_from_four_fifths_to_six_fifths_are_kept(area, kept):
    table = stack_blocks(area)
    assert (scale_jobs(table, NODES)[0].runtime * NODES).sum() == area
    if kept:
        assert cut_window("A", table, NODES)[1]["load"][0] == pytest.approx(area / FULL)
    else:
        with pytest.raises(ValueError, match="log A: of 150 jobs no block of 150"):
            cut_window("A", table, NODES)


@pytest.mark.parametrize(("longest", "kept"), [(LONGEST, True), (LONGEST + 1, False)])
def test_run_times_up_to_half_the_span_are_kept(longest, kept):
    """A span twice as long halves them; the others are made shorter, so that the load stays."""
    table = block(FULL, span=2 * SPAN)
    table["runtime"] = 60
    table.loc[0, "runtime"] = 2 * longest
    if kept:
        assert cut_window("A", table, NODES)[0].runtime.max() == LONGEST
    else:
        with pytest.raises(ValueError, match="run times up to 4500 s"):
            cut_window("A", table, NODES)


@pytest.mark.parametrize(("span", "kept"), [(SPAN, False), (SPAN + 1, True)])
def test_blocks_no_longer_than_the_span_are_left_out(span, kept):
    table = block(FULL, span=span)
    if kept:
        assert cut_window("A", table, NODES)[1]["factor"][0] == (SPAN + 1) / SPAN
    else:
        with pytest.raises(ValueError, match="log A"):
            cut_window("A", table, NODES)


def test_widths_and_times_are_scaled_rounded_and_at_least_one():
    rows = pd.DataFrame(
        {
            "number": [7, 8, 9, 10],
            "submit": [1000, 1007, 1009, 1000 + 4 * SPAN],
            "runtime": [0, 10, 400, 402],
            "estimate": [0, 9, 500, 100],
            "procs": [1, 3, 50, 100],
        }
    )
    jobs, factor = scale_jobs(rows, 100)
    assert factor == 4
    assert jobs.number.tolist() == [1, 2, 3, 4]
    assert jobs.submit.tolist() == [0, 2, 2, SPAN]
    # 2.5 and 100.5 are rounded to even ones
    assert jobs.runtime.tolist() == [1, 2, 100, 100]
    assert jobs.estimate.tolist() == [1, 2, 125, 100]
    assert jobs.procs.tolist() == [1, 1, 16, 32]


def test_first_quarter_and_incomplete_blocks_are_left_out():
    """Of eight blocks the first two are left out, of seven the first."""
    load = [FULL] * 8
    assert cut_window("A", stack_blocks(*load), NODES)[1]["kept"][0] == 6
    assert cut_window("A", stack_blocks(*load).head(-1), NODES)[1]["kept"][0] == 6
    assert cut_window("A", stack_blocks(*load[:7]), NODES)[1]["kept"][0] == 6
    assert cut_window("A", stack_blocks(*load[:4]), NODES)[1]["kept"][0] == 3


def test_the_median_by_mean_wait_is_the_window():
    """More area, longer waits: 1.0 is between 0.9 and 1.1; the first block is the first quarter."""
    areas = [int(share * FULL) // NODES * NODES for share in (0.95, 1.1, 0.9, 1.0)]
    table = stack_blocks(*areas)
    jobs, facts = cut_window("A", table, NODES)
    assert facts["block"][0] == 3
    assert facts[["first", "last"]].iloc[0].tolist() == [6 * SPAN, 7 * SPAN + 1]
    assert facts["log"][0] == "A"
    assert len(jobs) == COUNT
    assert jobs.number.tolist() == list(range(1, COUNT + 1))


def test_even_number_of_blocks_gives_the_upper_median_and_ties_the_earlier():
    areas = [int(share * FULL) // NODES * NODES for share in (0.95, 1.1, 0.9, 1.0, 1.05)]
    # kept are blocks 1 to 4: the third smallest is 1.05
    assert cut_window("A", stack_blocks(*areas), NODES)[1]["block"][0] == 4
    assert cut_window("A", stack_blocks(*[FULL] * 4), NODES)[1]["block"][0] == 2


def test_jobs_are_sorted_by_submission_then_number():
    table = stack_blocks(FULL)
    table["submit"] = table["submit"] // 600 * 600
    table.loc[COUNT - 1, "submit"] = SPAN + 1
    table["procs"] = NODES - np.arange(COUNT) % 2
    mixed = table.sample(frac=1, random_state=1)
    one, other = cut_window("A", table, NODES)[0], cut_window("A", mixed, NODES)[0]
    assert one.to_frame().equals(other.to_frame())


def test_a_log_without_jobs_is_an_error():
    with pytest.raises(ValueError, match="log A: of 0 jobs no block"):
        cut_window("A", stack_blocks(FULL).head(0), NODES)


def test_a_job_wider_than_the_machine_is_an_error():
    with pytest.raises(ValueError, match="processors"):
        cut_window("A", stack_blocks(FULL), NODES - 1)


def test_window_is_2_5_hours_and_no_job_exceeds_half_of_it():
    assert (COUNT, NODES, SPAN, LONGEST) == (150, 32, 9000, 4500)
