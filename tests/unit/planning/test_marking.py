"""Orig-BF whose blocked jobs mark nodes, and schedulers that poll, by hand."""

import pytest

from planning_case import machine_of_clusters
from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Limits, Planning, Search
from schedlab.planning.simulation import simulate_plan

MARKING = Planning("orig-bf", reservations="marking")
BY_NODE = Planning("orig-bf", "nodes", reservations="marking")


def requests(*rows, **columns) -> Requests:
    """Jobs of (submit, run time, processors, user); estimates are exact."""
    submit, runtime, procs, user = (list(column) for column in zip(*rows, strict=True))
    return Requests(Jobs(range(1, len(rows) + 1), submit, runtime, runtime, procs), user, **columns)


def starts(asked: Requests, machine: Machine, settings: Planning = MARKING) -> list[int]:
    return simulate_plan(asked, machine, settings, ("hand",)).start.tolist()


@pytest.mark.parametrize(("reservations", "third"), [("marking", 100), ("every", 2)])
def test_no_later_job_uses_the_marks_of_a_blocked_job(reservations, third):
    """The second job lacks a processor until 100; the third would end long before."""
    asked = requests((0, 100, 3, 1), (1, 50, 2, 2), (2, 10, 1, 3))
    settings = Planning("orig-bf", reservations=reservations)
    assert starts(asked, Machine.of_processors(4), settings) == [0, 100, third]


def test_a_blocked_job_marks_only_clusters_that_suit_it():
    """The second job may use the first cluster only; the third has room on the second one."""
    machine = machine_of_clusters(("a", 4, 1), ("b", 1, 1))
    asked = requests(
        (0, 100, 3, 1), (1, 50, 2, 2), (2, 10, 1, 3), (2, 10, 1, 4), clusters=[1, 1, 3, 1]
    )
    found = simulate_plan(asked, machine, MARKING, ("hand",))
    assert found.start.tolist() == [0, 100, 2, 100]
    assert found.extras["cluster"].tolist() == [0, 0, 1, 0]


ONE, TWO = (
    machine_of_clusters(("a", 1, 4, 100)),
    machine_of_clusters(("a", 2, 4)),
)
LIMITED = Planning("orig-bf", reservations="marking", limits=Limits(user=3))


@pytest.mark.parametrize(
    ("rows", "columns", "machine", "settings", "expected"),
    [
        # the second job finds 2 processors, but no memory, and marks 2 and all memory of the node
        *(
            (
                ((0, 60, 1, 1), (1, 9, 2, 2), (2, 9, procs, 3)),
                *({"memory": [50, 60, memory]}, ONE, BY_NODE, [0, 60, start]),
            )
            for procs, memory, start in ((1, 0, 2), (2, 0, 60), (1, 1, 60))
        ),
        # the third wants a processor on each of two nodes; 3 less 2 are left of the second
        *(
            (
                ((0, 60, 4, 1), (0, 60, 1, 2), (1, 9, 2, 3), (2, 9, procs, 4)),
                *({"nodes": [1, 1, 2, 1]}, TWO, BY_NODE, [0, 0, 60, start]),
            )
            for procs, start in ((1, 2), (2, 60))
        ),
        # a job that wants whole nodes marks them whole
        (
            ((0, 60, 1, 1), (0, 60, 4, 2), (1, 9, 1, 3), (2, 9, 1, 4)),
            *({"exclusive": [False, False, True, False]}, TWO, BY_NODE, [0, 0, 60, 60]),
        ),
        # a user may hold 3 of 4 processors: the second job has no room either if it is of another
        *(
            (
                ((0, 100, 3, 1), (1, 50, 2, user), (2, 10, 1, 3)),
                *({}, Machine.of_processors(4), LIMITED, [0, 100, last]),
            )
            for user, last in ((1, 2), (2, 100))
        ),
    ],
)
def test_marks_keep_later_jobs_out(rows, columns, machine, settings, expected):
    assert starts(requests(*rows, **columns), machine, settings) == expected


@pytest.mark.parametrize(
    ("half_life", "order"), [(10**9, [210, 200]), (150, [200, 210]), (95, [200, 210])]
)
@pytest.mark.parametrize("reservations", ["marking", "every"])
def test_usage_is_halved_in_steps(reservations, half_life, order):
    """User 1 has the processor for 100 s, then user 2 for 90 s; at 190 user 3 goes first.

    At 200 user 1 has used 100 s and user 2 90 s. Halved at 150 these are 50 and 25 + 40; halved at
    95 and at 190, (47.5 + 5) / 2 and 90 / 2.
    """
    rows = (0, 100, 1, 1), (0, 90, 1, 2), (0, 10, 1, 3), (150, 10, 1, 1), (151, 10, 1, 2)
    settings = Planning("orig-bf", half_life=half_life, reservations=reservations)
    assert starts(requests(*rows), Machine.of_processors(1), settings) == [0, 100, 190, *order]


def test_a_blocked_job_has_no_planned_start():
    session = PlanSession(Machine.of_processors(1), MARKING, ("hand",))
    session.submit(requests((0, 9, 1, 1), (0, 9, 1, 2)))
    session.advance(0)
    assert (session.state(1), session.planned(1)) == ("waiting", None)
    assert [order.tolist() for order in session.planned_jobs()] == [[]]


@pytest.mark.parametrize(
    ("scheduler", "reservations", "cycle", "expected"),
    [
        ("orig-bf", "marking", (30, 2), [30, 32, 34, 66, 98]),
        ("orig-bf", "every", (30, 2), [30, 32, 34, 66, 98]),
        ("plan-rs", "every", (5, 0), [5, 35, 35, 40, 50]),
        ("plan-rs", "every", None, [1, 31, 33, 40, 50]),
    ],
)
def test_a_scheduler_that_polls_starts_jobs_at_its_cycles(scheduler, reservations, cycle, expected):
    """With 30 and 2 s: at 30, 32, 34, in vain at 36, at 66; the end at 76 is seen at 98."""
    rows = (1, 3, 1, 1), (31, 2, 1, 2), (33, 3, 1, 3), (40, 10, 2, 4), (41, 9, 2, 5)
    settings = Planning(scheduler, search=Search(0), reservations=reservations, cycle=cycle)
    assert starts(requests(*rows), Machine.of_processors(2), settings) == expected
