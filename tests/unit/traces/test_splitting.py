"""Cutting logs into sequences and weeks."""

import sys
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.core.splitting import (
    DAY,
    MEAN_MONTH,
    MONTH,
    NO_PIECE,
    WEEK,
    busiest,
    middle,
    periods,
    second_half,
    sequences,
    split,
)
from schedlab.files.io import read_parquet, write_parquet
from schedlab.traces.cleaning import clean
from schedlab.traces.swf import read_swf


def test_a_head_that_ends_the_log_is_a_sequence_if_it_lasts():
    """Sixteen jobs are a whole head, fifteen are none; so with 15 days and a second less."""
    submit = [0] * 15 + [15 * DAY]
    assert sequences(submit).tolist() == [0] * 16
    assert sequences(submit[1:]).tolist() == [-1] * 15
    assert sequences([*submit[:15], 15 * DAY - 1]).tolist() == [-1] * 16


def test_no_jobs_have_no_pieces():
    assert sequences([]).shape == periods([], WEEK).shape == (0,)


def sequences_by_hand(submit: list[int], days: int, head: int) -> list[int]:
    """Cut by the definition, job by job."""
    pieces, left = [], list(submit)
    number = 0
    while left and left[-1] - left[0] >= days * DAY and len(left) >= head:
        mine = [
            place for place, time in enumerate(left) if place < head or time - left[0] <= days * DAY
        ]
        pieces += [number] * len(mine)
        left = left[len(mine) :]
        number += 1
    return pieces + [-1] * len(left)


@given(
    gaps=st.lists(st.sampled_from([0, 1, DAY // 2, DAY - 1, DAY, 3 * DAY]), max_size=40),
    days=st.integers(1, 3),
    head=st.integers(1, 5),
)
def test_sequences_are_those_of_the_definition(gaps, days, head):
    submit = np.cumsum(gaps, dtype=np.int64).tolist()
    assert sequences(submit, days, head).tolist() == sequences_by_hand(submit, days, head)


def test_lengths_of_time_are_in_seconds():
    """A month of the calendar is a twelfth of a year of 365 days and six hours in the mean."""
    assert (DAY, WEEK, MONTH) == (86_400, 604_800, 2_592_000)
    assert MEAN_MONTH == 2_629_800


def test_weeks_begin_at_their_first_second_by_the_clock_and_months_have_thirty_days():
    assert periods([0, WEEK - 1, WEEK, 3 * WEEK], WEEK).tolist() == [1, 1, 2, 4]
    assert periods([5 * WEEK - 1, 5 * WEEK, 8 * WEEK], WEEK).tolist() == [1, 2, 5]
    assert split(jobs_at([0, MONTH - 1, MONTH]), "months")["piece"].tolist() == [1, 1, 2]


@pytest.mark.parametrize("cut", [sequences, partial(periods, length=WEEK)])
def test_submit_times_that_go_down_are_refused(cut):
    with pytest.raises(ValueError, match=r"submit times go down at job 2 \(from 0\) of 4"):
        cut([1, 5, 4, 3])


def jobs_at(submit: list[int]) -> pd.DataFrame:
    return pd.DataFrame({"number": range(len(submit)), "submit": submit}).astype("int64")


def test_a_split_leaves_the_jobs_of_no_piece_out():
    pieces = split(jobs_at([*range(16), 15 * DAY, 16 * DAY]), "sequences15d")
    assert pieces["number"].tolist() == list(range(17))
    assert pieces.dtypes.astype(str).to_dict() == dict.fromkeys(
        ["number", "submit", "piece"], "int64"
    )


def test_a_log_too_short_for_a_piece_is_an_error():
    with pytest.raises(ValueError, match=r"2 jobs in 3\.0 days: too few for a piece"):
        split(jobs_at([DAY, 4 * DAY]), "sequences15d")
    with pytest.raises(ValueError, match=r"3 jobs in 3\.0 days"):
        split(jobs_at([DAY, 2 * DAY, 4 * DAY]), "sequences15d")


def test_an_unknown_split_is_named_with_the_known_ones():
    with pytest.raises(
        ValueError, match="no split 'years'; there are sequences15d, second_half15d"
    ):
        split(jobs_at([0]), "years")


@pytest.fixture
def script(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "workflow" / "scripts" / "traces"))
    import split_pieces

    yield split_pieces.split_pieces
    sys.modules.pop("split_pieces")


def test_the_script_writes_the_pieces(script, tmp_path):
    jobs = jobs_at([*range(16), 15 * DAY, 16 * DAY])
    write_parquet(jobs, tmp_path / "jobs.parquet")
    script(str(tmp_path / "jobs.parquet"), "sequences15d", str(tmp_path / "pieces.parquet"))
    pieces = read_parquet(tmp_path / "pieces.parquet")
    pd.testing.assert_frame_equal(pieces, split(jobs, "sequences15d"))


@pytest.mark.logs
@pytest.mark.parametrize(
    ("name", "count", "first"),
    [("CTC-SP2", 22, [2836, 3836, 4089]), ("CEA-Curie", 16, [4348, 5804, 12699])],
)
def test_number_of_sequences_of_a_real_log(raw_log, name, count, first):
    jobs, _ = clean(read_swf(raw_log(name)).jobs, "sc17_actual", name)
    sizes = split(jobs, "sequences15d").groupby("piece").size()
    assert len(sizes) == count
    assert sizes.tolist()[:3] == first


def test_the_second_half_begins_midway_in_time_not_in_jobs():
    submit = [*range(30), 40 * DAY, *([50 * DAY] * 16), 65 * DAY, 65 * DAY + 1, 80 * DAY]
    assert middle(submit) == 40 * DAY
    piece = second_half(submit)
    assert (piece[:30] == NO_PIECE).all()
    assert piece[30:].tolist() == sequences(submit[30:]).tolist()
    assert piece.max() == 0
    assert (middle([]), repr(middle([10, 20, 21]))) == (0, "15")


def test_weeks_of_a_log_begin_with_the_fourth_and_months_with_the_first():
    """The first three weeks are no pieces; jobs are numbered from the log's second one on."""
    submit = [7, WEEK - 1, WEEK, 3 * WEEK - 1, 3 * WEEK, 4 * WEEK - 1, 4 * WEEK]
    jobs = pd.DataFrame({"number": range(11, 18), "submit": submit})
    pieces = split(jobs, "log_weeks")
    assert pieces["piece"].tolist() == [1, 1, 2]
    assert pieces["number"].tolist() == [15, 16, 17]
    assert pieces["id"].tolist() == [4, 5, 6]
    pieces = split(jobs_at([7, MONTH - 1, MONTH, 3 * MONTH]), "log_months")
    assert pieces["piece"].tolist() == [1, 1, 2, 4]
    assert pieces["id"].tolist() == [2, 3, 4, 5]


TWO_DAYS = [0, DAY - 1, DAY, 2 * DAY - 1, 2 * DAY]
FOUR_DAYS = [0, DAY, DAY, DAY, 2 * DAY, 3 * DAY]


@pytest.mark.parametrize(
    ("submit", "wait", "count", "pieces"),
    [
        # a wait of three days makes the day in the middle as busy as two that wait for half of it
        (FOUR_DAYS, [3 * DAY, DAY // 2, DAY // 2 + 1, -1, 0, 0], 1, [-1, 1, 1, 1, -1, -1]),
        (FOUR_DAYS, [3 * DAY, 0, -1, 0, 0, 0], 1, [1, *[-1] * 5]),
        # an interval ends just before the next one may begin
        (TWO_DAYS, [50, 0, 10, 0, 0], 3, [1, 1, 2, 2, -1]),
        # one that the log cuts short is not taken
        ([0, 10, DAY + 9], [0, DAY, 0], 1, [1, 1, -1]),
        ([0, 10, DAY + 10], [0, DAY, 0], 1, [-1, 1, -1]),
        # of equally busy ones the earliest is
        ([0, DAY, 2 * DAY, 3 * DAY], [7, 7, 7, 7], 1, [1, -1, -1, -1]),
    ],
)
def test_a_job_counts_in_an_interval_for_as_long_as_it_waits_in_it(submit, wait, count, pieces):
    assert busiest(submit, wait, count, days=1).tolist() == pieces


@pytest.mark.parametrize(("apart", "second"), [(0, 1), (1, 2), (2, 3)])
def test_busiest_intervals_may_be_days_apart(apart, second):
    """Waits fall from day to day; the log goes on until the fifth."""
    submit = [day * DAY for day in range(5)]
    piece = busiest(submit, [500, 400, 300, 200, 0], 2, days=1, apart=apart)
    assert [piece.tolist().index(number) for number in (1, 2)] == [0, second]


@given(
    gaps=st.lists(st.integers(0, 3 * DAY), max_size=30),
    waits=st.lists(st.integers(-1, 4 * DAY), min_size=30, max_size=30),
)
def test_the_busiest_interval_is_as_busy_as_any_counted_job_by_job(gaps, waits):
    submit = np.cumsum(gaps, dtype=np.int64) if gaps else np.zeros(0, dtype=np.int64)
    wait = np.array(waits[: len(submit)], dtype=np.int64)
    piece = busiest(submit, wait, 3)

    def waited(first: int) -> int:
        last = first + 5 * DAY
        ends = submit + np.maximum(wait, 0)
        return int(np.clip(np.minimum(ends, last) - np.maximum(submit, first), 0, None).sum())

    firsts = [int(first) for first in submit if first + 5 * DAY <= submit[-1]]
    found = [submit[piece == number][0] for number in range(1, piece.max(initial=-1) + 1)]
    assert [waited(first) for first in found[:1]] == sorted(map(waited, firsts))[-1:]
    assert sorted(map(waited, found), reverse=True) == [waited(first) for first in found]
    assert all(abs(a - b) >= 5 * DAY for a in found for b in found if a != b)
    assert np.array_equal(busiest(submit, wait, 2), np.where(piece > 2, NO_PIECE, piece))


@pytest.mark.logs
@pytest.mark.parametrize(
    ("name", "sizes"), [("wagap-2013", [2424, 2596, 1042, 858]), ("HPC2N", [180, 1719])]
)
def test_number_of_jobs_in_the_busiest_days_of_a_real_log(raw_log, name, sizes):
    jobs, _ = clean(read_swf(raw_log(name)).all_fields, "klusacek2016", name)
    piece = busiest(jobs["submit"], jobs["wait"], len(sizes))
    assert np.bincount(piece[piece != NO_PIECE])[1:].tolist() == sizes
