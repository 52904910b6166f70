"""Searches of kept plans."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from planning_case import SEED, cases, machine_of_clusters, plan_of_one, session_of
from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.search import Plan, curve, gain, instants, save_plans, search
from schedlab.planning.settings import Planning, Search


def test_criteria_before_and_after_are_those_of_the_two_orders():
    """900 s in front of 10 s: waits 0 and 900 s; the other way about 10 and 0 s."""
    found = search(plan_of_one([900, 10]), 20, ("hand",))
    assert found.plan.starts() == {1: 0, 0: 10}
    assert found.before == pytest.approx(
        {"wait": 450, "slowdown": 46, "fairness": 46**2 + 44**2, "response": 905}
    )
    real = Search(fairness=10.0, wait=1.0, slowdown=1.0, response=0.0)
    assert search(plan_of_one([900, 10]), 20, ("hand",), real).after == found.after
    x = 10 / 900
    assert found.after == pytest.approx(
        {
            "wait": 5,
            "slowdown": (1 + 910 / 900) / 2,
            "fairness": (1 + x / 2) ** 2 + (1 - x / 2) ** 2,
            "response": 460,
        }
    )
    move = found.moves.iloc[0]
    assert move["wait"] == pytest.approx(445 / 450)
    assert move["fairness"] == pytest.approx(1 - found.after["fairness"] / (46**2 + 44**2))
    assert move["response"] == pytest.approx(445 / 905)
    assert move["gain"] == pytest.approx(move["wait"] + move["slowdown"] + 10 * move["fairness"])


@pytest.mark.parametrize(("waited", "kept"), [(999_999_990, 1), (1_000_000_090, 0)])
def test_a_gain_of_a_billionth_is_rounding(waited, kept):
    """One second less of 10^9 - 1, and of 10^9 + 91."""
    settings = Search(fairness=0, slowdown=0)
    plan = plan_of_one([10, 9], [-waited + 1, 0])
    assert len(search(plan, 50, ("hand",), settings).moves) == kept


def test_a_plan_that_cannot_be_better_is_searched_through_once():
    """Three jobs in their best order: nine moves, of which six are to another place."""
    found = search(plan_of_one([1, 2, 3]), 10_000, ("hand",))
    assert len(found.moves) == 0
    assert found.evaluated == 6


def test_an_empty_plan_is_not_searched():
    found = search(plan_of_one([]), 10, ("hand",))
    assert len(found.plan) == len(found.moves) == 0
    assert np.isnan(found.after["wait"])


@pytest.mark.slow
@settings(max_examples=30)
@given(cases())
def test_a_plan_that_is_kept_and_not_searched_is_the_same_plan(case):
    """At each event of a run: starts, order and criteria, by cluster and by node."""
    assume(case[2].scheduler == "plan-rs" or case[2].mode == "aggregate")
    session = session_of(*case)
    while session.next_event() is not None:
        session.advance(session.next_event())
        kept = Plan.of(session)
        found = search(kept, 0, ("none",))
        assert found.plan.starts() == kept.starts()
        if len(kept):
            assert found.before == pytest.approx(session.criteria())


@pytest.mark.slow
@settings(max_examples=40)
@given(cases())
def test_search_keeps_its_input_plan_and_never_returns_a_worse_one(case):
    session = session_of(*case)
    session.advance(int(case[0].jobs.submit[-1]))
    kept = Plan.of(session)
    before = kept.starts()
    found = search(kept, 30, ("some",))
    assert kept.starts() == before
    assert found.plan.starts().keys() == before.keys()
    if case[2].search.rule == "first":
        assert (found.moves["gain"] > 1e-9).all()
    assert not found.gain < -1e-9
    assert search(kept, 30, ("some",)).plan.starts() == found.plan.starts()


def test_a_job_must_be_able_to_run_where_it_is_planned():
    jobs = Jobs([9], [0], [5], [5], [1])
    with pytest.raises(ValueError, match="job 9: cannot run on cluster 1"):
        Plan.in_order(Requests(jobs, [1]), Machine.of_processors(4), Planning(), [1])


def test_a_gain_is_the_weighted_sum_of_relative_changes():
    """Half the wait, twice the slowdown, a tenth less unfairness, a quarter more response."""
    before = {"wait": 8, "slowdown": 2, "fairness": 10, "response": 4}
    after = {"wait": 4, "slowdown": 4, "fairness": 9, "response": 5}
    settings = Search(fairness=10, wait=3, slowdown=2, response=4)
    assert gain(before, after, settings) == pytest.approx(3 / 2 - 2 + 1 - 1)
    # on zero it is relative to a billionth
    none = dict.fromkeys(before, 0.0)
    assert gain(none, none | {"wait": 2e-9}, Search()) == pytest.approx(-2)


@pytest.mark.slow
@settings(max_examples=30)
@given(cases())
def test_curve_equals_searches_with_its_budgets(case):
    session = session_of(*case)
    session.advance(int(case[0].jobs.submit[-1]))
    kept = Plan.of(session)
    assume(len(kept))
    found = curve(kept, [0, 1, 7, 30], ("some",))
    assert found["iterations"].tolist() == [0, 1, 7, 30]
    for row in found.to_dict("records"):
        one = search(kept, row["iterations"], ("some",))
        assert [row[name] for name in one.after] == pytest.approx(list(one.after.values()))
        assert row["gain"] == pytest.approx(one.gain, abs=1e-9)


@pytest.mark.parametrize("budgets", [[-1, 5], [5, 5], [7, 5]])
def test_budgets_go_up(budgets):
    with pytest.raises(ValueError, match="must go up from at least 0"):
        curve(plan_of_one([1, 2]), budgets, ("hand",))
    with pytest.raises(ValueError, match="nothing is planned at 0"):
        curve(plan_of_one([]), [1], ("hand",))


def test_annealing_begins_at_the_same_plan_for_any_budget():
    """Each budget is a search of its own; one of them is a curve."""
    settings = Search(rule="annealing")
    alone = curve(plan_of_one([900, 10]), [20], ("hand",), settings)
    both = curve(plan_of_one([900, 10]), [0, 20], ("hand",), settings)
    assert alone.to_dict("records") == both.tail(1).to_dict("records")
    assert both["wait"].tolist() == [450, 5]


@pytest.mark.parametrize("nodes", [1, 64, 65])
def test_a_plan_on_nodes_has_a_bit_for_each(nodes):
    """On machines around a word of 64 bits; each job takes all nodes."""
    jobs = Jobs([1, 2], [0, 0], [9, 9], [9, 9], [2 * nodes] * 2)
    machine = machine_of_clusters(("a", nodes, 2))
    plan = Plan.in_order(Requests(jobs, [1, 2]), machine, Planning(mode="nodes"), [0, 0])
    assert plan.starts() == {0: 0, 1: 9}


# Four jobs of 10 s, one every second, on one processor: 1, 2 and 3 of them wait from 1, 2 and 3 on
# until 10, 2 until 20, and 1 until 30.
QUEUE = Requests(Jobs(range(4), range(4), [10] * 4, [10] * 4, [1] * 4), range(4))


def test_plans_of_a_run_are_kept_at_their_times():
    plans = save_plans(
        QUEUE, Machine.of_processors(1), Planning(), ("hand",), [0, 2, 9, 10, 29, 30]
    )
    assert [len(plan) for plan in plans] == [0, 2, 3, 2, 1, 0]
    assert [plan.columns["now"] for plan in plans] == [0, 2, 9, 10, 29, 30]


@pytest.mark.parametrize("timed", [False, True])
def test_a_plan_is_kept_before_it_is_searched(timed):
    """900 s in front of 10 s: the search at 1 swaps them, but only after it is kept."""
    jobs = Jobs(range(4), [0, 1, 1, 2], [5, 900, 10, 5], [5, 900, 10, 5], [1] * 4)
    settings = Planning(search=Search(every=1, timed=timed))
    before, after = save_plans(
        Requests(jobs, range(4)), Machine.of_processors(1), settings, SEED, [1, 3]
    )
    assert before.starts() == {1: 5, 2: 905}
    assert after.starts()[1] == 20


def test_instants_are_midpoints_of_equal_parts_of_the_eligible_ones():
    """At 1, 2 and 3 one, two and three jobs wait."""
    ask = QUEUE, Machine.of_processors(1), Planning(), ("hand",)
    assert instants(*ask, count=5, least=0) == [0, 1, 2, 3]
    assert instants(*ask, count=4, least=1) == [1, 2, 3]
    assert instants(*ask, count=1, least=1) == [2]
    assert instants(*ask, count=2, least=0) == [1, 3]
    assert instants(*ask, count=3, least=2) == [2, 3]
    assert instants(*ask, count=3, least=4) == []


def test_search_within_clusters_needs_four_jobs_and_keeps_their_clusters():
    """Of jobs that last 40 to 10 s, one after the other, the order by length is the best."""
    settings = Search(scope="cluster", fairness=0)
    assert search(plan_of_one([30, 20, 10]), 500, ("hand",), settings).evaluated == 0
    found = search(plan_of_one([40, 30, 20, 10]), 500, ("hand",), settings)
    assert found.plan.starts() == {3: 0, 2: 10, 1: 30, 0: 60}
    assert (found.moves["origin"] == found.moves["target"]).all()
