"""Plans solved by hand: updates, gaps, limits, queues, nodes and sessions."""

import numpy as np
import pytest

from planning_case import machine_of_clusters
from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.files.threads import over_threads
from schedlab.planning import sessions
from schedlab.planning.requests import Requests
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Limits, Planning, Search
from schedlab.planning.simulation import simulate_plan

NO_SEARCH = Search(iterations=0)
PLAN = Planning(search=NO_SEARCH)


def requests(*rows, **columns) -> Requests:
    """Jobs of (submit, runtime, estimate, procs, user)."""
    submit, runtime, estimate, procs, user = (list(column) for column in zip(*rows, strict=True))
    jobs = Jobs(range(1, len(rows) + 1), submit, runtime, estimate, procs)
    return Requests(jobs, user, **columns)


def starts(asked: Requests, machine: Machine, settings: Planning = PLAN) -> list[int]:
    return simulate_plan(asked, machine, settings, ("hand",)).start.tolist()


# The first job leaves three of four processors at 10; the third needs all four and waits for the
# second until 300. The fourth would have room from 10 to 260, in front of the third.
LEFT = ((0, 10, 100, 3, 1), (0, 300, 300, 1, 1), (0, 50, 50, 4, 2), (1, 250, 250, 1, 3))


BY_NODE, ORIGINAL = Planning(mode="nodes", search=NO_SEARCH), Planning("orig-bf")
SHARE = Planning(search=NO_SEARCH, limits=Limits(long=100, share=0.7))
NODES = machine_of_clusters(("a", 2, 4, 100))
LONG = ((0, 101, 101, 4, 1), (0, 101, 101, 3, 2))
USERS = [(0, 40, 40, 1, 7)] * 3 + [(0, 40, 40, 1, 8)]
RANKED = ((0, 100, 100, 1, 1), (1, 10, 10, 1, 2), (2, 10, 10, 1, 1))
WIDE_LAST = ((0, 100, 100, 3, 1), (1, 200, 200, 2, 2), (2, 90, 90, 1, 3), (3, 50, 50, 4, 4))
HALF = ((0, 60, 60, 2, 1), (0, 9, 9, 1, 2))
FULL = ((0, 60, 60, 4, 1), (0, 30, 30, 3, 2), (0, 9, 9, 1, 3))
PAIR = ((0, 60, 60, 4, 1), (0, 60, 60, 2, 2), (0, 9, 9, 2, 3))


@pytest.mark.parametrize(
    ("rows", "columns", "machine", "settings", "expected"),
    [
        # an update keeps the order of planned starts, and a search fills the gap that it leaves
        (LEFT, {}, 4, PLAN, [0, 0, 300, 350]),
        (LEFT, {}, 4, Planning(search=Search(iterations=100, every=1)), [0, 0, 300, 10]),
        # a new job takes the earliest gap that fits, here from 100 to 300, when the third begins
        *(
            (
                ((0, 100, 100, 3, 1), *LEFT[1:3], (1, 5, estimate, 1, 3)),
                {},
                4,
                PLAN,
                [0, 0, 300, at],
            )
            for estimate, at in ((199, 100), (200, 100), (201, 350))
        ),
        # a user has no more processors than the limit
        (USERS, {}, 4, Planning(search=NO_SEARCH, limits=Limits(user=2)), [0, 0, 40, 0]),
        (USERS, {}, 4, Planning(search=NO_SEARCH, limits=Limits(user=3)), [0, 0, 0, 0]),
        # long jobs hold 7 of 10 processors; one more of 100 s is none, one of 101 s waits
        ((*LONG, (0, 9, 100, 1, 3)), {}, 10, SHARE, [0, 0, 0]),
        ((*LONG, (0, 9, 101, 1, 3)), {}, 10, SHARE, [0, 0, 101]),
        # a queue of lower rank precedes users with less usage
        (RANKED, {"queue": [1, 1, 0]}, 1, ORIGINAL, [0, 110, 100]),
        # the wide job comes last but is of the first queue; the narrow one fits in front of it
        (WIDE_LAST, {"queue": [1, 1, 1, 0]}, 4, ORIGINAL, [0, 150, 2, 100]),
        # memory of a node is reserved too: a job of 150 KB holds 75 of 100 KB on both nodes
        (HALF, {"memory": [150, 25]}, NODES, BY_NODE, [0, 0]),
        (HALF, {"memory": [150, 26]}, NODES, BY_NODE, [0, 60]),
        (HALF, {"memory": [150, 26]}, NODES, PLAN, [0, 0]),
        # an exclusive job waits for an empty node
        (FULL, {"exclusive": [False, False, False]}, NODES, BY_NODE, [0, 0, 0]),
        (FULL, {"exclusive": [False, False, True]}, NODES, BY_NODE, [0, 0, 30]),
        # two processors on one node have room next to three of four; on two nodes they have not
        (
            PAIR,
            {"nodes": [1, 1, 1]},
            machine_of_clusters(("a", 2, 4)),
            BY_NODE,
            [0, 0, 0],
        ),
        (
            PAIR,
            {"nodes": [1, 1, 2]},
            machine_of_clusters(("a", 2, 4)),
            BY_NODE,
            [0, 0, 60],
        ),
    ],
)
def test_starts_solved_by_hand(rows, columns, machine, settings, expected):
    machine = Machine.of_processors(machine) if isinstance(machine, int) else machine
    assert starts(requests(*rows, **columns), machine, settings) == expected


def test_of_two_clusters_the_earlier_one_is_taken_and_the_first_of_equals():
    machine = machine_of_clusters(("a", 4, 1), ("b", 2, 1))
    asked = requests(
        (0, 30, 30, 2, 1), (0, 20, 20, 3, 1), (0, 9, 9, 2, 1), (0, 9, 9, 2, 1), (0, 9, 9, 4, 1)
    )
    found = simulate_plan(asked, machine, PLAN, ("hand",))
    assert found.extras["cluster"].tolist() == [0, 0, 0, 1, 0]
    assert found.start.tolist() == [0, 30, 0, 0, 50]


def test_criteria_are_those_of_planned_starts_and_estimates():
    """Waits of 100 and 110 s; slowdowns 2 and 111 / 10; users' waits for each second used."""
    session = PlanSession(Machine.of_processors(1), PLAN, ("hand",))
    session.submit(requests((0, 50, 100, 1, 1), (0, 10, 10, 1, 2), (0, 1, 1, 1, 1)))
    session.advance(0)
    first, second = 110 / 101, 100 / 10
    mean = (first + second) / 2
    assert session.criteria() == pytest.approx(
        {
            "wait": 105,
            "slowdown": (11 + 11.1) / 2,
            "fairness": (1 + mean - first) ** 2 + (1 + mean - second) ** 2,
            "response": (110 + 111) / 2,
        }
    )
    session.advance(50)  # the first has used 50 s, and no job waits behind it any longer than that
    first, second = 60 / 51, 50 / 10
    mean = (first + second) / 2
    assert session.criteria()["wait"] == 60
    assert session.criteria()["fairness"] == pytest.approx(
        (1 + mean - first) ** 2 + (1 + mean - second) ** 2
    )


@pytest.mark.parametrize(("every", "times"), [(60, {10}), (59, {10, 69})])
def test_searches_are_so_many_seconds_apart_at_least(every, times):
    """Something happens at 10, at 69, 59 s later, and when the first job has ended."""
    rows = [(10, 100, 200, 1, 1), (10, 100, 100, 1, 1), (10, 1, 1, 1, 2)]
    rows += [(69, 1, 1, 1, 3)]
    settings = Planning(search=Search(iterations=100, every=every))
    found = simulate_plan(requests(*rows), Machine.of_processors(1), settings, ("hand",))
    assert set(found.extras["moves"]["time"]) - {110} == times


def test_timed_search_runs_without_an_event():
    """Nothing does between 1 and 100; the first search found no waiting job."""
    rows = [(0, 100, 100, 1, 1), *[(1, 5, 50 - k, 1, k) for k in range(12)]]
    for timed, searches in ((False, 0), (True, 1)):
        settings = Planning(search=Search(iterations=1, every=60, timed=timed))
        session = PlanSession(Machine.of_processors(1), settings, ("hand",))
        session.submit(requests(*rows))
        session.advance(99)
        assert session.schedule().extras["counts"]["searches"] == searches


def test_session_accepts_a_job_at_the_instant_of_a_completion():
    session = PlanSession(Machine.of_processors(2), PLAN, ("hand",))
    session.submit(requests((0, 30, 40, 2, 1), (5, 10, 10, 1, 2)))
    session.advance(on_end=True)
    assert session.now == 30
    assert [handles.tolist() for handles in session.read()] == [[0, 1], [0]]
    handle = int(session.submit(requests((30, 7, 7, 1, 1)))[0])
    assert session.next_event() == 30
    session.advance(30)
    assert (handle, session.state(handle), session.state(0)) == (2, "running", "ended")
    session.advance()
    assert session.next_event() is None
    assert [handles.tolist() for handles in session.read()] == [[2], [2, 1]]
    assert session.schedule().end.tolist() == [30, 40, 37]


def test_held_job_arrives_when_released():
    """Its wait counts from then; who is never released never comes."""
    session = PlanSession(Machine.of_processors(1), PLAN, ("hand",))
    session.submit(requests((0, 30, 30, 1, 1)))
    session.submit(requests((0, 10, 10, 1, 2), (0, 10, 10, 1, 2), (0, 9, 9, 1, 3)), held=True)
    session.advance(5)
    assert session.state(1) == "held"
    session.release(2)
    session.release(1, at=8)
    session.advance(8)
    assert session.criteria()["wait"] == (30 - 5 + 40 - 8) / 2
    session.advance()
    assert session.schedule().start.tolist() == [0, 40, 30, -1]
    assert session.state(3) == "held"
    for job, at, message in (
        (3, 49, "job 3: cannot be submitted at 49: not from 50 to 4294967296"),
        (3, 2**32 + 1, "job 3: cannot be submitted at 4294967297"),
        (1, 50, "job 1 is not held"),
    ):
        with pytest.raises(ValueError, match=message):
            session.release(job, at)
    session.release(3, 2**32)


def test_plan_gives_starts_and_order():
    session = PlanSession(Machine.of_processors(2), PLAN, ("hand",))
    session.submit(requests((0, 9, 30, 2, 1), (0, 9, 20, 2, 1), (0, 9, 10, 1, 2), (8, 9, 10, 1, 2)))
    session.advance(0)
    assert [session.planned(job) for job in range(4)] == [None, 30, 50, None]
    assert [order.tolist() for order in session.planned_jobs()] == [[1, 2]]
    assert [session.state(job) for job in range(4)] == ["running", "waiting", "waiting", "pending"]


def test_session_in_steps_equals_one_run():
    """More jobs and users than it has room for at first, submitted bit by bit, are as at once."""
    rng = np.random.default_rng(4)
    n = 300
    submit, runtime = np.sort(rng.integers(0, 900, n)), rng.integers(0, 40, n)
    jobs = Jobs(np.arange(n), submit, runtime, runtime + 1, rng.integers(1, 9, n))
    asked = Requests(jobs, rng.integers(0, 90, n))
    settings = Planning(search=Search(iterations=10))
    session = PlanSession(Machine.of_processors(8), settings, ("bits",))
    for k in range(0, n, 7):
        session.advance(int(submit[k]) - 1) if submit[k] > session.now else None
        session.submit(asked.take(slice(k, k + 7)))
    session.advance()
    at_once = simulate_plan(asked, Machine.of_processors(8), settings, ("bits",))
    assert session.schedule().start.tolist() == at_once.start.tolist()


def test_runs_are_the_same_over_threads_and_differ_by_seed():
    rng = np.random.default_rng(5)
    runtime = rng.integers(1, 50, 80)
    jobs = Jobs(np.arange(80), np.arange(80), runtime, 2 * runtime, rng.integers(1, 9, 80))
    asked, settings = Requests(jobs, rng.integers(0, 5, 80)), Planning(search=Search(every=5))

    def run(seed):
        return simulate_plan(asked, Machine.of_processors(8), settings, ("seed", seed))

    alone, together = over_threads(run, range(4)), over_threads(run, range(4), threads=2)
    for a, b in zip(alone, together, strict=True):
        assert a.extras["moves"].equals(b.extras["moves"])
        assert a.start.tolist() == b.start.tolist()
    assert len({tuple(found.start) for found in alone}) > 1


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ((4, 1, 1, 1, 1), "job 1: is submitted before the present time 5"),
        ((2**32 + 1, 1, 1, 1, 1), f"job 1: submit is above {2**32} s"),
        ((5, 1, 2**31 - 1, 1, 1), f"job 1: estimate is above {2**31 - 2} s"),
        ((5, 1, 1, 5, 1), r"job 1: procs 5 is more than any cluster has .*\(all 4\)"),
    ],
)
def test_invalid_submission_is_rejected_with_job_and_field(row, message):
    session = PlanSession(Machine.of_processors(4), PLAN, ("hand",))
    session.advance(5)
    with pytest.raises(ValueError, match=message):
        session.submit(requests(row))
    for place, last in enumerate([(5, 1, 1, 1, 1), (2**32, 1, 1, 1, 1), (5, 1, 2**31 - 2, 1, 1)]):
        assert session.submit(requests(last)).tolist() == [place]


def test_a_search_begins_with_all_64_bits_of_a_random_number(monkeypatch):
    seen = []
    monkeypatch.setattr(sessions, "KeptPlanner", lambda *settings: seen.append(settings[9]))
    for number in range(20):
        PlanSession(Machine.of_processors(4), PLAN, ("hand", number))
    assert len(set(seen)) == 20
    assert 2**63 < max(seen) < 2**64
    assert min(seen) < 2**63


def test_time_does_not_go_back_and_handles_are_known():
    session = PlanSession(Machine.of_processors(4), PLAN, ("hand",))
    session.advance(5)
    with pytest.raises(ValueError, match="cannot go back from 5 to 4"):
        session.advance(4)
    with pytest.raises(IndexError, match="no job has the handle 0: 0 submitted"):
        session.state(0)


def test_an_update_knows_all_nodes_that_are_free_at_an_instant():
    """At 10 two jobs end, the later one on the first node; the next takes the first two."""
    session = PlanSession(
        machine_of_clusters(("a", 3, 1)),
        Planning(mode="nodes", search=NO_SEARCH),
        ("hand",),
    )
    session.submit(requests((0, 5, 5, 1, 1), (0, 10, 10, 2, 1), (5, 5, 5, 1, 1), (6, 5, 5, 2, 1)))
    session.advance(until=6)
    assert session.planned(3) == 10
    kept = session.kernel.snapshot()
    assert kept["nodes"][kept["handle"] == 3].tolist() == [[0b011]]
