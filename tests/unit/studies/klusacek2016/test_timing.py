"""Timing of plans and schedulers; no test asserts a time."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.planning.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.search import Plan, save_plans
from schedlab.planning.settings import Planning, Search
from schedlab.studies.klusacek2016 import searches
from schedlab.studies.klusacek2016.searches import REPEATS, measure_times, timings

MACHINE = Machine.plain(1)
PLAIN = Planning(search=Search(iterations=7))


def queue(submit, runtime=100):
    n = len(submit)
    return Requests(Jobs(range(1, n + 1), submit, [runtime] * n, [runtime] * n, [1] * n), range(n))


def plan_and_newcomer():
    """A running job and two planned ones, and a fourth that arrives a second after the plan."""
    jobs = queue([0, 1, 2, 10])
    (plan,) = save_plans(jobs, MACHINE, PLAIN, ("hand",), [9])
    return plan, jobs.take(slice(3, 4))


def test_timings_are_positive_and_jobs_are_the_planned_ones():
    found = measure_times(*plan_and_newcomer(), ("hand",))
    assert found.jobs == 2
    assert min(found.backfill, found.update, found.iteration) > 0


@pytest.mark.parametrize(
    ("submit", "count", "planned"),
    [
        # one runs; no job is planned when the second comes, one when the third does
        ([0, 1, 2, 3, 4], 5, [1, 2, 3]),
        ([0, 1, 2, 3, 4], 9, [1, 2, 3]),
        ([0, 1, 2, 3, 4], 3, [1, 3]),
        ([0, 1, 2, 3, 4], 1, []),
        # who comes at once with the first has no plan before
        ([0, 0, 0, 1], 4, [2]),
        # two that come at once find the same plan
        ([0, 1, 2, 2], 4, [1, 1]),
        # the machine has done everything before
        ([0, 1, 250, 251], 4, []),
        ([7, 8, 9], 3, [1]),
        ([3], 4, []),
    ],
)
def test_plans_are_those_that_an_arrival_finds(submit, count, planned):
    found = timings(queue(submit), MACHINE, PLAIN, ("hand",), count)
    assert [one.jobs for one in found] == planned


@pytest.fixture
def fake_timer(monkeypatch):
    """Run the measured function, and return one microsecond more every time, from a thousand on."""
    calls = []

    def microseconds(what):
        what()
        calls.append(what)
        return 1000.0 - len(calls)

    monkeypatch.setattr(searches, "_microseconds", microseconds)
    return calls


def test_shortest_repeat_counts_and_iterations_are_divided(fake_timer):
    found = measure_times(*plan_and_newcomer(), ("hand",))
    assert len(fake_timer) == 3 * REPEATS == 15
    assert found == (2, 1000 - REPEATS, 1000 - 2 * REPEATS, (1000 - 3 * REPEATS) / 7)


def test_every_repeat_begins_with_the_plan_as_it_was_kept(fake_timer, monkeypatch):
    """The newcomer is planned behind the others, without a search, while the first one runs."""
    plan, newcomer = plan_and_newcomer()
    sessions, session = [], Plan.session

    def noted(self, seed):
        sessions.append(session(self, seed))
        return sessions[-1]

    monkeypatch.setattr(Plan, "session", noted)
    before = plan.starts()
    measure_times(plan, newcomer, ("hand",))
    assert plan.starts() == before
    backfilled, updated, searched = (
        sessions[kind * REPEATS : (kind + 1) * REPEATS] for kind in range(3)
    )
    for one in backfilled:
        assert one.now == 10
        assert [len(jobs) for jobs in one.planned_jobs()] == [3]
        assert sorted(Plan.of(one).starts().values()) == [100, 200, 300]
        assert one.kernel.counts()["searches"] == 0
    for one in updated:
        assert one.now == 9
        assert sorted(Plan.of(one).starts().values()) == [100, 200]
    for one in searched:
        assert one.kernel.counts()["iterations"] == 7


def test_session_of_a_plan_begins_where_the_plan_was_kept():
    """What it does from there on is what the run did; the first job ends as estimated."""
    plan, _ = plan_and_newcomer()
    session = plan.session(("hand",))
    assert session.now == 9
    assert sorted(Plan.of(session).starts().values()) == sorted(plan.starts().values())
    assert session.next_event() == 100
    session.advance()
    assert session.now == 300
    assert len(Plan.of(session)) == 0
    assert len(plan) == 2


def test_session_searches_with_the_plans_settings_or_the_given_ones():
    plan, _ = plan_and_newcomer()
    own, told = plan.session(("hand",)), plan.session(("hand",), Search(iterations=3, tau=5))
    assert own.settings == PLAIN
    assert own.settings.search.iterations == 7
    assert told.settings == Planning(search=Search(iterations=3, tau=5))
    assert own.machine is told.machine is MACHINE


def test_arrival_is_planned_in_a_session_of_a_plan():
    """It fits into the gap next to the job that runs."""
    jobs = Requests(Jobs([1, 2], [0, 1], [100, 100], [100, 100], [1, 2]), [1, 2])
    (plan,) = save_plans(jobs, Machine.plain(2), PLAIN, ("hand",), [5])
    session = plan.session(("hand",))
    new = session.submit(Requests(Jobs([3], [6], [50], [50], [1]), [3]))
    session.advance(until=6)
    assert session.state(int(new[0])) == "running"
    assert np.array_equal(session.planned_jobs()[0], list(plan.starts()))
