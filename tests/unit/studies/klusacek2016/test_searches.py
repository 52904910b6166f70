"""Kept plans and their searches."""

import numpy as np
import pytest

from plans_case import clean_jobs, settings
from schedlab.planning.machine import Machine
from schedlab.planning.search import curve
from schedlab.planning.settings import Search
from schedlab.studies.klusacek2016.runs import Workload
from schedlab.studies.klusacek2016.searches import (
    BEFORE,
    COLUMNS,
    NEVER,
    PLAIN,
    RULES,
    budgets,
    keep_plans,
    search_every_plan,
)

SETTINGS = settings(schedulers=("plan-rs",), seeds=1)


def workload(count: int) -> Workload:
    """Jobs one second apart, each shorter than the one before, on one processor."""
    place = np.arange(1, count + 1)
    jobs = clean_jobs(place - 1, 5000 - 10 * place, user=place % 3)
    return Workload.of(SETTINGS, jobs, Machine.plain(1))


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
