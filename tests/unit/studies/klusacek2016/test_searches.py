"""Kept plans and their searches."""

import numpy as np
import pytest

from plans_case import clean_jobs, settings
from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.search import Plan, curve, save_plans
from schedlab.planning.settings import Planning, Search
from schedlab.studies.klusacek2016 import searches
from schedlab.studies.klusacek2016.runs import Workload
from schedlab.studies.klusacek2016.searches import (
    BEFORE,
    COLUMNS,
    NEVER,
    PLAIN,
    REPEATS,
    RULES,
    budgets,
    keep_plans,
    measure_times,
    search_every_plan,
    timings,
)

SETTINGS = settings(schedulers=("plan-rs",), seeds=1)


def workload(count: int) -> Workload:
    """Jobs one second apart, each shorter than the one before, on one processor."""
    place = np.arange(1, count + 1)
    jobs = clean_jobs(place - 1, 5000 - 10 * place, user=place % 3)
    return Workload.of(SETTINGS, jobs, Machine.of_processors(1))


@pytest.mark.parametrize(
    ("asked", "longest", "steps"),
    [
        (300, 100_000, [0, 10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000]),
        (300, 1000, [0, 10, 30, 100, 300, 1000]),
        (50, 2000, [0, 10, 30, 50, 100, 300, 1000, 2000]),
        (3000, 1000, [0, 10, 30, 100, 300, 1000, 3000]),
    ],
)
def test_searches_are_looked_at_from_10_iterations_to_the_longest(asked, longest, steps):
    assert budgets(asked, longest) == steps


@pytest.mark.parametrize(("jobs", "plans"), [(20, 0), (21, 1), (22, 2)])
def test_a_plan_is_kept_from_20_planned_jobs_on(jobs, plans):
    """One job runs from the beginning, all others are planned."""
    found = keep_plans(workload(jobs), 5)
    assert {kind: len(some) for kind, some in found.items()} == {BEFORE: plans, NEVER: plans}
    assert all(len(plan) >= 20 for some in found.values() for plan in some)


def test_number_of_kept_plans_is_limited():
    assert [len(plan) for plan in keep_plans(workload(24), 2)[NEVER]] == [21, 23]


def test_only_plans_of_unsearched_runs_are_in_order_of_arrival():
    found = keep_plans(workload(30), 1)
    order = {kind: sorted(one.starts(), key=one.starts().get) for kind, (one,) in found.items()}
    assert order[NEVER] == sorted(order[NEVER])
    assert order[BEFORE] != sorted(order[BEFORE])


def test_a_log_that_is_not_available_has_no_plans_and_no_searches():
    nothing = keep_plans(workload(0), 5)
    assert nothing == {BEFORE: [], NEVER: []}
    found = search_every_plan(nothing, 2, [0, 10], "toy")
    assert found.empty
    assert list(found) == list(COLUMNS)


@pytest.mark.slow
def test_every_plan_is_searched_by_every_rule_with_every_seed():
    plans = keep_plans(workload(24), 2)
    done = []
    found = search_every_plan(plans, 3, [0, 10, 40], "toy", 2, lambda: done.append(1))
    assert len(done) == 2 * 2 * 4 * 3
    assert len(found) == len(done) * 3
    keys = ["plans", "plan", "rule", "seed", "iterations"]
    assert not found.duplicated(keys).any()
    assert found.equals(search_every_plan(plans, 3, [0, 10, 40], "toy"))


def test_rules_change_the_named_setting_and_share_random_numbers():
    plans = keep_plans(workload(24), 2)
    found = search_every_plan(plans, 2, [0, 10, 40], "toy").set_index(
        ["plans", "plan", "rule", "seed"]
    )
    for rule, change in {
        PLAIN: {"rule": "first", "choose": "uniform"},
        "simulated annealing": {"rule": "annealing", "choose": "uniform"},
        "tabu search": {"rule": "tabu", "choose": "uniform"},
        "worst jobs first": {"rule": "first", "choose": "worst"},
    }.items():
        key = ("klusacek2016", "toy", "searches", NEVER, 1, 1)
        alone = curve(plans[NEVER][1], [0, 10, 40], key, Search(**change))
        own = found.loc[(NEVER, 1, rule, 1)]
        assert own["gain"].tolist() == alone["gain"].tolist()
        assert own["wait"].tolist() == alone["wait"].tolist()
    assert set(RULES) == set(found.index.get_level_values("rule"))


def test_plans_record_their_time_and_their_number_of_planned_jobs():
    found = search_every_plan(keep_plans(workload(24), 2), 1, [0, 10], "toy")
    own = found[found["plans"] == NEVER].drop_duplicates("plan")
    assert own[["plan", "time", "planned"]].to_numpy().tolist() == [[0, 21, 21], [1, 23, 23]]


MACHINE = Machine.of_processors(1)
PLANNED = Planning(search=Search(iterations=7))


def queue(submit, runtime=100):
    n = len(submit)
    return Requests(Jobs(range(1, n + 1), submit, [runtime] * n, [runtime] * n, [1] * n), range(n))


def plan_and_newcomer():
    """A running job and two planned ones, and a fourth that arrives a second after the plan."""
    jobs = queue([0, 1, 2, 10])
    (plan,) = save_plans(jobs, MACHINE, PLANNED, ("hand",), [9])
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
    found = timings(queue(submit), MACHINE, PLANNED, ("hand",), count)
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
    assert own.settings == PLANNED
    assert own.settings.search.iterations == 7
    assert told.settings == Planning(search=Search(iterations=3, tau=5))
    assert own.machine is told.machine is MACHINE


def test_arrival_is_planned_in_a_session_of_a_plan():
    """It fits into the gap next to the job that runs."""
    jobs = Requests(Jobs([1, 2], [0, 1], [100, 100], [100, 100], [1, 2]), [1, 2])
    (plan,) = save_plans(jobs, Machine.of_processors(2), PLANNED, ("hand",), [5])
    session = plan.session(("hand",))
    new = session.submit(Requests(Jobs([3], [6], [50], [50], [1]), [3]))
    session.advance(until=6)
    assert session.state(int(new[0])) == "running"
    assert np.array_equal(session.planned_jobs()[0], list(plan.starts()))
