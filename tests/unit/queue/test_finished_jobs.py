"""Jobs that were finished before a session was copied."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from schedlab.queue.finished_jobs import FinishedJobs


def part(handles: list[int]) -> tuple[np.ndarray, ...]:
    """Jobs that started at ten times their handles and ended a second later."""
    column = np.array(handles, dtype=np.int64)
    return column, column % 2 + 4, 10 * column, 10 * column + 1


def test_finished_jobs_are_found_in_any_grouping():
    """Parts are few and sorted, and nothing is lost when they are joined."""
    rng = np.random.default_rng(2)
    order, past, begin = rng.permutation(300), FinishedJobs(), 0
    for size in rng.integers(0, 7, 100).tolist():
        known = past
        past = past.joined(part(order[begin : begin + size].tolist()))
        assert known.parts is past.parts or size
        begin += size
    start, end = np.full((2, 300), -1)
    past.fill(start, end)
    seen = np.sort(order[:begin])
    assert np.flatnonzero(start >= 0).tolist() == seen.tolist()
    assert (end[seen] == 10 * seen + 1).all()
    assert all(past.find(job) == (job % 2 + 4, 10 * job, 10 * job + 1) for job in seen.tolist())
    assert all(past.find(job) is None for job in order[begin:].tolist())
    lengths = [len(handles) for handles, *_ in past.parts]
    assert all(2 * short <= long for long, short in pairwise(lengths))


def test_joining_more_jobs_leaves_the_copy_unchanged():
    known = FinishedJobs().joined(part([3, 1]))
    more = known.joined(part([2]))
    assert known.find(2) is None
    assert more.find(2) == (4, 20, 21)
    assert more.find(1) == known.find(1) == (5, 10, 11)


@pytest.mark.parametrize(
    ("before", "new", "lengths"),
    [
        ([4], 2, [4, 2]),
        ([3], 2, [5]),
        ([10, 3], 2, [10, 5]),
        ([6, 3], 2, [11]),
        ([8, 4], 2, [8, 4, 2]),
    ],
)
def test_parts_are_joined_where_the_last_is_less_than_twice_as_long(before, new, lengths):
    """Joining goes on with the part that came of it, and stops at one of twice its length."""
    numbers, past = iter(range(99)), FinishedJobs()
    for size in (*before, new):
        past = past.joined(part([next(numbers) for _ in range(size)]))
    assert [len(handles) for handles, *_ in past.parts] == lengths
