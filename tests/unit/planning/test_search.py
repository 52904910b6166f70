"""Plans that are kept and searched."""

import numpy as np
import pytest
from hypothesis import assume, given

from planning_case import cases, session_of
from schedlab.jobs import Jobs
from schedlab.planning.machine import Machine
from schedlab.planning.requests import Requests
from schedlab.planning.search import Plan, search
from schedlab.planning.settings import Planning, Search


def in_order(estimates, submits=None, users=None, cpus=1) -> Plan:
    """Jobs of one processor each, one after the other."""
    n = len(estimates)
    submits = submits or [0] * n
    jobs = Jobs(range(n), submits, estimates, estimates, [1] * n)
    return Plan.in_order(
        Requests(jobs, users or range(n)), Machine.plain(cpus), Planning(), [0] * n
    )


def test_criteria_before_and_after_are_those_of_the_two_orders():
    """900 s in front of 10 s: waits 0 and 900 s; the other way about 10 and 0 s."""
    found = search(in_order([900, 10]), 20, ("hand",))
    assert found.plan.starts() == {1: 0, 0: 10}
    assert found.before == pytest.approx(
        {"wait": 450, "slowdown": 46, "fairness": 46**2 + 44**2, "response": 905}
    )
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
    plan = in_order([10, 9], [-waited + 1, 0])
    assert len(search(plan, 50, ("hand",), settings).moves) == kept


def test_a_plan_that_cannot_be_better_is_searched_through_once():
    """Three jobs in their best order: nine moves, of which six are to another place."""
    found = search(in_order([1, 2, 3]), 10_000, ("hand",))
    assert len(found.moves) == 0
    assert found.evaluated == 6


def test_an_empty_plan_is_not_searched():
    found = search(in_order([]), 10, ("hand",))
    assert len(found.plan) == len(found.moves) == 0
    assert np.isnan(found.after["wait"])


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


@given(cases())
def test_a_search_leaves_what_it_is_given_and_never_makes_it_worse(case):
    """The weighted sum of the changes from before to after is a gain, move by move."""
    session = session_of(*case)
    session.advance(int(case[0].jobs.submit[-1]))
    kept = Plan.of(session)
    before = kept.starts()
    found = search(kept, 30, ("some",))
    assert kept.starts() == before
    assert found.plan.starts().keys() == before.keys()
    assert (found.moves["gain"] > 1e-9).all()
    assert search(kept, 30, ("some",)).plan.starts() == found.plan.starts()


def test_a_job_must_be_able_to_run_where_it_is_planned():
    jobs = Jobs([9], [0], [5], [5], [1])
    with pytest.raises(ValueError, match="job 9: cannot run on cluster 1"):
        Plan.in_order(Requests(jobs, [1]), Machine.plain(4), Planning(), [1])
