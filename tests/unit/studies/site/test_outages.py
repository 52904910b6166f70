"""Nodes that a log shows to be missing."""

import heapq
from dataclasses import replace

import numpy as np
import pytest

from schedlab.studies.site import outages
from schedlab.studies.site.outages import Found, Use, _row, search
from schedlab.studies.site.pools import Pool

HOUR, DAY = 3600, 86_400
NODES, DAYS = 4, 40


def starts(submit, runtime, closed):
    """Return starts in order of submission on nodes of which some are closed at times."""
    ends, start, now = [], [], 0
    for begin, length in zip(submit.tolist(), runtime.tolist(), strict=True):
        now = max(now, begin)
        while True:
            while ends and ends[0] <= now:
                heapq.heappop(ends)
            missing = sum(nodes for a, b, nodes in closed if a <= now < b)
            if len(ends) < NODES - missing:
                break
            later = [*ends[:1], *(b for a, b, _ in closed if a <= now < b)]
            now = min(later)
        start.append(now)
        heapq.heappush(ends, now + length)
    return np.array(start)


def pool(closed=(), share=0.85, blocked=False, nodes=NODES, users=9):
    """Return a pool of jobs of a node each, recorded with closed nodes and simulated without."""
    rng = np.random.default_rng(1)
    runtime = rng.integers(HOUR, 7 * HOUR, int(share * NODES * DAYS * 24 / 4))
    submit = np.sort(rng.integers(0, DAYS * DAY, len(runtime)))
    recorded, plain = starts(submit, runtime, closed), starts(submit, runtime, ())
    places = tuple(range(nodes))
    return Pool(
        ("main",), places, places, np.arange(len(submit)), rng.integers(0, users, len(submit)),
        submit, runtime, np.full(len(submit), 8 * HOUR), np.ones(len(submit)),
        recorded, recorded if blocked else plain,
    )  # fmt: skip


def test_missing_nodes_are_found_with_their_dates():
    (row,) = search(pool([(10 * DAY, 15 * DAY, 2)]), 600, ())
    assert row.nodes == 2
    assert abs(row.begin - 10 * DAY) < 8 * HOUR
    assert abs(row.end - 15 * DAY) < HOUR


def test_a_pool_that_is_closed_as_a_whole_is_found():
    (row,) = search(pool([(10 * DAY, 10 * DAY + 20 * HOUR, 4)]), 600, ())
    assert row.nodes == 4
    assert row.end == 10 * DAY + 20 * HOUR
    assert row.begin >= 10 * DAY


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"closed": [(10 * DAY, 15 * DAY, 2)], "share": 0.2},
        {"closed": [(10 * DAY, 10 * DAY + 4 * HOUR, 2)]},
        {"closed": [(10 * DAY, 15 * DAY, 2)], "blocked": True},
        {"nodes": 8},
        {"closed": [(10 * DAY, 15 * DAY, 2)], "users": 1},
    ],
    ids=[
        "all nodes",
        "no job waits",
        "too short",
        "jobs wait in both",
        "more nodes than work",
        "a single user",
    ],
)
def test_nothing_is_invented(case):
    assert search(pool(**case), 600, ()) == []


def test_a_time_that_the_simulation_has_as_well_is_no_evidence():
    recorded, simulated = (pool([(day * DAY, (day + 5) * DAY, 2)]) for day in (10, 25))
    assert search(replace(recorded, simulated=simulated.start), 600, ()) == []


@pytest.mark.parametrize(("in_use", "count"), [(0.0, 0), (4.0, 1)])
def test_the_simulation_must_use_the_nodes_at_that_time(in_use, count):
    closed = pool([(10 * DAY, 15 * DAY, 2)])
    bins = 60 * DAY // 600
    use = Use(closed, closed.start, closed.simulated, 600, bins, 600)
    long = [run for run in use.runs(2, np.zeros(bins), np.full(bins, in_use)) if run[2] > 144]
    assert len(long) == count


def test_a_maintenance_that_begins_after_its_evidence_is_not_sought_again(monkeypatch):
    """Limits of the last jobs end 18 h after the pool is closed, so its row begins there."""
    found, close = [], 10 * DAY
    closed = pool([(close, close + 20 * HOUR, 4)])
    last = (closed.start < close) & (closed.start > close - 8 * HOUR)
    limit = np.where(last, close + 18 * HOUR - closed.start, HOUR)

    def row_of(*given):
        found.append(_row(*given))
        assert len(found) < 20
        return found[-1]

    monkeypatch.setattr(outages, "_row", row_of)
    rows = search(replace(closed, limit=limit), 600, ())
    assert [(row.begin, row.end) for row in rows] == [(close + 18 * HOUR, close + 20 * HOUR)]
    assert len(found) == 2


def test_jobs_wait_before_and_after_each_of_many_maintenances():
    """Waits are cut by each row; twenty rows would leave a million pieces of each wait."""
    some = pool([(10 * DAY, 15 * DAY, 2)])
    use = Use(some, some.start, some.simulated, 600, 60 * DAY // 600, 600)
    before = use.waiting.copy()
    row = Found(some, NODES, 39 * DAY, 39 * DAY, 0.0, 0)
    far = [replace(row, begin=(50 + k) * DAY, end=(50 + k) * DAY + HOUR) for k in range(24)]
    use.wait(far)
    assert (use.waiting == before).all()
    use.wait([*far, replace(row, begin=12 * DAY, end=13 * DAY)])
    assert before[:, 12 * 144 : 13 * 144].any()
    assert not use.waiting[:, 12 * 144 : 13 * 144].any()
    assert (use.waiting[:, 13 * 144 :] == before[:, 13 * 144 :]).all()


def test_a_row_of_the_site_is_not_repeated():
    (row,) = search(pool([(10 * DAY, 10 * DAY + 20 * HOUR, 4)]), 600, ())
    assert search(row.pool, 600, [row]) == []
