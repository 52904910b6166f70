"""Partial executions in SWF logs."""

import pytest

from schedlab.traces.cleaning import replay
from schedlab.traces.parts import joined
from schedlab.traces.swf import PART, SwfParts, read_swf
from schedlab.workbench.log import load_log
from swf_case import log_file


def executions(*lines: tuple[int, int, int], user: int = 7) -> list[str]:
    """Return lines with a number, a run time and a status each."""
    rest = f"{user} 2 -1 3 1 -1 -1"
    return [f"{number} 0 5 {run} 4 -1 -1 4 120 -1 {status} {rest}" for number, run, status in lines]


@pytest.mark.parametrize(
    ("lines", "left"),
    [
        # with the number of the job, in any place
        ([(1, 300, 1), (1, 100, 2), (1, 200, 3), (2, 50, 1)], [1, 2]),
        ([(1, 100, 2), (1, 200, 4), (1, 300, 0)], [1]),
        # with numbers of their own
        ([(1, 300, 1), (2, 100, 2), (3, 200, 3), (4, 50, 1)], [1, 4]),
        ([(1, 300, 1), (2, 100, 2), (3, 203, 3)], [1, 2, 3]),  # their sum is not that of the job
        ([(1, 300, 1), (2, 100, 2), (3, 202, 3)], [1]),  # but for rounding
        ([(1, 300, 1), (2, 100, 2), (3, 200, 2)], [1, 2, 3]),  # without a last one
        ([(1, 100, 2), (2, 100, 3)], [1, 2]),  # without a line of the whole job
        ([(1, 0, 2), (2, 300, 1)], [1, 2]),
    ],
)
def test_parts_of_a_job_with_a_line_of_its_own_are_left_out(tmp_path, lines, left):
    log = SwfParts(log_file(tmp_path, *executions(*lines)))
    assert joined(log)["number"].tolist() == left
    assert len(log.pieces) == len(lines) - len(left)
    assert len(log.notes) == (len(lines) > len(left))


@pytest.mark.parametrize("size", [40, 60, 100, 170, PART])
@pytest.mark.parametrize(
    "lines",
    [
        [(1, 300, 1), (2, 100, 2), (3, 200, 3), (4, 50, 1)],
        [(1, 300, 1), (1, 100, 2), (4, 50, 1), (5, 50, 1), (6, 50, 1), (1, 200, 3)],
    ],
)
def test_parts_of_a_job_are_left_out_in_any_part_of_the_file(tmp_path, lines, size):
    log = SwfParts(log_file(tmp_path, *executions(*lines)), size)
    assert joined(log)["number"].tolist() == [number for number, _, status in lines if status == 1]
    assert log.pieces["status"].tolist() == [2, 3]


def test_a_part_of_the_file_ends_in_a_log_with_other_meanings_of_status(tmp_path, monkeypatch):
    monkeypatch.setattr("schedlab.traces.swf_executions.MOST_PIECES", 2)
    path = log_file(tmp_path, *executions(*((number, 50, 2) for number in range(1, 20))))
    assert len(list(SwfParts(path, 200))) > 2


def test_parts_of_several_jobs_may_be_mixed(tmp_path):
    first = executions((1, 300, 1), (3, 100, 2), (5, 200, 3))
    second = executions((2, 400, 1), (4, 100, 2), (6, 300, 4), user=8)
    lines = [line for pair in zip(first, second, strict=True) for line in pair]
    assert read_swf(log_file(tmp_path, *lines)).jobs["number"].tolist() == [1, 2]


@pytest.mark.parametrize(("submit", "is_piece"), [("0", True), ("-1", True), ("9", False)])
def test_a_part_of_a_job_has_its_submit_time_or_none(tmp_path, submit, is_piece):
    whole, *pieces = executions((1, 300, 1), (2, 100, 2), (3, 200, 3))
    pieces = [line.replace(" 0 ", f" {submit} ", 1) for line in pieces]
    log = read_swf(log_file(tmp_path, whole, *pieces))
    assert len(log.jobs) == 3 - 2 * is_piece


def test_parts_of_a_job_are_in_the_cleaning_ledger(tmp_path):
    path = log_file(tmp_path, "; MaxProcs: 64", *executions((1, 300, 1), (1, 100, 2), (1, 200, 3)))
    log = load_log(path)
    assert len(log) == 1
    pieces = log.ledger[log.ledger["rule"] == "partial_execution"]
    assert pieces[["number", "before"]].values.tolist() == [[1, 2], [1, 3]]
    assert (pieces["field"] == "status").all()
    assert pieces["after"].isna().all()
    assert log.lost.empty
    again = replay(read_swf(path).jobs, log.ledger, log.rules)
    assert again["number"].tolist() == [1]


def test_status_2_of_a_job_of_another_user_is_a_job(tmp_path):
    lines = [*executions((1, 300, 1)), *executions((2, 300, 3), user=8)]
    assert len(read_swf(log_file(tmp_path, *lines)).jobs) == 2
